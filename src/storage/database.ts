/** A database as the rest of the house opens it, whatever engine keeps it. `open.ts` chooses the engine. */
import type { Clock } from '../domain/ports/clock.ts'
import type { Limits } from '../domain/ports/limits.ts'
import type { Log } from '../domain/ports/log.ts'
import type { NodeFacts, Ownership } from '../domain/ports/nodes.ts'
import type { OtherNodes } from '../domain/ports/other-nodes.ts'
import type { CoreStore, LogInTurns, Reads, Writes } from '../domain/ports/storage.ts'
import type { StorageFigures } from '../domain/ports/storage-figures.ts'

/** What is committed and not yet where `Reads` look; never anything where an engine puts it there with the commit. */
export interface Placing {
  waiting(): number
  /** Puts in place what waits now, awaiting `between` between two parts of a few milliseconds. Rejects on refusal. */
  all(between?: () => Promise<void>): Promise<void>
  /** The same for what one charge point has waiting. */
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
  /** See `WritingSide.salt`. */
  readonly salt: bigint
  readonly close: () => Awaitable<void>
}

/** Both sides in one thread. `reads` finds whatever was acknowledged. */
export interface Store extends WritingSide {
  readonly reads: Reads
}

export interface ReaderThread extends Reads {
  /** The log's queries of one caller, in turn with those of others (SEARCH-Q12). */
  readonly inTurns: LogInTurns
  /** Resolves with the reason when the thread ends without being closed: nothing can be read through it any more. */
  readonly crashed: Promise<Error>
  /** Lets the running query finish, then ends the thread. */
  readonly close: () => Promise<void>
}

/** Puts what was acknowledged where readers look, all or of one charge point; undefined when it is there. */
export type FlushJournal = (chargePointId?: string) => Promise<void> | undefined

export interface ServerLock {
  readonly release: () => void
}

export interface DatabaseWatch {
  /** Resolves when the database is no longer the one that was there at the start. */
  readonly moved: Promise<Error>
  stop(): void
}

/** Servers that have what is committed as well, where an engine has such. */
export interface StandbyHealth {
  /** As the server's setting names those it waits for; empty: it waits for none. */
  readonly waitsFor: string
  readonly connected: readonly {
    readonly name: string
    /** `unknown`: this user may not see it. */
    readonly kind: 'synchronous' | 'asynchronous' | 'unknown'
  }[]
}

export interface DatabaseHealth {
  /** `ok`, or the first faults that the engine names. */
  readonly integrity: string
  readonly journalMode: string
  /** As the server's own way of opening it gets it; absent while there is no write-ahead log yet. */
  readonly synchronous?: string | undefined
  readonly bytes: number
  /** Written by an older version: the next start changes its tables. */
  readonly older: boolean
  readonly standby?: StandbyHealth | undefined
  /** Seconds of the oldest transaction that has written and not ended, as far as this user may see them; 0: none. */
  readonly oldestTransactionSeconds?: number | undefined
  /** The name of that one, where it was prepared for a two-phase commit and no session has it any more. */
  readonly preparedTransaction?: string | undefined
}

export interface BackupProgress {
  readonly copiedPages: number
  readonly totalPages: number
}

export interface WriterOptions {
  readonly log?: Pick<Log, 'info' | 'warn'> | undefined
  /** Told how many milliseconds the durable part of each commit took, where the engine knows. */
  readonly synced?: (ms: number) => void
  /** A server, not a tool: it has a place among the nodes, where an engine has several. */
  readonly node?: { readonly name: string; readonly version: string } | undefined
}

export interface SharedLimitsOptions {
  /** Counted in this process: all there is where one server at a time has the database. */
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
  /** False: nothing can be read there before a server has made it. A server's database always exists. */
  exists(): boolean
  /** Creates and migrates it when needed. For the one thread of a server that writes, and for tools beside it. */
  openWriter(options?: WriterOptions): Awaitable<WritingSide>
  /** The same, with a reader beside it. */
  openStore(options?: WriterOptions): Awaitable<Store>
  /** Never creates nor migrates. `all`: commits not in place yet are put in place, where the file may be written. */
  openReader(what: 'all' | 'in place'): Awaitable<ReadingSide>
  /** Opens the database with the first read, which rejects with its sentence when that fails, or right away. */
  startReader(putInPlace: FlushJournal): Awaitable<ReaderThread>
  /** Of all servers that share it together; connects when it is first asked. */
  openLimits(options: SharedLimitsOptions): Awaitable<SharedLimits>
  lock(): ServerLock
  /** Takes other users' rights away; returns a sentence for each file where that was not possible. */
  keepPrivate(): readonly string[]
  watch(after: Clock['after']): Promise<DatabaseWatch>
  /** Brings an older one up to date under the server's lock; leaves any other as it is. */
  upgradeAlone(): Awaitable<void>
  /** Into a new, checked copy, while a server may run. @param reserveBytes stay free on the disk of the database */
  backup(target: string, onProgress: (progress: BackupProgress) => void, reserveBytes?: number): Promise<void>
  /** A backup was complete: `figures` tells its age. */
  noteBackup(at: number): void
  /** Puts a checked copy in place under the server's lock; keeps the old one as `aside`. Returns whether any was. */
  restore(source: string, aside: string, onProgress: (progress: BackupProgress) => void): Promise<boolean>
  /** Sizes and the age of the newest backup, for metrics; cheap. */
  figures(): Promise<StorageFigures>
  /** The servers that share it; undefined where there is one. */
  nodes(): Promise<readonly NodeFacts[] | undefined>
  /** Looks without changing anything. */
  check(): Awaitable<DatabaseHealth>
}

/** One that needs no time: kept in a file of this machine. */
export interface FileDatabase extends Database {
  openWriter(options?: WriterOptions): FileWritingSide
  openStore(): FileStore
  openReader(what: 'all' | 'in place'): FileReadingSide
  upgradeAlone(): void
  check(): DatabaseHealth
}

export interface FileWritingSide extends WritingSide {
  readonly close: () => void
}

export interface FileReadingSide extends ReadingSide {
  readonly close: () => void
}

export interface FileStore extends Store {
  readonly close: () => void
}
