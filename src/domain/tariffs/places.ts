/** Where the EVSEs of a charge point stand in locations, and which tariffs their connectors name (TARIFF-A1). */
import type { Location, LocationConnector, LocationEvse, LocationEvseState } from '../locations/records.ts'
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

interface PlacedTariff {
  readonly tariffId: string
  readonly chargePointId?: string | undefined
  readonly createdAt: number
}

export type TariffsAt<Tariff> = (
  evse: Pick<LocationEvse, 'chargePointId'>,
  connector: Pick<LocationConnector, 'tariffIds'>,
) => readonly Tariff[]

/**
 * Which price a charge at a connector: its own, else its charge point's, else the account's default.
 * @param tariffs all of an account; of those without a charge point the oldest is the default
 */
export function tariffsAt<Tariff extends PlacedTariff>(tariffs: readonly Tariff[]): TariffsAt<Tariff> {
  const byId = new Map(tariffs.map((tariff) => [tariff.tariffId, tariff]))
  const byStation = new Map<string | undefined, Tariff>()
  for (const tariff of [...tariffs].sort((a, b) => a.createdAt - b.createdAt)) {
    if (!byStation.has(tariff.chargePointId)) byStation.set(tariff.chargePointId, tariff)
  }
  return ({ chargePointId }, { tariffIds = [] }) => {
    const own = tariffIds.flatMap((id) => byId.get(id) ?? [])
    if (own.length > 0) return own
    const other = (chargePointId !== undefined && byStation.get(chargePointId)) || byStation.get(undefined)
    return other ? [other] : []
  }
}
