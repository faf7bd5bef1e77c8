/** A kind of desired state. It says what is due and orders it; reconciler.ts does the rest. */

import { DesiredByAccount } from '../../domain/configuration/desired-by-account.ts'
import { dueRanges } from '../../domain/due.ts'
import { MAX_INTENTS } from '../../domain/intents/rules.ts'
import { intentName } from '../../domain/intents/states.ts'
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { DesiredName, IntentKind } from '../../domain/ports/blocks.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import { allRecords, recordPages } from '../../domain/records/all-records.ts'
import type { BlockInput, RecordKind, RecordOfKind, RecordQuery } from '../../domain/records/records.ts'
import type { Selectable } from '../../domain/selector.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { CoreContext } from '../context.ts'
import type { CoreSettings } from '../core-settings.ts'
import type { Station, StationState } from '../memory/station.ts'
import { decideNow } from './decide-now.ts'
import type { Pace } from './paced-turns.ts'

export interface Task {
  /** One order at a time per charge point, subject and key. */
  readonly key: string
}

export interface Subject<Of extends Task = Task> {
  readonly name: string
  /** A committed change of one of these may make something due. */
  readonly records: readonly RecordKind[]
  /** As may the outcome of a call for one of these. */
  readonly purposes: readonly Purpose['kind'][]
  /** Pure, from memory; empty while it cannot be sent or is under way. */
  due(station: Station, now: number, settings: CoreSettings): readonly Of[]
  /** Resolves when ordered or unnecessary. After a fault it is tried again. */
  order(context: CoreContext, station: Station, task: Of): Promise<unknown>
  /** When time alone may next make something due; later than now. */
  dueAgainAt?(station: Station, now: number, settings: CoreSettings): number | undefined
  /** @returns whether something waits for the connection's first message (OCPP-DR10) */
  reconnected?(station: Station, now: number): boolean
  readonly pace?: Pace
  /** Work of an earlier process or an ended node. */
  readonly interrupted?: Stored
  /** Work that needs no connection. */
  readonly unfinished?: Stored
  /** What time ends, also for charge points outside memory. */
  readonly overdue?: readonly { readonly everyMs: number; readonly stored: Stored }[]
}

/** Stored records that name charge points with open work, whatever is in memory. */
const PAGE = 500

interface Found {
  readonly chargePointId: string
  /** Absent: the charge point is only woken once in memory. */
  readonly input: BlockInput | undefined
}

type Stored = (context: CoreContext) => AsyncGenerator<readonly Found[]>

type KindOfStation = {
  readonly [Kind in RecordKind]: RecordOfKind<Kind> extends { readonly chargePointId: string } ? Kind : never
}[RecordKind]

/** @param input absent: the charge point is woken */
export function stored<Kind extends KindOfStation>(
  kind: Kind,
  where: (now: number) => RecordQuery<Kind>['where'],
  input?: (record: RecordOfKind<Kind>, context: CoreContext) => BlockInput,
  limit = PAGE,
): Stored {
  return async function* pages(context) {
    const { clock, store } = context
    const selected = where(clock.now())
    for await (const page of recordPages(store, kind, selected, limit)) {
      yield page.map((record) => ({
        chargePointId: (record as unknown as { readonly chargePointId: string }).chargePointId,
        input: input?.(record, context),
      }))
    }
  }
}

const SWEEP_MS = 60_000

type KindWithDeadline = {
  readonly [Kind in KindOfStation]: RecordOfKind<Kind> extends { readonly dueAt?: number | undefined } ? Kind : never
}[KindOfStation]

/** Records whose deadline is over (due.ts). @param input absent: the charge point is woken */
export function deadlines(
  kind: KindWithDeadline,
  longestMs: number,
  input?: BlockInput,
): NonNullable<Subject['overdue']> {
  return [0, 1].map((range) => ({
    everyMs: SWEEP_MS,
    stored: stored(kind, (now) => ({ dueAt: dueRanges(now, longestMs)[range] }), input && (() => input)),
  }))
}

/** Unless another node owns it: decides or wakes. @param isLeftOut asked before and after loading */
export async function settleStored(
  context: CoreContext,
  all: Stored,
  isLeftOut: (chargePointId: string) => boolean = () => false,
): Promise<void> {
  const { stations, desired } = context
  for await (const page of all(context)) {
    const found = distinct(page).filter(({ chargePointId }) => !isLeftOut(chargePointId))
    const unknown = new Set(found.map(({ chargePointId }) => chargePointId).filter((id) => !stations.known(id)))
    if (unknown.size > 0) await stations.loadAll([...unknown], 'unowned')
    // A deleted charge point or a full disk must not prevent the start.
    await Promise.allSettled(
      found.map(async ({ chargePointId, input }) => {
        const station = stations.known(chargePointId)
        if (!station || isLeftOut(chargePointId)) return
        if (input) await decideNow(context, chargePointId, input)
        else desired.reconciler.wake(station)
      }),
    )
  }
}

function distinct(all: readonly Found[]): readonly Found[] {
  return [...new Map(all.map((one) => [JSON.stringify(one), one])).values()]
}

// Intents from an account's configurations, monitors and list (CONFIG-A4, CONFIG-A12, MONITOR-A2, LIST-A2). Settled
// when one changes, and when a station connects or boots.

/** Intents per decision: stored in a few milliseconds, with other stations' turns in between. */
const SLICE = 100
/** Larger slices wait for each other: together they would delay as much as a whole. */
const SMALL = 20

export function createConfigurations(context: () => CoreContext): CoreContext['desired']['configurations'] {
  const known = new Map<string, Promise<DesiredByAccount>>()
  /** Slices of an outdated order must not mix with those of a newer one. */
  const turns = new WeakMap<Station, Promise<unknown>>()
  /** The versions that a station was last settled with: no need to settle it again. */
  const settled = new WeakMap<StationState, string>()
  let revisions = 0
  const revisionOf = new WeakMap<DesiredByAccount, number>()
  let largeSlices: Promise<unknown> = Promise.resolve()

  const keep = (accountId: string, loading: Promise<DesiredByAccount>, isSame = false): Promise<DesiredByAccount> => {
    const kept = loading.then((desired) => {
      // Lists do not affect settings.
      if (!isSame) revisionOf.set(desired, ++revisions)
      return desired
    })
    known.set(accountId, kept)
    kept.catch(() => {
      if (known.get(accountId) === kept) known.delete(accountId)
    })
    return kept
  }
  const ofAccount = (accountId: string): Promise<DesiredByAccount> =>
    known.get(accountId) ?? keep(accountId, load(context().store, accountId))

  const inTurn = (station: Station, work: () => Promise<void>): Promise<void> => {
    const turn = (turns.get(station) ?? Promise.resolve()).then(work, work)
    turns.set(station, turn)
    return turn
  }
  const decideSlice = async (station: Station, names: readonly string[]): Promise<boolean> => {
    const desired = await ofAccount(station.chargePoint.accountId)
    const wants = desired.wantsFor(selectable(station), settingOf(station), names)
    const { refused } = await decideNow(context(), station.id, { kind: 'configurationsSettled', wants, among: names })
    if (refused !== undefined) warnOfTooMany(context(), station)
    return refused === undefined
  }
  const settleNames = async (station: Station, names: ReadonlySet<string>): Promise<void> => {
    const desired = await ofAccount(station.chargePoint.accountId)
    const { state } = station
    if (!state) return
    const before = new Map(state.records.all('intents').map((intent) => [intentName(intent), intent]))
    const requested = new Set(desired.wantsFor(selectable(station), settingOf(station), names).map(intentName))
    const stale = [...names].filter((name) => !requested.has(name) && before.get(name)?.source !== undefined)
    const fresh = [...requested].filter((name) => !before.has(name))
    // INTENT-A8: all or nothing.
    if (before.size - stale.length + fresh.length > MAX_INTENTS) return warnOfTooMany(context(), station)
    const all = [...stale, ...requested]
    for (let from = 0; from < all.length; from += SLICE) {
      const slice = all.slice(from, from + SLICE)
      const decided = slice.length > SMALL ? largeSlices.then(() => decideSlice(station, slice)) : undefined
      if (decided) largeSlices = decided.catch(() => undefined)
      if (!(await (decided ?? decideSlice(station, slice)))) return
    }
  }
  const settleWhole = async (station: Station): Promise<void> => {
    const { accountId } = station.chargePoint
    const desired = await ofAccount(accountId)
    const { state } = station
    if (!state) return
    const mark = JSON.stringify([revisionOf.get(desired), selectable(station), settingOf(station)])
    if (settled.get(state) === mark) return
    const names = desired.namesFor(selectable(station), settingOf(station), MAX_INTENTS)
    const had = state.records.all('intents').filter(({ source }) => source !== undefined)
    if (names.size > 0 || had.length > 0) await settleNames(station, new Set([...names, ...had.map(intentName)]))
    settled.set(state, mark)
  }
  const settleList = async (station: Station): Promise<void> => {
    const list = (await ofAccount(station.chargePoint.accountId)).listFor(selectable(station))
    const known = station.state?.records.find('station_lists', { chargePointId: station.id })
    if (known ? known.list === list?.name && (!list || known.wantedAt === list.contentAt) : !list) return
    const contentAt = list?.contentAt ?? known?.wantedAt ?? 0
    await decideNow(context(), station.id, { kind: 'localListRequested', list: list?.name, contentAt })
  }
  return {
    changed(accountId, desired) {
      const before = known.get(accountId)
      if (!before) return
      if (desired)
        void keep(
          accountId,
          before.then(async (kept) => reload(context().store, accountId, kept, desired)),
          desired.kind === 'local_lists',
        )
      else known.delete(accountId)
    },
    async settle({ accountId, chargePointIds, names }) {
      const { stations } = context()
      await ofAccount(accountId)
      await stations.loadAll(chargePointIds.filter((id) => !stations.current(id)))
      await Promise.all(
        chargePointIds.map(async (id) => {
          const station = stations.known(id)
          if (station?.chargePoint.accountId !== accountId) return
          await inTurn(station, async () => {
            await (names ? settleNames(station, new Set(names)) : settleWhole(station))
            await settleList(station)
          })
        }),
      )
    },
    look(station) {
      inTurn(station, async () => {
        await settleWhole(station)
        await settleList(station)
      }).catch((error: Error) =>
        context().log.warn({ chargePoint: station.id, error: error.message }, 'its configurations could not be read'),
      )
    },
  }
}

function warnOfTooMany({ log }: CoreContext, { id }: Station): void {
  log.warn({ chargePoint: id, refused: 'too_many_intents' }, 'too many settings configured for a station')
}

function settingOf({ version, state }: Station): IntentKind | undefined {
  return (version ?? versionOf(state?.status.protocol))?.abilities.setting
}

function selectable({ chargePoint: { id, labels }, state }: Station): Selectable {
  const { vendor, model, firmwareVersion } = state?.status ?? {}
  return { id, labels, vendor, model, firmwareVersion }
}

async function load(store: Pick<CoreStore, 'listRecords'>, accountId: string): Promise<DesiredByAccount> {
  const [configurations, monitorSets, lists] = await Promise.all([
    allRecords(store, 'configurations', { accountId }),
    allRecords(store, 'monitor_sets', { accountId }),
    allRecords(store, 'local_lists', { accountId }),
  ])
  const desired = new DesiredByAccount()
  for (const one of configurations) desired.putConfiguration(one.name, one)
  for (const one of monitorSets) desired.putMonitorSet(one.name, one)
  for (const one of lists) desired.putLocalList(one.name, one)
  return desired
}

async function reload(
  store: Pick<CoreStore, 'listRecords'>,
  accountId: string,
  desired: DesiredByAccount,
  { kind, name }: DesiredName,
): Promise<DesiredByAccount> {
  const one = { where: { accountId, name }, limit: 1 }
  if (kind === 'configurations') desired.putConfiguration(name, (await store.listRecords(kind, one))[0])
  else if (kind === 'local_lists') desired.putLocalList(name, (await store.listRecords(kind, one))[0])
  else desired.putMonitorSet(name, (await store.listRecords(kind, one))[0])
  return desired
}
