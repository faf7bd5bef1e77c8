/** Which charge points a selector means: of configurations, campaigns and alert rules alike (CONFIG-A2). */

import type { Session } from './ports/sessions.ts'
import type { Reads } from './ports/storage.ts'
import type { ChargePointQuery, SessionQuery, SortedChargePoint } from './ports/storage-queries.ts'
import type { ChargePointView } from './ports/storage-records.ts'
import type { Exclusion, Selector } from './records/selector.ts'

/** What is known of a station. */
export interface Selectable extends Pick<Selector, 'labels' | 'vendor' | 'model' | 'firmwareVersion'> {
  readonly id: string
}

/** Whether a station has everything that the selector names; one that names nothing selects every station. */
export function selects(selector: Selector, station: Selectable): boolean {
  const { ids, labels = {}, vendor, model, firmwareVersion, not } = selector
  return (
    (ids === undefined || setOf(ids).has(station.id)) &&
    Object.entries(labels).every(([key, value]) => station.labels?.[key] === value) &&
    (vendor === undefined || vendor === station.vendor) &&
    (model === undefined || model === station.model) &&
    (firmwareVersion === undefined || firmwareVersion === station.firmwareVersion) &&
    !(not && isLeftOut(not, station))
  )
}

function isLeftOut({ ids, labels = {} }: Exclusion, station: Selectable): boolean {
  if (ids && setOf(ids).has(station.id)) return true
  return Object.entries(labels).some(([key, value]) => station.labels?.[key] === value)
}

/** A list may name thousands, and is asked for every station of an account. */
const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

function setOf(ids: readonly string[]): ReadonlySet<string> {
  const set = sets.get(ids) ?? new Set(ids)
  sets.set(ids, set)
  return set
}

/** What a selector compares, taken from a charge point as the storage shows it. */
export function selectable({ id, labels, status: { vendor, model, firmwareVersion } }: ChargePointView): Selectable {
  return { id, labels, vendor, model, firmwareVersion }
}

/** By id. @param shared those that the caller may know of; undefined: all of the account */
export async function selectChargePoints(
  reads: Pick<Reads, 'listChargePoints'>,
  accountId: string,
  selector: Selector,
  shared?: readonly string[],
): Promise<readonly ChargePointView[]> {
  const mayBe = shared && new Set(shared)
  const found: ChargePointView[] = []
  for await (const page of chargePointPages(reads, accountId)) {
    found.push(...page.filter((view) => (!mayBe || mayBe.has(view.id)) && selects(selector, selectable(view))))
  }
  return found
}

/** All charge points of the account, some at a time, by id. */
export function chargePointPages(
  reads: Pick<Reads, 'listChargePoints'>,
  accountId: string,
): AsyncGenerator<readonly ChargePointView[], void> {
  return everyPage((last, limit) => reads.listChargePoints(accountId, { limit, afterId: last?.id }))
}

/** So many rows are read in a moment, so no other read waits long. */
const PAGE_ROWS = 500

/** A page of the rows behind `last`; undefined: from the start. */
export type ReadPage<Row> = (last: Row | undefined, limit: number) => Promise<readonly Row[]>

/** No page is empty. */
export async function* everyPage<Row>(read: ReadPage<Row>, limit = PAGE_ROWS): AsyncGenerator<readonly Row[], void> {
  let last: Row | undefined
  do {
    const page = await read(last, limit)
    if (page.length > 0) yield page
    last = page.length < limit ? undefined : page.at(-1)
  } while (last !== undefined)
}

export async function everyRow<Row>(read: ReadPage<Row>): Promise<readonly Row[]> {
  const rows: Row[] = []
  for await (const page of everyPage(read)) rows.push(...page)
  return rows
}

export function sessionPages(
  reads: Pick<Reads, 'listSessions'>,
  query: Omit<SessionQuery, 'limit' | 'belowId'>,
): AsyncGenerator<readonly Session[], void> {
  return everyPage((last, limit) => reads.listSessions({ ...query, limit, belowId: last?.id }))
}

export function foundPages(
  reads: Pick<Reads, 'findChargePoints'>,
  query: Omit<ChargePointQuery, 'limit' | 'after'>,
): AsyncGenerator<readonly SortedChargePoint[], void> {
  return everyPage((last, limit) =>
    reads.findChargePoints({ ...query, limit, after: last && [last.sortedBy, last.view.id] }),
  )
}
