/**
 * The storage port of the OpenID Connect provider. Secrets, codes, tokens and cookies are known here by their SHA-256
 * only (hex). Every single-use step is one operation, decided and stored in one transaction (OIDC-K9). Arguments and
 * results are plain values: they cross to the writer's and the reader's threads.
 */
import type { Role } from './storage.ts'

// ---------- records ----------

export interface ClientSecret {
  readonly id: string
  readonly hash: string
  readonly createdAt: number
  /** Set when a newer one took over: both work until then. */
  readonly expiresAt?: number
}

export interface Client {
  readonly id: string
  /** The account whose administrators manage it; absent for clients that registered themselves. */
  readonly accountId?: string
  readonly kind: 'confidential' | 'public'
  readonly applicationType: 'web' | 'native'
  readonly name: string
  readonly redirectUris: readonly string[]
  readonly postLogoutRedirectUris: readonly string[]
  /** What it may ask for. */
  readonly scopes: readonly string[]
  readonly grantTypes: readonly string[]
  readonly origin: 'administrator' | 'dynamic'
  /** May introspect tokens of other clients (OIDC-R2). */
  readonly resourceServer?: boolean
  /** Registered addresses that are echoed and shown, never fetched (`client_uri`, `policy_uri` …). */
  readonly links: Readonly<Record<string, string>>
  /** RFC 7592 */
  readonly registrationTokenHash?: string
  readonly disabledAt?: number
  readonly createdAt: number
  readonly secrets: readonly ClientSecret[]
}

export type ClientChange = Partial<
  Pick<
    Client,
    'name' | 'redirectUris' | 'postLogoutRedirectUris' | 'scopes' | 'grantTypes' | 'links' | 'applicationType'
  >
> & { readonly disabledAt?: number | null }

/** What the user shares: all charge points, also future ones, or these. */
export type Selection = 'all' | readonly string[]

export interface Grant {
  readonly id: string
  readonly accountId: string
  readonly userId: string
  readonly clientId: string
  readonly scopes: readonly string[]
  /** Absent: no data scope was ever granted. */
  readonly chargePoints?: Selection
  readonly createdAt: number
  readonly updatedAt: number
  readonly revokedAt?: number
  readonly lastUsedAt?: number
  readonly lastIp?: string
  /** A spent refresh token came back (OIDC-T7): worth a look. */
  readonly reuseSeenAt?: number
}

export interface LoginSession {
  readonly idHash: string
  /** Public name of it: the `sid` claim. */
  readonly sid: string
  readonly userId: string
  /** When the password was last entered. */
  readonly authenticatedAt: number
  readonly createdAt: number
  readonly lastSeenAt: number
  /** Mark of the password hash it was made under: a new password ends it (OIDC-L6). */
  readonly passwordMark: string
  readonly ip: string
  readonly userAgent: string
  readonly endedAt?: number
}

/** An authorization request on its way through sign-in and consent (OIDC-A16). */
export interface Interaction {
  readonly idHash: string
  /** Of the browser it belongs to; absent while a cross-site POST waits to be picked up (OIDC-A14). */
  readonly browserHash?: string
  readonly clientId: string
  /** The validated request, JSON. */
  readonly request: string
  /** The user it belongs to since it first met a login session. */
  readonly userId?: string
  /** The password was entered for this very interaction (OIDC-P6). */
  readonly loggedInAt?: number
  readonly createdAt: number
  readonly expiresAt: number
  readonly spentAt?: number
}

export interface AuthorizationCode {
  readonly hash: string
  /** Of all tokens that come from it. */
  readonly familyId: string
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly redirectUri: string
  readonly scopes: readonly string[]
  readonly codeChallenge: string
  readonly nonce?: string
  readonly authTime: number
  readonly sid: string
  readonly createdAt: number
  readonly expiresAt: number
  readonly usedAt?: number
  /** Wrong attempts so far (OIDC-T2). */
  readonly failures: number
}

export interface AccessToken {
  readonly hash: string
  readonly familyId: string
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly issuedAt: number
  readonly expiresAt: number
  readonly revokedAt?: number
}

export interface RefreshToken {
  readonly hash: string
  readonly familyId: string
  readonly parentHash?: string
  readonly grantId: string
  readonly clientId: string
  readonly userId: string
  readonly scopes: readonly string[]
  readonly authTime: number
  readonly sid: string
  readonly issuedAt: number
  readonly expiresAt: number
  /** However often it is renewed. */
  readonly absoluteExpiresAt: number
  readonly usedAt?: number
  readonly successorHash?: string
  /** The pair that the first use answered, encrypted; kept for the grace period only (OIDC-T6). */
  readonly sealedPair?: string
  readonly revokedAt?: number
}

/** A token with what decides whether it still counts. */
export interface AccessTokenState {
  readonly token: AccessToken
  readonly grant: Grant
  readonly userDisabled: boolean
  readonly userRole?: Role
  readonly clientDisabled: boolean
}

export interface RefreshTokenState {
  readonly token: RefreshToken
  readonly grantRevoked: boolean
  readonly userDisabled: boolean
  readonly clientDisabled: boolean
}

export interface SigningKey {
  readonly kid: string
  /** JWK, JSON. */
  readonly publicJwk: string
  /** PKCS #8, encrypted under the secret key. */
  readonly sealedPrivateKey: string
  readonly createdAt: number
  /** From here on it signs, until a later key does (OIDC-D8). */
  readonly activeFrom: number
}

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
  | 'second_factor_removed'

/**
 * `refused`: a rule said no. `forbidden`: it was not theirs to do. `ordered`: it is being done. `unknown`: the server
 * stopped before it knew what became of it (ADMIN-C4).
 */
export type AuditOutcome = 'done' | 'refused' | 'forbidden' | 'failed' | 'ordered' | 'unknown'

export interface AuditEvent {
  readonly at: number
  /** An `AuditKind`, an operation of the API, or the address of a form (ADMIN-C2). */
  readonly kind: string
  /** Who: an e-mail address, `pwk_<id>` of an API credential, or `command line`. */
  readonly actor?: string
  /** Of a user then; `credential` or `application` for others. */
  readonly role?: string
  /** What it was done to. */
  readonly subject?: string
  /** Absent: done. */
  readonly outcome?: AuditOutcome
  readonly accountId?: string
  readonly userId?: string
  readonly clientId?: string
  readonly grantId?: string
  readonly ip?: string
}

// ---------- orders: operations that decide and store at once ----------

export interface ApproveOrder {
  readonly now: number
  /** Spent by this; absent for an approval without any page. */
  readonly interactionHash?: string
  readonly grant: {
    /** Id if there is no active grant yet. */
    readonly newId: string
    readonly accountId: string
    readonly userId: string
    readonly clientId: string
    /** United with what was approved before (OIDC-C4). */
    readonly scopes: readonly string[]
    /** Absent: unchanged. */
    readonly chargePoints?: Selection
  }
  /** Without the grant, which the operation finds or makes. */
  readonly code: Omit<AuthorizationCode, 'grantId' | 'failures'>
  /** False: the approval rests on an active grant that covers it; without one nothing is made (OIDC-P4). */
  readonly mayWiden: boolean
  readonly ip: string
}

export type ApproveOutcome =
  | { readonly kind: 'approved'; readonly grant: Grant }
  /** The interaction was used before, or the grant is gone meanwhile. */
  | { readonly kind: 'spent' | 'not_covered' }

export interface NewTokens {
  readonly accessHash: string
  readonly accessExpiresAt: number
  readonly refreshHash: string
  readonly refreshExpiresAt: number
}

export interface ExchangeOrder {
  readonly now: number
  readonly codeHash: string
  readonly clientId: string
  readonly redirectUri: string
  /** S256 of the verifier that was sent. */
  readonly challenge: string
  readonly tokens: NewTokens & { readonly refreshAbsoluteExpiresAt: number }
  readonly ip: string
}

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

export type ExchangeOutcome =
  | { readonly kind: 'issued'; readonly code: AuthorizationCode; readonly refresh: boolean }
  | { readonly kind: 'refused'; readonly reason: CodeRefusal }

export interface RefreshOrder {
  readonly now: number
  readonly tokenHash: string
  readonly clientId: string
  /** Narrower scopes for the access token; absent: all. */
  readonly scopes?: readonly string[]
  readonly graceMs: number
  readonly tokens: NewTokens
  /** The new pair, encrypted, for a repetition within the grace period. */
  readonly sealedPair?: string
  readonly ip: string
}

export type RefreshRefusal =
  | 'unknown'
  | 'expired'
  | 'revoked'
  | 'other_client'
  | 'reused'
  | 'scope'
  | 'grant_revoked'
  | 'user_disabled'

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

// ---------- the two faces ----------

export interface OidcWrites {
  createClient(client: Client): Promise<void>
  updateClient(id: string, change: ClientChange): Promise<boolean>
  /** Revokes its grants and forgets the client. */
  deleteClient(id: string, at: number): Promise<boolean>
  /** Adds a secret; the ones before expire at `othersExpireAt` at the latest. */
  addClientSecret(clientId: string, secret: ClientSecret, othersExpireAt: number): Promise<boolean>
  /** Dynamic clients made before `before` that nobody ever approved. */
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
    change: { readonly userId?: string | null; readonly loggedInAt?: number | null; readonly spentAt?: number },
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
  deleteSigningKeys(kids: readonly string[]): Promise<void>
  /** Resolves with the id of its row. */
  audit(event: AuditEvent): Promise<number>
  /** Codes, tokens, interactions and login sessions that nothing can use any more. */
  deleteExpiredOidc(now: number, keptMs: number): Promise<number>
}

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
    readonly userId?: string
    readonly clientId?: string
  }): Promise<readonly Grant[]>
  findAccessToken(hash: string): Promise<AccessTokenState | undefined>
  findRefreshToken(hash: string): Promise<RefreshTokenState | undefined>
  findCode(hash: string): Promise<AuthorizationCode | undefined>
  listSigningKeys(): Promise<readonly SigningKey[]>
  /** Newest first. */
  listAuditEvents(by: {
    readonly accountId: string
    readonly userId?: string
    readonly limit: number
  }): Promise<readonly AuditEvent[]>
}

export type OidcStore = OidcReads & OidcWrites
