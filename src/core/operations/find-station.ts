import type { Refusal } from '../../domain/ports/refusal.ts'
import { AWAY, NEVER_CONNECTED } from '../../ocpp/orders/objection.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versionOf } from '../../ocpp/versions.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { NO_CHARGE_POINT } from './core-refusals.ts'

export interface FoundStation {
  readonly station: Station
  readonly version: OcppVersion
}

export async function findStation(
  context: CoreContext,
  accountId: string,
  chargePointId: string,
): Promise<FoundStation | Refusal> {
  const station = context.stations.current(chargePointId) ?? (await context.stations.load(chargePointId))
  if (!station || station.chargePoint.accountId !== accountId) {
    return NO_CHARGE_POINT
  }
  const last = versionOf(station.state?.status.protocol)
  if (last) station.spoke(last)
  const { version } = station
  if (!version) {
    return NEVER_CONNECTED
  }
  return { station, version }
}

/** SESSION-O9: not sent to an offline charge point, unless the order may wait. */
export function refuseWhenAway(station: Station, ttlMs: number | undefined): Refusal | undefined {
  if (station.connection !== undefined || ttlMs !== undefined) return undefined
  return AWAY
}
