/** What the EVSEs of a location are now, by the ids of the table (AFIR-A5), with their prices again (AFIR-A6). */
import type { EvseStatus } from '../domain/locations/records.ts'
import type { ShownEvse, ShownLocation } from '../domain/locations/shown.ts'
import { energyPrices } from './rates.ts'
import { isShown, pointId, ratesOf, type SiteContext, siteId, stationsOf } from './table.ts'
import { dateTime, languageOf, valued } from './words.ts'

const STATUSES: Readonly<Record<EvseStatus, string>> = {
  AVAILABLE: 'available',
  BLOCKED: 'blocked',
  CHARGING: 'charging',
  INOPERATIVE: 'inoperative',
  OUTOFORDER: 'outOfOrder',
  PLANNED: 'planned',
  REMOVED: 'removed',
  RESERVED: 'reserved',
  UNKNOWN: 'unknown',
}

/** A whole snapshot has the EVSEs of the table; changes have removed ones as well. */
export interface StatusQuery {
  /** Of EVSEs and prices that changed then or later; ms since the epoch. */
  readonly since?: number | undefined
}

/** Undefined: it has none of them. */
export function siteStatusOf(
  location: ShownLocation,
  version: string,
  context: SiteContext,
  { since }: StatusQuery = {},
): object | undefined {
  const stations = stationsOf(location).flatMap(({ id, evses }) => {
    const points = evses.flatMap((evse) => {
      const rates = [...ratesOf(location, evse, context)]
      const changedAt = Math.max(evse.lastUpdated, ...rates.map(([, { updatedAt }]) => updatedAt))
      const isAsked = since === undefined ? isShown(evse.status) : changedAt >= since
      return isAsked ? [{ evse, rates }] : []
    })
    if (points.length === 0) return []
    return [
      {
        reference: reference(id, version),
        lastUpdated: dateTime(Math.max(...points.map(({ evse }) => evse.lastUpdated))),
        refillPointStatus: points.map(({ evse, rates }) => ({
          aegiElectricChargingPointStatus: pointStatus(location, evse, version, rates),
        })),
      },
    ]
  })
  if (stations.length === 0) return undefined
  return {
    reference: reference(siteId(location), version),
    lastUpdated: dateTime(location.lastUpdated),
    energyInfrastructureStationStatus: stations,
  }
}

function pointStatus(
  location: ShownLocation,
  evse: ShownEvse,
  version: string,
  rates: readonly (readonly [id: string, Parameters<typeof energyPrices>[0]])[],
): object {
  const updates = rates.map(([idG, adhoc]) => ({
    lastUpdated: dateTime(adhoc.updatedAt),
    energyRateReference: { targetClass: 'EnergyRate', idG },
    energyPrice: energyPrices(adhoc, languageOf(location.facts.country)),
  }))
  return {
    reference: reference(pointId(location, evse), version),
    lastUpdated: dateTime(evse.lastUpdated),
    status: valued(STATUSES[evse.status]),
    ...(updates.length > 0 && isShown(evse.status) ? { energyRateUpdate: updates } : {}),
  }
}

function reference(idG: string, versionG: string): object {
  return { targetClass: 'FacilityObject', idG, versionG }
}
