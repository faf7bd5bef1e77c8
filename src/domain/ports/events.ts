/** What happened, for those who want to hear of it: plain values, so that a pure decision can say it. */

/** Whose id the subject of an event is; the API shows it under the name that this thing has everywhere. */
export type EventSubject = 'session' | 'chargePoint'

/** One event as the decision that causes it says it; id, time and place are added when it is recorded. */
export interface EventData {
  /** A name of the registry (src/domain/events/registry.ts), such as `session.updated`. */
  readonly type: string
  /** Id of the session or charge point that it is about. */
  readonly subject: string
  /** Of events with one key a subscription is sent one at a time, the oldest first (HOOK-F2). */
  readonly orderKey: string
  /** It replaces untried `figures` of its type, subject and this key (HOOK-M4). Absent: nothing. */
  readonly coalesceKey?: string | undefined
  /** As it is sent; the declaration's schema describes it. */
  readonly data: unknown
}
