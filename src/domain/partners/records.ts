/** Roaming partners (OCPI-A1): platforms that find, price and use our charge points. */
import { flag, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { PriceDimension } from '../tariffs/elements.ts'
import type { TariffRates } from '../tariffs/fields.ts'

/** That we speak, lowest first. */
export const OCPI_VERSIONS = ['2.2.1', '2.3.0'] as const
export type OcpiVersion = (typeof OCPI_VERSIONS)[number]

/** One of the parties of a platform (OCPI-A9). */
export interface PartyRole {
  readonly role: string
  readonly countryCode: string
  readonly partyId: string
  readonly businessDetails: { readonly name: string; readonly website?: string | undefined }
}

/** Us: one per account. */
export const ocpiParties = record('ocpi_parties', {
  key: ['accountId'],
  columns: {
    accountId: text(),
    /** ISO 3166-1 alpha-2. */
    countryCode: text(),
    partyId: text(),
    businessDetails: json<PartyRole['businessDetails']>(),
    updatedAt: integer(),
  },
  isRegistration: true,
})
export type OcpiParty = RecordOf<typeof ocpiParties>

/** Of a module, as the partner's details of its version list it. */
export interface PartnerEndpoint {
  readonly identifier: string
  /** Of the partner; absent in versions that have none. */
  readonly role?: 'SENDER' | 'RECEIVER' | undefined
  readonly url: string
}

/** A token of ours with which a partner may call. */
export interface GivenToken {
  /** SHA-256. */
  readonly hash: string
  readonly at: number
  readonly usedAt?: number | undefined
  /** `invitation`: good for registering. `offered`: sent by us, and the partner has not said yet that it has it. */
  readonly kind?: 'invitation' | 'offered' | undefined
}

/** From the invitation to the end (OCPI-A1). */
export const PARTNER_STATES = ['invited', 'registered', 'suspended', 'removed'] as const

/** A platform with which we exchange (OCPI-A1). */
export const partners = record('partners', {
  key: ['accountId', 'partnerId'],
  columns: {
    accountId: text(),
    partnerId: text(),
    name: text(),
    state: text<(typeof PARTNER_STATES)[number]>(),
    /** With which the partner may call us, newest first: an older one lasts until a newer one was used. */
    tokenHashes: json<readonly GivenToken[]>(),
    /** Sealed: the token with which we call the partner. */
    sealedToken: optional(text()),
    versionsUrl: optional(text()),
    version: optional(text<OcpiVersion>()),
    endpoints: json<readonly PartnerEndpoint[]>(),
    roles: json<readonly PartyRole[]>(),
    hubPartyId: optional(text()),
    lastContactAt: optional(integer()),
    /** When its tokens were pulled last, as a whole or since then. */
    tokensPulledAt: optional(integer()),
    createdAt: integer(),
    updatedAt: integer(),
  },
  /** A token names its partner, so that one that is refused is shown with it. */
  indexes: [['partnerId']],
})
export type Partner = RecordOf<typeof partners>

/** A token of a partner's customer (OCPI-A3), as OCPI has it. */
export const partnerTokens = record('partner_tokens', {
  /** `uid` in lower case: tokens compare without case. */
  key: ['accountId', 'uid', 'partnerId', 'countryCode', 'partyId', 'type'],
  columns: {
    accountId: text(),
    uid: text(),
    partnerId: text(),
    countryCode: text(),
    partyId: text(),
    type: text(),
    valid: flag(),
    whitelist: text<'ALWAYS' | 'ALLOWED' | 'ALLOWED_OFFLINE' | 'NEVER'>(),
    contractId: text(),
    /** The whole token as it came, unknown members included. */
    body: json<Readonly<Record<string, unknown>>>(),
    lastUpdated: integer(),
  },
  indexes: [['accountId', 'partnerId', 'uid']],
})
export type PartnerToken = RecordOf<typeof partnerTokens>

/** Whose customer a session is, kept with it. */
export interface PartnerOfSession
  extends Pick<PartnerToken, 'partnerId' | 'countryCode' | 'partyId' | 'uid' | 'type' | 'contractId'> {
  readonly authorizationReference?: string | undefined
  readonly authMethod: 'AUTH_REQUEST' | 'COMMAND' | 'WHITELIST'
}

/** A token that its partner has said may charge at this charge point: no question until then (OCPI-A10). */
export const partnerPermits = record('partner_permits', {
  /** `uid` in lower case. */
  key: ['chargePointId', 'uid'],
  columns: {
    chargePointId: text(),
    uid: text(),
    partner: json<PartnerOfSession>(),
    groupId: optional(text()),
    at: integer(),
    until: integer(),
  },
  loadedWith: 'chargePoint',
})
export type PartnerPermit = RecordOf<typeof partnerPermits>

/** After a command of its partner (OCPI-A4). */
export interface PartnerInput {
  readonly kind: 'partnerPermitted'
  readonly partner: PartnerOfSession
  readonly groupId?: string | undefined
}

/** A partner's number of a reservation is not the station's, and two partners may use the same (OCPI-A4). */
export const partnerReservations = record('partner_reservations', {
  key: ['accountId', 'partnerId', 'reservationId'],
  columns: {
    accountId: text(),
    partnerId: text(),
    reservationId: text(),
    locationId: text(),
    chargePointId: text(),
    /** Of ours. */
    id: text(),
    at: integer(),
  },
})

/** What a partner answers about a token (OCPI-A10). `unknown`: nothing in time, or nonsense. */
export type PartnerVerdict =
  | { readonly allowed: 'yes'; readonly partner: PartnerOfSession; readonly groupId?: string | undefined }
  | { readonly allowed: 'no'; readonly status: 'Blocked' | 'Expired' | 'Invalid' | 'NoCredit' | 'Unknown' }
  | { readonly allowed: 'unknown' }

/** What a partner is asked about a token that is shown at a charge point. */
export interface PartnerQuestion
  extends Pick<PartnerToken, 'accountId' | 'partnerId' | 'countryCode' | 'partyId' | 'uid' | 'type'> {
  /** By our copy of the token. */
  readonly contractId?: string | undefined
  /** EVSE of OCPP 2.x, connector of 1.6; absent: any of the charge point. */
  readonly ocppEvseId?: number | undefined
}

/** A party of one of an account's partners whose contracts are never pushed (OCPI-A10). */
export type ContractParty = Pick<PartnerQuestion, 'partnerId' | 'countryCode' | 'partyId'>

/** What is known of a token that partners may have. */
export interface PartnersOfToken {
  /** Of registered partners, in order of precedence. */
  readonly tokens: readonly PartnerToken[]
  /** Whose contract its id is, read as that of Plug & Charge. */
  readonly contractParty?: ContractParty | undefined
}

/** What was heard of a party behind a hub (OCPI-A6). */
export const hubClients = record('hub_clients', {
  key: ['accountId', 'partnerId', 'countryCode', 'partyId'],
  columns: {
    accountId: text(),
    partnerId: text(),
    countryCode: text(),
    partyId: text(),
    body: json<Readonly<Record<string, unknown>>>(),
    lastUpdated: integer(),
  },
})

/** What went over the wire between a partner and us (OCPI-A8). */
export const partnerExchanges = record('partner_exchanges', {
  key: ['accountId', 'partnerId', 'exchangeId'],
  columns: {
    accountId: text(),
    partnerId: text(),
    /** Rises with time. */
    exchangeId: text(),
    at: integer(),
    direction: text<'in' | 'out'>(),
    method: text(),
    url: text(),
    status: integer(),
    statusCode: optional(integer()),
    request: optional(text()),
    response: optional(text()),
    durationMs: integer(),
    attempt: integer(),
  },
  indexes: [['at']],
  writtenOnce: true,
  age: 'at',
})
export type PartnerExchange = RecordOf<typeof partnerExchanges>

/** A charge as it is billed to a partner, made once and never changed (OCPI-A5). */
export const cdrs = record('cdrs', {
  key: ['accountId', 'cdrId'],
  columns: {
    accountId: text(),
    cdrId: text(),
    partnerId: text(),
    sessionId: text(),
    /** The one that this takes back. */
    creditOf: optional(text()),
    /** Absent in a credit: all is as in the one that it takes back, but for the sign of the total. */
    facts: optional(json<CdrFacts>()),
    lastUpdated: integer(),
  },
  indexes: [
    ['accountId', 'partnerId', 'lastUpdated'],
    ['accountId', 'sessionId'],
  ],
  writtenOnce: true,
})
export type Cdr = RecordOf<typeof cdrs>
/** A credit with what it takes back. */
export type WholeCdr = Cdr & { readonly facts: CdrFacts }

/** Which sessions are shown to a partner, and when what is shown of one changed last (OCPI-A2). */
export const partnerSessions = record('partner_sessions', {
  key: ['accountId', 'partnerId', 'sessionId'],
  columns: { accountId: text(), partnerId: text(), sessionId: text(), lastUpdated: integer() },
  indexes: [['accountId', 'partnerId', 'lastUpdated']],
  placedLater: true,
})

/** Version-neutral; `src/ocpi` spells it. Times in ms since the epoch, amounts in micro-units. */
export interface CdrFacts extends CostPart {
  readonly startedAt: number
  readonly stoppedAt: number
  readonly currency: string
  readonly token: PartnerOfSession
  /** As it was when the session began. */
  readonly place: SealedLocation
  readonly tariff?: SealedTariff | undefined
  readonly periods: readonly CdrPeriod[]
  readonly energyMilliWh: number
  /** What the total is made of. */
  readonly parts?: Readonly<Partial<Record<PriceDimension, CostPart>>> | undefined
  readonly signed?:
    | { readonly encodingMethod: string; readonly publicKey?: string; readonly records: readonly string[] }
    | undefined
}

/** What the session kept of it (COST-L1). */
export interface SealedTariff extends TariffRates {
  readonly tariffId: string
  readonly version: number
  readonly taxPercent?: number | undefined
}

interface CostPart {
  readonly costMicros: number
  readonly costInclVatMicros?: number | undefined
}

/** Dimensions of OCPI between two changes, in kilowatt-hours and hours. */
export interface CdrPeriod {
  readonly startAt: number
  readonly dimensions: readonly { readonly type: PriceDimension; readonly volume: number }[]
  readonly tariffId?: string | undefined
}

/** Where the charge was, as it was when the session began. */
export interface SealedLocation {
  readonly locationId: string
  readonly name?: string | undefined
  readonly address: string
  readonly city: string
  readonly postalCode?: string | undefined
  readonly state?: string | undefined
  readonly country: string
  readonly coordinates: { readonly latitude: number; readonly longitude: number }
  readonly evseUid: string
  readonly evseId: string
  readonly connectorId: string
  readonly standard: string
  readonly format: string
  readonly powerType: string
}

/** An EVSE with its connectors, as a session that begins there seals it. */
export type PlaceOfEvse = Omit<SealedLocation, keyof PlaceOfConnector> & {
  readonly connectors: readonly PlaceOfConnector[]
}
/** One of its connectors. */
export type PlaceOfConnector = Pick<SealedLocation, 'connectorId' | 'standard' | 'format' | 'powerType'>

/** What a partner is pushed follows from events, as with a webhook: its subscription. */
export function laneOf(partnerId: string): string {
  return `ocpi_${partnerId}`
}

/** An event of pushes alone, which no webhook can choose. */
export const CDR_MADE = 'ocpi.cdr'
/** The same: it was made, changed or deleted. */
export const TARIFF_CHANGED = 'ocpi.tariff'
