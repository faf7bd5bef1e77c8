/** Where the EVSEs of a charge point stand in locations, and which tariffs their connectors name (TARIFF-A1). */
import type { Location, LocationEvseState } from '../locations/records.ts'
import type { FrozenTariff } from '../ports/sessions.ts'

export interface TariffLocation {
  /** EVSE of OCPP 2.x, connector of 1.6; absent: all of the charge point. */
  readonly ocppEvseId?: number | undefined
  readonly connectorId: string
  readonly timeZone: string
  /** In the order of the connector. */
  readonly tariffs: readonly FrozenTariff[]
}

type Standing = Pick<LocationEvseState, 'uid' | 'locationId' | 'ocppEvseId'>
type Placed = Pick<Location, 'locationId' | 'facts' | 'evses'>

export function placesOf(
  standing: readonly Standing[],
  locations: readonly Placed[],
  tariffs: readonly FrozenTariff[],
): readonly TariffLocation[] {
  const named = new Map(tariffs.map((tariff) => [tariff.tariffId, tariff]))
  return standing.flatMap(({ uid, locationId, ocppEvseId }) => {
    const location = locations.find((one) => one.locationId === locationId)
    const evse = location?.evses.find((one) => one.uid === uid && !one.isRemoved)
    return (evse?.connectors ?? []).map(({ connectorId, tariffIds = [] }) => ({
      ocppEvseId,
      connectorId,
      timeZone: location?.facts.timeZone ?? 'UTC',
      tariffs: tariffIds.flatMap((id) => named.get(id) ?? []),
    }))
  })
}

/** Its connector, where the location counts them as the station does; else the first of the EVSE. */
export function placeAt(
  places: readonly TariffLocation[],
  { evseId, connectorId }: { readonly evseId?: number | undefined; readonly connectorId?: number | undefined },
): TariffLocation | undefined {
  const ofEvse = places.filter(({ ocppEvseId }) => ocppEvseId === undefined || ocppEvseId === (evseId ?? connectorId))
  return ofEvse.find((one) => one.connectorId === String(connectorId)) ?? ofEvse[0]
}

/** With the clock of its place, where its elements need one. */
export function localTariff(
  tariff: FrozenTariff,
  places: readonly TariffLocation[] | undefined,
  place: Parameters<typeof placeAt>[1],
  otherwise: string,
): FrozenTariff {
  return tariff.elements ? { ...tariff, timeZone: placeAt(places ?? [], place)?.timeZone ?? otherwise } : tariff
}
