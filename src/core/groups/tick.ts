/**
 * The clock as one more input: what is due of a charge point's sessions, and their figures that wait (HOOK-M3, COST-L4,
 * SESSION-A15).
 */
import { type CoreContext, decideOn } from '../context.ts'
import { wakeTime, withDueFigures } from './due-figures.ts'
import type { Job } from './engine.ts'
import type { WakeUps } from './wake-ups.ts'

/** Whatever was due is due again once the database answers. */
const RETRY_MS = 60_000

export function tick(context: CoreContext, wakeUps: WakeUps, stationId: string): Job {
  const { clock, settings, applied } = context
  return {
    stationId,
    prepare: () => undefined,
    decide(station) {
      if (!station.state) return undefined
      const now = clock.now()
      const decision = withDueFigures(decideOn(context, station, { kind: 'tick' }, now), station.state, now)
      wakeUps.set(stationId, wakeTime(station.state, settings.sessions, now))
      const { changes } = decision
      return changes.sessions || changes.transactions || changes.records ? applied(station, decision) : undefined
    },
    committed(station) {
      context.reconcileIntents(station)
      context.reconcileReports(station)
    },
    failed: () => wakeUps.set(stationId, clock.now() + RETRY_MS),
  }
}
