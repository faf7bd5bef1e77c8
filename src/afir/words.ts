/** How DATEX II writes values, texts and times, and what it calls what OCPI names otherwise. */
import { createHash } from 'node:crypto'
import { offsetAt } from '../domain/time-zone.ts'

/** @example valued('car') is { value: 'car' } */
export function valued(value: string): object {
  return { value }
}

/** A value that the profile added to an enumeration. */
export function extended(value: string): object {
  return { value: 'extendedG', extendedValueG: value }
}

export function multilingual(lang: string): (value: string) => object {
  return (value) => ({ values: [{ lang, value }] })
}

export function dateTime(at: number): string {
  return new Date(at).toISOString()
}

/** All the way down without what has no value: undefined, empty texts, lists and objects. */
export function present(members: object): Record<string, unknown> {
  return (pruned(members) ?? {}) as Record<string, unknown>
}

function pruned(value: unknown): unknown {
  if (value === '') return undefined
  if (typeof value !== 'object' || value === null || value === OPEN_ALL_HOURS) return value
  if (Array.isArray(value)) {
    const items = value.map(pruned).filter((item) => item !== undefined)
    return items.length > 0 ? items : undefined
  }
  const members = Object.entries(value).flatMap(([name, member]) => {
    const kept = pruned(member)
    return kept === undefined ? [] : [[name, kept] as const]
  })
  return members.length > 0 ? Object.fromEntries(members) : undefined
}

/** The name says it all. */
export const OPEN_ALL_HOURS = {}

/** A UUID that follows from what it names: the same for ever, and nowhere else in a national access point. */
export function idOf(...names: readonly string[]): string {
  const hex = createHash('sha256').update(JSON.stringify(names)).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

const LANGUAGES: Readonly<Record<string, string>> = { DEU: 'de', AUT: 'de', LIE: 'de' }

/** What texts about a place are marked with: of those that ours are written in. */
export function languageOf(country: string): string {
  return LANGUAGES[country] ?? 'en'
}

export const SITE_TYPES: Readonly<Record<string, string>> = {
  ALONG_MOTORWAY: 'openSpace',
  PARKING_GARAGE: 'inBuilding',
  PARKING_LOT: 'openSpace',
  ON_DRIVEWAY: 'other',
  ON_STREET: 'onstreet',
  UNDERGROUND_GARAGE: 'inBuilding',
}

const CONNECTORS = new Set(
  'chademo mcs pantographBottomUp pantographTopDown teslaR teslaS iec60309x2single16 iec60309x2three16 iec60309x2three32 iec62196T1 iec62196T1COMBO iec62196T2 iec62196T2COMBO iec62196T3A iec62196T3C'.split(
    ' ',
  ),
)

/** Undefined: it is `other`. */
export function connectorType(standard: string): string | undefined {
  if (/^DOMESTIC_[A-O]$/.test(standard)) return `domestic${standard.slice(-1)}`
  const name = standard.startsWith('IEC')
    ? standard.replace('60309_2_', '60309x2').replaceAll('_', '').replace('IEC', 'iec')
    : standard.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  return CONNECTORS.has(name) ? name : undefined
}

export const AUTHENTICATION: Readonly<Record<string, string>> = {
  RFID_READER: 'rfid',
  REMOTE_START_STOP_CAPABLE: 'apps',
  CREDIT_CARD_PAYABLE: 'creditCard',
  DEBIT_CARD_PAYABLE: 'debitCard',
  CONTACTLESS_CARD_SUPPORT: 'nfc',
  PED_TERMINAL: 'pinpad',
}

export const PAYMENT_MEANS: Readonly<Record<string, string>> = {
  CREDIT_CARD_PAYABLE: 'paymentCreditCard',
  DEBIT_CARD_PAYABLE: 'paymentDebitCard',
  CONTACTLESS_CARD_SUPPORT: 'nfc',
  CHIP_CARD_SUPPORT: 'emv',
}

export const SERVICES: Readonly<Record<string, string>> = {
  HOTEL: 'hotel',
  RESTAURANT: 'restaurant',
  CAFE: 'cafe',
  MALL: 'shop',
  SUPERMARKET: 'foodShopping',
  SPORT: 'leisureActivities',
  BIKE_SHARING: 'bikeSharing',
  FUEL_STATION: 'petrolStation',
}

export const VEHICLES: Readonly<Record<string, string>> = {
  MOTORCYCLE: 'motorcycle',
  PERSONAL_VEHICLE: 'car',
  PERSONAL_VEHICLE_WITH_TRAILER: 'carWithTrailer',
  VAN: 'van',
  SEMI_TRACTOR: 'articulatedVehicle',
  RIGID: 'lorry',
  TRUCK_WITH_TRAILER: 'heavyGoodsVehicleWithTrailer',
  BUS: 'bus',
}

/** NUTS-1: the states of Germany, by the end of their code of ISO 3166-2, and by name. */
const STATES =
  'BW DE1 Baden-Württemberg|BY DE2 Bayern|BE DE3 Berlin|BB DE4 Brandenburg|HB DE5 Bremen|HH DE6 Hamburg|HE DE7 Hessen|MV DE8 Mecklenburg-Vorpommern|NI DE9 Niedersachsen|NW DEA Nordrhein-Westfalen|RP DEB Rheinland-Pfalz|SL DEC Saarland|SN DED Sachsen|ST DEE Sachsen-Anhalt|SH DEF Schleswig-Holstein|TH DEG Thüringen'
const NUTS_1 = new Map(
  STATES.split('|').flatMap((state) => {
    const [short = '', nuts = '', name = ''] = state.split(' ')
    return [short, `DE-${short}`, nuts, name].map((spelled) => [spelled.toLowerCase(), nuts] as const)
  }),
)

export function nuts1(country: string, state: string | undefined): string | undefined {
  return country === 'DEU' && state !== undefined ? NUTS_1.get(state.toLowerCase()) : undefined
}

const HOUR_MS = 3_600_000

/** @example '+01:00' in Berlin, in summer as well */
export function standardOffset(timeZone: string): string {
  const least = Math.min(...[0, 6].map((month) => offsetAt(Date.UTC(2026, month), timeZone)))
  const [hours, minutes] = [Math.floor(Math.abs(least) / HOUR_MS), Math.floor(Math.abs(least) / 60_000) % 60]
  return `${least < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
