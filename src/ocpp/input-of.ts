/** The input of a valid call, live or read again from the log (HOOK-B3). */
import { hash } from 'node:crypto'
import type { Input } from '../domain/sessions/decision.ts'
import type { Payload } from './payload.ts'
import type { FromChargePoint } from './version.ts'

/** 96 bits: no accidental collisions within a charge point. */
const DIGEST_DIGITS = 24

export function inputOf(
  handler: FromChargePoint,
  payload: Payload,
  sent: { readonly messageId: string; readonly payloadText: string; readonly receivedAt: number },
): Input {
  return handler.input(payload, {
    receivedAt: sent.receivedAt,
    raw: sent.payloadText,
    digest: (facts = sent.payloadText) => hash('sha256', facts).slice(0, DIGEST_DIGITS),
    messageId: sent.messageId,
  })
}
