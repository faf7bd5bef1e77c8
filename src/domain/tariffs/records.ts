/** What charges cost from when on (COST-L7), for charges that are delivered late. */

import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { StoredOf } from '../resources/field.ts'
import type { rates } from './fields.ts'

/** What an owner sets of a tariff: prices in micro-units of the currency, excluding VAT. */
export type TariffRates = StoredOf<typeof rates>

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
