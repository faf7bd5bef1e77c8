/** Counts the log rows of one sender, and those beyond its limit (row-limit.ts). */
import type { RefusedConnection } from '../../domain/ports/core.ts'

/** Refused connections of one reason within an hour (unaccepted.ts). */
export interface RefusalCount {
  readonly id: number
  readonly firstAt: number
  readonly stationId: string
  readonly accountId: string | undefined
  because: RefusedConnection
  count: number
}

export interface NotKept {
  messages: number
  bytes: number
  readonly since: number
}

export class RowCount {
  since = Number.NEGATIVE_INFINITY
  kept = 0
  lost: NotKept | undefined

  take(now: number, spanMs: number, most: number): boolean {
    // The second comparison: the clock was set back.
    if (now - this.since >= spanMs || now < this.since) {
      this.since = now
      this.kept = 0
    }
    return this.kept < most && ++this.kept > 0
  }
}
