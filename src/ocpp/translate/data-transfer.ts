/** DataTransfer of both versions: a vendor's message, answered as its account configured (TIMELINE-T1). */
import type { Input } from '../../domain/sessions/decision.ts'
import { maskPart } from '../mask.ts'
import type { Payload } from '../payload.ts'
import type { FromChargePoint } from '../version.ts'
import { text } from './payload.ts'
import { transferredValues } from './signed/data-transfer.ts'

export const TRANSFER_EFFECT =
  'answered as registered for its vendor, else `UnknownVendorId`; signed meter values in it are kept'

export function receivedTransfer(request: Payload, receivedAt: number, numbers: 'ours' | 'stations'): Input {
  return {
    kind: 'dataTransferReceived',
    vendorId: text(request.vendorId) ?? '',
    messageId: text(request.messageId),
    data: maskPart(request.data ?? undefined),
    signed: transferredValues(request, receivedAt, numbers),
  }
}

/** @param spell how this version sends data */
export function transferAnswer(spell: (data: unknown) => unknown): FromChargePoint['answer'] {
  return (_request, { transfer = { status: 'UnknownVendorId' } }) => ({
    status: transfer.status,
    ...(transfer.data !== undefined && { data: spell(transfer.data) }),
  })
}
