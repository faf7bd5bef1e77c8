/** What charges cost from when on (COST-L7), for charges that are delivered late. */

import type { FrozenTariff, StationTime } from '../ports/sessions.ts'
import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { Draft } from '../sessions/draft.ts'
import { happenedBefore } from '../sessions/own-time.ts'

/** What an owner sets of a tariff: prices in micro-units of the currency, excluding VAT. */
export interface TariffRates {
  readonly currency: string
  readonly perKwhMicros: number
  readonly perMinuteMicros: number
  readonly perSessionMicros: number
  readonly idlePerMinuteMicros: number
}

/** One for each tariff that was made, changed or deleted. */
export const tariffVersions = record('tariff_versions', {
  key: ['accountId', 'place', 'since', 'version'],
  columns: {
    accountId: text(),
    /** The charge point; empty: all of the account. */
    place: text(),
    since: integer(),
    version: integer(),
    tariffId: text(),
    /** Absent: it was deleted. */
    rates: optional(json<TariffRates>()),
  },
})

export type TariffVersion = RecordOf<typeof tariffVersions>

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
