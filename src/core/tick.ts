/** The clock as one more input: what is due of a charge point's sessions, and their figures that wait (M3, L4, A15). */
import { decide } from '../sessions/decide.ts'
import type { CoreContext } from './context.ts'
import type { Job } from './engine.ts'
import { wakeTime, withDueFigures } from './figures.ts'
import type { WakeUps } from './wake-ups.ts'

/** Whatever was due is due again once the database answers. */
const RETRY_MS = 60_000

export function tick(
  { clock, settings, decisionContext, applied }: CoreContext,
  wakeUps: WakeUps,
  stationId: string,
): Job {
  return {
    stationId,
    prepare: () => undefined,
    decide(station) {
      if (!station.state) return undefined
      const now = clock.now()
      const decided = decide(station.state, { kind: 'tick' }, decisionContext(station, now))
      const decision = withDueFigures(decided, station.state, now)
      wakeUps.set(stationId, wakeTime(station.state, settings.sessions))
      const { changes } = decision
      return changes.sessions || changes.transactions ? applied(station, decision) : undefined
    },
    committed: () => undefined,
    failed: () => wakeUps.set(stationId, clock.now() + RETRY_MS),
  }
}
