/** What a purpose says of its calls; purposes.ts has the rule of each. */
import type { Priority, Purpose } from '../../domain/outgoing-calls/records.ts'
import type { CommandAnswer } from '../../domain/ports/storage.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { OutgoingCall } from '../../ocpp/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import type { CallOutcome } from './call-outcome.ts'
import type { QueuedCall } from './outgoing-queue.ts'

export interface CallFor<P extends Purpose = Purpose> {
  readonly station: Station
  readonly call: OutgoingCall
  readonly version: OcppVersion
  readonly purpose: P
  /** Public id of its row in the log. */
  readonly commandId: string
}

export interface PurposeRule<P extends Purpose> {
  readonly priority: (call: OutgoingCall) => Priority
  /** `expiry`: waits until then, through reconnects and restarts. `connection`: leaves on this connection or never. */
  readonly waitsUntil: 'expiry' | 'connection'
  /** Asked before it is sent. True: what it was for came about without it, and it never is. */
  readonly isOver?: (call: CallFor<P>) => boolean
  readonly input?: (call: CallFor<P>, outcome: CallOutcome) => Input | undefined
  /** Its outcome was committed; also the one that comes after a time-out. */
  readonly settled?: (context: CoreContext, call: CallFor<P>, outcome: CallOutcome, answer: CommandAnswer) => void
}

export type Purposes = { readonly [Kind in Purpose['kind']]: PurposeRule<Extract<Purpose, { readonly kind: Kind }>> }

export function ruleOf(purposes: Purposes, { kind }: Purpose): PurposeRule<Purpose> {
  // The table gives each kind the rule for its own purposes; for a kind that is a variable the compiler cannot see it.
  return purposes[kind] as unknown as PurposeRule<Purpose>
}

export function isOver(purposes: Purposes, station: Station, queued: QueuedCall, version: OcppVersion): boolean {
  const { purpose } = queued.stored
  const rule = ruleOf(purposes, purpose)
  if (rule.waitsUntil === 'connection' && queued.connection !== station.connection) return true
  return rule.isOver?.({ station, call: queued.call, version, purpose, commandId: queued.stored.messageId }) === true
}
