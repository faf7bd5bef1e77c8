/** What the messages of both versions share: facts of a boot, transferred data, progress, security events, CSRs. */

import type { CertificateType, DesiredCertificate } from '../../domain/certificates/records.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { readCsr } from '../../domain/x509/authority.ts'
import { maskPart } from '../mask.ts'
import type { Payload } from '../payload.ts'
import type { FromChargePoint, OcppVersion } from '../version.ts'
import { integer, sentTime, text } from './payload.ts'
import { transferredValues } from './signed/data-transfer.ts'

/** Missing or malformed facts are absent: earlier ones stay. */
export function booted(facts: {
  readonly vendor: unknown
  readonly model: unknown
  readonly serialNumber: unknown
  readonly firmwareVersion: unknown
}): Input {
  const vendor = fact(facts.vendor)
  const model = fact(facts.model)
  const serialNumber = fact(facts.serialNumber)
  const firmwareVersion = fact(facts.firmwareVersion)
  return { kind: 'booted', vendor, model, serialNumber, firmwareVersion }
}

/** Ten times what OCPP allows: kept in memory, also for unaccepted charge points (OCPP-RP14). The log has it all. */
const FACT_CHARACTERS = 500

function fact(value: unknown): string | undefined {
  return text(value)?.slice(0, FACT_CHARACTERS)
}

/** Without a decision the station waits and boots again, which is harmless. */
export const bootAnswer: FromChargePoint['answer'] = (
  _request,
  { registration = 'Pending' },
  { now, heartbeatIntervalSeconds, bootRetrySeconds },
) => ({
  status: registration,
  currentTime: sentTime(now),
  interval: registration === 'Accepted' ? heartbeatIntervalSeconds : bootRetrySeconds,
})

/** DataTransfer of both versions: a vendor's message, answered as its account configured (TIMELINE-T1). */
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

// Progress notices of jobs (FIRMWARE-D2, FIRMWARE-U3).

/** Longer than any official one; invented ones are cut. */
const STATUS_CHARACTERS = 100

/** 1.6 names its request only in the messages of its security extension. */
export function progressOf(kind: 'logStatus' | 'firmwareStatus', { status, requestId }: Payload): Input {
  const said = text(status)
  if (said === undefined) return { kind: 'noted' }
  return { kind, status: said.slice(0, STATUS_CHARACTERS), requestId: integer(requestId) }
}

/** SecurityEventNotification of both versions (TIMELINE-A5). */
export function securityEvent({ type, techInfo }: Payload): Input {
  const named = text(type)
  return named === undefined
    ? { kind: 'noted' }
    : { kind: 'securityEventSeen', type: named, detail: text(maskPart(techInfo)) }
}

/** What both versions share about SignCertificate: the request read and judged, and the answer (CERT-C1, CERT-C3). */
const TYPES: readonly CertificateType[] = ['ChargingStationCertificate', 'V2GCertificate']

export const certificateSigned: OcppVersion['certificateSigned'] = ({ chain, type }) => ({
  method: 'CertificateSigned',
  request: { certificateChain: chain, ...(type !== undefined && { certificateType: type }) },
})

export const SIGNING_EFFECT = 'the request is checked and kept; the certificate follows as CertificateSigned'

/** Any defect becomes a fault, because only `Rejected` makes a station stop waiting. */
export function certificateRequested({ csr, certificateType }: Payload): Input {
  const type = TYPES.find((known) => known === certificateType)
  if (certificateType === 'V2G20Certificate')
    return { kind: 'certificateRequested', fault: 'nothing here issues a V2G20Certificate' }
  return { kind: 'certificateRequested', ...desired(csr), ...(type !== undefined && { type }) }
}

function desired(csr: unknown): DesiredCertificate {
  const reading = readCsr(text(csr) ?? '')
  if (!reading.ok) return { fault: reading.reason }
  const { pem, digest, kind, commonName } = reading.csr
  return { csr: pem, digest, keyKind: kind, commonName }
}

export function signingStatus({ signing }: Outcome): 'Accepted' | 'Rejected' {
  return signing?.isAccepted ? 'Accepted' : 'Rejected'
}
