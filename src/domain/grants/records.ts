/** What the OpenID Connect provider keeps, and the audit log. Times are milliseconds since the epoch. */
import { flag, integer, json, optional, type RecordOf, table, text } from '../records/record.ts'

/** One of the secrets of a confidential client, by its hash. */
export const clientSecrets = table({
  id: text(),
  hash: text(),
  createdAt: integer(),
  /** Set when a newer one took over: both work until then. */
  expiresAt: optional(integer()),
})
export type ClientSecret = RecordOf<typeof clientSecrets>

/** An application, whether an administrator made it or it registered itself (OIDC-G1). */
export const clients = table({
  id: text(),
  /** The account whose administrators manage it; absent for clients that registered themselves. */
  accountId: optional(text()),
  kind: text<'confidential' | 'public'>(),
  applicationType: text<'web' | 'native'>(),
  name: text(),
  redirectUris: json<readonly string[]>(),
  postLogoutRedirectUris: json<readonly string[]>(),
  scopes: json<readonly string[]>(),
  grantTypes: json<readonly string[]>(),
  origin: text<'administrator' | 'dynamic'>(),
  /** May introspect tokens of other clients (OIDC-R2). */
  resourceServer: optional(flag()),
  /** Registered addresses that are echoed and shown, never fetched (`client_uri`, `policy_uri` …). */
  links: json<Readonly<Record<string, string>>>(),
  registrationTokenHash: optional(text()),
  disabledAt: optional(integer()),
  createdAt: integer(),
})
/** With its secrets. */
export interface Client extends RecordOf<typeof clients> {
  readonly secrets: readonly ClientSecret[]
}

/** What the user shares: all charge points, also future ones, or these. */
export type Selection = 'all' | readonly string[]

/** What a user lets an application do. There is at most one active grant of a user and an application (OIDC-C4). */
export const grants = table({
  id: text(),
  accountId: text(),
  userId: text(),
  clientId: text(),
  scopes: json<readonly string[]>(),
  /** Absent: no data scope was ever granted. */
  chargePoints: optional(json<Selection>()),
  createdAt: integer(),
  updatedAt: integer(),
  revokedAt: optional(integer()),
  lastUsedAt: optional(integer()),
  lastIp: optional(text()),
  /** A spent refresh token came back (OIDC-T7): worth a look. */
  reuseSeenAt: optional(integer()),
})
export type Grant = RecordOf<typeof grants>

/** A browser in which a user is signed in; its cookie is known by its hash. */
export const loginSessions = table({
  idHash: text(),
  /** Public name of it: the `sid` claim. */
  sid: text(),
  userId: text(),
  /** When the user last proved who they are; 0: the company's provider does not say. */
  authenticatedAt: integer(),
  createdAt: integer(),
  lastSeenAt: integer(),
  /** Mark of the password hash it was made under: a new password ends it (OIDC-L6). */
  passwordMark: text(),
  ip: text(),
  userAgent: text(),
  endedAt: optional(integer()),
})
export type LoginSession = RecordOf<typeof loginSessions>

/** An authorization request on its way through sign-in and consent (OIDC-A16). */
export const interactions = table({
  idHash: text(),
  /** Of the browser it belongs to; absent while a cross-site POST waits to be picked up (OIDC-A14). */
  browserHash: optional(text()),
  clientId: text(),
  request: text(),
  /** The user it belongs to since it first met a login session. */
  userId: optional(text()),
  /** The password was entered for this very interaction (OIDC-P6). */
  loggedInAt: optional(integer()),
  createdAt: integer(),
  expiresAt: integer(),
  spentAt: optional(integer()),
})
export type Interaction = RecordOf<typeof interactions>

/** What a code and all tokens that come from it have. */
const ofGrant = {
  hash: text(),
  familyId: text(),
  grantId: text(),
  clientId: text(),
  userId: text(),
  scopes: json<readonly string[]>(),
  expiresAt: integer(),
}

/** A code that was handed to an application; it is exchanged once. */
export const authorizationCodes = table({
  ...ofGrant,
  redirectUri: text(),
  codeChallenge: text(),
  nonce: optional(text()),
  authTime: integer(),
  sid: text(),
  createdAt: integer(),
  usedAt: optional(integer()),
  /** Wrong attempts so far (OIDC-T2). */
  failures: integer(),
})
export type AuthorizationCode = RecordOf<typeof authorizationCodes>

/** With it an application reads the API until it expires or its grant ends. */
export const accessTokens = table({
  ...ofGrant,
  issuedAt: integer(),
  revokedAt: optional(integer()),
})
export type AccessToken = RecordOf<typeof accessTokens>

/** With it an application gets a new pair once; a repetition shortly after gets the same pair (OIDC-T6). */
export const refreshTokens = table({
  ...ofGrant,
  parentHash: optional(text()),
  authTime: integer(),
  sid: text(),
  issuedAt: integer(),
  /** However often it is renewed. */
  absoluteExpiresAt: integer(),
  usedAt: optional(integer()),
  successorHash: optional(text()),
  /** The pair that the first use answered, encrypted; kept for the grace period only (OIDC-T6). */
  sealedPair: optional(text()),
  revokedAt: optional(integer()),
})
export type RefreshToken = RecordOf<typeof refreshTokens>

/** `refused`: by a rule. `forbidden`: not theirs. `ordered`: being done. `unknown`: the server stopped (ADMIN-C4). */
export type AuditOutcome = 'done' | 'refused' | 'forbidden' | 'failed' | 'ordered' | 'unknown'

/** One line of the audit log: who did what, when and with which outcome. */
export const auditEvents = table({
  at: integer(),
  /** An `AuditKind`, an operation of the API, or the address of a form (ADMIN-C2). */
  kind: text(),
  /** Who: an e-mail address, `pwk_<id>` of an API credential, or `command line`. */
  actor: optional(text()),
  /** Of a user then; `credential` or `application` for others. */
  role: optional(text()),
  subject: optional(text()),
  outcome: optional(text<AuditOutcome>()),
  accountId: optional(text()),
  userId: optional(text()),
  clientId: optional(text()),
  grantId: optional(text()),
  ip: optional(text()),
})
export type AuditEvent = RecordOf<typeof auditEvents>
