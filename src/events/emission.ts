/**
 * Which event a change of a session is (HOOK-M1 to HOOK-M8). Runs in the core between decision and commit,
 * so that event and change are stored together (HOOK-F3); its marks live on the session and survive a kill (HOOK-M3,
 * HOOK-W6).
 */
import type { Session } from '../ports/sessions.ts'
import type { SessionEvent } from '../ports/storage-webhooks.ts'
import { figuresDiffer } from '../sessions/figures/representation.ts'
import { envelopeText } from './envelope.ts'

/**
 * Derives a session's event from what changed, and marks the session with it (HOOK-W6, HOOK-M3).
 * @param cause the log id of the command that caused the change (HOOK-B2)
 */
export type Emission = (
  before: Session | undefined,
  after: Session,
  now: number,
  cause: number | undefined,
) => { readonly session: Session; readonly event?: SessionEvent }

export interface EmissionSettings {
  /** Figure events of a session are at least this far apart; 0: every change is one (HOOK-M1). */
  readonly figuresIntervalMs: number
}

/** @param newEventId a UUIDv7 of that time (HOOK-W7) */
export function createEmission(settings: EmissionSettings, newEventId: (now: number) => string): Emission {
  return (before, after, now, cause) => {
    const kind = eventKind(before, after, now, settings)
    if (kind === 'none') return { session: after }
    if (kind === 'wait') return { session: { ...after, figuresDueAt: dueAt(after, settings) } }
    // HOOK-W6: also when the clock stepped back.
    const time = Math.max(now, (after.lastEventAt ?? 0) + 1)
    const marked = { ...withoutDue(after), lastEventAt: time }
    const session: Session = kind === 'figures' ? { ...marked, figuresSentAt: now } : marked
    const id = newEventId(now)
    const event: SessionEvent = {
      id,
      accountId: session.accountId,
      sessionId: session.id,
      chargePointId: session.chargePointId,
      kind,
      time,
      body: envelopeText(id, time, session),
      causes: cause === undefined ? [] : [cause],
    }
    return { session, event }
  }
}

function withoutDue(session: Session): Session {
  if (session.figuresDueAt === undefined) return session
  return { ...session, figuresDueAt: undefined }
}

function eventKind(
  before: Session | undefined,
  after: Session,
  now: number,
  settings: EmissionSettings,
): SessionEvent['kind'] | 'wait' | 'none' {
  if (before?.state !== after.state) return 'transition'
  if (before.settlementCount !== after.settlementCount) return 'settlement'
  const waiting = after.figuresDueAt !== undefined
  if (!waiting && !figuresDiffer(before, after)) return 'none'
  return mayLeave(after, now, settings) ? 'figures' : waiting ? 'none' : 'wait'
}

/**
 * HOOK-M1: the first change after a quiet interval leaves at once. A mark from the future means that the clock stepped
 * back.
 */
function mayLeave({ figuresSentAt }: Session, now: number, { figuresIntervalMs }: EmissionSettings): boolean {
  return figuresSentAt === undefined || now < figuresSentAt || now - figuresSentAt >= figuresIntervalMs
}

function dueAt({ figuresSentAt = 0 }: Session, { figuresIntervalMs }: EmissionSettings): number {
  return figuresSentAt + figuresIntervalMs
}
