import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import { type Fields, keptTime, type Shape, type StoredOf, version } from '../resources/field.ts'
import type { PriceLimit, TariffElement } from './elements.ts'

interface AltText {
  readonly language: string
  readonly text: string
}
export const elementsShape: Shape<readonly TariffElement[]> = { name: 'tariffElements' }
export const limitShape: Shape<PriceLimit> = { name: 'priceLimit' }
export const percentShape: Shape<number> = { name: 'percent' }
export const altTextShape: Shape<readonly AltText[]> = { name: 'altText' }

const fee = { kind: 'amount', optional: true, unless: 'elements' } as const
const more = { optional: true, added: true } as const

/** What a session keeps of its tariff, as it was when the session began (COST-L1). */
export const rates = {
  currency: { kind: 'currency', label: ['Currency', 'Währung'], initial: 'EUR', flag: 'ISO 4217' },
  perKwh: { kind: 'amount', unless: 'elements', label: ['Per kWh', 'Je kWh'], describe: 'Per kilowatt-hour.' },
  perMinute: { ...fee, label: ['Per minute', 'Je Minute'], describe: 'Per minute between start and stop.' },
  perSession: { ...fee, label: ['Per session', 'Je Ladevorgang'], describe: 'Once per session.' },
  idlePerMinute: {
    ...fee,
    label: ['Per idle minute, added', 'Je Standminute, zusätzlich'],
    describe: 'Per minute suspended by the vehicle after the first charging, on top of perMinute.',
    flag: 'per minute suspended by the vehicle after charging, on top',
  },
  vat: {
    kind: 'json',
    ...more,
    unless: 'elements',
    shape: percentShape,
    label: ['VAT in per cent', 'Umsatzsteuer in Prozent'],
    describe: 'Rate of tax of these prices; absent: none is known.',
  },
  elements: {
    kind: 'json',
    ...more,
    shape: elementsShape,
    label: ['Elements', 'Tarifelemente'],
    describe: 'Prices by time, energy and power, as OCPI has them, instead of the prices above.',
    flag: 'prices by time, energy and power, as in the API',
  },
  taxIncluded: {
    kind: 'choice',
    ...more,
    options: ['yes', 'no', 'n/a'],
    label: ['Prices include VAT', 'Preise mit Umsatzsteuer'],
    describe: 'Whether the prices include VAT; absent: no. n/a: none applies.',
  },
  minPrice: {
    kind: 'json',
    ...more,
    shape: limitShape,
    label: ['At least', 'Mindestens'],
    describe: 'What a charge costs at least, without and with VAT; both hold.',
  },
  maxPrice: {
    kind: 'json',
    ...more,
    shape: limitShape,
    label: ['At most', 'Höchstens'],
    describe: 'What a charge costs at most, without and with VAT; both hold.',
  },
} as const satisfies Fields

export const fields = {
  version,
  name: { kind: 'word', ...more, label: ['Name', 'Name'], describe: 'With one an account has several.' },
  chargePointId: {
    kind: 'chargePoint',
    optional: true,
    fixed: true,
    label: ['Charge point', 'Ladestation'],
    names: { api: 'evseControllerId', form: 'chargePoint' },
    describe:
      'Absent: of the account. Its default is the one that was made first; others price where a connector of a location names them.',
    flag: 'of this one; default: of all that have none of their own',
    absent: ['All charge points without a tariff of their own', 'Alle Ladestationen ohne eigenen Tarif'],
  },
  ...rates,
  type: {
    kind: 'choice',
    ...more,
    options: ['AD_HOC_PAYMENT', 'PROFILE_CHEAP', 'PROFILE_FAST', 'PROFILE_GREEN', 'REGULAR'],
    label: ['For', 'Für'],
    describe: 'Which charges it is for, as OCPI has it; absent: all.',
  },
  tariffAltText: {
    kind: 'json',
    ...more,
    shape: altTextShape,
    label: ['Text for drivers', 'Text für Fahrer'],
    describe: 'What drivers read, in several languages.',
  },
  isDefault: {
    kind: 'flag',
    optional: true,
    isKept: true,
    isDerived: true,
    names: { api: 'default' },
    describe: 'The default of the account.',
  },
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
    /** The charge point; empty: all of the account; or `placeOfTariff`. */
    place: text(),
    since: integer(),
    version: integer(),
    tariffId: text(),
    /** Absent: it was deleted. */
    rates: optional(json<TariffRates>()),
  },
})

/** Where the versions of a tariff that connectors name are kept; no charge point is called so. */
export const placeOfTariff = (tariffId: string): string => `tariff/${tariffId}`

export type TariffVersion = RecordOf<typeof tariffVersions>
