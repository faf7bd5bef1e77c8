/** A database for the rest of the program, whatever its engine. `open.ts` chooses the engine. */
import type { Clock, Log } from '../domain/ports/core.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { NodeFacts, Ownership, StorageFigures } from '../domain/ports/nodes.ts'
import type { OtherNodes } from '../domain/ports/other-nodes.ts'
import type { CoreStore, LogInTurns, Reads, Writes } from '../domain/ports/storage.ts'

/** Committed data that `Reads` cannot see yet; always empty where an engine places it with the commit. */
export interface Placing {
  waiting(): number
  /** Places what is waiting now, awaiting `between` between two parts of a few milliseconds. Rejects on refusal. */
  all(between?: () => Promise<void>): Promise<void>
  ofChargePoint(chargePointId: string, between?: () => Promise<void>): Promise<void>
}

/** An engine across a network needs time where one with a file needs none. */
type Awaitable<T> = T | Promise<T>

export interface WritingSide {
  readonly core: CoreStore
  readonly writes: Writes
  readonly placing: Placing
  /** Absent where one server at a time has the database. */
  readonly otherNodes?: OtherNodes | undefined
  /** For domain/message-log/log-id.ts: mixes this database's own secret into the log's public ids. */
  readonly salt: bigint
  /** Present for a node (`WriterOptions.node`) of an engine that several share. */
  readonly ownership?: Ownership | undefined
  readonly close: () => Awaitable<void>
}

export interface ReadingSide extends Reads {
  readonly salt: bigint
  readonly close: () => Awaitable<void>
}

/** Both sides in one thread. `reads` finds everything acknowledged. */
export interface Store extends WritingSide {
  readonly reads: Reads
}

export interface ReaderThread extends Reads {
  /** The log's queries of one caller, in turn with those of others (SEARCH-Q12). */
  readonly inTurns: LogInTurns
  /** Resolves with the reason when the thread ends without being closed: no more reads are possible. */
  readonly crashed: Promise<Error>
  /** Lets the running query finish, then ends the thread. */
  readonly close: () => Promise<void>
}

/** Places acknowledged data where readers look, for all or one charge point; undefined: nothing waits. */
export type FlushJournal = (chargePointId?: string) => Promise<void> | undefined

export interface ServerLock {
  readonly release: () => void
}

export interface DatabaseWatch {
  /** Resolves when the database is no longer the one opened at the start. */
  readonly moved: Promise<Error>
  stop(): void
}

/** Standby servers, where an engine has them. */
export interface StandbyHealth {
  /** The server's setting of the standbys it waits for; empty: none. */
  readonly waitsFor: string
  readonly connected: readonly {
    readonly name: string
    /** `unknown`: this user may not see it. */
    readonly kind: 'synchronous' | 'asynchronous' | 'unknown'
  }[]
}

export interface DatabaseHealth {
  /** `ok`, or the engine's first faults. */
  readonly integrity: string
  readonly journalMode: string
  /** As the server's own connection has it; absent without a write-ahead log. */
  readonly synchronous?: string | undefined
  readonly bytes: number
  /** Written by an older version: the next start changes its tables. */
  readonly older: boolean
  readonly standby?: StandbyHealth | undefined
  /** Age of the oldest open writing transaction, as far as this user may see them; 0: none. */
  readonly oldestTransactionSeconds?: number | undefined
  /** Its name, if it is an abandoned two-phase commit. */
  readonly preparedTransaction?: string | undefined
}

export interface BackupProgress {
  readonly copiedPages: number
  readonly totalPages: number
}

export interface WriterOptions {
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Called with the milliseconds of each commit's durable part, where the engine knows. */
  readonly synced?: (ms: number) => void
  /** For a server, not a tool: its place among the nodes, where an engine has several. */
  readonly node?: { readonly name: string; readonly version: string } | undefined
}

export interface SharedLimitsOptions {
  /** Counted in this process: enough where one server at a time has the database. */
  readonly alone: Limits
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
}

export interface SharedLimits {
  readonly limits: Limits
  readonly close: () => Promise<void>
}

export interface Database {
  /** A path or an address, for people: never with a password in it. */
  readonly shown: string
  /** False: unreadable until a server has made it. A server's database always exists. */
  exists(): boolean
  /** Creates and migrates it when needed. For the one thread of a server that writes, and for tools beside it. */
  openWriter(options?: WriterOptions): Awaitable<WritingSide>
  openStore(options?: WriterOptions): Awaitable<Store>
  /** Never creates nor migrates. `all`: also places waiting commits, where the file is writable. */
  openReader(what: 'all' | 'in place'): Awaitable<ReadingSide>
  /** Opens the database with the first read, which rejects with its sentence when that fails, or right away. */
  startReader(putInPlace: FlushJournal): Awaitable<ReaderThread>
  /** Of all servers that share it together; connects on first use. */
  openLimits(options: SharedLimitsOptions): Awaitable<SharedLimits>
  lock(): ServerLock
  /** Removes other users' rights; returns a sentence for each file where that failed. */
  keepPrivate(): readonly string[]
  watch(after: Clock['after']): Promise<DatabaseWatch>
  /** Upgrades an older one under the server's lock; leaves any other unchanged. */
  upgradeAlone(): Awaitable<void>
  /** Into a new, checked copy, while a server may run. @param reserveBytes stay free on the disk of the database */
  backup(target: string, onProgress: (progress: BackupProgress) => void, reserveBytes?: number): Promise<void>
  /** Records a complete backup, for its age in `figures`. */
  noteBackup(at: number): void
  /**
   * Replaces it by a checked copy under the server's lock; keeps the old one as `aside`. Returns whether there was one.
   */
  restore(source: string, aside: string, onProgress: (progress: BackupProgress) => void): Promise<boolean>
  /** Sizes and the age of the newest backup, for metrics; cheap. */
  figures(): Promise<StorageFigures>
  /** The servers that share it; undefined where there is one. */
  nodes(): Promise<readonly NodeFacts[] | undefined>
  /** Read-only. */
  check(): Awaitable<DatabaseHealth>
}

/** Synchronous: a file of this machine. */
export interface FileDatabase extends Database {
  openWriter(options?: WriterOptions): FileWritingSide
  openStore(): FileStore
  openReader(what: 'all' | 'in place'): FileReadingSide
  upgradeAlone(): void
  check(): DatabaseHealth
}

type ClosedAtOnce<Side> = Omit<Side, 'close'> & { readonly close: () => void }
export type FileWritingSide = ClosedAtOnce<WritingSide>
export type FileReadingSide = ClosedAtOnce<ReadingSide>
export type FileStore = ClosedAtOnce<Store>
