/** What the storage port keeps for the OpenID Connect provider. Times are milliseconds since the epoch. */

import type { AccessToken, Client, Grant, RefreshToken } from '../grants/records.ts'
import type { Role } from './storage-records.ts'
import type { ChangeOf } from './storage-webhooks.ts'

export type * from '../grants/records.ts'

/** `disabledAt: null` enables it again. */
export type ClientChange = ChangeOf<
  Omit<
    Client,
    'id' | 'accountId' | 'kind' | 'origin' | 'resourceServer' | 'registrationTokenHash' | 'createdAt' | 'secrets'
  >
>

interface HoldersState {
  readonly userDisabled: boolean
  readonly clientDisabled: boolean
}

/** A token with what decides whether it still counts. */
export interface AccessTokenState extends HoldersState {
  readonly token: AccessToken
  readonly grant: Grant
  readonly userRole?: Role | undefined
  readonly clientOrigin?: Client['origin'] | undefined
}

/** A token with what decides whether it may still be used. */
export interface RefreshTokenState extends HoldersState {
  readonly token: RefreshToken
  readonly grantRevoked: boolean
}

/** What the provider itself records; orders of the API and of pages are recorded under their own names. */
export type AuditKind =
  | 'sign_in'
  | 'sign_in_failed'
  | 'sign_out'
  | 'consent'
  | 'consent_denied'
  | 'grant_changed'
  | 'grant_revoked'
  | 'code_replayed'
  | 'refresh_reused'
  | 'client_created'
  | 'client_changed'
  | 'client_deleted'
  | 'client_secret_rotated'
  | 'credential_created'
  | 'credential_revoked'
  | 'key_rotated'
  | 'password_changed'
  | 'second_factor_set'
  | 'user_created'
  | 'user_joined'
  | 'access_ended'
  | 'address_released'
  | 'role_changed'
  | 'second_factor_removed'
