/** COST-L7: which tariff a charge has that began at a time. */
import type { FrozenTariff, StationTime } from '../ports/sessions.ts'
import type { Draft } from '../sessions/draft.ts'
import { happenedBefore } from '../sessions/own-time.ts'

/** The charge point's own, else its account's. One that begins now has the present one. */
export function tariffAt(draft: Draft, at: StationTime): FrozenTariff | undefined {
  const { tariff, tariffVersions } = draft.context
  if (!tariffVersions || !happenedBefore(draft, at, draft.now)) return tariff
  for (const place of [draft.state.chargePointId, '']) {
    const found = tariffVersions.find((one) => one.place === place && !happenedBefore(draft, at, one.since))
    if (found?.rates) return { tariffId: found.tariffId, version: found.version, ...found.rates }
  }
  return undefined
}
