/** Accounts, who and what belongs to them, and how they sign in. Times are milliseconds since the epoch. */
import { flag, integer, json, optional, type RecordOf, table, text } from '../records/record.ts'

/** Whom charge points, users and sessions belong to. Nothing of one account is shown to another. */
export const accounts = table({
  id: text(),
  name: text(),
  createdAt: integer(),
  /** Sessions are settled when they complete, with the figures they have then (COST-L4). */
  automaticSettlement: optional(flag<true>()),
})
export type Account = RecordOf<typeof accounts>

/** What each may do: domain/accounts/roles.ts. */
export type Role = 'administrator' | 'operator' | 'viewer' | 'member'

/** A person who signs in. */
export const users = table({
  id: text(),
  accountId: text(),
  email: text(),
  name: optional(text()),
  role: text<Role>(),
  /** PHC-style string (OIDC-L5); no such string while no password was chosen yet. */
  passwordHash: text(),
  disabledAt: optional(integer()),
  createdAt: integer(),
  /** Signs in with a password where others may not (ADMIN-K6). */
  breakGlass: optional(flag<true>()),
  /** Rises when the user is disabled or gets another role: what was signed in before is over (OIDC-L6). */
  signInEpoch: optional(integer()),
})
export type User = RecordOf<typeof users>

/** An account's own key (`pwk_<id>_<secret>`); only the hash of the secret is stored (OIDC-U7). */
export const credentials = table({
  id: text(),
  accountId: text(),
  name: text(),
  secretHash: text(),
  /** What it may do; absent: everything within its account. */
  scopes: optional(json<readonly string[]>()),
  createdAt: integer(),
  expiresAt: optional(integer()),
  revokedAt: optional(integer()),
  lastUsedAt: optional(integer()),
})
export type Credential = RecordOf<typeof credentials>

/** Registration of a charge point: what the account decides. What the station reports is `ChargePointStatus`. */
export const chargePoints = table({
  id: text(),
  accountId: text(),
  name: optional(text()),
  /** `v1$<salt>$<HMAC-SHA-256>`, several separated by a space while a change is in doubt (OCPP-AU2, OCPP-AU6). */
  passwordHash: optional(text()),
  securityProfile: integer<0 | 1 | 2 | 3>(),
  protocols: optional(json<readonly string[]>()),
  validation: optional(text<'strict' | 'lenient' | 'off'>()),
  registrationStatus: text<'Accepted' | 'Pending' | 'Rejected'>(),
  disabled: optional(flag()),
  /** CERT-C15: its certificate is taken after its end, so that it can ask for a new one. */
  acceptExpired: optional(flag()),
  subjectCheck: optional(text<'contains' | 'exact' | 'off'>()),
  /** CERT-C28: what its first certificate is held against, until it has booted. */
  expectedSerialNumber: optional(text()),
  createdAt: integer(),
  labels: optional(json<Readonly<Record<string, string>>>()),
})
export type ChargePoint = RecordOf<typeof chargePoints>

/** A link that lets its bearer choose a password once. Only its SHA-256 is known here. */
export const passwordLinks = table({
  hash: text(),
  userId: text(),
  createdAt: integer(),
  expiresAt: integer(),
  usedAt: optional(integer()),
})
export type PasswordLink = RecordOf<typeof passwordLinks>

/** The one-time codes of a user (ADMIN-F1). */
export const secondFactors = table({
  userId: text(),
  /** The shared secret, encrypted. */
  sealedSecret: text(),
  /** SHA-256 of each recovery code that is left, hex. */
  recoveryHashes: json<readonly string[]>(),
  /** Absent until a first code proved that the user has the secret. */
  confirmedAt: optional(integer()),
  /** The newest time step whose code was taken: none of it, and none before it, is taken again. */
  lastStep: integer(),
})
export type SecondFactor = RecordOf<typeof secondFactors>

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

/** A card, as `/2/id-tokens` has it. Identifiers compare case-insensitively (TOKEN-Z1). */
export const idTokens = table({
  accountId: text(),
  id: text(),
  type: text(),
  status: text<'Accepted' | 'Blocked' | 'Expired' | 'Invalid' | 'NoCredit'>(),
  expiresAt: optional(integer()),
  groupId: optional(text()),
  sessionLimits: optional(json<ChargeLimits>()),
  budget: optional(json<Budget>()),
  /** Where charges share what there is: greater first. */
  priority: optional(integer()),
  /** Of the card's owner (RFC 5646). */
  language: optional(text()),
  tariffId: optional(text()),
  createdAt: integer(),
})
