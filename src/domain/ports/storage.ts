/**
 * The storage port, named after what the product does; engine-neutral, and nothing outside `storage/` knows SQL.
 * `CoreStore` decides and commits (core thread); `Writes` is everything else that changes data (the same connection, so
 * one writer orders all commits); `Reads` has lists, look-ups and the log's search (a read-only thread). Times are ms
 * since the epoch, energy is milliwatt-hours unless named `Wh`, money millionths of the currency's unit. Absent means
 * unknown or not set; `null` removes in a change. A failing database rejects with a `code` that begins with `storage_`.
 */

import type { RecordChange, RecordKey, RecordKind, RecordOfKind, RecordQuery } from '../records/records.ts'
import type { IdToken } from './id-tokens.ts'
import type { Session } from './sessions.ts'
import type { AdministrationReads, AdministrationWrites } from './storage-administration.ts'
import type { OidcReads, OidcWrites } from './storage-oidc.ts'
import type { ListReads, LogReads, Page } from './storage-queries.ts'
import type {
  Account,
  ChangeSet,
  ChargePoint,
  ChargePointView,
  Command,
  CommitResult,
  Credential,
  LoadedChargePoint,
  LookedUp,
  Lookup,
  User,
} from './storage-records.ts'
import type { ChangeOf, NewEvent, WebhookReads, WebhookWrites } from './storage-webhooks.ts'

export type * from './storage-queries.ts'
export type * from './storage-records.ts'

/** What the core needs to decide and to commit. Only the core commits change sets. */
export interface CoreStore {
  /** The oldest account: owner of charge points that were never seen before. */
  defaultAccountId(): Promise<string | undefined>
  /** Greatest log id so far, 0 when the log is empty. */
  lastCommandId(): Promise<number>
  /** Reserves `count` numbers of a named sequence durably and returns the first; never hands out a number twice. */
  reserveNumbers(sequence: 'transaction' | 'remoteStart', count: number): Promise<number>
  /** In one round trip, in order. Claims them unless connected elsewhere; `unowned`: only if no live node has them. */
  loadChargePoints(ids: readonly string[], takes?: 'unowned'): Promise<readonly (LoadedChargePoint | undefined)[]>
  /** What a group of messages needs, in one round trip; the answers stand in the order of the questions. */
  prefetch(lookups: readonly Lookup[]): Promise<readonly LookedUp[]>
  /** Charge points that connected on their own and were never approved, named or given a password (OCPP-RP14). */
  unacceptedChargePoints(): Promise<readonly UnacceptedChargePoint[]>
  /** The registered identity that equals this one but for upper and lower case (OCPP-T4). */
  identityIgnoringCase(id: string): Promise<string | undefined>
  /** Those with an open transaction, or a session not over or with something due, but not those of other live nodes. */
  chargePointsWithOpenSessions(): Promise<readonly string[]>
  findSession(id: string): Promise<Session | undefined>
  loadIdTokens(accountId: string, ids: readonly string[]): Promise<readonly IdToken[]>
  /**
   * One durable transaction. A failing change set is rolled back alone, and later ones of its charge point report the
   * same error. Rejects when nothing was committed (disk full, read-only).
   */
  commit(group: readonly ChangeSet[]): Promise<readonly CommitResult[]>
  /** At start: `pending` outgoing commands become `dropped`, but those with an `outgoing_calls` record (the core's). */
  dropPendingCommands(): Promise<number>
  /** As `Reads.listRecords`; sees every commit at once. */
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
  /** Changes when others may have changed accounts, charge points, id tokens or tariffs: cached ones are stale. */
  registrationsVersion(): number
}

/** A charge point that connected on its own and was never approved (OCPP-RP14). */
export interface UnacceptedChargePoint {
  readonly id: string
  readonly accountId: string
  /** Its last sign of life as far as it was stored, or its creation. */
  readonly seenAt: number
}

/** What the first start makes of an empty database, in one transaction. */
interface FirstAccount {
  readonly account: Account
  /** Of whichever account it becomes. */
  readonly user: User
  readonly credential: Credential
  readonly madeBy: FirstStartMark
}

/** `exists`: a user can sign in already. `user_exists`: the address belongs to a user of another account. */
type FirstAccountOutcome =
  | { readonly outcome: 'created'; readonly accountId: string }
  | { readonly outcome: 'exists' | 'user_exists' }

/** Which server made the first account, and when; unknown of one that a command or an older version made. */
export interface FirstStartMark {
  readonly node: string
  readonly at: number
}

/** Also everything that the OpenID Connect provider, the webhooks and the administration of users change. */
export interface Writes extends OidcWrites, WebhookWrites, AdministrationWrites {
  createAccount(account: Account): Promise<void>
  /** With a user and a credential, by one server at a time. One that no user can get into yet is completed. */
  createFirstAccount(first: FirstAccount): Promise<FirstAccountOutcome>
  updateAccount(id: string, change: { readonly automaticSettlement: boolean }): Promise<Account | undefined>
  createUser(user: User): Promise<'created' | 'exists'>
  /** A new password ends login sessions and an unused link; another role and being disabled what `changeUser` ends. */
  updateUser(id: string, change: Partial<Pick<User, 'name' | 'passwordHash' | 'disabledAt' | 'role'>>): Promise<boolean>
  createCredential(credential: Credential): Promise<void>
  revokeCredential(accountId: string, id: string, at: number): Promise<boolean>
  touchCredential(id: string, at: number): Promise<void>
  createChargePoint(chargePoint: ChargePoint): Promise<'created' | 'exists' | 'differsInCase'>
  /** `null` removes an optional attribute. */
  updateChargePoint(accountId: string, id: string, change: ChargePointChange): Promise<ChargePointView | undefined>
  /** Grants and webhooks of the account share it no longer (OIDC-C12). */
  deleteChargePoint(accountId: string, id: string): Promise<boolean>
  createIdToken(token: IdToken): Promise<'created' | 'exists'>
  /** All or none of them; of those that are there already only `columns` change. Says how many were other ones. */
  importIdTokens(
    tokens: readonly IdToken[],
    columns: readonly string[],
  ): Promise<{ readonly created: number; readonly changed: number }>
  updateIdToken(accountId: string, id: string, change: IdTokenChange): Promise<IdToken | undefined>
  deleteIdToken(accountId: string, id: string): Promise<boolean>
  /** Deletes at most `limit` of the oldest log rows older than `before` (a log id) and says how many. */
  deleteOldCommands(before: number, limit: number): Promise<number>
  /** Of kinds that are not loaded with a charge point, else rejects; all or none. Replaces the one with its key. */
  putRecords<Kind extends RecordKind>(kind: Kind, records: readonly RecordOfKind<Kind>[]): Promise<void>
  /** Changes and events of such records, all or none. @returns whether webhook deliveries were made of them */
  changeRecords(changes: readonly RecordChange[], events: readonly NewEvent[]): Promise<boolean>
  /** The same if a record still is as `seen` (`remove`: there was none). @returns false: it is not; nothing changed */
  changeRecordsIf(changes: readonly RecordChange[], seen: RecordChange, events?: readonly NewEvent[]): Promise<boolean>
  /** Of the same records; a key that has none is no fault. */
  removeRecords<Kind extends RecordKind>(kind: Kind, keys: readonly RecordKey<Kind>[]): Promise<void>
  /** Removes at most `limit` of the oldest ones whose `age` is before this time and says how many. */
  removeOldRecords(kind: RecordKind, before: number, limit: number): Promise<number>
}

/** What the account decides of a charge point. */
export interface ChargePointChange extends ChangeOf<Omit<ChargePoint, 'id' | 'accountId' | 'createdAt' | 'labels'>> {
  /** Merged with those that are there; `null` removes one. */
  readonly labels?: Readonly<Record<string, string | null>> | undefined
}

/** What may be set of a card. */
export type IdTokenChange = ChangeOf<Omit<IdToken, 'accountId' | 'id' | 'createdAt'>>

/** Whose turn a query of the log waits for: in each lane the queries of one account follow each other (SEARCH-Q12). */
export interface Turn {
  readonly accountId: string
  readonly lane: 'search' | 'export' | 'page'
  /** Aborted: the caller no longer waits for the answer, so the query need not end. */
  readonly signal?: AbortSignal | undefined
  /** Called with the time that the query waited for its first turn. */
  readonly waited?: (ms: number) => void
}

/** Of one caller. Codes: `TURN_TIMEOUT` (5 s of work), `TURN_LINE_FULL` (too many wait), `TURN_CANCELLED`. */
export type LogInTurns = (turn: Turn) => LogReads

/** Lists and look-ups. One that finds nothing resolves with `undefined` or an empty list: it does not reject. */
export interface Reads extends OidcReads, WebhookReads, AdministrationReads, LogReads, ListReads {
  listAccounts(): Promise<readonly Account[]>
  findAccount(id: string): Promise<Account | undefined>
  findUserByEmail(email: string): Promise<User | undefined>
  findUser(id: string): Promise<User | undefined>
  listUsers(accountId: string): Promise<readonly User[]>
  findCredential(id: string): Promise<Credential | undefined>
  listCredentials(accountId: string): Promise<readonly Credential[]>
  findChargePoint(id: string): Promise<ChargePointView | undefined>
  findIdToken(accountId: string, id: string): Promise<IdToken | undefined>
  /** @param containing only ids that have this text in them, in any case */
  listIdTokens(accountId: string, page: Page, containing?: string): Promise<readonly IdToken[]>
  findSession(id: string): Promise<Session | undefined>
  findCommand(chargePointId: string, id: number): Promise<Command | undefined>
  oldestCommandId(chargePointId: string): Promise<number | undefined>
  newestCommandId(chargePointId: string): Promise<number | undefined>
  /** Of all charge points; 0 when the log is empty. */
  greatestCommandId(): Promise<number>
  getRecord<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): Promise<RecordOfKind<Kind> | undefined>
  /** In the order of the key. Rejects when neither key nor index begins with the columns of `where`. */
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
  /** How many that list would have; no more than `limit` are counted. */
  countRecords<Kind extends RecordKind>(kind: Kind, query: Pick<RecordQuery<Kind>, 'where' | 'limit'>): Promise<number>
  /** Accepted and enabled ones of all accounts with security profile 0: the identity alone is enough to connect. */
  countOpenChargePoints(): Promise<number>
  /** One trivial statement: /readyz. */
  ping(): Promise<void>
}

/** The queue of deliveries, and what makes room in the log while messages come. */
export type HotWrites = Pick<Writes, 'claimDeliveries' | 'finishAttempts' | 'deleteOldCommands'>

/** All other look-ups and lists. */
export type ColdReads = Omit<Reads, keyof LogReads>

/** All other changes. */
export type ColdWrites = Omit<Writes, keyof HotWrites>
