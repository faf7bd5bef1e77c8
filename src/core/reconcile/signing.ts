/**
 * What is still to be done of certificate requests: have them signed, and send what was signed (CERT-C1). It stands in
 * the database, so whoever starts again goes on with it.
 */
import { CHAIN_SIZE_KEYS, longestChain } from '../../domain/certificates/longest-chain.ts'
import type { CertificateRequest } from '../../domain/certificates/records.ts'
import type { CertificateSigner, SigningOutcome } from '../../domain/ports/certificates.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { BlockInput } from '../../domain/records/records.ts'
import { readSignedChain } from '../../domain/x509/signed-chain.ts'
import { organizationOf } from '../certificates/organization.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { decideBlockOrder } from '../operations/decide-block.ts'
import { orderCall } from '../outbound/order-call.ts'

/** A charge point that is away longer than that asks again when it is back. */
const SEND_TTL_MS = 7 * 24 * 3600_000
const PAGE = 500

export interface CertificateWork {
  /** Something of this charge point may be due. */
  wake(station: Station): void
  /** At start, and when a node has ended. */
  resume(): Promise<void>
}

export function createCertificateWork(
  context: CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
  signer: CertificateSigner,
): CertificateWork {
  const underWay = new Set<string>()

  const decide = async (station: Station, input: BlockInput): Promise<void> => {
    const { accountId } = station.chargePoint
    await decideBlockOrder(context, { accountId, chargePointId: station.id, input })
  }

  const sign = async (station: Station, request: CertificateRequest): Promise<void> => {
    const { id, chargePointId, csr, keyKind, type, commonName } = request
    const serialNumber = station.state?.status.serialNumber
    const organization = organizationOf(context, station)
    const order = { id, chargePointId, csr, keyKind, type, commonName, organization, serialNumber }
    const outcome = await signer.sign(order)
    const key = { in: CHAIN_SIZE_KEYS }
    const sizes = await store.listRecords('variables', { where: { chargePointId, key }, limit: CHAIN_SIZE_KEYS.length })
    const input = whatFollows(request, outcome, context.clock.now(), longestChain(sizes))
    if (input.kind === 'certificateNotMade') {
      const fields = { chargePoint: chargePointId, request: id, state: input.state, reason: input.reason }
      context.log.error(fields, 'no certificate was made for a charge point')
    }
    await decide(station, input)
  }

  const send = async (station: Station, { id, chain = '', type }: CertificateRequest): Promise<void> => {
    const request = { certificateChain: chain, ...(type !== undefined && { certificateType: type }) }
    await orderCall(context, {
      stationId: station.id,
      call: { method: 'CertificateSigned', request },
      purpose: { kind: 'certificate', requestId: id },
      expiresAt: context.clock.now() + SEND_TTL_MS,
      input: { kind: 'certificateQueued', id },
    })
  }

  const work = (station: Station, request: CertificateRequest): void => {
    const key = `${station.id}\0${request.id}`
    if (request.work === 'none' || underWay.has(key)) return
    underWay.add(key)
    const step = request.work === 'sign' ? sign : send
    step(station, request)
      .catch((error: Error) => {
        const fields = { chargePoint: station.id, request: request.id, error: error.message }
        context.log.error(fields, 'a certificate request could not be dealt with')
      })
      .finally(() => {
        underWay.delete(key)
        const known = context.stations.known(station.id)
        const next = known?.state?.records.find('certificate_requests', { chargePointId: station.id, id: request.id })
        // The next step; one that could not be done waits for the next wake-up.
        if (known && next && next.work !== request.work) work(known, next)
      })
  }

  const wake = (station: Station): void => {
    for (const request of station.state?.records.all('certificate_requests') ?? []) work(station, request)
  }

  return {
    wake,
    async resume() {
      for (const state of ['sign', 'send'] as const) {
        let after: { readonly chargePointId: string; readonly id: string } | undefined
        do {
          const page: readonly CertificateRequest[] = await store.listRecords('certificate_requests', {
            where: { work: state },
            limit: PAGE,
            ...(after && { after }),
          })
          for (const { chargePointId } of page) {
            const { stations } = context
            const station = stations.current(chargePointId) ?? (await stations.load(chargePointId, 'unowned'))
            if (station && !station.isElsewhere) wake(station)
          }
          after = page.length < PAGE ? undefined : page.at(-1)
        } while (after)
      }
    },
  }
}

/** CERT-C9: whoever made the chain, it is checked before a charge point gets it. */
export function whatFollows(
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
