/** Which way a session may go (SESSION-S3). */
import type { SessionState } from '../../ports/sessions.ts'

const RANK: Readonly<Record<SessionState, number>> = {
  pending: 0,
  charging: 1,
  suspended: 1,
  finishing: 2,
  completed: 3,
  failed: 3,
}

export function isTerminal(state: SessionState): boolean {
  return state === 'completed' || state === 'failed'
}

/**
 * Steps may be skipped; only charging <-> suspended goes back, and finishing where nobody stopped it; terminal states
 * are never left (SESSION-S3).
 * @param mayResume no stop was accepted or asked for.
 */
export function next(state: SessionState, seen: SessionState, mayResume = false): SessionState {
  if (isTerminal(state)) return state
  if (isFlip(state, seen) || (mayResume && isResumption(state, seen))) return seen
  return RANK[seen] > RANK[state] ? seen : state
}

function isResumption(state: SessionState, seen: SessionState): boolean {
  return state === 'finishing' && (seen === 'charging' || seen === 'suspended')
}

function isFlip(state: SessionState, seen: SessionState): boolean {
  return (state === 'charging' && seen === 'suspended') || (state === 'suspended' && seen === 'charging')
}
