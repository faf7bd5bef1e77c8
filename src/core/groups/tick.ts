/** The clock as an input: due session steps and waiting figures (HOOK-M3, COST-L4, SESSION-A15). */
import { type CoreContext, decideOn } from '../context.ts'
import { afterCommit, setClock } from '../reconcile/after-commit.ts'
import type { Job } from './engine.ts'
import { withDueFigures } from './wake-ups.ts'

const RETRY_MS = 60_000

export function tick(context: CoreContext, stationId: string): Job {
  const { clock, wakeUps, decisions } = context
  return {
    stationId,
    decide(station) {
      if (!station.state) return undefined
      const now = clock.now()
      const decision = withDueFigures(decideOn(context, station, { kind: 'tick' }, now), station.state, now)
      setClock(context, station)
      const { changes } = decision
      return changes.sessions || changes.transactions || changes.records
        ? decisions.applied(station, decision)
        : undefined
    },
    committed: (station) => afterCommit(context, station, 'ticked'),
    failed: () => wakeUps.set(stationId, clock.now() + RETRY_MS),
  }
}
