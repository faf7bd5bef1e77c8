/** All that the versions of OCPI differ in for what we send (LOCATION-A7): no other file compares them. */
import type { TaxIncluded } from '../tariffs/elements.ts'
import type { OcpiVersion } from './records.ts'

/** Whose objects they are: the account's party. */
export interface Party {
  readonly countryCode: string
  readonly partyId: string
}

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

type Enumeration = 'ConnectorType' | 'ParkingRestriction' | 'TokenType'

interface Version {
  /** Members that it does not know, by their name or by `parent.name`: left out. */
  readonly unknownMembers: readonly string[]
  /** Values that it does not know: left out of lists, and where one is required the nearest that it knows. */
  readonly unknownValues: Readonly<Partial<Record<Enumeration, Readonly<Record<string, string | undefined>>>>>
  /** What an amount of money is called. */
  readonly amount: (amount: Amount) => object
  readonly priceLimit: (amount: Amount) => object
  /** Of a component whose tariff says that its prices have tax in them, or not (TARIFF-A5). */
  readonly componentPrice: (price: Price, taxIncluded: TaxIncluded) => number
}

const netAndVat = ({ net, gross }: Amount): object => ({ excl_vat: net, incl_vat: gross })

export const DIFFERENCES: Readonly<Record<OcpiVersion, Version>> = {
  '2.2.1': {
    unknownMembers: [
      'parking_places',
      'help_phone',
      'parking',
      'accepted_service_providers',
      'connectors.capabilities',
      'tax_included',
    ],
    unknownValues: {
      ConnectorType: { MCS: 'IEC_62196_T2_COMBO', SAE_J3400: 'TESLA_S' },
      ParkingRestriction: { EMPLOYEES: undefined, TAXIS: undefined, TENANTS: undefined },
      TokenType: { EMAID: 'OTHER' },
    },
    amount: netAndVat,
    priceLimit: netAndVat,
    componentPrice: ({ price, vat = 0 }, taxIncluded) => (taxIncluded === 'yes' ? price / (1 + vat / 100) : price),
  },
  '2.3.0': {
    unknownMembers: [],
    unknownValues: {},
    amount: ({ net, gross }) => ({
      before_taxes: net,
      taxes: gross === undefined ? undefined : [{ name: 'VAT', amount: gross - net }],
    }),
    priceLimit: ({ net, gross }) => ({ before_taxes: net, after_taxes: gross }),
    componentPrice: ({ price }) => price,
  },
}

/** At most so many characters of texts, by the name of their member or by `parent.name`. */
const LENGTHS: Readonly<Record<string, number>> = {
  name: 255,
  'operator.name': 100,
  'suboperator.name': 100,
  'owner.name': 100,
  address: 255,
  'cdr_location.address': 45,
  city: 45,
  postal_code: 10,
  state: 45,
  'cdr_location.state': 20,
  help_phone: 25,
  language: 2,
  text: 512,
  evse_id: 48,
  floor_level: 4,
  physical_reference: 16,
  'parking_places.physical_reference': 12,
  accepted_service_providers: 50,
  standards: 36,
  apds_reference: 36,
  supplier_name: 64,
  energy_product_name: 64,
  authorization_reference: 36,
  'cdr_token.uid': 36,
  contract_id: 36,
  encoding_method: 36,
}
/** Numbers that are ms since the epoch here, and UTC with a Z there (OCPI allows no offset). */
const TIMES = ['last_updated', 'start_date_time', 'end_date_time', 'period_begin', 'period_end']
const WHOLE_NUMBERS = ['max_voltage', 'max_amperage', 'max_electric_power']
/** Texts with five to seven decimals, and at most eleven characters: a decimeter. */
const DEGREES = ['latitude', 'longitude']

/** Our members as the version writes them: its names, lengths, times and decimals, without what is empty. */
export function spelled(version: OcpiVersion, members: object, parent = ''): Record<string, unknown> {
  const { unknownMembers } = DIFFERENCES[version]
  const found = Object.entries(members).flatMap(([ours, value]) => {
    const name = ours.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    const isUnknown = unknownMembers.includes(name) || unknownMembers.includes(`${parent}.${name}`)
    const spelling = isUnknown ? undefined : spelledValue(version, value, name, parent)
    return spelling === undefined ? [] : [[name, spelling] as const]
  })
  return Object.fromEntries(found)
}

function spelledValue(version: OcpiVersion, value: unknown, name: string, parent: string): unknown {
  if (typeof value === 'string') return cut(value, LENGTHS[`${parent}.${name}`] ?? LENGTHS[name])
  if (typeof value === 'number') {
    if (TIMES.includes(name)) return new Date(value).toISOString()
    if (DEGREES.includes(name)) return value.toFixed(6)
    return WHOLE_NUMBERS.includes(name) ? Math.round(value) : decimal(value)
  }
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    return value.length > 0 ? value.map((item) => spelledValue(version, item, name, parent)) : undefined
  }
  const members = spelled(version, value, name)
  return Object.keys(members).length > 0 ? members : undefined
}

function cut(text: string, length = text.length): string {
  return text.length <= length ? text : Array.from(text).slice(0, length).join('')
}

export function isKnown(version: OcpiVersion, enumeration: Enumeration, value: string): boolean {
  return !Object.hasOwn(DIFFERENCES[version].unknownValues[enumeration] ?? {}, value)
}

/** The value, or the nearest that the version knows. */
export function nearest(version: OcpiVersion, enumeration: Enumeration, value: string): string {
  return DIFFERENCES[version].unknownValues[enumeration]?.[value] ?? value
}

/** OCPI's numbers have at most four decimals. */
export function decimal(value: number): number {
  // Not -0; halves away from zero although most decimals are no binary fractions.
  return Number(`${Math.round(Number(`${value.toFixed(9)}e4`))}e-4`) || 0
}
