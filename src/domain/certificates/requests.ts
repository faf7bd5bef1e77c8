/** Requests of charge points for a certificate, from SignCertificate to CertificateSigned (CERT-C1 to CERT-C3). */

import { hash } from 'node:crypto'
import { isRecent } from '../due.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { recordsOf } from '../records/records-of.ts'
import { commonNameFault } from '../x509/issue.ts'
import type { CertificateRequest, CertificateType } from './records.ts'

const DAY_MS = 24 * 3600_000
/** A charge point needs one or two; more in a day is a fault, and each costs a signature. */
const MAX_PER_DAY = 10
const MAX_KEPT = 20
const ID_DIGITS = 32

const requests = recordsOf('certificate_requests')

export function onCertificateRequested(draft: BlockDraft, input: InputOf<'certificateRequested'>): Outcome {
  if ('fault' in input) return rejected(input.fault)
  const { state, now } = draft
  const { chargePointId, accountId, status } = state
  const id = requestId(chargePointId, input.digest, input.type)
  const known = requests.find(draft, { id })
  if (known) return again(draft, { ...known, stationRequestId: input.stationRequestId })
  const misnamed = commonNameFault(input.commonName, status.serialNumber, state.subjectCheck)
  if (misnamed !== undefined) return rejected(`of the request: ${misnamed}`)
  const commonName = nameFor(status.serialNumber, input.commonName)
  if (commonName === undefined) return rejected('the request has no common name, and no serial number is known')
  const kept = state.records.all('certificate_requests')
  if (kept.filter(({ createdAt }) => isRecent(createdAt, now, DAY_MS)).length >= MAX_PER_DAY) {
    return rejected(`more than ${MAX_PER_DAY} requests in a day`)
  }
  replaceOpen(draft, kept, input.type)
  requests.makeRoom(draft, MAX_KEPT)
  const { csr, keyKind, type, stationRequestId } = input
  const named = { chargePointId, id, accountId, commonName, type }
  requests.put(draft, { ...named, csr, keyKind, stationRequestId, state: 'pending', work: 'sign', createdAt: now })
  return { signing: { isAccepted: true } }
}

/** CERT-C29: a station asks for one key, so a newer request replaces what was not sent of older ones, signed or not. */
function replaceOpen(draft: BlockDraft, kept: readonly CertificateRequest[], type: CertificateType | undefined): void {
  for (const { failedAt: _, ...request } of kept) {
    if ((request.type === 'V2GCertificate') !== (type === 'V2GCertificate')) continue
    const isOpen = request.state === 'pending' || (request.state === 'signed' && isUnsent(draft, request))
    if (isOpen) requests.put(draft, { ...request, state: 'rejected', reason: REPLACED, work: 'none' })
  }
}

const REPLACED = 'a newer request replaced it'

function isUnsent({ state }: BlockDraft, { id, work }: CertificateRequest): boolean {
  if (work === 'send') return true
  const calls = state.records.all('outgoing_calls')
  return calls.some(
    ({ purpose, sentAt }) => sentAt === undefined && purpose.kind === 'certificate' && purpose.requestId === id,
  )
}

/** CERT-C2: what was signed is sent again, and what was refused is never asked for a second time. */
function again(draft: BlockDraft, known: CertificateRequest): Outcome {
  if (known.state === 'rejected' || known.state === 'failed') return rejected(known.reason ?? 'it was refused before')
  requests.put(draft, known.state === 'signed' ? { ...known, work: 'send' } : known)
  return { signing: { isAccepted: true } }
}

export function onCertificateMade(draft: BlockDraft, input: InputOf<'certificateMade'>): Outcome | undefined {
  const request = pendingRequest(draft, input.id)
  if (!request) return NOT_PENDING
  forgetFailures(draft)
  requests.put(draft, { ...request, state: 'signed', chain: input.chain, work: 'send' })
  if (request.type === 'V2GCertificate') return undefined
  const { fingerprint, serialNumber, subject, issuer, pem, notBefore, notAfter } = input.certificate
  const named = { chargePointId: draft.state.chargePointId, fingerprint, serialNumber, authority: input.authority }
  const facts = { subject, issuer, certificate: pem, notBefore, notAfter, createdAt: draft.now }
  recordsOf('station_certificates').put(draft, { ...named, ...facts, state: 'issued' })
}

export function onCertificateNotMade(draft: BlockDraft, input: InputOf<'certificateNotMade'>): Outcome | undefined {
  const { id, state, reason, isOrdered = false } = input
  const request = pendingRequest(draft, id)
  if (!request) return NOT_PENDING
  requests.put(draft, { ...request, state, reason, work: 'none', ...(!isOrdered && { failedAt: draft.now }) })
}

/** CERT-C30: nothing asks again by itself, so the failure raises an alert. */
export function onCertificateNotTaken(draft: BlockDraft, { id, reason }: InputOf<'certificateNotTaken'>): void {
  const request = requests.find(draft, { id })
  if (request?.state === 'signed')
    requests.put(draft, { ...request, state: 'failed', reason, work: 'none', failedAt: draft.now })
}

/** CERT-C27: an operator takes care of it, so its alert is over. */
export function onCertificateFailureNoticed(draft: BlockDraft): void {
  forgetFailures(draft)
}

function forgetFailures(draft: BlockDraft): void {
  for (const { failedAt, ...request } of draft.state.records.all('certificate_requests')) {
    if (failedAt !== undefined) requests.put(draft, request)
  }
}

export function onCertificateAwaited(draft: BlockDraft, { id }: InputOf<'certificateAwaited'>): Outcome | undefined {
  const request = pendingRequest(draft, id)
  if (!request) return NOT_PENDING
  requests.put(draft, { ...request, work: 'none' })
}

export function onCertificateQueued(draft: BlockDraft, { id }: InputOf<'certificateQueued'>): Outcome | undefined {
  const request = requests.find(draft, { id })
  if (request?.work !== 'send') return { refused: 'nothing_to_send' }
  requests.put(draft, { ...request, work: 'none' })
}

const NOT_PENDING: Outcome = { refused: 'request_not_pending' }

function pendingRequest(draft: BlockDraft, id: string): CertificateRequest | undefined {
  const request = requests.find(draft, { id })
  return request?.state === 'pending' ? request : undefined
}

function rejected(reason: string): Outcome {
  return { signing: { isAccepted: false, reason } }
}

/** RFC 5280: a common name has at most 64 characters. */
function nameFor(serialNumber: string | undefined, requested: string | undefined): string | undefined {
  return [serialNumber, requested].find((name) => name !== undefined && name !== '' && name.length <= 64)
}

function requestId(chargePointId: string, digest: string, type: string | undefined): string {
  return hash('sha256', `${chargePointId}\0${digest}\0${type ?? ''}`).slice(0, ID_DIGITS)
}
