/** COST-L7: which tariff a charge has that began at a time. */
import type { FrozenTariff, StationTime } from '../ports/sessions.ts'
import type { Draft } from '../sessions/draft.ts'
import { happenedBefore } from '../sessions/own-time.ts'
import type { TariffVersion } from './records.ts'

/** The charge point's own, else its account's: now the present one, and before all tariffs the first. */
export function tariffAt(
  draft: Draft,
  at: StationTime,
  tariffVersions: readonly TariffVersion[],
): FrozenTariff | undefined {
  if (!happenedBefore(draft, at, draft.now)) return draft.context.tariff
  const places = [draft.state.chargePointId, '']
  const inForce = places.flatMap(
    (place) => tariffVersions.find((one) => one.place === place && !happenedBefore(draft, at, one.since)) ?? [],
  )
  const first = places.flatMap((place) => tariffVersions.findLast((one) => one.place === place) ?? [])
  const found = (inForce.length > 0 ? inForce : first).find(({ rates }) => rates)
  return found?.rates && { tariffId: found.tariffId, version: found.version, ...found.rates }
}
