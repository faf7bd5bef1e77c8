/** Places that the public finds, by what an owner says of them (LOCATION-A1); members are named as in OCPI. */
import type { PlaceOfEvse } from '../partners/records.ts'
import { flag, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { Coordinates } from '../sites/records.ts'

/** Operator, sub-operator or owner. */
export interface BusinessDetails {
  readonly name: string
  readonly website?: string | undefined
}
/** In a language of ISO 639-1. */
export interface DisplayText {
  readonly language: string
  readonly text: string
}
/** `weekday` 1 is Monday; times of day are local, `HH:MM`. */
export interface RegularHours {
  readonly weekday: number
  readonly periodBegin: string
  readonly periodEnd: string
}
/** Times in ms since the epoch. */
export interface ExceptionalPeriod {
  readonly periodBegin: number
  readonly periodEnd: number
}
/** When the place is open; exceptions go before the regular hours. */
export interface OpeningTimes {
  readonly twentyfourseven: boolean
  readonly regularHours?: readonly RegularHours[] | undefined
  readonly exceptionalOpenings?: readonly ExceptionalPeriod[] | undefined
  readonly exceptionalClosings?: readonly ExceptionalPeriod[] | undefined
}
/** Where its electricity comes from. */
export interface EnergyMix {
  readonly isGreenEnergy: boolean
  readonly energySources?: readonly { readonly source: string; readonly percentage: number }[] | undefined
  readonly environImpact?: readonly { readonly category: string; readonly amount: number }[] | undefined
  readonly supplierName?: string | undefined
  readonly energyProductName?: string | undefined
}
/** Lengths in centimeters, weights in kilograms. */
export interface ParkingPlace {
  readonly id: string
  readonly physicalReference?: string | undefined
  readonly vehicleTypes: readonly string[]
  readonly maxVehicleWeight?: number | undefined
  readonly maxVehicleHeight?: number | undefined
  readonly maxVehicleLength?: number | undefined
  readonly maxVehicleWidth?: number | undefined
  readonly parkingSpaceLength?: number | undefined
  readonly parkingSpaceWidth?: number | undefined
  readonly dangerousGoodsAllowed?: boolean | undefined
  readonly direction?: string | undefined
  readonly driveThrough?: boolean | undefined
  readonly restrictedToType: boolean
  readonly reservationRequired: boolean
  readonly timeLimit?: number | undefined
  readonly roofed?: boolean | undefined
  readonly lighting?: boolean | undefined
  readonly refrigerationOutlet?: boolean | undefined
  readonly standards?: readonly string[] | undefined
  readonly apdsReference?: string | undefined
}

/** Volts (line to neutral), amperes, watts. */
export interface LocationConnector {
  readonly connectorId: string
  readonly standard: string
  readonly format: 'SOCKET' | 'CABLE'
  readonly powerType: string
  readonly maxVoltage: number
  readonly maxAmperage: number
  readonly maxElectricPower?: number | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly tariffIds?: readonly string[] | undefined
  readonly termsAndConditions?: string | undefined
  /** Strictly upwards, ms since the epoch (LOCATION-A3). */
  readonly lastUpdated: number
}

/** Charges one vehicle at a time. */
export interface LocationEvse {
  /** Of ours, never changed: OCPI's `uid`. */
  readonly uid: string
  /** As eMI3 spells it, without separators in comparison. */
  readonly evseId?: string | undefined
  /** Absent: planned, no charge point yet. */
  readonly chargePointId?: string | undefined
  /** EVSE of OCPP 2.x, connector of 1.6; absent: all of the charge point. */
  readonly ocppEvseId?: number | undefined
  readonly floorLevel?: string | undefined
  readonly physicalReference?: string | undefined
  readonly coordinates?: Coordinates | undefined
  readonly directions?: readonly DisplayText[] | undefined
  readonly parkingRestrictions?: readonly string[] | undefined
  readonly capabilities?: readonly string[] | undefined
  readonly parking?: readonly { readonly parkingId: string; readonly evsePosition?: string | undefined }[] | undefined
  readonly acceptedServiceProviders?: readonly string[] | undefined
  readonly connectors: readonly LocationConnector[]
  readonly isRemoved?: true | undefined
  /** Of what the owner says; what is shown moves with the status too (`ShownEvse`). */
  readonly lastUpdated: number
}

/** What an owner says of a place, beside its EVSEs. */
export interface LocationFacts {
  readonly name?: string | undefined
  readonly address: string
  readonly city: string
  readonly postalCode?: string | undefined
  readonly state?: string | undefined
  /** ISO 3166-1 alpha-3. */
  readonly country: string
  readonly coordinates: Coordinates
  /** IANA. */
  readonly timeZone: string
  readonly operator?: BusinessDetails | undefined
  readonly suboperator?: BusinessDetails | undefined
  readonly owner?: BusinessDetails | undefined
  readonly openingTimes?: OpeningTimes | undefined
  readonly chargingWhenClosed?: boolean | undefined
  readonly helpPhone?: string | undefined
  readonly facilities?: readonly string[] | undefined
  readonly parkingType?: string | undefined
  readonly parkingPlaces?: readonly ParkingPlace[] | undefined
  /** In sentences, for people who need it. */
  readonly accessibility?: string | undefined
  readonly directions?: readonly DisplayText[] | undefined
  readonly energyMix?: EnergyMix | undefined
}

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
export type LocationInput =
  | {
      readonly kind: 'locationEvsesPlaced'
      readonly locationId: string
      readonly evses: readonly Pick<LocationEvseState, 'uid' | 'ocppEvseId' | 'place'>[]
      /** Locations that have it no longer: a change of theirs was interrupted. */
      readonly stale: readonly string[]
    }
  | { readonly kind: 'evseSilenceDue' }
