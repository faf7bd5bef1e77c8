import type { Reads } from '../../domain/ports/storage.ts'

export type Cell = string | number | null

/** A row of the source: its place, which rises, then the requested columns. */
export type CopiedRow = readonly [place: number, ...cells: Cell[]]

export interface Extent {
  readonly rows: number
  readonly last: number
}

export interface CopySource {
  readonly shown: string
  readonly extentOf: (table: string) => Extent
  /** Behind this place, in order. No other query may run before the reader ends it. */
  readonly rowsAfter: (table: string, columns: readonly string[], place: number) => IterableIterator<CopiedRow>
  readonly bounds: (table: string, column: string) => Bounds
  /** The last number that a table assigned, also to a deleted row. */
  readonly lastNumber: (table: string) => number
  /** Ids of this many sessions, from all over the table. */
  readonly sampleOfSessions: (count: number) => readonly string[]
  readonly openReads: () => Promise<{ readonly reads: Reads; readonly close: () => void | Promise<void> }>
  readonly release: () => void
}

export interface Bounds {
  readonly least: Cell
  readonly greatest: Cell
}

export interface CopyProgress {
  readonly phase: 'copy' | 'verify'
  readonly rows: number
  readonly total: number
}

export interface CopyReport {
  readonly tables: number
  readonly rows: number
  /** Rows from before this run, which continued another. */
  readonly rowsBefore: number
  readonly rebuilt: number
}

export interface CopyWork {
  readonly report: (progress: CopyProgress) => void
  /** Decides a session again from the stored messages: the result must be the same in both. */
  readonly rebuild: (reads: Reads, sessionId: string) => Promise<unknown>
}

export interface CopyTarget {
  readonly shown: string
  /** All of it, or what an earlier run left; verified before other use. */
  readonly copyFrom: (source: CopySource, work: CopyWork) => Promise<CopyReport>
  readonly close: () => Promise<void>
}
