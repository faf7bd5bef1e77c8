/**
 * The OpenID provider's storage: secrets by SHA-256 (hex) only, each single-use step in one transaction (OIDC-K9).
 * Times are milliseconds since the epoch.
 */
import type {
  AccessToken,
  AuditEvent,
  AuthorizationCode,
  Client,
  ClientSecret,
  Grant,
  Interaction,
  LoginSession,
  RefreshToken,
  Selection,
} from '../grants/records.ts'
import type { SigningKey } from '../records/unversioned.ts'
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

/** A user approved a request: the grant is made or widened, and a code for it, in one transaction. */
export interface ApproveOrder {
  readonly now: number
  /** Spent by this; absent for an approval without any page. */
  readonly interactionHash?: string | undefined
  /** Its scopes are united with what was approved before (OIDC-C4). */
  readonly grant: Pick<Grant, 'accountId' | 'userId' | 'clientId' | 'scopes' | 'chargePoints'> & {
    readonly newId: string
  }
  /** Without the grant, which the operation finds or makes. */
  readonly code: Omit<AuthorizationCode, 'grantId' | 'failures'>
  /** False: the approval rests on an active grant that covers it; without one nothing is made (OIDC-P4). */
  readonly mayWiden: boolean
  readonly ip: string
}

/** What became of an approval. */
export type ApproveOutcome =
  | { readonly kind: 'approved'; readonly grant: Grant }
  /** The interaction was used before, or the grant is gone meanwhile. */
  | { readonly kind: 'spent' | 'not_covered' }

/** A new pair, by hashes. */
export interface NewTokens {
  readonly accessHash: string
  readonly accessExpiresAt: number
  readonly refreshHash: string
  readonly refreshExpiresAt: number
}

/** A code is to be exchanged for tokens: checked and spent in one transaction. */
export interface ExchangeOrder {
  readonly now: number
  readonly codeHash: string
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string
  readonly tokens: NewTokens & { readonly refreshAbsoluteExpiresAt: number }
  readonly ip: string
}

/** Why a code was not exchanged: for the log. The client is always sent `invalid_grant`. */
export type CodeRefusal =
  | 'unknown'
  | 'expired'
  | 'other_client'
  | 'replayed'
  | 'too_many_failures'
  | 'redirect_uri'
  | 'verifier'
  | 'grant_revoked'
  | 'user_disabled'

/** What became of a code. `refresh`: the scopes bring a refresh token, too. */
export type ExchangeOutcome =
  | { readonly kind: 'issued'; readonly code: AuthorizationCode; readonly refresh: boolean }
  | { readonly kind: 'refused'; readonly reason: CodeRefusal }

/** A refresh token is to be used: checked and spent in one transaction. */
export interface RefreshOrder {
  readonly now: number
  readonly tokenHash: string
  readonly clientId: string
  /** Narrower scopes for the access token; absent: all. */
  readonly scopes?: readonly string[] | undefined
  readonly graceMs: number
  readonly tokens: NewTokens
  /** The new pair, encrypted, for a repetition within the grace period. */
  readonly sealedPair?: string | undefined
  readonly ip: string
}

/** Why a refresh token was not taken: for the log. */
export type RefreshRefusal =
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'other_client'
  | 'reused'
  | 'scope'
  | 'grant_revoked'
  | 'user_disabled'

/** What became of a refresh token. `repeated`: the answer of its first use once more. */
export type RefreshOutcome =
  | {
      readonly kind: 'issued' | 'repeated'
      readonly token: RefreshToken
      readonly accessScopes: readonly string[]
      readonly accessExpiresAt: number
      /** The login session it came from has not ended (an ended one is not named again). */
      readonly loginSessionLive: boolean
    }
  | { readonly kind: 'refused'; readonly reason: RefreshRefusal }

/** Changes of the provider's records. `boolean`: whether it existed. */
export interface OidcWrites {
  createClient(client: Client): Promise<void>
  updateClient(id: string, change: ClientChange): Promise<boolean>
  /** Revokes its grants and forgets the client. */
  deleteClient(id: string, at: number): Promise<boolean>
  /** Adds a secret; the ones before expire at `othersExpireAt` at the latest. */
  addClientSecret(clientId: string, secret: ClientSecret, othersExpireAt: number): Promise<boolean>
  /** Dynamic clients made before `before` that no user ever approved. */
  deleteUnusedClients(before: number): Promise<number>

  createLoginSession(session: LoginSession): Promise<void>
  touchLoginSession(idHash: string, at: number): Promise<void>
  endLoginSession(idHash: string, at: number): Promise<boolean>
  /** By its public name, for the user's own list. */
  endLoginSessionOfUser(userId: string, sid: string, at: number): Promise<boolean>

  createInteraction(interaction: Interaction): Promise<void>
  /** A waiting cross-site POST is picked up once; spends it. */
  claimInteraction(idHash: string, at: number): Promise<Interaction | undefined>
  updateInteraction(
    idHash: string,
    change: ChangeOf<Pick<Interaction, 'userId' | 'loggedInAt' | 'spentAt'>>,
  ): Promise<boolean>

  approve(order: ApproveOrder): Promise<ApproveOutcome>
  exchangeCode(order: ExchangeOrder): Promise<ExchangeOutcome>
  refreshTokens(order: RefreshOrder): Promise<RefreshOutcome>
  /** Revokes the token if it belongs to the client: a refresh token with its whole family, an access token alone. */
  revokeToken(
    hash: string,
    clientId: string,
    at: number,
  ): Promise<{ readonly kind: 'refresh' | 'access'; readonly grantId: string } | undefined>

  revokeGrant(id: string, at: number): Promise<boolean>
  selectChargePoints(grantId: string, chargePoints: Selection, at: number): Promise<boolean>
  touchGrant(id: string, at: number): Promise<void>

  /** `onlyFirst`: nothing happens when there is a key already. */
  createSigningKey(key: SigningKey, onlyFirst: boolean): Promise<boolean>
  audit(event: AuditEvent): Promise<number>
  /** Codes, tokens, interactions and login sessions that nothing can use any more. */
  deleteExpiredOidc(now: number, keptMs: number): Promise<number>
}

/** Look-ups and lists of the provider. */
export interface OidcReads {
  findClient(id: string): Promise<Client | undefined>
  /** Of an account; by name. */
  listClients(accountId: string): Promise<readonly Client[]>
  countDynamicClients(): Promise<number>
  findLoginSession(idHash: string): Promise<LoginSession | undefined>
  /** Not ended, newest first. */
  listLoginSessions(userId: string): Promise<readonly LoginSession[]>
  findInteraction(idHash: string): Promise<Interaction | undefined>
  findGrant(id: string): Promise<Grant | undefined>
  findActiveGrant(userId: string, clientId: string): Promise<Grant | undefined>
  /** Active ones, newest first. */
  listGrants(by: {
    readonly accountId: string
    readonly userId?: string | undefined
    readonly clientId?: string | undefined
  }): Promise<readonly Grant[]>
  /** Its grant names only charge points that the account has now. */
  findAccessToken(hash: string): Promise<AccessTokenState | undefined>
  findRefreshToken(hash: string): Promise<RefreshTokenState | undefined>
}
