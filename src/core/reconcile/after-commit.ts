/** What follows a commit, in two tables: by changed record, and by event. */
import type { RecordChange, RecordKind } from '../../domain/records/records.ts'
import type { CoreContext } from '../context.ts'
import { wakeTime } from '../groups/wake-ups.ts'
import type { Station } from '../memory/station.ts'
import { pump } from '../outbound/outbound.ts'
import { releaseIntents } from './intents.ts'
import { SUBJECTS } from './subjects.ts'

type Effect = (context: CoreContext, station: Station) => void

const wake: Effect = ({ desired }, station) => desired.reconciler.wake(station)
const placeValues: Effect = ({ desired }, { id }) => desired.placing.wake(id)
const settleConfigurations: Effect = ({ desired }, station) => desired.configurations.look(station)
export const setClock: Effect = ({ wakeUps, settings, clock }, { id, state }) => {
  if (state) wakeUps.set(id, wakeTime(state, settings.sessions, clock.now()))
}

type CoreEvent = 'opened' | 'released' | 'firstMessageSeen' | 'booted' | 'ticked' | 'stopRequested'

const GREETED: readonly Effect[] = [setClock, releaseIntents, settleConfigurations, wake]

const AFTER: Readonly<Record<CoreEvent, readonly Effect[]>> = {
  opened: [({ clock }, { renewal }) => renewal.opened(clock.now()), wake],
  released: [pump, wake],
  firstMessageSeen: GREETED,
  /** SESSION-O4: releases what waited for acceptance. */
  booted: [
    pump,
    ({ clock }, { shown, renewal }) => {
      if (shown?.isExpired) renewal.bootedExpired(clock.now())
    },
    ...GREETED,
  ],
  ticked: [wake],
  stopRequested: [wake],
}

export function afterCommit(context: CoreContext, station: Station, event: CoreEvent): void {
  for (const effect of AFTER[event]) effect(context, station)
}

const AFTER_CHANGE = new Map<RecordKind, readonly Effect[]>([
  ['reports', [placeValues]],
  ['value_batches', [placeValues]],
])
for (const kind of new Set(SUBJECTS.flatMap(({ records }) => records))) {
  const wakeThem: Effect = ({ desired }, station) => desired.reconciler.wake(station, kind)
  AFTER_CHANGE.set(kind, [wakeThem, ...(AFTER_CHANGE.get(kind) ?? [])])
}

export function createFollow(
  context: () => CoreContext,
): (stationId: string, records: readonly RecordChange[]) => void {
  const changed = new Map<string, Set<Effect>>()
  return (stationId, records) => {
    for (const { kind } of records) {
      const effects = AFTER_CHANGE.get(kind)
      if (!effects) continue
      const noted = changed.get(stationId)
      if (noted) {
        for (const effect of effects) noted.add(effect)
        continue
      }
      changed.set(stationId, new Set(effects))
      // Queued behind the decision, so it runs after its commit.
      context().engine.enqueue({
        stationId,
        committed(station) {
          const due = changed.get(stationId) ?? []
          changed.delete(stationId)
          for (const effect of due) effect(context(), station)
        },
        failed: () => changed.delete(stationId),
      })
    }
  }
}
