/** Local lists (LIST-A2): the whole list first, then changes, in parts that the charge point takes. */

import { isWaiting } from '../../domain/intents/states.ts'
import type { ListSeries, StoredEntry } from '../../domain/local-lists/records.ts'
import { isForgotten, type ListStep, nextStep, versionAfter } from '../../domain/local-lists/rules.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import { chunks, jsonBytes, mostOf } from '../../ocpp/translate/chunks.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideNow, isReachable, isUnderWay } from './decide-now.ts'
import type { Subject, Task } from './subject.ts'

const DEFAULT_ITEMS = 20
const PAGE = 500
const TTL_MS = 3600_000
/** As for settings (INTENT-A14): lists must not delay the stations' own messages. */
const PACE = { most: 20, perSecond: 150, burst: 20, longestMs: 1000 }

export const localLists: Subject<Task & { readonly step: ListStep }> = {
  name: 'local lists',
  records: ['station_lists'],
  purposes: ['localList', 'localListVersion', 'localListLimits'],
  due(station, now) {
    const known = station.state?.records.find('station_lists', { chargePointId: station.id })
    if (!known || isWaiting(known.nextAttemptAt, now) || !isReachable(station)) return []
    const step = isUnderWay(station, 'localList', 'localListVersion', 'localListLimits') ? undefined : nextStep(known)
    return step ? [{ key: '', step }] : []
  },
  dueAgainAt(station, now) {
    const { nextAttemptAt } = station.state?.records.find('station_lists', { chargePointId: station.id }) ?? {}
    return isWaiting(nextAttemptAt, now) && isReachable(station) ? nextAttemptAt : undefined
  },
  order: (context, station, { step }) =>
    step.kind === 'askVersion' ? askVersion(context, station) : send(context, station, step),
  pace: PACE,
}

/** Before the first list also the maximum length, unless reported already (LIST-A3). */
async function askVersion(context: CoreContext, { id: stationId, version, state }: Station): Promise<void> {
  if (!version) return
  const { askLimits, askVersion: call } = version.localLists
  const expiresAt = expiry(context)
  if (state?.records.find('device_models', { chargePointId: stationId })?.limits.listItems === undefined) {
    await orderCall(context, { stationId, call: askLimits, purpose: { kind: 'localListLimits' }, expiresAt })
  }
  await orderCall(context, { stationId, call, purpose: { kind: 'localListVersion' }, expiresAt })
}

async function send(
  context: CoreContext,
  station: Station,
  step: Exclude<ListStep, { readonly kind: 'askVersion' }>,
): Promise<void> {
  const { id: chargePointId, version, state } = station
  const known = state?.records.find('station_lists', { chargePointId })
  if (!version || !known) return
  const number = versionAfter(known.version)
  if (step.kind === 'clear') {
    const series = { upTo: 0, isFull: true, after: '' }
    await orderCall(context, {
      stationId: chargePointId,
      call: version.localLists.send(number, true, []),
      purpose: { kind: 'localList', sent: { version: number, series, isLast: true } },
      expiresAt: expiry(context),
    })
    return
  }
  const { list, upTo, from, after } = step
  const part = await nextPart(context, station, step)
  // An empty Full clears the list; only as the first message that is the intent.
  if (part.entries.length === 0 && (from !== undefined || after !== undefined)) {
    await decideNow(context, chargePointId, { kind: 'localListUnchanged', upTo })
    return
  }
  const series: ListSeries = { upTo, isFull: from === undefined, after: part.after }
  await orderCall(context, {
    stationId: chargePointId,
    call: version.localLists.send(number, series.isFull && after === undefined, part.entries),
    purpose: { kind: 'localList', sent: { list, version: number, series, isLast: part.isLast } },
    expiresAt: expiry(context),
  })
}

function expiry({ clock }: CoreContext): number {
  return clock.now() + TTL_MS
}

interface Part {
  readonly entries: readonly Readonly<Record<string, unknown>>[]
  readonly after: string
  readonly isLast: boolean
}

async function nextPart(
  { store }: CoreContext,
  { version, state, chargePoint: { accountId }, id: chargePointId }: Station,
  { list, upTo, from, after }: Extract<ListStep, { readonly kind: 'send' }>,
): Promise<Part> {
  const known = state?.records.find('station_lists', { chargePointId })
  const { listItems, listBytes } = state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const most = Math.min(mostOf(listItems, DEFAULT_ITEMS), PAGE)
  const found: { readonly idToken: string; readonly entry: Readonly<Record<string, unknown>> }[] = []
  for (let last = after; ; ) {
    const page = await pageOf(store, { accountId, list, upTo, from, last })
    for (const row of page) {
      const { idToken, entry, gone } = row
      const isLeftOut = (gone && from === undefined) || (known !== undefined && isForgotten(known, row))
      const reported = isLeftOut ? undefined : version?.localLists.entry(entry, gone)
      if (reported) found.push({ idToken, entry: reported })
    }
    last = page.at(-1)?.idToken
    const [first = []] = chunks(found, ({ entry }) => jsonBytes(entry), { most, bytes: listBytes })
    const isWhole = page.length < PAGE
    if (isWhole || first.length < found.length) {
      const isLast = isWhole && first.length === found.length
      return { entries: first.map(({ entry }) => entry), after: first.at(-1)?.idToken ?? after ?? '', isLast }
    }
  }
}

interface PageName {
  readonly accountId: string
  readonly list: string
  readonly upTo: number
  readonly from: number | undefined
  readonly last: string | undefined
}

/** Shared reads: the charge points of a list need the same entries at the same time (LIST-A4). */
const recent = new WeakMap<Pick<CoreStore, 'listRecords'>, Map<string, Promise<readonly StoredEntry[]>>>()
const PAGES_KEPT = 20

function pageOf(store: Pick<CoreStore, 'listRecords'>, name: PageName): Promise<readonly StoredEntry[]> {
  const pages = recent.get(store) ?? new Map<string, Promise<readonly StoredEntry[]>>()
  recent.set(store, pages)
  const key = JSON.stringify(name)
  const known = pages.get(key)
  if (known) return known
  const { accountId, list, from, last } = name
  const page = store.listRecords('local_list_entries', {
    where: { accountId, list, ...(from !== undefined && { changedAt: { from } }) },
    ...(last !== undefined && { after: { accountId, list, idToken: last } }),
    limit: PAGE,
  })
  pages.set(key, page)
  page.catch(() => pages.delete(key))
  const [oldest] = pages.keys()
  if (pages.size > PAGES_KEPT && oldest !== undefined) pages.delete(oldest)
  return page
}
