/** A stop that was asked for is carried out (SESSION-S10): it is stored with the session until the charge is over. */
import type { Session } from '../../ports/sessions.ts'
import { isTerminal } from '../states/transition.ts'

/** SESSION-O10: a stop is worth sending as long as the transaction may run. */
const STOP_TTL_MS = 24 * 3600_000

/** Asked for again it is the same request, for longer. */
export function withStopRequest(session: Session, now: number): Session {
  const { stopRequestedAt = now } = session
  return { ...session, stopRequestedAt, stopWantedUntil: now + STOP_TTL_MS }
}

/** Undefined: no stop is requested, or the session is over. */
export function stopDueUntil({ state, stopRequestedAt, stopWantedUntil }: Session): number | undefined {
  if (stopRequestedAt === undefined || isTerminal(state)) return undefined
  return stopWantedUntil ?? stopRequestedAt + STOP_TTL_MS
}
