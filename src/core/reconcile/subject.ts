/** A kind of desired state. It says what is due and orders it; reconciler.ts does the rest. */
import { dueRanges } from '../../domain/due.ts'
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import { recordPages } from '../../domain/records/all-records.ts'
import type { BlockInput, RecordKind, RecordOfKind, RecordQuery } from '../../domain/records/records.ts'
import type { CoreContext } from '../context.ts'
import type { CoreSettings } from '../core-settings.ts'
import type { Station } from '../memory/station.ts'
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
