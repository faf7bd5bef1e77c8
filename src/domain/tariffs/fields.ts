import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import { type Fields, keptTime, type StoredOf, version } from '../resources/field.ts'

const fee = { kind: 'amount', optional: true } as const

/** What a session keeps of its tariff, as it was when the session began (COST-L1). */
export const rates = {
  currency: { kind: 'currency', label: ['Currency', 'Währung'], initial: 'EUR', flag: 'ISO 4217' },
  perKwh: { kind: 'amount', label: ['Per kWh', 'Je kWh'], describe: 'Per kilowatt-hour.' },
  perMinute: { ...fee, label: ['Per minute', 'Je Minute'], describe: 'Per minute between start and stop.' },
  perSession: { ...fee, label: ['Per session', 'Je Ladevorgang'], describe: 'Once per session.' },
  idlePerMinute: {
    ...fee,
    label: ['Per idle minute, added', 'Je Standminute, zusätzlich'],
    describe: 'Per minute suspended after the first charging, on top of perMinute.',
    flag: 'per minute suspended after charging, on top',
  },
} as const satisfies Fields

export const fields = {
  version,
  chargePointId: {
    kind: 'chargePoint',
    optional: true,
    fixed: true,
    label: ['Charge point', 'Ladestation'],
    names: { api: 'evseControllerId', form: 'chargePoint' },
    describe: 'Absent: the default of the account.',
    flag: 'of this one; default: of all that have none of their own',
    absent: ['All charge points without a tariff of their own', 'Alle Ladestationen ohne eigenen Tarif'],
  },
  ...rates,
  createdAt: keptTime,
  updatedAt: keptTime,
} as const satisfies Fields

// What charges cost from when on (COST-L7), for charges that are delivered late.

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
