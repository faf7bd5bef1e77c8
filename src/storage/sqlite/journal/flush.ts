/** Putting in place what waits: whole charge points, a few milliseconds at a time, each part a transaction. */
import type { Database } from 'better-sqlite3'
import { EnergySlots } from '../../documents/energy-slots.ts'
import type { PendingDocuments } from '../../documents/pending-documents.ts'
import { SEARCH_ENTRY } from '../../rows/search-entry.ts'
import { type DocumentWriters, writeDocuments } from './document-writers.ts'
import type { PlacedMark } from './journal-entry.ts'
import type { Settling, WaitingOfChargePoint, WaitingRows } from './waiting-rows.ts'

/** A group that arrives meanwhile waits as long as for another group, not longer (BENCH-B11). */
const PART_MS = 3
/** Of one charge point at once: about a millisecond. A station may send thousands of messages in a second. */
const ENTRIES_AT_ONCE = 500

/** Writes a row of the journal and returns its id. */
export type PutRow = (firstCommand: number | null, documents: string) => number

interface FlushParts {
  readonly db: Database
  readonly writers: DocumentWriters
  readonly pending: PendingDocuments
  readonly waiting: WaitingRows
  readonly putRow: PutRow
  /** The `writer` of this process's rows. */
  readonly writer: number
  /** Milliseconds of a clock that never steps. */
  readonly now: () => number
}

export interface Flush {
  /** Throws, with everything still waiting, when the database refuses. */
  readonly part: () => void
  /** The same of one charge point. */
  readonly partOf: (chargePointId: string) => void
  /** All of these, at once. */
  readonly chargePoints: (ids: readonly string[]) => void
}

interface Done {
  readonly settling: Settling
  readonly mark: number | undefined
  /** Of one charge point that is not whole yet: how many of its log rows are in the search now. */
  readonly begun: { readonly of: WaitingOfChargePoint; readonly entries: number } | undefined
}

export function createFlush({ db, writers, pending, waiting, putRow, writer, now }: FlushParts): Flush {
  // IGNORE: a command line tool beside the server may have put the same rows in place.
  const index = db.prepare(`INSERT OR IGNORE INTO commands_search
    SELECT ${SEARCH_ENTRY} FROM commands WHERE id IN (SELECT value FROM json_each(?))`)
  const remove = db.prepare('DELETE FROM journal WHERE id = ? AND writer = ?')

  /** Returns how many entries the search has got, fewer than there are when the time was over. */
  const indexCommands = (commands: readonly number[], isOver: () => boolean): number => {
    let done = 0
    while (done < commands.length && !(done > 0 && isOver())) {
      const next = Math.min(commands.length, done + ENTRIES_AT_ONCE)
      index.run(JSON.stringify(commands.slice(done, next)))
      done = next
    }
    return done
  }

  const transaction = db.transaction(
    (chargePoints: Iterable<readonly [string, WaitingOfChargePoint]>, isOver: () => boolean): Done => {
      const placed: string[] = []
      const slots = new EnergySlots()
      let begun: Done['begun']
      for (const [id, of] of chargePoints) {
        const entries = indexCommands(of.commands, isOver)
        if (entries < of.commands.length) {
          begun = { of, entries }
          break
        }
        const documents = pending.of(id)
        if (documents) writeDocuments(writers, id, documents, slots)
        placed.push(id)
        if (isOver()) break
      }
      writers.slots(slots)
      const settling = waiting.settling(placed)
      for (const row of settling.gone) remove.run(row.id, writer)
      for (const mark of settling.outdated) remove.run(mark, writer)
      return { settling, mark: markOf(settling.marked), begun }
    },
  )
  const markOf = (chargePointIds: readonly string[]): number | undefined => {
    if (chargePointIds.length === 0) return undefined
    const marks = chargePointIds.map((chargePointId): PlacedMark => ({ chargePointId, placed: true }))
    return putRow(null, JSON.stringify(marks))
  }
  const settle = ({ settling, mark, begun }: Done): void => {
    for (const id of settling.placed) pending.drop(id)
    waiting.settled(settling, mark)
    begun?.of.commands.splice(0, begun.entries)
  }

  /**
   * Without a sync of the disk: a power cut may undo what was put in place, and then it waits in the journal again. The
   * next group's commit syncs the same file, and with it everything before.
   */
  const place = (chargePoints: Iterable<readonly [string, WaitingOfChargePoint]>, isOver: () => boolean): void => {
    // Part of a larger transaction, which is synced as a whole.
    if (db.inTransaction) {
      settle(transaction(chargePoints, isOver))
      return
    }
    const before = String(db.pragma('synchronous', { simple: true }))
    db.pragma('synchronous = NORMAL')
    try {
      settle(transaction.immediate(chargePoints, isOver))
    } finally {
      db.pragma(`synchronous = ${before}`)
    }
  }
  const part = (chargePoints: Iterable<readonly [string, WaitingOfChargePoint]>): void => {
    const end = now() + PART_MS
    place(chargePoints, () => now() >= end)
  }
  const those = (ids: readonly string[]): readonly (readonly [string, WaitingOfChargePoint])[] =>
    ids.flatMap((id) => {
      const of = waiting.of(id)
      return of ? [[id, of] as const] : []
    })

  return {
    part: () => part(waiting.chargePoints()),
    partOf: (chargePointId) => part(those([chargePointId])),
    chargePoints: (ids) => {
      const found = those(ids)
      if (found.length > 0) place(found, () => false)
    },
  }
}
