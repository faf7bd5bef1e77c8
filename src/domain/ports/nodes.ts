import type { LoadedChargePoint } from './storage-records.ts'

/** Several processes that write to one database: which they are, and whose a charge point is. */

/** `silent`: nothing was heard of it for fifteen seconds. `fenced`: it ended, or others have taken its place. */
export type NodeState = 'live' | 'draining' | 'silent' | 'fenced'

/** One entry of `GET /2/nodes`. */
export interface NodeFacts {
  readonly name: string
  readonly version: string
  /** Milliseconds since the epoch, by the database's clock. */
  readonly since: number
  readonly lastSeenAt: number
  /** Charge points that are connected to it. */
  readonly connections: number
  readonly state: NodeState
}

/** What the core does when the nodes' tables say something else than its memory. */
export interface OwnershipListener {
  connections(): number
  /** These belong to other nodes now. */
  lost(chargePointIds: readonly string[]): void
  /** Another node took this one's place: nothing is its own any more. */
  fenced(): void
  /** A node has ended: its charge points and due work go to the first node that takes them. */
  adopt(): Promise<void>
  /** The database was away for a minute. */
  cutOff(): void
}

/** Absent where one process has the database to itself. */
export interface Ownership {
  /** 0 to 63, part of the log ids that this node gives (STORE-I1). */
  slot(): number
  /** For a connection that opens; the last wins. `loaded: undefined`: this node had it already, its memory holds. */
  claim(chargePointId: string): Promise<{ readonly loaded: LoadedChargePoint | undefined }>
  /** Why this node should get no connections and requests now. */
  notReady(): string | undefined
  /** No new connections are accepted from here on. @returns whether other nodes live */
  leave(): Promise<boolean>
  listen(listener: OwnershipListener): void
}

/** What the operator of a server wants to know about its database; absent where an engine cannot say. */
export interface StorageFigures {
  readonly databaseBytes?: number | undefined
  readonly logBytes?: number | undefined
  readonly diskBytes?: number | undefined
  readonly diskFreeBytes?: number | undefined
  /** When the newest verified backup was complete; milliseconds since the epoch. */
  readonly lastBackupAt?: number | undefined
  /** Age of the oldest open transaction that has written, as far as visible; 0: none. The events feed waits for it. */
  readonly oldestTransactionSeconds?: number | undefined
  /** Servers that follow this one as far as this user may see them. */
  readonly standbys?: number | undefined
  /** Of the write-ahead log that the last one of them has not replayed; absent without one. */
  readonly standbyLagBytes?: number | undefined
}
