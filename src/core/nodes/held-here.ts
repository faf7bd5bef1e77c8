import type { StartSessionOrder } from '../../domain/ports/core.ts'
import type { Presence } from '../../domain/ports/other-nodes.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { Station } from '../memory/station.ts'
import type { Stations } from '../memory/stations.ts'

export interface HeldHere {
  isConnected(chargePointId: string): boolean
  all(): Iterable<Presence>
  presence(chargePointId: string): Presence | undefined
  /** Drops memory that may be outdated: another node owned the charge point meanwhile. */
  forget(chargePointId: string): void
  /** Loads it again and takes it over: the previous owner commits nothing more for it. */
  takeOver(chargePointId: string): Promise<void>
  waitingStart(order: StartSessionOrder, since: number): Session | undefined
}

export function heldHere(stations: Stations, now: () => number): HeldHere {
  const presenceOf = ({ id, connection, offlineSince, clock }: Station): Presence => ({
    chargePointId: id,
    isConnected: connection !== undefined,
    ...(connection === undefined && offlineSince !== undefined && { offlineMs: Math.max(0, now() - offlineSince) }),
    clockSkewMs: clock.skewMs,
  })
  const forget = (chargePointId: string): void => stations.forget(chargePointId)
  return {
    isConnected: (chargePointId) => stations.known(chargePointId)?.connection !== undefined,
    *all() {
      for (const station of stations.all()) yield presenceOf(station)
    },
    presence(chargePointId) {
      const station = stations.known(chargePointId)
      return station && presenceOf(station)
    },
    forget,
    async takeOver(chargePointId) {
      forget(chargePointId)
      await stations.load(chargePointId)
    },
    waitingStart(order, since) {
      const sessions = stations.known(order.chargePointId)?.state?.sessions.values() ?? []
      return [...sessions].find(
        ({ state, accountId, externalReference, remoteStart, idToken, evseId, connectorId }) =>
          state === 'pending' &&
          accountId === order.accountId &&
          (remoteStart?.requestedAt ?? 0) >= since &&
          externalReference === order.externalReference &&
          (order.idToken === undefined || idToken === order.idToken) &&
          evseId === order.evseId &&
          connectorId === order.connectorId,
      )
    },
  }
}
