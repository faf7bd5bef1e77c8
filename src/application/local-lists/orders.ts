/** What the API and the console do with local lists (LIST-A1): stored first, then wished for every charge point. */

import { z } from '@hono/zod-openapi'
import type { StationStatus } from '../../domain/configuration/status.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { entryOf, type ListedTokens, type LocalList, type StationList } from '../../domain/local-lists/records.ts'
import type { ChargePointView, Refusal } from '../../domain/ports/storage-records.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import type { Selector } from '../../domain/records/selector.ts'
import { refuse } from '../../domain/refuse.ts'
import { chargePointPages, selectable, selectChargePoints, selects } from '../../domain/selector.ts'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { type FleetContext, settleDesired } from '../configuration/orders.ts'
import { noRoomFor } from '../context.ts'
import { SelectorSchema } from '../schemas/charge-points.ts'
import { time, typedText } from '../schemas/common.ts'
import { type EntriesContext, idTokenPages, listsOf, refreshList, writeEntries } from './entries.ts'

export type LocalListContext = FleetContext & EntriesContext

interface AskedList {
  readonly selector: Selector
  readonly tokens: ListedTokens
  readonly grantId?: string | undefined
}

const MAX_NAMED = 10

/** Refuses with 422 what does not fit, with 409 charge points that have another list, and one list too many. */
export async function putLocalList(
  place: LocalListContext,
  accountId: string,
  name: string,
  asked: AskedList,
): Promise<{ readonly before?: LocalList | undefined; readonly after: LocalList } | Refusal> {
  const before = await place.reads.getRecord('local_lists', { accountId, name })
  const full = before ? undefined : await noRoomFor('local_lists', place.reads, accountId)
  const refusal =
    full ?? (await unknownTokens(place, accountId, asked)) ?? (await misfit(place, accountId, name, asked))
  if (refusal) return refusal
  const now = place.now()
  const { selector, tokens, grantId } = asked
  const dates = { contentAt: Math.max(now, (before?.contentAt ?? 0) + 1), createdAt: before?.createdAt ?? now }
  const requested: LocalList = {
    accountId,
    name,
    selector,
    tokens,
    ...dates,
    updatedAt: now,
    ...(grantId && { grantId }),
  }
  // The entries of a new one come first: no charge point may be sent an empty list.
  if (!before) await writeEntries(place, requested)
  await place.writes.putRecords('local_lists', [requested])
  const after = before ? await refreshList(place, requested) : requested
  await settleDesired(place, 'local_lists', after, before)
  return { before, after }
}

/** Of every charge point that is meant, by id (LIST-A9). */
export async function stationsOfList(
  { reads }: Pick<LocalListContext, 'reads'>,
  { accountId, name, selector, updatedAt }: LocalList,
): Promise<readonly StationStatus[]> {
  const held = await allRecords(reads, 'station_lists', { accountId })
  const byStation = new Map(held.map((one) => [one.chargePointId, one]))
  const stations = await selectChargePoints(reads, accountId, selector)
  return stations.map(({ id }) => statusIn(name, id, byStation.get(id), updatedAt))
}

function statusIn(name: string, evseControllerId: string, has: StationList | undefined, since: number): StationStatus {
  if (!has) return { evseControllerId, state: 'pending', updatedAt: isoTime(since) }
  const { list, state, reason, updatedAt } = has
  const at = isoTime(updatedAt)
  if (list !== name && list !== undefined) {
    return { evseControllerId, state: 'conflict', reason: `it has the list ${list}`, updatedAt: at }
  }
  if (list === undefined) return { evseControllerId, state: 'pending', updatedAt: at }
  return { evseControllerId, state, reason, updatedAt: at }
}

async function unknownTokens(
  { reads }: LocalListContext,
  accountId: string,
  { tokens }: AskedList,
): Promise<Refusal | undefined> {
  if (tokens === 'all' || 'groupId' in tokens) return undefined
  const known = await Promise.all(tokens.ids.map((id) => reads.findIdToken(accountId, id)))
  const faults = tokens.ids.flatMap((id, at) => {
    const message = `${id} is no id token of the account`
    return known[at] ? [] : [{ pointer: `/tokens/ids/${at}`, code: 'unknown_id_token', message }]
  })
  if (faults.length === 0) return undefined
  const named = faults.slice(0, MAX_NAMED).map(({ message }) => message)
  return {
    ...refuse(422, 'unknown_id_token', `${named.join('; ')}. Create it first, or leave it out.`),
    errors: faults,
  }
}

/** LIST-A8, LIST-A10: charge points that have another list, and those that take fewer cards. */
async function misfit(
  place: LocalListContext,
  accountId: string,
  name: string,
  { selector, tokens }: AskedList,
): Promise<Refusal | undefined> {
  const count = await countTokens(place, accountId, tokens)
  const others = (await listsOf(place, accountId)).filter((list) => list.name !== name)
  const elsewhere: string[] = []
  const tooSmall: string[] = []
  for await (const stations of chargePointPages(place.reads, accountId)) {
    const meant = stations.filter((station) => selects(selector, selectable(station)))
    for (const station of meant) {
      const other = others.find((list) => selects(list.selector, selectable(station)))
      if (other) elsewhere.push(`${station.id} has the list ${other.name}`)
    }
    tooSmall.push(...(await whoTakesFewer(place, meant, count)))
  }
  if (elsewhere.length > 0) {
    const what = some(elsewhere)
    return refuse(
      409,
      'has_another_list',
      `A charge point has one list: ${what}. Leave it out of one of the selectors.`,
    )
  }
  if (tooSmall.length === 0) return undefined
  const faults = tooSmall.map((message) => ({ pointer: '/tokens', code: 'list_too_long', message }))
  const detail = `The list has ${count} tokens: ${some(tooSmall)}. Name fewer tokens or other charge points.`
  return { ...refuse(422, 'list_too_long', detail), errors: faults.slice(0, 100) }
}

function some(all: readonly string[]): string {
  const more = all.length - MAX_NAMED
  return all.slice(0, MAX_NAMED).join('; ') + (more > 0 ? `; and ${more} more` : '')
}

async function whoTakesFewer(
  { reads }: LocalListContext,
  stations: readonly ChargePointView[],
  count: number,
): Promise<readonly string[]> {
  if (stations.length === 0) return []
  const models = await reads.listRecords('device_models', {
    where: { chargePointId: { in: stations.map(({ id }) => id) } },
    limit: stations.length,
  })
  return models.flatMap(({ chargePointId, limits: { listEntries } }) =>
    listEntries !== undefined && listEntries < count ? [`${chargePointId} takes ${listEntries}`] : [],
  )
}

async function countTokens({ reads }: LocalListContext, accountId: string, tokens: ListedTokens): Promise<number> {
  let count = 0
  for await (const page of idTokenPages(reads, accountId)) {
    count += page.filter((token) => entryOf(tokens, token)).length
  }
  return count
}

const id = typedText(ID_TOKEN)

const tokens = z
  .union([z.literal('all'), z.strictObject({ groupId: id }), z.strictObject({ ids: z.array(id).min(1).max(1000) })])
  .openapi('ListedTokens', {
    description: 'All id tokens of the account, those of a group, or these. Codes typed by hand are never listed.',
  })

export const PutLocalListSchema = z.strictObject({ selector: SelectorSchema, tokens }).openapi('PutLocalList')

export const LocalListSchema = z
  .strictObject({
    name: z.string(),
    selector: SelectorSchema,
    tokens,
    changedAt: time().openapi({ description: 'When an entry of it changed last.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('LocalList')
