/**
 * A new certificate in good time: looked at within a minute of each login and daily, and at once where the present one
 * is over (CERT-C15, CERT-C20).
 */
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'

const DAY_MS = 24 * 3600_000
/** Before its end. */
const RENEWAL_MS = 30 * DAY_MS
/** After a login: whoever booted has said its first messages by then. */
const LOOK_AFTER_MS = 30_000
const TTL_MS = 60_000

export interface CertificateRenewal {
  /** It logged in. */
  opened(station: Station): void
  /** It booted: an expired certificate is all that it may renew now. */
  booted(station: Station): void
  stop(): void
}

export function createCertificateRenewal(context: CoreContext): CertificateRenewal {
  const { clock, stations, log } = context
  const asked = new WeakMap<Station, number>()
  let cancelDaily = clock.after(DAY_MS, daily)

  function daily(): void {
    for (const station of stations.all()) look(station)
    cancelDaily = clock.after(DAY_MS, daily)
  }

  /** Not again within a day: it may need its time, or have been refused. */
  function look(station: Station, interval = DAY_MS): void {
    const { shown, connection, version, id } = station
    const now = clock.now()
    if (!shown || connection === undefined || !version || shown.notAfter - now > RENEWAL_MS) return
    if (now - (asked.get(station) ?? Number.NEGATIVE_INFINITY) < interval) return
    asked.set(station, now)
    orderCall(context, {
      stationId: id,
      call: version.certificateTrigger,
      purpose: { kind: 'certificateTrigger' },
      expiresAt: now + TTL_MS,
    }).catch((error: Error) => log.warn({ chargePoint: id, error: error.message }, 'could not ask for a renewal'))
  }

  return {
    opened(station) {
      const { connection } = station
      if (!station.shown) return
      clock.after(LOOK_AFTER_MS, () => {
        if (station.connection === connection) look(station)
      })
    },
    booted(station) {
      if (station.shown?.isExpired) look(station, TTL_MS)
    },
    stop: () => cancelDaily(),
  }
}
