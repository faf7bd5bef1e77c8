/**
 * The storage port: the operations the product performs, named after what it does. Engine-neutral and asynchronous;
 * nothing outside `storage/` knows SQL. Three faces, because they live in different places:
 * - `CoreStore`: what the core needs to decide and commit (writer connection, core thread)
 * - `Writes`: everything else that changes data (same connection, so one writer orders all commits)
 * - `Reads`: lists, look-ups and the log's search (read-only connection in its own thread)
 */

import type { RecordChange, RecordKey, RecordKind, RecordOfKind, RecordPut, RecordQuery } from '../records/records.ts'
import type { SearchFilter } from './search-filter.ts'
import type {
  ChargePointStatus,
  Connector,
  FrozenTariff,
  IdToken,
  RemoteStartSign,
  Session,
  SessionState,
  Transaction,
} from './sessions.ts'
import type { AdministrationReads, AdministrationWrites } from './storage-administration.ts'
import type { OidcReads, OidcWrites } from './storage-oidc.ts'
import type { NewEvent, SettlementEntry, WebhookReads, WebhookWrites } from './storage-webhooks.ts'

// ---------- records ----------

export interface Account {
  readonly id: string
  readonly name: string
  readonly createdAt: number
  /** Sessions are settled when they complete, with the figures they have then (COST-L4). */
  readonly automaticSettlement?: true
}

/** What each may do: accounts/roles.ts. */
export type Role = 'administrator' | 'operator' | 'viewer' | 'member'

export interface User {
  readonly id: string
  readonly accountId: string
  readonly email: string
  readonly name?: string
  readonly role: Role
  /** PHC-style string (OIDC-L5); no such string while no password was chosen yet. */
  readonly passwordHash: string
  readonly disabledAt?: number
  readonly createdAt: number
}

/** An account's own key (`pwk_<id>_<secret>`); only the hash of the secret is stored (OIDC-U7). */
export interface Credential {
  readonly id: string
  readonly accountId: string
  readonly name: string
  /** SHA-256 of the whole credential text, hex. */
  readonly secretHash: string
  /** What it may do; absent: everything within its account. */
  readonly scopes?: readonly string[]
  readonly createdAt: number
  readonly expiresAt?: number
  readonly revokedAt?: number
  readonly lastUsedAt?: number
}

/** Registration of a charge point: what the account decides. What the station reports is `ChargePointStatus`. */
export interface ChargePoint {
  /** The OCPP identity. */
  readonly id: string
  readonly accountId: string
  readonly name?: string
  /** `v1$<salt>$<HMAC-SHA-256>`, several separated by a space while a change is in doubt (OCPP-AU2, OCPP-AU6). */
  readonly passwordHash?: string
  readonly securityProfile: 0 | 1 | 2 | 3
  readonly protocols?: readonly string[]
  readonly validation?: 'strict' | 'lenient' | 'off'
  readonly registrationStatus: 'Accepted' | 'Pending' | 'Rejected'
  readonly disabled?: boolean
  /** CERT-C15: its certificate is taken after its end, so that it can ask for a new one. */
  readonly acceptExpired?: boolean
  /** CERT-C13 */
  readonly subjectCheck?: 'contains' | 'exact' | 'off'
  readonly createdAt: number
  /** The account's own words for it, by key. */
  readonly labels?: Readonly<Record<string, string>>
}

export interface ChargePointView extends ChargePoint {
  readonly status: ChargePointStatus
  readonly connectors: readonly ConnectorView[]
}

export interface ConnectorView extends Connector {
  /** When the present status and error began; absent: at `updatedAt`. */
  readonly since?: number
}

export type CommandStatus = 'pending' | 'success' | 'error' | 'timeout' | 'dropped'

export interface CommandError {
  readonly code: string
  readonly description: string
  readonly details: unknown
}

/** One row of the message log. JSON payloads are text exactly as they crossed the wire (secrets masked, OCPP-LG5). */
export interface Command {
  /** commands/log-id.ts: milliseconds since 2020 × 4096 + sequence; time, order and cursor at once. */
  readonly id: number
  readonly chargePointId: string
  readonly direction: 'in' | 'out'
  readonly method: string
  readonly messageId: string
  readonly protocol: string
  readonly connectorId?: number | undefined
  readonly evseId?: number | undefined
  readonly transactionId?: string | undefined
  readonly status: CommandStatus
  readonly request: string
  readonly response?: string
  readonly error?: CommandError
  readonly answeredAt?: number
  /**
   * Schema errors of a message that was accepted leniently (OCPP-VA1), in one line; `schemaErrorTexts` takes it apart.
   */
  readonly schemaErrors?: string
}

export interface CommandAnswer {
  readonly id: number
  readonly status: CommandStatus
  readonly response?: string
  readonly error?: CommandError
  readonly answeredAt?: number
  readonly transactionId?: string
  /** What the schema objects to in the answer. */
  readonly schemaErrors?: string
}

/** Everything one message changes: applied whole or not at all. Absent may be spelled `undefined`, as in `Changes`. */
export interface ChangeSet {
  readonly chargePointId: string
  readonly command?: Command | undefined
  readonly answer?: CommandAnswer | undefined
  readonly status?: ChargePointStatus | undefined
  readonly connectors?: readonly Connector[] | undefined
  readonly transactions?: readonly Transaction[] | undefined
  readonly sessions?: readonly Session[] | undefined
  readonly idTokens?: readonly IdToken[] | undefined
  readonly events?: readonly NewEvent[] | undefined
  /** Entries of the ledger (COST-L5). */
  readonly settlements?: readonly SettlementEntry[] | undefined
  /** Records of blocks (docs/adding-a-block.md); applied in order. */
  readonly records?: readonly RecordChange[] | undefined
}

/** `due`: webhook deliveries were made of it. */
export type CommitResult = { readonly ok: true; readonly due?: true } | { readonly ok: false; readonly error: Error }

export interface LoadedChargePoint {
  readonly chargePoint: ChargePoint
  readonly status: ChargePointStatus
  readonly connectors: readonly Connector[]
  /** Open ones. */
  readonly transactions: readonly Transaction[]
  /**
   * Non-terminal ones, those of the open transactions, and ended ones with something still due: figures (HOOK-M3),
   * settlement (COST-L4).
   */
  readonly sessions: readonly Session[]
  /** What a session that starts now costs (COST-L1). */
  readonly tariff?: FrozenTariff
  /** Of the account (COST-L4). */
  readonly automaticSettlement?: true
  /** Of the account: the organization in certificates, unless the settings name one (CERT-C12). */
  readonly accountName?: string
  /** Those that are declared as loaded with their charge point, kind by kind in the order of their keys. */
  readonly records?: readonly RecordPut[]
}

export type TransactionKey = { readonly transactionId: string } | { readonly startKey: string }

/** What a decision may need besides the state of its charge point. */
export type Lookup =
  | { readonly chargePointId: string; readonly transaction: TransactionKey }
  /**
   * Of each outlet (EVSE, else connector) the closed transactions that began last before this station time, and those
   * that began at it: with the open ones all that a stop of that time may belong to (SESSION-A16).
   */
  | { readonly chargePointId: string; readonly newestAt: number }
  /**
   * The oldest session that expired (SESSION-S5) or was cancelled (SESSION-S9) before this start came, however long ago.
   */
  | { readonly chargePointId: string; readonly overdueStart: RemoteStartSign }
  | { readonly sessionId: string }
  /** Ids in any case (TOKEN-Z1). */
  | { readonly accountId: string; readonly idTokens: readonly string[] }

/** What was found of a `Lookup`; members that it did not ask for are absent. */
export interface LookedUp {
  readonly transactions?: readonly { readonly transaction: Transaction; readonly session: Session }[]
  readonly session?: Session
  readonly idTokens?: readonly IdToken[]
}

// ---------- the port's three faces ----------

export interface CoreStore {
  /** The oldest account: owner of charge points that were never seen before. */
  defaultAccountId(): Promise<string | undefined>
  /** Greatest log id so far, 0 when the log is empty. */
  lastCommandId(): Promise<number>
  /** Reserves `count` numbers of a named sequence durably and returns the first; never hands out a number twice. */
  reserveNumbers(sequence: 'transaction' | 'remoteStart', count: number): Promise<number>
  loadChargePoint(id: string): Promise<LoadedChargePoint | undefined>
  /** The same for many in one round trip, in the order of the ids; undefined for one that does not exist. */
  loadChargePoints(ids: readonly string[]): Promise<readonly (LoadedChargePoint | undefined)[]>
  /** What a group of messages needs, in one round trip; the answers stand in the order of the questions. */
  prefetch(lookups: readonly Lookup[]): Promise<readonly LookedUp[]>
  /** Charge points that nobody approved, named or gave a password: whoever chose to connect (OCPP-RP14). */
  strangers(): Promise<readonly StoredStranger[]>
  /** The registered identity that equals this one but for upper and lower case (OCPP-T4). */
  identityIgnoringCase(id: string): Promise<string | undefined>
  /**
   * Charge points with an open transaction, or a session that is not over or has something due: their clocks must run
   * after a restart.
   */
  chargePointsWithOpenSessions(): Promise<readonly string[]>
  findTransaction(
    chargePointId: string,
    by: TransactionKey,
  ): Promise<{ readonly transaction: Transaction; readonly session: Session } | undefined>
  findSession(id: string): Promise<Session | undefined>
  loadIdTokens(accountId: string, ids: readonly string[]): Promise<readonly IdToken[]>
  /**
   * One transaction for the whole group, durable when it resolves. A change set that
   * fails is rolled back alone and reported; later ones of the same charge point are not applied and report the same
   * error. Rejects when nothing was committed (disk full, read-only).
   */
  commit(group: readonly ChangeSet[]): Promise<readonly CommitResult[]>
  /**
   * At start: outgoing commands that are `pending` and of which nothing else is known become `dropped`. Those that have a
   * record (`outgoing_calls`) are the core's to judge.
   */
  dropPendingCommands(): Promise<number>
  /** As `Reads.listRecords`; sees every commit at once. */
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
  /**
   * Another value whenever somebody else may have changed accounts, charge points, id tokens or tariffs: what is
   * remembered of them is then stale.
   */
  registrationsVersion(): number
}

export interface StoredStranger {
  readonly id: string
  readonly accountId: string
  /** Its last sign of life as far as it was stored, or its creation. */
  readonly seenAt: number
}

/** Also everything that the OpenID Connect provider, the webhooks and the administration of users change. */
export interface Writes extends OidcWrites, WebhookWrites, AdministrationWrites {
  createAccount(account: Account): Promise<void>
  updateAccount(id: string, change: AccountChange): Promise<Account | undefined>
  createUser(user: User): Promise<'created' | 'exists'>
  updateUser(id: string, change: Partial<Pick<User, 'name' | 'passwordHash' | 'disabledAt' | 'role'>>): Promise<boolean>
  createCredential(credential: Credential): Promise<void>
  revokeCredential(accountId: string, id: string, at: number): Promise<boolean>
  touchCredential(id: string, at: number): Promise<void>
  createChargePoint(chargePoint: ChargePoint): Promise<'created' | 'exists' | 'differsInCase'>
  /** `null` removes an optional attribute. */
  updateChargePoint(accountId: string, id: string, change: ChargePointChange): Promise<ChargePointView | undefined>
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
  /**
   * For records that are not loaded with a charge point: those are changed by decisions alone, so this rejects. All of
   * them are written, or none. A record replaces the one with its key.
   */
  putRecords<Kind extends RecordKind>(kind: Kind, records: readonly RecordOfKind<Kind>[]): Promise<void>
  /**
   * Changes of such records and the events that tell of them: all are stored, or none.
   * @returns whether webhook deliveries were made of them
   */
  changeRecords(changes: readonly RecordChange[], events: readonly NewEvent[]): Promise<boolean>
  /** Of the same records; a key that has none is no fault. */
  removeRecords<Kind extends RecordKind>(kind: Kind, keys: readonly RecordKey<Kind>[]): Promise<void>
  /** Removes at most `limit` of the oldest ones whose `age` is before this time and says how many. */
  removeOldRecords(kind: RecordKind, before: number, limit: number): Promise<number>
  /** Tells a later start which secret key this database belongs to. `first`: unless one is kept already. */
  keepSecretKeyCheck(check: string, when: 'first' | 'always'): Promise<void>
}

export type AccountChange = { readonly automaticSettlement: boolean }

export type ChargePointChange = {
  readonly name?: string | null
  readonly passwordHash?: string | null
  readonly securityProfile?: ChargePoint['securityProfile']
  readonly protocols?: readonly string[] | null
  readonly validation?: ChargePoint['validation'] | null
  readonly registrationStatus?: ChargePoint['registrationStatus']
  readonly disabled?: boolean
  /** Merged with those that are there; `null` removes one. */
  readonly labels?: Readonly<Record<string, string | null>>
  readonly acceptExpired?: boolean
  readonly subjectCheck?: ChargePoint['subjectCheck']
}

export type IdTokenChange = {
  readonly type?: string
  readonly status?: IdToken['status']
  readonly expiresAt?: number | null
  readonly groupId?: string | null
}

export interface CommandQuery {
  readonly chargePointId: string
  /** Log ids: inclusive start, exclusive end. */
  readonly fromId: number
  readonly toId: number
  /** Rows strictly below this id (keyset paging). */
  readonly belowId?: number
  readonly filter: SearchFilter
  readonly limit: number
  /** v1 only. */
  readonly offset?: number
}

/** A search as its caller asks for it, before anything was looked up. */
export interface LogPageQuery {
  readonly accountId: string
  /** Whose request it is, where the caller only remembers the credential. */
  readonly credential?: Pick<Credential, 'id' | 'secretHash' | 'expiresAt' | 'scopes'>
  readonly chargePointId: string
  /** Milliseconds since the epoch: inclusive start, exclusive end. */
  readonly fromMs: number
  readonly toMs?: number
  /** Of a later page: the newest row that there was when its first page was read. */
  readonly newestId?: number
  /** Rows strictly below this id. */
  readonly belowId?: number
  readonly filter: SearchFilter
  /** 0: no rows, only the window. */
  readonly limit: number
  /** v1 only. */
  readonly offset?: number
  /** The total is wanted, too; see `Reads.countCommands`. */
  readonly count?: { readonly scanLimit?: number }
}

/**
 * `missing`: the credential is not the one that is remembered, or was revoked; the account has no such charge point.
 * Else the frozen window in log ids, its rows and, if wanted, the total and the milliseconds that it took.
 */
export type LogPage =
  | { readonly missing: 'credential' | 'chargePoint' }
  | {
      readonly window: { readonly fromId: number; readonly toId: number }
      readonly rows: readonly Command[]
      readonly total?: CommandCount
      readonly countMs?: number
    }

export type ExportFormat = 'csv' | 'ndjson'

export interface ExportChunk {
  /** Whole lines in UTF-8, newest row first; without a header. */
  readonly text: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** Of the chunk's last row; present while rows remain below it. */
  readonly lastId?: number
}

export interface CommandCount {
  readonly value: number
  readonly isExact: boolean
}

export interface MethodCount {
  readonly method: string
  readonly count: number
}

/** Which sessions of an account; all that is given must hold. */
export interface SessionFilter {
  readonly accountId: string
  /** Absent: all of the account. */
  readonly chargePointIds?: readonly string[]
  readonly state?: SessionState
  /** Only those that are not over. */
  readonly running?: true
  /** Regardless of case (TOKEN-Z1). */
  readonly idToken?: string
  readonly externalReference?: string
  /** Of their creation: `from` belongs to it, `to` does not. */
  readonly from?: number
  readonly to?: number
}

export interface SessionQuery extends SessionFilter {
  /** Sessions that are listed behind this one (newest first). */
  readonly belowId?: string
  readonly limit: number
}

/** What leads from a session to its transaction. */
export type SessionKey = Pick<Session, 'id' | 'chargePointId' | 'transactionId'>

/** CONSOLE-C4: sums of the figures as they are shown. */
export interface SessionTotals {
  readonly sessions: number
  readonly energyWh: number
  readonly durationSeconds: number
  /** By currency, in micro-units. */
  readonly cost: readonly { readonly currency: string; readonly micros: number }[]
  /** False: there are more ended ones than `most`, and only the newest were counted. */
  readonly isWhole: boolean
}

export interface Page {
  readonly afterId?: string
  readonly limit: number
}

/** All that is there must hold. */
export interface ChargePointFilter {
  /** Only those: what the core knows to be online, or what a grant shares. */
  readonly within?: readonly string[]
  /** None of those. */
  readonly without?: readonly string[]
  /** Of some connector, one of these; upper and lower case are one. */
  readonly statuses?: readonly string[]
  /** A connector or a session of it is charging. */
  readonly charging?: true
  readonly vendor?: string
  readonly model?: string
  readonly firmwareVersion?: string
  readonly labels?: readonly (readonly [key: string, value: string])[]
  readonly securityProfile?: number
  readonly registrationStatuses?: readonly ChargePoint['registrationStatus'][]
  /** Part of id, name or serial number, whatever the case. */
  readonly q?: string
}

export type ChargePointOrder = 'id' | 'name' | 'lastSeenAt'

export interface ChargePointQuery {
  readonly accountId: string
  readonly filter: ChargePointFilter
  readonly sort: ChargePointOrder
  readonly descending?: boolean
  /** The last one of the page before: what it was sorted by, and its id. */
  readonly after?: readonly [sortedBy: string | number, id: string]
  readonly limit: number
}

/** A charge point of a sorted list, with what it was sorted by. */
export interface SortedChargePoint {
  readonly sortedBy: string | number
  readonly view: ChargePointView
}

/** An account's network at a glance. */
export interface NetworkCounts {
  readonly chargePoints: number
  /** Online or not. */
  readonly pending: number
  /** Online and not pending. */
  readonly online: number
  /** Of all that are online. */
  readonly faulted: number
  readonly charging: number
  /** Of charging sessions at charge points that are online, in milliwatts. */
  readonly powerMilliW: number
  readonly runningSessions: number
}

export interface FaultedConnector {
  readonly chargePointId: string
  readonly name?: string
  readonly connector: ConnectorView
}

/** Energy that sessions of an account delivered in one quarter of an hour. */
export interface EnergySlot {
  /** Milliseconds since the epoch. */
  readonly from: number
  readonly milliWh: number
}

/** The queries that scan the log. */
export type LogReads = Pick<
  Reads,
  'readLogPage' | 'searchCommands' | 'exportCommands' | 'countCommands' | 'commandMethods'
>

/** Whose turn a query of the log waits for: in each lane the queries of one account follow each other (SEARCH-Q12). */
export interface Turn {
  readonly accountId: string
  readonly lane: 'search' | 'export' | 'page'
  /** Aborted: nobody waits for the answer any more, so the query need not end. */
  readonly signal?: AbortSignal
  /** Told how long the query waited for its first turn. */
  readonly waited?: (ms: number) => void
}

/**
 * The queries of one caller. They reject with a `code`: `TURN_TIMEOUT` after five seconds of work, `TURN_LINE_FULL`
 * when too many of this account wait already, `TURN_CANCELLED` after `signal`.
 */
export type LogInTurns = (turn: Turn) => LogReads

export interface Reads extends OidcReads, WebhookReads, AdministrationReads {
  listAccounts(): Promise<readonly Account[]>
  findAccount(id: string): Promise<Account | undefined>
  findUserByEmail(email: string): Promise<User | undefined>
  findUser(id: string): Promise<User | undefined>
  listUsers(accountId: string): Promise<readonly User[]>
  findCredential(id: string): Promise<Credential | undefined>
  listCredentials(accountId: string): Promise<readonly Credential[]>
  findChargePoint(id: string): Promise<ChargePointView | undefined>
  /** By id, ascending. */
  listChargePoints(accountId: string, page: Page): Promise<readonly ChargePointView[]>
  /** Found, sorted and paged by key. */
  findChargePoints(query: ChargePointQuery): Promise<readonly SortedChargePoint[]>
  /** Ids of the account's charge points that carry all of these labels, in no order. */
  listLabelled(
    accountId: string,
    labels: readonly (readonly [key: string, value: string])[],
  ): Promise<readonly string[]>
  /** @param online ids of all that are online, of whatever account */
  countNetwork(accountId: string, online: readonly string[]): Promise<NetworkCounts>
  /** Connectors that are faulted now, at charge points that are online: the newest faults first. */
  listFaults(accountId: string, online: readonly string[], limit: number): Promise<readonly FaultedConnector[]>
  /** Quarters of an hour that begin from then on and before that, the oldest first; those without energy are left out. */
  listEnergy(accountId: string, from: number, to: number): Promise<readonly EnergySlot[]>
  findIdToken(accountId: string, id: string): Promise<IdToken | undefined>
  /** @param containing only ids that have this text in them, in any case */
  listIdTokens(accountId: string, page: Page, containing?: string): Promise<readonly IdToken[]>
  findSession(id: string): Promise<Session | undefined>
  /** Newest first. */
  listSessions(query: SessionQuery): Promise<readonly Session[]>
  /** @param now until then a running session has lasted; `most` ended ones are counted, all unless given */
  sumSessions(filter: SessionFilter, now: number, most?: number): Promise<SessionTotals>
  /** Those of them that have begun, in no order. */
  findTransactionsOf(sessions: readonly SessionKey[]): Promise<readonly Transaction[]>
  /** Those of a charge point that are not over, the newest first. */
  listOpenSessions(chargePointId: string): Promise<readonly Session[]>
  findCommand(chargePointId: string, id: number): Promise<Command | undefined>
  /** A whole search in one operation (SEARCH-Q14). */
  readLogPage(query: LogPageQuery): Promise<LogPage>
  /** Newest first. */
  searchCommands(query: CommandQuery): Promise<readonly Command[]>
  /**
   * The same rows as text: at most `limit`, fewer where they are large. Written where they are read, as text crosses
   * threads cheaply.
   */
  exportCommands(query: CommandQuery, format: ExportFormat): Promise<ExportChunk>
  /** Bounded by rows scanned (SEARCH-Q9); `scanLimit` absent = exact. */
  countCommands(query: CommandQuery, scanLimit?: number): Promise<CommandCount>
  /** Methods present in the window with their counts. */
  commandMethods(chargePointId: string, fromId: number, toId: number): Promise<readonly MethodCount[]>
  oldestCommandId(chargePointId: string): Promise<number | undefined>
  newestCommandId(chargePointId: string): Promise<number | undefined>
  /** Of all charge points; 0 when the log is empty. */
  greatestCommandId(): Promise<number>
  getRecord<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): Promise<RecordOfKind<Kind> | undefined>
  /**
   * A page in the order of the key. Rejects when neither the key nor an index of the record begins with the columns that
   * `where` names: such a list would read all of them.
   */
  listRecords<Kind extends RecordKind>(kind: Kind, query: RecordQuery<Kind>): Promise<readonly RecordOfKind<Kind>[]>
  /** Accepted and enabled ones of all accounts with security profile 0: whoever knows the identity gets in. */
  countOpenChargePoints(): Promise<number>
  /** What `Writes.keepSecretKeyCheck` kept. */
  secretKeyCheck(): Promise<string | undefined>
  /** One trivial statement: /readyz. */
  ping(): Promise<void>
}
