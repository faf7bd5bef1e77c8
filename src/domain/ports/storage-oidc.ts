/** The OpenID provider's storage: secrets by SHA-256 (hex) only, each single-use step in one transaction (OIDC-K9). */
import type { SigningKey } from '../records/unversioned.ts'
import type {
  AccessTokenState,
  AuditEvent,
  AuthorizationCode,
  Client,
  ClientChange,
  ClientSecret,
  Grant,
  Interaction,
  LoginSession,
  RefreshToken,
  RefreshTokenState,
  Selection,
} from './storage-oidc-records.ts'

export type * from './storage-oidc-records.ts'

/** A user approved a request: the grant is made or widened, and a code for it, in one transaction. */
export interface ApproveOrder {
  readonly now: number
  /** Spent by this; absent for an approval without any page. */
  readonly interactionHash?: string | undefined
  readonly grant: {
    readonly newId: string
    readonly accountId: string
    readonly userId: string
    readonly clientId: string
    /** United with what was approved before (OIDC-C4). */
    readonly scopes: readonly string[]
    readonly chargePoints?: Selection | undefined
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

/** A new pair, by hashes. Times are milliseconds since the epoch. */
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
    change: {
      readonly userId?: string | null | undefined
      readonly loggedInAt?: number | null | undefined
      readonly spentAt?: number | undefined
    },
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
