/** All that the versions of OCPI differ in for what we send (LOCATION-A6): no other file compares them. */
import type { OcpiVersion } from '../domain/partners/records.ts'
import type { TaxIncluded } from '../domain/tariffs/elements.ts'

/** In units of the currency. */
export interface Amount {
  readonly net: number
  /** Absent: tax is not known, or none applies. */
  readonly gross?: number | undefined
}

/** Of a component, as the tariff has it. */
interface Price {
  readonly price: number
  readonly vat?: number | undefined
}

type ObjectName = 'location' | 'evse' | 'connector' | 'tariff'
type Enumeration = 'ConnectorType' | 'ParkingRestriction' | 'TokenType'

interface Version {
  /** Members that it does not know: left out. */
  readonly unknownMembers: Readonly<Partial<Record<ObjectName, readonly string[]>>>
  /** Values that it does not know: left out of lists, and where one is required the nearest that it knows. */
  readonly unknownValues: Readonly<Partial<Record<Enumeration, Readonly<Record<string, string | undefined>>>>>
  /** What an amount of money is called. */
  readonly amount: (amount: Amount) => object
  readonly priceLimit: (amount: Amount) => object
  /** Of a component whose tariff says that its prices have tax in them, or not (TARIFF-A5). */
  readonly componentPrice: (price: Price, taxIncluded: TaxIncluded) => number
}

const netAndVat = ({ net, gross }: Amount): object => ({
  excl_vat: decimal(net),
  incl_vat: rounded(gross),
})

const VERSIONS: Readonly<Record<OcpiVersion, Version>> = {
  '2.2.1': {
    unknownMembers: {
      location: ['parking_places', 'help_phone'],
      evse: ['parking', 'accepted_service_providers'],
      connector: ['capabilities'],
      tariff: ['tax_included'],
    },
    unknownValues: {
      ConnectorType: { MCS: 'IEC_62196_T2_COMBO', SAE_J3400: 'TESLA_S' },
      ParkingRestriction: { EMPLOYEES: undefined, TAXIS: undefined, TENANTS: undefined },
      TokenType: { EMAID: 'OTHER' },
    },
    amount: netAndVat,
    priceLimit: netAndVat,
    componentPrice: ({ price, vat = 0 }, taxIncluded) =>
      decimal(taxIncluded === 'yes' ? price / (1 + vat / 100) : price),
  },
  '2.3.0': {
    unknownMembers: {},
    unknownValues: {},
    amount: ({ net, gross }) => ({
      before_taxes: decimal(net),
      taxes: gross === undefined ? undefined : [{ name: 'VAT', amount: decimal(gross - net) }],
    }),
    priceLimit: ({ net, gross }) => ({
      before_taxes: decimal(net),
      after_taxes: rounded(gross),
    }),
    componentPrice: ({ price }) => decimal(price),
  },
}

/** What the version has for these members; members without a value are left out. */
export function spelled(version: OcpiVersion, object: ObjectName, members: object): Record<string, unknown> {
  const unknown = VERSIONS[version].unknownMembers[object] ?? []
  return present(Object.fromEntries(Object.entries(members).filter(([name]) => !unknown.includes(name))))
}

export function isKnown(version: OcpiVersion, enumeration: Enumeration, value: string): boolean {
  return !Object.hasOwn(VERSIONS[version].unknownValues[enumeration] ?? {}, value)
}

/** The value, or the nearest that the version knows. */
export function nearest(version: OcpiVersion, enumeration: Enumeration, value: string): string {
  return VERSIONS[version].unknownValues[enumeration]?.[value] ?? value
}

export function amountIn(version: OcpiVersion, amount: Amount): object {
  return present(VERSIONS[version].amount(amount))
}

export function priceLimitIn(version: OcpiVersion, amount: Amount): object {
  return present(VERSIONS[version].priceLimit(amount))
}

export function componentPriceIn(version: OcpiVersion, price: Price, taxIncluded: TaxIncluded): number {
  return VERSIONS[version].componentPrice(price, taxIncluded)
}

/** OCPI's numbers have at most four decimals. */
export function decimal(value: number): number {
  // Not -0; halves away from zero although most decimals are no binary fractions.
  return Number(`${Math.round(Number(`${value.toFixed(9)}e4`))}e-4`) || 0
}

export function rounded(value: number | undefined): number | undefined {
  return value === undefined ? undefined : decimal(value)
}

/** Without the members that have no value. */
export function present(members: object): Record<string, unknown> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
}
