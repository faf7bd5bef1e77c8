/** Requested stops as steps (SESSION-S9, SESSION-S10), from the sessions. */
import type { ChargePointState, Session } from '../../domain/ports/sessions.ts'
import type { Step } from './step.ts'

export function stopRequestSteps(
  sessions: readonly Session[],
  find: (state: ChargePointState, session: Session) => Session | undefined,
): readonly Step[] {
  return sessions.flatMap((session) => {
    const { stopRequestedAt } = session
    if (stopRequestedAt === undefined) return []
    return {
      at: stopRequestedAt,
      // After the messages of that millisecond: one of them may have begun it.
      order: Number.MAX_SAFE_INTEGER,
      input: (state: ChargePointState) => {
        const found = find(state, session)
        return found && { kind: 'remoteStopRequested', sessionId: found.id }
      },
    }
  })
}
