/** Cards and other tokens: what is stored, what a station is sent, and the limits of their charges. */

import type { idTokens } from '../accounts/records.ts'
import type { DriverTariff } from '../intents/records.ts'
import type { PartnerOfSession } from '../partners/records.ts'
import type { RecordOf } from '../records/record.ts'
import type { TariffRates } from '../tariffs/fields.ts'

export type { Budget, ChargeLimits } from '../accounts/records.ts'

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

/** A card with its tariff. */
export interface IdToken extends RecordOf<typeof idTokens> {
  /** Its present version; only in memory. */
  readonly tariff?: (TariffRates & { readonly tariffId: string; readonly version: number }) | undefined
}
