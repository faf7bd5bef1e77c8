import type { AccountNetwork, Connectivity } from '../../domain/ports/core.ts'
import type { Station } from '../memory/station.ts'

/** OCPP-CN4: shorter losses of the connection are not shown. */
export const OFFLINE_GRACE_MS = 60_000
const WRONG_CLOCK_MS = 60_000

/** @param offlineMs since its last connection ended; negative (unknown) after the clock was set back */
export function isOnline(isConnected: boolean, offlineMs: number | undefined): boolean {
  return isConnected || (offlineMs !== undefined && offlineMs >= 0 && offlineMs < OFFLINE_GRACE_MS)
}

export function isWrongClock(skewMs: number): boolean {
  return Math.abs(skewMs) > WRONG_CLOCK_MS
}

export function connectivityOf(chargePointId: string, station: Station | undefined, now: number): Connectivity {
  if (!station) return { chargePointId, online: false }
  const { connection, offlineSince, lastSeenAt, version, clock } = station
  const offlineMs = offlineSince === undefined ? undefined : now - offlineSince
  return {
    chargePointId,
    online: isOnline(connection !== undefined, offlineMs),
    ...(lastSeenAt > 0 && { lastSeenAt }),
    protocol: version?.protocol,
    clockSkewMs: clock.skewMs,
  }
}

export function networksOf(stations: Iterable<Station>, now: number): AccountNetwork[] {
  const networks = new Map<string, AccountNetwork & { online: string[]; wrongClocks: number }>()
  for (const station of stations) {
    const { online, clockSkewMs = 0 } = connectivityOf(station.id, station, now)
    if (!online) continue
    const { accountId } = station.chargePoint
    const network = networks.get(accountId) ?? { accountId, online: [], wrongClocks: 0 }
    networks.set(accountId, network)
    network.online.push(station.id)
    if (isWrongClock(clockSkewMs)) network.wrongClocks++
  }
  return [...networks.values()]
}
