/** What processes that are gone left in the journal, or a running one has not put in place yet. */
import type { Database } from 'better-sqlite3'
import { EnergySlots } from '../../documents/energy-slots.ts'
import { PendingDocuments } from '../../documents/pending-documents.ts'
import { SEARCH_ENTRY } from '../../rows/search-entry.ts'
import { sessionById, transactionById } from '../queries/session-queries.ts'
import { type DocumentWriters, writeDocuments } from './document-writers.ts'
import { type JournalEntry, type Known, type PlacedMark, restored } from './journal-entry.ts'

interface JournalRow {
  readonly firstCommand: number | null
  readonly documents: string
  readonly writer: number | null
}

/** Puts all of it in place and empties the journal, in one transaction (STORE-J1). */
export function recoverJournal(db: Database, writers: DocumentWriters): void {
  const rows = db.prepare<[], JournalRow>(
    'SELECT first_command AS firstCommand, documents, writer FROM journal ORDER BY id',
  )
  const clear = db.prepare('DELETE FROM journal')
  // IGNORE: the search may have some of them already, from a part of a flush.
  const index = db.prepare(`INSERT OR IGNORE INTO commands_search
    SELECT ${SEARCH_ENTRY} FROM commands WHERE id >= ? ORDER BY charge_point, id`)
  const recover = db.transaction(() => {
    const left = rows.all()
    const pending = documentsOf(db, left)
    const slots = new EnergySlots()
    for (const id of pending.chargePoints()) {
      const documents = pending.of(id)
      if (documents) writeDocuments(writers, id, documents, slots)
    }
    writers.slots(slots)
    const first = firstCommandOf(left)
    if (first !== undefined) index.run(first)
    clear.run()
  })
  if (rows.get()) recover.immediate()
}

function documentsOf(db: Database, rows: readonly JournalRow[]): PendingDocuments {
  const pending = new PendingDocuments()
  // A tool beside the server may have put in place what an entry builds on: then the tables have it.
  const storedTransaction = transactionById(db)
  const storedSession = sessionById(db)
  const known: Known = {
    transaction: (chargePointId, id) => pending.transaction(chargePointId, id) ?? storedTransaction(chargePointId, id),
    session: (id) => pending.session(id) ?? storedSession(id),
  }
  const read = rows.map((row) => ({ ...row, entries: JSON.parse(row.documents) as (JournalEntry | PlacedMark)[] }))
  const placedBefore = new Map<string, number>()
  const keyOf = (writer: number | null, chargePointId: string): string => `${writer} ${chargePointId}`
  read.forEach(({ writer, entries }, position) => {
    for (const entry of entries) if ('placed' in entry) placedBefore.set(keyOf(writer, entry.chargePointId), position)
  })
  read.forEach(({ writer, entries }, position) => {
    for (const entry of entries) {
      if ('placed' in entry) continue
      const mark = placedBefore.get(keyOf(writer, entry.chargePointId))
      if (mark === undefined || position > mark) pending.add(restored(entry, known))
    }
  })
  return pending
}

function firstCommandOf(rows: readonly JournalRow[]): number | undefined {
  let first: number | undefined
  for (const { firstCommand } of rows) {
    if (firstCommand !== null && (first === undefined || firstCommand < first)) first = firstCommand
  }
  return first
}
