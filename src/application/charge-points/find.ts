/** Finding charge points: the filters of the API and of the console's list are these (CONSOLE-A4). */

import type { Core } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type {
  ChargePointFilter,
  ChargePointOrder,
  ChargePointQuery,
  SortedChargePoint,
} from '../../domain/ports/storage-queries.ts'

export const CONNECTOR_STATUSES = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEVSE',
  'SuspendedEV',
  'Finishing',
  'Occupied',
  'Reserved',
  'Unavailable',
  'Faulted',
] as const

export interface AskedChargePoints extends Omit<ChargePointFilter, 'within' | 'without'> {
  readonly online?: boolean | undefined
  readonly site?: string | undefined
}

interface Finding {
  readonly reads: Pick<Reads, 'findChargePoints'>
  readonly core: Pick<Core, 'onlineChargePoints' | 'connectivity'>
}

/** @param shared only those; absent: all of the account */
export async function findChargePoints(
  { reads, core }: Finding,
  { online, site, labels = [], ...asked }: AskedChargePoints,
  page: Omit<ChargePointQuery, 'filter'>,
  shared?: readonly string[],
): Promise<readonly SortedChargePoint[]> {
  const filter = { ...asked, labels: site === undefined ? labels : [...labels, ['site', site] as const] }
  const isByTime = page.sort === 'lastSeenAt'
  const isLive = LIVE.has(page.sort)
  const here = online === undefined && !isByTime && !isLive ? [] : await core.onlineChargePoints(page.accountId)
  const sorted = isLive ? { ...page, online: here } : page
  const offline = { ...sorted, filter: { ...filter, within: shared, without: here } }
  if (online === false) return reads.findChargePoints(offline)
  const within = common(here, shared)
  if (isByTime) {
    const seen = await onlineBySight({ reads, core }, within, { ...page, filter })
    if (online) return seen
    return inOrder(page, [...seen, ...(await reads.findChargePoints(offline))]).slice(0, page.limit)
  }
  const requested = online ? within : shared
  return reads.findChargePoints({ ...sorted, filter: { ...filter, within: requested } })
}

/** What these sort by depends on who is online. */
const LIVE: ReadonlySet<ChargePointOrder> = new Set(['state', 'since', 'power'])

export async function countChargePoints(
  { reads, core }: Pick<Finding, 'core'> & { readonly reads: Pick<Reads, 'countChargePoints'> },
  accountId: string,
  { online, site, labels = [], ...asked }: AskedChargePoints,
): Promise<number> {
  const filter = { ...asked, labels: site === undefined ? labels : [...labels, ['site', site] as const] }
  if (online === undefined) return reads.countChargePoints({ accountId, filter })
  const here = await core.onlineChargePoints(accountId)
  return reads.countChargePoints({
    accountId,
    filter: { ...filter, ...(online ? { within: here } : { without: here }) },
  })
}

const SLICE = 500

/** What is stored of a charge point that is online is up to a minute older than what is shown of it. */
async function onlineBySight(
  { reads, core }: Finding,
  ids: readonly string[],
  query: ChargePointQuery,
): Promise<readonly SortedChargePoint[]> {
  const { after, limit } = query
  const seenAt = new Map((await core.connectivity(ids)).map((one) => [one.chargePointId, one.lastSeenAt ?? 0]))
  const places = ids.map((id) => ({ sortedBy: seenAt.get(id) ?? 0, view: { id } }))
  const last = after && { sortedBy: after[0], view: { id: after[1] } }
  const ahead = inOrder(query, places).filter((place) => !last || compare(query, place, last) > 0)
  const found: SortedChargePoint[] = []
  for (let at = 0; at < ahead.length && found.length < limit; at += SLICE) {
    const within = ahead.slice(at, at + SLICE).map(({ view }) => view.id)
    const { after: _, ...all } = query
    const rows = await reads.findChargePoints({ ...all, sort: 'id', filter: { ...query.filter, within }, limit: SLICE })
    found.push(
      ...inOrder(
        query,
        rows.map(({ view }) => ({ sortedBy: seenAt.get(view.id) ?? 0, view })),
      ),
    )
  }
  return found.slice(0, limit)
}

interface FindContext {
  readonly sortedBy: string | number
  readonly view: { readonly id: string }
}

function inOrder<Row extends FindContext>(page: Pick<ChargePointQuery, 'descending'>, rows: readonly Row[]): Row[] {
  return [...rows].sort((one, other) => compare(page, one, other))
}

function compare({ descending }: Pick<ChargePointQuery, 'descending'>, one: FindContext, other: FindContext): number {
  const rising = Number(one.sortedBy) - Number(other.sortedBy) || (one.view.id < other.view.id ? -1 : 1)
  return one.view.id === other.view.id && one.sortedBy === other.sortedBy ? 0 : descending ? -rising : rising
}

function common(ids: readonly string[], shared: readonly string[] | undefined): readonly string[] {
  if (!shared) return ids
  const set = new Set(shared)
  return ids.filter((id) => set.has(id))
}
