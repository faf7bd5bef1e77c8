import { nextWake } from '../../domain/blocks/decide.ts'
import { wakeOfBlocks } from '../../domain/blocks/rules.ts'
import type { Clock } from '../../domain/ports/core.ts'
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import type { Decision, SessionSettings } from '../../domain/sessions/decision.ts'

/** When a charge point's clock matters next: remote starts expire, orphans close (SESSION-A15). One timer for all. */

/** Orphan timers count in minutes, so a second of delay does not matter. */
const SWEEP_MS = 1000

export interface WakeUps {
  set(stationId: string, at: number | undefined): void
  stop(): void
}

export function createWakeUps(clock: Clock, due: (stationId: string) => void): WakeUps {
  const times = new Map<string, number>()
  let cancel = clock.after(SWEEP_MS, sweep)
  function sweep(): void {
    const now = clock.now()
    for (const [stationId, at] of times) {
      if (at > now) continue
      times.delete(stationId)
      due(stationId)
    }
    cancel = clock.after(SWEEP_MS, sweep)
  }
  return {
    set(stationId, at) {
      if (at === undefined) times.delete(stationId)
      else times.set(stationId, at)
    },
    stop: () => cancel(),
  }
}

/** Undefined: never. */
export function wakeTime(state: ChargePointState, settings: SessionSettings, now: number): number | undefined {
  let wake = Math.min(nextWake(state, settings) ?? Number.POSITIVE_INFINITY, wakeOfBlocks(state, now))
  for (const { figuresDueAt } of state.sessions.values()) wake = Math.min(wake, figuresDueAt ?? wake)
  return wake === Number.POSITIVE_INFINITY ? undefined : wake
}

/** Adds every session whose waiting figures are due, even where nothing else changed. */
export function withDueFigures(decision: Decision, state: ChargePointState, now: number): Decision {
  const changed = decision.changes.sessions ?? []
  const due = [...state.sessions.values()].filter(
    ({ id, figuresDueAt }) =>
      figuresDueAt !== undefined && figuresDueAt <= now && !changed.some((session) => session.id === id),
  )
  if (due.length === 0) return decision
  return { ...decision, changes: { ...decision.changes, sessions: [...changed, ...due] } }
}
