/**
 * SQLite's API here cannot stop a running statement, so a scan of the log is many statements, each over a part of the
 * window (docs/decisions/0011). Between two of them other queries have their turn, and a query can be stopped
 * (SEARCH-Q12).
 */
import type { Database } from 'better-sqlite3'
import type { Steps } from '../../../threads/turns.ts'

/** A statement's target: long against its own overhead, short for a waiting query. */
const TARGET_MS = 4
/** Rows of the first part: a fraction of a millisecond. It shows the log's density. */
const FIRST_ROWS = 2000
/** Per part: one part's time says little where the log suddenly becomes denser, or disk or processor were busy. */
const MAX_CHANGE = 2
/** Of the first part's rows: fewer cost more in statements than in rows. */
const LEAST_SHARE = 1 / 8
/** However slow the statements are, a scan comes to its end. */
const MAX_PARTS = 10_000
/** In log ids, 30 days: after a silent year the messages of one month can be in one part, not those of half a year. */
const MAX_WIDTH = 30 * 24 * 3600_000 * 4096

export interface Part {
  readonly fromId: number
  /** Exclusive. */
  readonly below: number
}

/** Milliseconds of a monotonic clock. */
export type Stopwatch = () => number

export interface Slices {
  /** Newest first. @param work returns how far it came: `part.fromId` when done; undefined when it needs no more */
  walk(chargePoint: number, window: Part, work: (part: Part) => number | undefined): Steps<void>
}

export function logSlices(db: Database, stopwatch: Stopwatch): Slices {
  const nth = db
    .prepare<[number, number, number, number], number>(
      'SELECT id FROM commands_search WHERE charge_point = ? AND id >= ? AND id < ? ORDER BY id DESC LIMIT 1 OFFSET ?',
    )
    .pluck()
  return {
    *walk(chargePoint, { fromId, below: end }, work) {
      const first = nth.get(chargePoint, fromId, end, FIRST_ROWS)
      // A window with fewer rows is one part.
      let width = first === undefined ? end - fromId : end - first
      const least = Math.min(MAX_WIDTH, Math.ceil(Math.max(width * LEAST_SHARE, (end - fromId) / MAX_PARTS)))
      for (let below = end; below > fromId; ) {
        // A log this sparse may have been silent for years, or begin only now.
        if (width === MAX_WIDTH) below = (nth.get(chargePoint, fromId, below, 0) ?? fromId - 1) + 1
        if (below <= fromId) return
        const part = { fromId: Math.max(fromId, below - width), below }
        const startedAt = stopwatch()
        const reached = work(part)
        if (reached === undefined) return
        // An unfinished part was full of hits: its time says nothing about the width.
        if (reached <= part.fromId) width = Math.max(least, nextWidth(width, stopwatch() - startedAt))
        below = reached
        yield
      }
    },
  }
}

function nextWidth(width: number, tookMs: number): number {
  const change = Math.max(1 / MAX_CHANGE, Math.min(MAX_CHANGE, TARGET_MS / Math.max(tookMs, 1)))
  return Math.min(MAX_WIDTH, Math.ceil(width * change))
}
