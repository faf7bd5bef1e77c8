/**
 * Holds calls until a connection's first message: a station refuses all before its boot is answered (B01, OCPP-DR10).
 */
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { afterCommit } from '../reconcile/subjects.ts'

/** A rebooted station boots within seconds; one that only lost its connection may be silent for long. */
const TIMEOUT_MS = 5_000

export function holdUntilFirstMessage(context: CoreContext, station: Station, connection: number): void {
  const isWaiting = context.desired.reconciler.reconnected(station)
  if (station.outgoing.size > 0 || isWaiting) station.hold()
  context.clock.after(TIMEOUT_MS, () => onFirstMessage(context, station, connection))
}

export function onFirstMessage(context: CoreContext, station: Station, connection: number): void {
  if (station.connection !== connection) return
  const isFirst = station.heard()
  if (station.release()) afterCommit(context, station, 'released')
  if (isFirst) afterCommit(context, station, 'firstMessageSeen')
}
