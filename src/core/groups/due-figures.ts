/** Figures that wait for the end of their interval (HOOK-M1, HOOK-M3): the clock sends them when no message does. */

import { wakeOfBlocks } from '../../domain/blocks/rules.ts'
import type { ChargePointState } from '../../domain/ports/sessions.ts'
import { nextWake } from '../../domain/sessions/decide.ts'
import type { Decision, SessionSettings } from '../../domain/sessions/decision.ts'

/**
 * When the charge point's clock matters next: for its sessions, for figures that wait, for blocks. Undefined: never.
 */
export function wakeTime(state: ChargePointState, settings: SessionSettings, now: number): number | undefined {
  let wake = Math.min(nextWake(state, settings) ?? Number.POSITIVE_INFINITY, wakeOfBlocks(state, now))
  for (const { figuresDueAt } of state.sessions.values()) wake = Math.min(wake, figuresDueAt ?? wake)
  return wake === Number.POSITIVE_INFINITY ? undefined : wake
}

/** The decision with every session whose waiting figures are due now, though nothing else about it changed. */
export function withDueFigures(decision: Decision, state: ChargePointState, now: number): Decision {
  const changed = decision.changes.sessions ?? []
  const due = [...state.sessions.values()].filter(
    ({ id, figuresDueAt }) =>
      figuresDueAt !== undefined && figuresDueAt <= now && !changed.some((session) => session.id === id),
  )
  if (due.length === 0) return decision
  return { ...decision, changes: { ...decision.changes, sessions: [...changed, ...due] } }
}
