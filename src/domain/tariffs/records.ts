/** What charges cost from when on (COST-L7), for charges that are delivered late. */

import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

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
