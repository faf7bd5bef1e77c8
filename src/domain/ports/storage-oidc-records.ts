/** What the storage port keeps for the OpenID Connect provider. Times are milliseconds since the epoch. */

import type { Role } from './storage-records.ts'
import type { ChangeOf } from './storage-webhooks.ts'

/** One of the secrets of a confidential client, by its hash. */
export interface ClientSecret {
  readonly id: string
  readonly hash: string
  readonly createdAt: number
  /** Set when a newer one took over: both work until then. */
  readonly expiresAt?: number | undefined
}

/** An application, whether an administrator made it or it registered itself (OIDC-G1). */
export interface Client {
  readonly id: string
  /** The account whose administrators manage it; absent for clients that registered themselves. */
  readonly accountId?: string | undefined
  readonly kind: 'confidential' | 'public'
  readonly applicationType: 'web' | 'native'
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  readonly scopes: readonly string[]
  readonly grantTypes: readonly string[]
  readonly origin: 'administrator' | 'dynamic'
  /** May introspect tokens of other clients (OIDC-R2). */
  readonly resourceServer?: boolean | undefined
  /** Registered addresses that are echoed and shown, never fetched (`client_uri`, `policy_uri` …). */
  readonly links: Readonly<Record<string, string>>
  readonly registrationTokenHash?: string | undefined
  readonly disabledAt?: number | undefined
  readonly createdAt: number
  readonly secrets: readonly ClientSecret[]
}

/** `disabledAt: null` enables it again. */
export type ClientChange = ChangeOf<
  Omit<
    Client,
    'id' | 'accountId' | 'kind' | 'origin' | 'resourceServer' | 'registrationTokenHash' | 'createdAt' | 'secrets'
  >
>

/** What the user shares: all charge points, also future ones, or these. */
export type Selection = 'all' | readonly string[]

/** What a user lets an application do. There is at most one active grant of a user and an application (OIDC-C4). */
export interface Grant {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Absent: no data scope was ever granted. */
  readonly chargePoints?: Selection | undefined
  readonly createdAt: number
  readonly updatedAt: number
  readonly revokedAt?: number | undefined
  readonly lastUsedAt?: number | undefined
  readonly lastIp?: string | undefined
  /** A spent refresh token came back (OIDC-T7): worth a look. */
  readonly reuseSeenAt?: number | undefined
}

/** A browser in which a user is signed in; its cookie is known by its hash. */
export interface LoginSession {
  readonly idHash: string
  /** Public name of it: the `sid` claim. */
  readonly sid: string
  readonly userId: string
  /** When the user last proved who they are; 0: the company's provider does not say. */
  readonly authenticatedAt: number
  readonly createdAt: number
  readonly lastSeenAt: number
  /** Mark of the password hash it was made under: a new password ends it (OIDC-L6). */
  readonly passwordMark: string
  readonly ip: string
  readonly userAgent: string
  readonly endedAt?: number | undefined
}

/** An authorization request on its way through sign-in and consent (OIDC-A16). */
export interface Interaction {
  readonly idHash: string
  /** Of the browser it belongs to; absent while a cross-site POST waits to be picked up (OIDC-A14). */
  readonly browserHash?: string | undefined
  readonly clientId: string
  readonly request: string
  /** The user it belongs to since it first met a login session. */
  readonly userId?: string | undefined
  /** The password was entered for this very interaction (OIDC-P6). */
  readonly loggedInAt?: number | undefined
  readonly createdAt: number
  readonly expiresAt: number
  readonly spentAt?: number | undefined
}

/** What a code and all tokens that come from it have. */
interface OfGrant {
  readonly hash: string
  readonly familyId: string
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly expiresAt: number
}

/** A code that was handed to an application; it is exchanged once. */
export interface AuthorizationCode extends OfGrant {
  readonly redirectUri: string
  readonly codeChallenge: string
  readonly nonce?: string | undefined
  readonly authTime: number
  readonly sid: string
  readonly createdAt: number
  readonly usedAt?: number | undefined
  /** Wrong attempts so far (OIDC-T2). */
  readonly failures: number
}

/** With it an application reads the API until it expires or its grant ends. */
export interface AccessToken extends OfGrant {
  readonly issuedAt: number
  readonly revokedAt?: number | undefined
}

/** With it an application gets a new pair once; a repetition shortly after gets the same pair (OIDC-T6). */
export interface RefreshToken extends OfGrant {
  readonly parentHash?: string | undefined
  readonly authTime: number
  readonly sid: string
  readonly issuedAt: number
  /** However often it is renewed. */
  readonly absoluteExpiresAt: number
  readonly usedAt?: number | undefined
  readonly successorHash?: string | undefined
  /** The pair that the first use answered, encrypted; kept for the grace period only (OIDC-T6). */
  readonly sealedPair?: string | undefined
  readonly revokedAt?: number | undefined
}

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

/** `refused`: by a rule. `forbidden`: not theirs. `ordered`: being done. `unknown`: the server stopped (ADMIN-C4). */
export type AuditOutcome = 'done' | 'refused' | 'forbidden' | 'failed' | 'ordered' | 'unknown'

/** One line of the audit log: who did what, when and with which outcome. */
export interface AuditEvent {
  readonly at: number
  /** An `AuditKind`, an operation of the API, or the address of a form (ADMIN-C2). */
  readonly kind: string
  /** Who: an e-mail address, `pwk_<id>` of an API credential, or `command line`. */
  readonly actor?: string | undefined
  /** Of a user then; `credential` or `application` for others. */
  readonly role?: string | undefined
  readonly subject?: string | undefined
  readonly outcome?: AuditOutcome | undefined
  readonly accountId?: string | undefined
  readonly userId?: string | undefined
  readonly clientId?: string | undefined
  readonly grantId?: string | undefined
  readonly ip?: string | undefined
}
