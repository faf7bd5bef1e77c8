/**
 * Asks a station that considers itself accepted, but was not accepted here, to boot: once per connection.
 * A reconnect is no boot (OCPP-DR9, OCPP-DR10, 1.6 err 3.40).
 */

import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'

/** A booting station does so within seconds; one that is silent after that has nothing to report yet. */
const TIMEOUT_MS = 10_000
/** If it could not be sent by then, the next connection tries again. */
const TTL_MS = 60_000

export interface BootTrigger {
  opened(station: Station): void
  heard(station: Station, action: string): void
}

export function createBootTrigger(context: CoreContext): BootTrigger {
  const asked = new WeakMap<Station, number>()

  /** Queued last: the station's own BootNotification may be in the queue. */
  const askUnlessBooted = (stationId: string, connection: number): void =>
    context.engine.enqueue({
      stationId,
      committed(station) {
        if (!station.neverBooted) return
        if (station.connection !== connection || asked.get(station) === connection) return
        asked.set(station, connection)
        ask(context, station)
      },
    })

  return {
    opened(station) {
      const { id, connection } = station
      if (connection === undefined || !station.neverBooted) return
      context.clock.after(TIMEOUT_MS, () => askUnlessBooted(id, connection))
    },
    heard(station, action) {
      const { id, connection } = station
      if (action === 'BootNotification' || connection === undefined) return
      if (asked.get(station) !== connection) askUnlessBooted(id, connection)
    },
  }
}

function ask(context: CoreContext, station: Station): void {
  const { version } = station
  const call = version?.ask({ kind: 'triggerBoot' })
  if (!version || !call) return
  orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'bootTrigger' },
    expiresAt: context.clock.now() + TTL_MS,
  }).catch((error: Error) =>
    context.log.warn({ chargePoint: station.id, error: error.message }, 'could not ask for a BootNotification'),
  )
}
