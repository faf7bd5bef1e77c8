/** Which tariffs price a charge at a connector: its own, else its charge point's, else the account's default. */
import type { LocationConnector, LocationEvse } from '../locations/records.ts'

interface PlacedTariff {
  readonly tariffId: string
  readonly chargePointId?: string | undefined
  readonly createdAt: number
}

export type TariffsAt<Tariff> = (
  evse: Pick<LocationEvse, 'chargePointId'>,
  connector: Pick<LocationConnector, 'tariffIds'>,
) => readonly Tariff[]

/** @param tariffs all of an account; of those without a charge point the oldest is the default */
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
