/** How the calls of one purpose behave; purposes.ts has them all. */
import type { Purpose } from '../../domain/outgoing-calls/records.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { PurposeRule, Purposes } from '../context.ts'
import type { Station } from '../memory/station.ts'
import type { QueuedCall } from './outgoing-queue.ts'

export function ruleOf(purposes: Purposes, { kind }: Purpose): PurposeRule<Purpose> {
  // The table gives each kind the rule for its own purposes; for a kind that is a variable the compiler cannot see it.
  return purposes[kind] as unknown as PurposeRule<Purpose>
}

export function isOver(purposes: Purposes, station: Station, queued: QueuedCall, version: OcppVersion): boolean {
  const { purpose } = queued.stored
  const rule = ruleOf(purposes, purpose)
  if (rule.waitsUntil !== 'expiry' && queued.connection !== station.connection) return true
  const call = { station, call: queued.call, version, purpose, commandId: queued.stored.messageId }
  return station.state !== undefined && rule.isOver?.(call, station.state) === true
}
