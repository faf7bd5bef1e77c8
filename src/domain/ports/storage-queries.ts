/** What lists, look-ups and the search of the log are asked for, and what they answer. */
import type { SearchFilter } from './search-filter.ts'
import type { Session, SessionState, Transaction } from './sessions.ts'
import type { ChargePoint, ChargePointView, Command, ConnectorView, Credential } from './storage-records.ts'

/** Rows of one charge point in the log, the newest first. */
export interface CommandQuery {
  readonly chargePointId: string
  /** Log ids: inclusive start, exclusive end. */
  readonly fromId: number
  readonly toId: number
  /** Rows strictly below this id (keyset paging). */
  readonly belowId?: number | undefined
  readonly filter: SearchFilter
  readonly limit: number
  readonly offset?: number | undefined
}

/** A search as its caller asks for it, before anything was looked up. */
export interface LogPageQuery extends Omit<CommandQuery, 'fromId' | 'toId'> {
  readonly accountId: string
  /** Whose request it is, where the caller only remembers the credential. */
  readonly credential?: Pick<Credential, 'id' | 'secretHash' | 'expiresAt' | 'scopes'> | undefined
  readonly fromMs: number
  readonly toMs?: number | undefined
  /** Of a later page: the newest row that there was when its first page was read. */
  readonly newestId?: number | undefined
  readonly limit: number
  /** Also count the total; see `Reads.countCommands`. */
  readonly count?: { readonly scanLimit?: number | undefined } | undefined
}

/** `missing`: another or a revoked credential, or no such charge point. Else frozen window, rows, total and its ms. */
export type LogPage =
  | { readonly missing: 'credential' | 'chargePoint' }
  | {
      readonly window: { readonly fromId: number; readonly toId: number }
      readonly rows: readonly Command[]
      readonly total?: CommandCount | undefined
      readonly countMs?: number | undefined
    }

/** Rows of all charge points that an account has, in the log, the newest first. */
export interface NetworkLogQuery extends Omit<CommandQuery, 'chargePointId' | 'offset'> {
  readonly accountId: string
  readonly chargePointId?: string | undefined
  readonly direction?: Command['direction'] | undefined
  /** Part of the request, of the answer or of the error; ASCII letters in any case. */
  readonly text?: string | undefined
  /** After so many milliseconds of work it ends where it is: what is rare in a long log is looked for in parts. */
  readonly workMs: number
}

/** A page of the log of a network, perhaps of fewer rows than there are. */
export interface NetworkLogPage {
  readonly rows: readonly Command[]
  /** The work was over before the window: no row below this id was looked at, and the next page is below it. */
  readonly lookedTo?: number | undefined
}

/** `ndjson`: one JSON object a line. */
export type ExportFormat = 'csv' | 'ndjson'

/** A part of an export; the next one begins below `lastId`. */
export interface ExportChunk {
  /** Whole lines in UTF-8, newest row first; without a header. */
  readonly text: Uint8Array<ArrayBuffer>
  readonly rows: number
  /** Of the chunk's last row; present while rows remain below it. */
  readonly lastId?: number | undefined
}

/** How many rows match. Not exact: counting stopped, and there are at least so many. */
export interface CommandCount {
  readonly value: number
  readonly isExact: boolean
}

/** How often a method occurs in a window. */
export interface MethodCount {
  readonly method: string
  readonly count: number
}

/** Which sessions of an account; all that is given must hold. */
export interface SessionFilter {
  readonly accountId: string
  readonly chargePointIds?: readonly string[] | undefined
  readonly state?: SessionState | undefined
  readonly running?: true | undefined
  /** Regardless of case (TOKEN-Z1). */
  readonly idToken?: string | undefined
  readonly externalReference?: string | undefined
  /** Of their creation: `from` belongs to it, `to` does not. */
  readonly from?: number | undefined
  readonly to?: number | undefined
  /** Of the start of the charge, likewise; one that never began is in no such period. */
  readonly startedFrom?: number | undefined
  readonly startedTo?: number | undefined
  /** Of the start, or of the creation of one that never began; likewise. */
  readonly begunFrom?: number | undefined
  readonly begunTo?: number | undefined
}

/** A page of sessions. */
export interface SessionQuery extends SessionFilter {
  /** By the start of the charge, or their creation where they have none. */
  readonly byStart?: true | undefined
  /** Sessions that are listed behind this one (newest first). */
  readonly belowId?: string | undefined
  readonly limit: number
}

/** What leads from a session to its transaction. */
export type SessionKey = Pick<Session, 'id' | 'chargePointId' | 'transactionId'>

/** CONSOLE-C4: sums of the figures as they are shown. */
export interface SessionTotals {
  readonly sessions: number
  readonly energyWh: number
  readonly durationSeconds: number
  readonly cost: readonly { readonly currency: string; readonly micros: number }[]
  /** False: there are more ended ones than `most`, and only the newest were counted. */
  readonly isWhole: boolean
}

/** A page of a list in the order of its ids: what comes after this id, at most so many. */
export interface Page {
  readonly afterId?: string | undefined
  readonly limit: number
}

/** All that is there must hold. */
export interface ChargePointFilter {
  /** Only those: what the core knows to be online, or what a grant shares. */
  readonly within?: readonly string[] | undefined
  readonly without?: readonly string[] | undefined
  /** Of some connector, one of these; upper and lower case are one. */
  readonly statuses?: readonly string[] | undefined
  /** Of some connector that is faulted: the error code as it sent it. */
  readonly errorCode?: string | undefined
  /** Some connector is faulted since then or longer; milliseconds since the epoch. */
  readonly faultedSince?: number | undefined
  /** Not heard of since then; milliseconds since the epoch. */
  readonly silentSince?: number | undefined
  /** A connector or a session of it is charging. */
  readonly charging?: true | undefined
  readonly vendor?: string | undefined
  readonly model?: string | undefined
  readonly firmwareVersion?: string | undefined
  readonly labels?: readonly (readonly [key: string, value: string])[] | undefined
  readonly siteless?: true | undefined
  readonly securityProfile?: number | undefined
  readonly registrationStatuses?: readonly ChargePoint['registrationStatus'][] | undefined
  /** Part of id, name or serial number, whatever the case. */
  readonly q?: string | undefined
}

/** By the values of the label with this key. */
export type LabelOrder = `label:${string}`

/** By what a list of charge points is sorted. */
export type ChargePointOrder =
  | 'id'
  | 'name'
  | 'site'
  | 'model'
  | 'firmwareVersion'
  | 'serialNumber'
  | 'protocol'
  | 'securityProfile'
  | 'lastSeenAt'
  /** The most urgent first: faulted, offline, pending, refused, charging, occupied, reserved, free, out of service. */
  | 'state'
  | 'since'
  | 'power'
  | LabelOrder

/** A page of a sorted list of charge points. */
export interface ChargePointQuery {
  readonly accountId: string
  readonly filter: ChargePointFilter
  readonly sort: ChargePointOrder
  /** Ids of all that are online: what a list by state, since or power needs. */
  readonly online?: readonly string[] | undefined
  readonly descending?: boolean | undefined
  /** The last one of the page before: what it was sorted by, and its id. */
  readonly after?: readonly [sortedBy: string | number, id: string] | undefined
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
  readonly pending: number
  readonly online: number
  readonly faulted: number
  readonly charging: number
  /** Of charging sessions at charge points that are online, in milliwatts. */
  readonly powerMilliW: number
  readonly runningSessions: number
}

/** How long the lists of an account are; of its cards at most 100,000 are counted. */
export interface AccountCounts {
  readonly chargePoints: number
  readonly runningSessions: number
  readonly tariffs: number
  readonly idTokens: number
  readonly clients: number
  readonly users: number
  /** The account's own and those of applications, without those that are revoked. */
  readonly webhooks: number
  /** Those that are not revoked. */
  readonly credentials: number
}

/** A site, or the whole account, of which at least half is offline: of stations accepted, in use and seen before. */
export interface OfflineSite {
  /** The label `site`; absent: the whole account. */
  readonly site?: string | undefined
  readonly stations: number
  readonly offline: number
  /** When the station was last heard with which half of them were gone. */
  readonly since: number
}

/** Which sites of an account, and from when on energy counts. */
export interface SiteQuery {
  readonly accountId: string
  /** Ids of all that are online, of whatever account. */
  readonly online: readonly string[]
  /** Of charges that began from then on; milliseconds since the epoch. */
  readonly since: number
  readonly site?: string | undefined
}

/** Of the course of which limit group; times in milliseconds since the epoch. */
export interface FullestQuery {
  readonly accountId: string
  readonly name: string
  readonly phase: 0 | 1 | 2
  readonly from: number
  readonly to: number
  readonly stepMs: number
}

/** What the stations with one value of the label `site` are and do. */
export interface SiteCounts extends Pick<NetworkCounts, 'pending' | 'faulted' | 'charging' | 'powerMilliW'> {
  /** Absent: of those that have none. */
  readonly site?: string | undefined
  readonly stations: number
  /** Accepted and in use, and not online. */
  readonly offline: number
  readonly milliWh: number
}

/** A connector that reports a fault, with its charge point. */
export interface FaultedConnector {
  readonly chargePointId: string
  readonly name?: string | undefined
  readonly site?: string | undefined
  readonly connector: ConnectorView
}

/** What faults can be put together by. */
export type FaultedBy = 'error' | 'site' | 'model'

/** Charge points that are online and have the same error, or the same place, among those that are faulted. */
export interface FaultGroup {
  /** Absent: of those that have none. */
  readonly name?: string | undefined
  readonly chargePoints: number
  /** The longest of them is faulted since then; ms since the epoch. */
  readonly since: number
}

/** Energy that sessions of an account delivered in one quarter of an hour. */
export interface EnergySlot {
  readonly from: number
  readonly milliWh: number
}

/** The queries that scan the log; they run in turns. */
export interface LogReads {
  /** A whole search in one operation (SEARCH-Q14). */
  readLogPage(query: LogPageQuery): Promise<LogPage>
  /** Newest first. */
  searchCommands(query: CommandQuery): Promise<readonly Command[]>
  /** Of all charge points of an account at once; newest first. */
  searchNetwork(query: NetworkLogQuery): Promise<NetworkLogPage>
  /** The same as text: at most `limit` rows, fewer large ones. Made where read: text crosses threads cheaply. */
  exportCommands(query: CommandQuery, format: ExportFormat): Promise<ExportChunk>
  /** Bounded by rows scanned (SEARCH-Q9); `scanLimit` absent = exact. */
  countCommands(query: CommandQuery, scanLimit?: number): Promise<CommandCount>
  commandMethods(chargePointId: string, fromId: number, toId: number): Promise<readonly MethodCount[]>
}

/** Charge points and sessions: lists of them, and what they come to. */
export interface ListReads {
  /** By id, ascending. */
  listChargePoints(accountId: string, page: Page): Promise<readonly ChargePointView[]>
  findChargePoints(query: ChargePointQuery): Promise<readonly SortedChargePoint[]>
  countChargePoints(query: Pick<ChargePointQuery, 'accountId' | 'filter'>): Promise<number>
  /** Ids of the account's charge points that carry all of these labels, in no order. */
  listLabelled(
    accountId: string,
    labels: readonly (readonly [key: string, value: string])[],
  ): Promise<readonly string[]>
  /** @param online ids of all that are online, of whatever account */
  countNetwork(accountId: string, online: readonly string[]): Promise<NetworkCounts>
  /** As they stand in the database: what was said a moment ago may be missing. */
  countAccount(accountId: string): Promise<AccountCounts>
  /** The whole account where it is one, else the sites, those first of which most stations are offline. */
  listOfflineSites(accountId: string, online: readonly string[], limit: number): Promise<readonly OfflineSite[]>
  /** In no order. */
  listSites(query: SiteQuery): Promise<readonly SiteCounts[]>
  /** Values of the label `site` that have this text in them, whatever the case. */
  listSitesLike(accountId: string, text: string, limit: number): Promise<readonly string[]>
  /** When a limit group and its building drew most, in each step of a time; the earliest of several, oldest first. */
  listFullestMinutes(query: FullestQuery): Promise<readonly number[]>
  /** Connectors that are faulted now, at charge points that are online: the newest faults first. */
  listFaults(accountId: string, online: readonly string[], limit: number): Promise<readonly FaultedConnector[]>
  /** The same put together, the largest group first; a charge point with two errors is in both. */
  listFaultGroups(
    accountId: string,
    online: readonly string[],
    by: FaultedBy,
    limit: number,
  ): Promise<readonly FaultGroup[]>
  /** Quarters of an hour from then on and before that, the oldest first; those without energy are left out. */
  listEnergy(accountId: string, from: number, to: number): Promise<readonly EnergySlot[]>
  /** Newest first. */
  listSessions(query: SessionQuery): Promise<readonly Session[]>
  /** Those of that transaction number, and those whose id begins so, from eight digits on. */
  findSessionsNamed(accountId: string, name: string, limit: number): Promise<readonly Session[]>
  /** @param now until then a running session has lasted; `most` ended ones are counted, all unless given */
  sumSessions(filter: SessionFilter, now: number, most?: number): Promise<SessionTotals>
  /** Those of them that have begun, in no order. */
  findTransactionsOf(sessions: readonly SessionKey[]): Promise<readonly Transaction[]>
  /** Those of a charge point that are not over, the newest first. */
  listOpenSessions(chargePointId: string): Promise<readonly Session[]>
}
