/** Rows sent together: those of one turn, and those gathered while others are under way. */
import type { After } from '../connection/repeat.ts'

const AGAIN_MS = 100

export interface Batches<Row> {
  add(row: Row): void
  /** All rows so far were sent or became unnecessary. */
  whenSent(): Promise<void>
}

/** @param isRequested asked before each attempt: rows without a waiting caller are dropped */
export function createBatches<Row>(
  send: (rows: readonly Row[]) => Promise<unknown>,
  after: After,
  isRequested: (row: Row) => boolean,
): Batches<Row> {
  let gathered: Row[] = []
  let isUnderWay = false
  let sent: Promise<void> = Promise.resolve()
  const sendAll = async (): Promise<void> => {
    while (gathered.length > 0) {
      const rows = gathered.filter(isRequested)
      gathered = []
      if (rows.length === 0) continue
      try {
        await send(rows)
      } catch {
        gathered = [...rows, ...gathered]
        await new Promise<void>((resolve) => after(AGAIN_MS, resolve))
      }
    }
    isUnderWay = false
  }
  return {
    add(row) {
      gathered.push(row)
      if (isUnderWay) return
      isUnderWay = true
      sent = new Promise<void>((resolve) => setImmediate(resolve)).then(sendAll)
    },
    whenSent: () => sent,
  }
}
