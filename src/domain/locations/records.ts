/** Places that the public finds, by what an owner says of them (LOCATION-A1); members are named as in OCPI. */
import type { z } from '@hono/zod-openapi'
import type { PlaceOfEvse } from '../partners/records.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { locationMembers } from './members.ts'

type Members = ReturnType<typeof locationMembers>
type Said<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>

/** Volts (line to neutral), amperes, watts. */
export interface LocationConnector extends Readonly<Said<Members['connector']>> {
  /** Strictly upwards, ms since the epoch (LOCATION-A3). */
  readonly lastUpdated: number
}

/** Charges one vehicle at a time. */
export interface LocationEvse extends Readonly<Omit<Said<Members['evse']>, 'evseControllerId'>> {
  /** Of ours, never changed: OCPI's `uid`. */
  readonly uid: string
  /** Absent: planned, no charge point yet. */
  readonly chargePointId?: string | undefined
  readonly connectors: readonly LocationConnector[]
  readonly isRemoved?: true | undefined
  /** Of what the owner says; what is shown moves with the status too (`ShownEvse`). */
  readonly lastUpdated: number
}

/** What an owner says of a place, beside its EVSEs. */
export type LocationFacts = Readonly<Said<Members['facts']>>
/** Operator, sub-operator or owner. */
export type BusinessDetails = NonNullable<LocationFacts['operator']>
/** In a language of ISO 639-1. */
export type DisplayText = NonNullable<LocationFacts['directions']>[number]
/** Exceptions go before the regular hours. */
export type OpeningTimes = NonNullable<LocationFacts['openingTimes']>
/** Lengths in centimeters, weights in kilograms. */
export type ParkingSpace = NonNullable<LocationFacts['parkingPlaces']>[number]

/** By account and id. */
export const locations = record('locations', {
  key: ['accountId', 'locationId'],
  columns: {
    accountId: text(),
    locationId: text(),
    publish: flag(),
    /** Deleted: its EVSEs are shown as REMOVED (LOCATION-A3). */
    isRemoved: optional(flag()),
    facts: json<LocationFacts>(),
    evses: json<readonly LocationEvse[]>(),
    createdAt: integer(),
    /** Of what its owner says; with its EVSEs' status: `LocationChange`. */
    lastUpdated: integer(),
  },
  // Connectors name tariffs (TARIFF-A1). What only moves `lastUpdated` belongs into a decision's commit.
  isRegistration: true,
})
export type Location = RecordOf<typeof locations>

/** When what is shown of a location changed last, its EVSEs' status included: what pulls select by. */
export const locationChanges = record('location_changes', {
  key: ['accountId', 'locationId'],
  columns: { accountId: text(), locationId: text(), changedAt: integer() },
  indexes: [['accountId', 'changedAt'], ['changedAt']],
})
export type LocationChange = RecordOf<typeof locationChanges>

/** How far a national access point has confirmed what it is sent (AFIR-A2); by its address. */
export const afirPushes = record('afir_pushes', {
  key: ['url'],
  columns: {
    url: text(),
    /** Of the newest change that it has. */
    confirmedAt: integer(),
    /** Since the last whole status. */
    deltas: integer(),
    snapshotAt: integer(),
  },
})
export type AfirPush = RecordOf<typeof afirPushes>

/** Which EVSE has a name in an account: `uid` and a blank before its uid, `id` and a blank before its EVSE id's key. */
export const evseNames = record('evse_names', {
  key: ['accountId', 'name'],
  columns: { accountId: text(), name: text(), locationId: text(), uid: text() },
})

/** LOCATION-A2, in the names of OCPI. */
export const EVSE_STATUSES = [
  'AVAILABLE',
  'BLOCKED',
  'CHARGING',
  'INOPERATIVE',
  'OUTOFORDER',
  'PLANNED',
  'REMOVED',
  'RESERVED',
  'UNKNOWN',
] as const
export type EvseStatus = (typeof EVSE_STATUSES)[number]

/** Which EVSE of which location an EVSE of a charge point is, and what was shown of it last. */
export const locationEvses = record('location_evses', {
  key: ['chargePointId', 'uid'],
  columns: {
    chargePointId: text(),
    uid: text(),
    accountId: text(),
    locationId: text(),
    ocppEvseId: optional(integer()),
    /** What a CDR of a charge that begins here says of the place (OCPI-A5). */
    place: optional(json<PlaceOfEvse>()),
    /** What partners and the public saw last, and since when: a memory of what was sent, never a source. */
    shown: text<EvseStatus>(),
    shownSince: integer(),
    /** Its connection was lost: from then on it is shown as UNKNOWN. */
    unknownDueAt: optional(integer()),
  },
  indexes: [['accountId', 'locationId'], ['unknownDueAt']],
  loadedWith: 'chargePoint',
})
export type LocationEvseState = RecordOf<typeof locationEvses>

/** What happens to the EVSEs of one charge point. */
export type LocationInput = InputsOf<{
  locationEvsesPlaced: {
    locationId: string
    evses: readonly Pick<LocationEvseState, 'uid' | 'ocppEvseId' | 'place'>[]
    /** When the location changed. */
    at: number
  }
  evseSilenceDue: unknown
}>
