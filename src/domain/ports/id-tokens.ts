/** Cards and other tokens: what is stored, what a station is sent, and the limits of their charges. */

import type { DriverTariff } from '../intents/records.ts'
import type { PartnerOfSession } from '../partners/records.ts'
import type { TariffRates } from '../tariffs/fields.ts'

/** A card or another token, as a message names it. */
export interface IdTokenRef {
  readonly id: string
  /** OCPP 2.0.1 IdTokenEnum; 1.6 idTags are ISO14443. */
  readonly type: string
}

/** Version-neutral token status; the edge maps it (TOKEN-Z2). */
export type AuthorisationStatus =
  | 'Accepted'
  | 'Blocked'
  | 'Expired'
  | 'Invalid'
  | 'Unknown'
  | 'ConcurrentTx'
  | 'NoCredit'

/** What a station is sent about a token. */
export interface Authorisation {
  readonly status: AuthorisationStatus
  readonly expiresAt?: number | undefined
  readonly groupId?: string | undefined
  /** For the display (DRIVER-C4). */
  readonly price?: { readonly language: string; readonly text: string } | undefined
  /** For a station that reckons with it (OCPP21-C9). */
  readonly tariff?: DriverTariff | undefined
  /** Whose customer it is; no station is sent it. */
  readonly partner?: PartnerOfSession | undefined
}

/** A row of `/2/id-tokens`. Identifiers compare case-insensitively (TOKEN-Z1). */
export interface IdToken {
  readonly accountId: string
  readonly id: string
  readonly type: string
  readonly status: 'Accepted' | 'Blocked' | 'Expired' | 'Invalid' | 'NoCredit'
  readonly expiresAt?: number | undefined
  readonly groupId?: string | undefined
  readonly sessionLimits?: ChargeLimits | undefined
  readonly budget?: Budget | undefined
  /** Where charges share what there is: greater first. */
  readonly priority?: number | undefined
  /** Of the card's owner (RFC 5646). */
  readonly language?: string | undefined
  readonly tariffId?: string | undefined
  /** Its present version; only in memory. */
  readonly tariff?: (TariffRates & { readonly tariffId: string; readonly version: number }) | undefined
  readonly createdAt: number
}

/** What one charge may come to at most (SESSION-L1). */
export interface ChargeLimits {
  readonly energyMilliWh?: number | undefined
  readonly costMicros?: number | undefined
  readonly durationMs?: number | undefined
}

/** What the charges of a card may come to together (TOKEN-Z6). */
export interface Budget {
  readonly energyMilliWh?: number | undefined
  readonly costMicros?: number | undefined
  readonly per: 'day' | 'month' | 'total'
  /** The card had none before. Absent in older rows: unknown. */
  readonly since?: number | undefined
}
