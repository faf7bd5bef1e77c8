/** Restores calls of an earlier process (OCPP-RP15): waiting ones wait on; open ones are not sent again (OCPP-RP9). */
import type { StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { UNSENT } from './call-outcome.ts'
import { settle, watchExpiry } from './outbound.ts'
import type { QueuedCall } from './outgoing-queue.ts'
import { ruleOf } from './purpose-rule.ts'
import { callOf } from './stored-call.ts'

export function restoreCalls(context: CoreContext, station: Station): void {
  for (const stored of station.state?.records.all('outgoing_calls') ?? []) restoreCall(context, station, stored)
  watchExpiry(context, station)
}

export function restoreCall(context: CoreContext, station: Station, stored: StoredCall): void {
  const call = callOf(context.sealed.calls, stored)
  const queued: QueuedCall = {
    stored,
    call: call ?? { method: stored.method, request: {} },
    connection: undefined,
  }
  if (stored.sentAt !== undefined) settle(context, station, queued, { status: 'dropped' })
  else if (!call || ruleOf(context.outgoing.purposes, stored.purpose).waitsUntil === 'connection') {
    settle(context, station, queued, UNSENT)
  } else station.outgoing.restore(queued)
}
