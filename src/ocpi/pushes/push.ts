/**
 * Sends a partner what waits for it in the outbox of webhooks (OCPI-A2, OCPI-A5). Delivered is what the partner answers
 * with HTTP 2xx and an OCPI code of 1xxx; everything else is tried again by the schedule of webhooks.
 */
import { CDR_MADE, type Partner, type PartnerExchange, TARIFF_CHANGED } from '../../domain/partners/records.ts'
import type { ClaimedDelivery } from '../../domain/ports/storage-webhooks.ts'
import type { PostResult } from '../../webhooks/sending/sender.ts'
import type { Called } from '../partners/client.ts'
import { endpointUrl, hubOf } from '../partners/endpoints.ts'
import type { OcpiContext } from '../wire/module.ts'
import { currentObject, type Named } from './current.ts'

/** @param stopping of this process: what was on its way is given back */
export async function push(
  context: OcpiContext,
  delivery: ClaimedDelivery,
  stopping: readonly AbortSignal[],
): Promise<PostResult> {
  const { accountId, partnerId = '', attempts } = delivery
  const partner = await context.reads.getRecord('partners', { accountId, partnerId })
  const called = partner && (await sendCurrent(context, partner, namedBy(delivery), attempts + 1))
  if (!called) return { durationMs: 0, error: 'status', answer: 'The partner is not registered.' }
  if (called === 'nothing') return { durationMs: 0, status: 204 }
  if (called.ok) return { durationMs: called.durationMs, status: called.status }
  if (stopping.some(({ aborted }) => aborted)) return { durationMs: 0, error: 'interrupted' }
  const { status = 0, error = 'status', durationMs = 0, retryAfter, message: answer } = called
  // No 2xx with another code than 1xxx is a success, and 410 ends no partner's pushes.
  const isOfHttp = status >= 300 && status !== 410
  return { durationMs, error, status: isOfHttp ? status : undefined, retryAfter, answer }
}

/** `nothing`: the partner does not take it, or is not shown it. Undefined: it is not registered. */
async function sendCurrent(
  context: OcpiContext,
  partner: Partner,
  named: Named | undefined,
  attempt: number,
): Promise<Called | 'nothing' | undefined> {
  const { accountId, state, version, roles } = partner
  const party = await context.reads.getRecord('ocpi_parties', { accountId })
  if (state !== 'registered' || version === undefined || !party) return undefined
  const endpoint = named && endpointUrl(partner, named.module, 'RECEIVER')
  if (!named || endpoint === undefined) return 'nothing'
  const found = await currentObject(context, { partner, party, version }, named)
  if (!found) return 'nothing'
  const { path, method, body } = found
  const to = found.to ?? hubOf(partner) ?? roles.find(({ role }) => role !== 'CPO') ?? roles[0]
  return context.client.call(partner, {
    method,
    url: `${endpoint}${path}`,
    body,
    attempt,
    routing: to && { from: party, to },
  })
}

function namedBy({ type, subject, body }: ClaimedDelivery): Named | undefined {
  const { data } = JSON.parse(body) as { readonly data: Readonly<Record<string, string | undefined>> }
  switch (type) {
    case 'location.updated':
      return { module: 'locations', locationId: data.locationId ?? '', evseUid: data.evseUid }
    case 'session.updated':
      return { module: 'sessions', sessionId: subject }
    case TARIFF_CHANGED:
      return { module: 'tariffs', tariffId: subject }
    case CDR_MADE:
      return { module: 'cdrs', cdrId: data.cdrId ?? '' }
    default:
      return undefined
  }
}

/** Sends the object of an earlier push as it is now. Undefined: the exchange was no push. */
export async function pushAgain(
  context: OcpiContext,
  partner: Partner,
  { method, url, request = '', attempt }: PartnerExchange,
): Promise<Called | 'nothing' | undefined> {
  const named = method === 'GET' ? undefined : namedIn(partner, url, request)
  return named && sendCurrent(context, partner, named, attempt + 1)
}

function namedIn(partner: Partner, url: string, request: string): Named | undefined {
  for (const module of ['locations', 'sessions', 'tariffs', 'cdrs'] as const) {
    const endpoint = endpointUrl(partner, module, 'RECEIVER')
    if (endpoint === undefined || (url !== endpoint && !url.startsWith(`${endpoint}/`))) continue
    const [, , , id, evseUid] = url.slice(endpoint.length).split('/').map(decodeURIComponent)
    // Cut after 16 KiB: the id stands near its begin.
    const cdrId = /"id":"([^"\\]+)"/.exec(request)?.[1]
    if (module === 'cdrs') return cdrId === undefined ? undefined : { module, cdrId }
    if (id === undefined) return undefined
    if (module === 'locations') return { module, locationId: id, evseUid }
    return module === 'sessions' ? { module, sessionId: id } : { module, tariffId: id }
  }
  return undefined
}
