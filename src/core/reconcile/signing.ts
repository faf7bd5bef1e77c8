/** Open work of certificate requests: have them signed, and send the result (CERT-C1). */

import { CHAIN_SIZE_KEYS, longestChain } from '../../domain/certificates/certificates.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { SigningOutcome } from '../../domain/ports/core.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { readSignedChain } from '../../domain/x509/signed-chain.ts'
import { organizationOf } from '../certificates/login.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideNow } from './decide-now.ts'
import { type Subject, stored, type Task } from './subject.ts'

/** A charge point that is offline for longer asks again when it is back. */
const SEND_TTL_MS = 7 * 24 * 3600_000

export const signing: Subject<Task & { readonly request: CertificateRequest }> = {
  name: 'certificates',
  records: ['certificate_requests'],
  purposes: [],
  due: ({ state, version }) =>
    (state?.records.all('certificate_requests') ?? [])
      .filter(({ work }) => work === 'sign' || (work === 'send' && version))
      .map((request) => ({ key: request.id, request })),
  order: (context, station, { request }) =>
    request.work === 'sign' ? sign(context, station, request) : send(context, station, request),
  // Needs no charge point.
  unfinished: stored('certificate_requests', () => ({ work: 'sign' as const })),
}

async function sign(context: CoreContext, station: Station, request: CertificateRequest): Promise<void> {
  const { store, signer, clock, log } = context
  const { id, chargePointId, csr, keyKind, type, commonName } = request
  const serialNumber = station.state?.status.serialNumber
  const organization = organizationOf(context, station)
  const outcome = await signer.sign({ id, chargePointId, csr, keyKind, type, commonName, organization, serialNumber })
  const key = { in: CHAIN_SIZE_KEYS }
  const sizes = await store.listRecords('variables', { where: { chargePointId, key }, limit: CHAIN_SIZE_KEYS.length })
  const input = whatFollows(request, outcome, clock.now(), longestChain(sizes))
  if (input.kind === 'certificateNotMade') {
    const fields = { chargePoint: chargePointId, request: id, state: input.state, reason: input.reason }
    log.error(fields, 'no certificate was made for a charge point')
  }
  await decideNow(context, chargePointId, input)
}

async function send(context: CoreContext, station: Station, request: CertificateRequest): Promise<void> {
  const { id, chain = '', type, stationRequestId } = request
  const call = station.version?.certificateSigned({ chain, type, stationRequestId })
  if (!call) return
  await orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'certificate', requestId: id },
    expiresAt: context.clock.now() + SEND_TTL_MS,
    input: { kind: 'certificateQueued', id },
  })
}

/** CERT-C9: any signer's chain is checked before it is sent. */
function whatFollows(
  { id, csr, type }: Pick<CertificateRequest, 'id' | 'csr' | 'type'>,
  outcome: SigningOutcome,
  now: number,
  longest?: number,
): Extract<BlockInput, { readonly kind: 'certificateMade' | 'certificateNotMade' | 'certificateAwaited' }> {
  if ('later' in outcome) return { kind: 'certificateAwaited', id }
  if ('state' in outcome) return { kind: 'certificateNotMade', id, ...outcome }
  const { chain, authority } = outcome
  const reading = readSignedChain(chain, csr, { now, type, longest })
  if (!reading.ok) return { kind: 'certificateNotMade', id, state: 'failed', reason: reading.reason }
  const { signed } = reading
  return { kind: 'certificateMade', id, chain: signed.chain, certificate: signed.leaf, authority }
}

/** Renews certificates: looked at after each login and daily, at once where one is over (CERT-C15, CERT-C20). */
const DAY_MS = 24 * 3600_000
const RENEWAL_MS = 30 * DAY_MS
const TTL_MS = 60_000

export const renewal: Subject = {
  name: 'renewal',
  records: [],
  purposes: [],
  due({ shown, connection, version, renewal: { notBefore } }, now) {
    if (!shown || connection === undefined || !version) return []
    return shown.notAfter - now <= RENEWAL_MS && notBefore <= now ? [{ key: '' }] : []
  },
  async order(context, { id, version, renewal: times }) {
    if (!version) return
    const now = context.clock.now()
    times.asked(now)
    await orderCall(context, {
      stationId: id,
      call: version.certificateTrigger,
      purpose: { kind: 'certificateTrigger' },
      expiresAt: now + TTL_MS,
    })
  },
  dueAgainAt({ shown, connection, renewal: { notBefore } }, now) {
    if (!shown || connection === undefined) return undefined
    const from = Math.max(notBefore, shown.notAfter - RENEWAL_MS)
    return from > now ? Math.min(from, now + DAY_MS) : undefined
  },
}
