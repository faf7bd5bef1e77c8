import type { Reads } from '../../domain/ports/storage.ts'

export type Cell = string | number | null

/** A row of the source: its place, which rises and begins every row, then the columns that were asked for. */
export type CopiedRow = readonly [place: number, ...cells: Cell[]]

export interface Extent {
  readonly rows: number
  readonly last: number
}

export interface CopySource {
  readonly shown: string
  readonly extentOf: (table: string) => Extent
  /** Behind this place, in their order. Nothing else may be asked until the reader has ended it. */
  readonly rowsAfter: (table: string, columns: readonly string[], place: number) => IterableIterator<CopiedRow>
  readonly bounds: (table: string, column: string) => Bounds
  /** The last number that a table has given to a row of it, also to one that is gone. */
  readonly lastNumber: (table: string) => number
  /** Ids of so many sessions, from all over the table. */
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
  /** Of them before this run began: it went on where another one had ended. */
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
  /** All of it, or what an earlier run left; verified before anybody else may use it. */
  readonly copyFrom: (source: CopySource, work: CopyWork) => Promise<CopyReport>
  readonly close: () => Promise<void>
}
