/** What the messages of both versions share: facts of a boot, transferred data, progress, security events, CSRs. */

import type { CertificateHash, CertificateType, DesiredCertificate } from '../../domain/certificates/records.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { readCsr } from '../../domain/x509/authority.ts'
import { maskPart } from '../mask.ts'
import type { FromChargePoint, OcppVersion } from '../version.ts'
import { type InboundRules, needsText } from './message.ts'
import { integer, list, object, type Payload, sentTime, text } from './payload.ts'
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

/** Stations set their clock by it, so it is never answered from memory. */
export const heartbeat: InboundRules = {
  effect: 'sign of life',
  repeatable: false,
  answer: (_request, _outcome, { now }) => ({ currentTime: sentTime(now) }),
}

/** A vendor's message, answered as its account configured (TIMELINE-T1). @param spell how this version sends data */
export function dataTransfer(numbers: 'ours' | 'stations', spell: (data: unknown) => unknown): InboundRules {
  return {
    effect: 'answered as registered for its vendor, else `UnknownVendorId`; signed meter values in it are kept',
    needs: needsText('vendorId'),
    input: (request, { receivedAt }) => ({
      kind: 'dataTransferReceived',
      vendorId: text(request.vendorId) ?? '',
      messageId: text(request.messageId),
      data: maskPart(request.data ?? undefined),
      signed: transferredValues(request, receivedAt, numbers),
    }),
    answer: (_request, { transfer = { status: 'UnknownVendorId' } }) => ({
      status: transfer.status,
      ...(transfer.data !== undefined && { data: spell(transfer.data) }),
    }),
  }
}

// Progress notices of jobs (FIRMWARE-D2, FIRMWARE-U3).

/** Longer than any official one; invented ones are cut. */
const STATUS_CHARACTERS = 100

/** 1.6 names its request only in the messages of its security extension. */
export function progress(kind: 'logStatus' | 'firmwareStatus', effect: string): InboundRules {
  return {
    effect,
    needs: needsText('status'),
    input({ status, requestId }) {
      const said = text(status)
      if (said === undefined) return { kind: 'noted' }
      return { kind, status: said.slice(0, STATUS_CHARACTERS), requestId: integer(requestId) }
    },
  }
}

const LOG_TYPES = { diagnostics: 'DiagnosticsLog', security: 'SecurityLog' } as const

export const getLog: OcppVersion['getLog'] = ({ type, requestId, location, fromAt, toAt }) => ({
  method: 'GetLog',
  request: {
    logType: LOG_TYPES[type],
    requestId,
    log: { remoteLocation: location, oldestTimestamp: sentTime(fromAt), latestTimestamp: sentTime(toAt) },
  },
})

/** SecurityEventNotification of both versions (TIMELINE-A5). */
export const securityEventSeen: InboundRules = {
  effect: 'security event: part of the timeline, and sent to its subscribers',
  needs: needsText('type'),
  input({ type, techInfo }) {
    const named = text(type)
    if (named === undefined) return { kind: 'noted' }
    return { kind: 'securityEventSeen', type: named, detail: text(maskPart(techInfo)) }
  },
}

/** What both versions share about SignCertificate: the request read and judged, and the answer (CERT-C1, CERT-C3). */
const TYPES: readonly CertificateType[] = ['ChargingStationCertificate', 'V2GCertificate']

export const certificateSigned: OcppVersion['certificateSigned'] = ({ chain, type }) => ({
  method: 'CertificateSigned',
  request: { certificateChain: chain, ...(type !== undefined && { certificateType: type }) },
})

/** SignCertificate, without its answer. */
export const signing = {
  effect: 'the request is checked and kept; the certificate follows as CertificateSigned',
  judgesItself: true,
  input: certificateRequested,
} satisfies InboundRules

/** Any defect becomes a fault, because only `Rejected` makes a station stop waiting. */
function certificateRequested({ csr, certificateType }: Payload): Input {
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

const MAX_HASH = 256

/** CertificateHashData; kept as reported, to name the certificate again (CERT-C23). */
export function readHashes(value: unknown): readonly CertificateHash[] {
  return list(value).flatMap((entry) => {
    const { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } = object(entry)
    const all = [hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber]
    if (!all.every((part) => typeof part === 'string' && part.length <= MAX_HASH)) return []
    return [{ hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } as CertificateHash]
  })
}
