/** How many rows of the log one sender caused of late, and what was not kept beyond them (row-limit.ts). */

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
    // The other comparison: the clock was put back.
    if (now - this.since >= spanMs || now < this.since) {
      this.since = now
      this.kept = 0
    }
    return this.kept < most && ++this.kept > 0
  }
}
