/**
 * Appending now, putting in place later. A message's log row and events are only ever added and go to their tables at
 * once. Its documents (status, connectors, transaction, session) and its entry in the search have a place among
 * others: a page each per message. They are committed as one journal row per group, and a fold writes the newest
 * version of each into its table, together with the search entries of thousands of rows (docs/decisions/0007).
 */
import type { Database } from 'better-sqlite3'
import type { Session, Transaction } from '../../../ports/sessions.ts'
import type { ChangeSet } from '../../../ports/storage.ts'
import { sessionById, transactionById } from '../queries/session-queries.ts'
import { SEARCH_ENTRY } from '../rows/search-entry.ts'
import type { DocumentWriters } from './document-writers.ts'
import { entriesOf, type JournalEntry, type Known, restored } from './journal-entry.ts'
import { type Documents, documentsOf, PendingDocuments } from './pending-documents.ts'

export interface Journal {
  /** Within the group's transaction: one row for all that waits. To be called after COMMIT: look-ups then see it. */
  readonly append: (group: readonly ChangeSet[]) => () => void
  /** Puts everything in place; throws, with everything still waiting, when the database refuses. */
  readonly fold: () => void
  /** The same when something of this charge point waits. */
  readonly foldFor: (chargePointId: string) => void
  /** Change sets that wait. */
  readonly waiting: () => number
  readonly transaction: (
    chargePointId: string,
    by: { readonly transactionId: string } | { readonly startKey: string },
  ) => Transaction | undefined
  readonly session: (id: string) => Session | undefined
}

interface JournalRow {
  readonly firstCommand: number | null
  readonly documents: string
}

/** What an earlier process left behind is put in place first. */
export function openJournal(db: Database, writers: DocumentWriters): Journal {
  const put = db.prepare('INSERT INTO journal (first_command, documents) VALUES (?, ?)')
  const clear = db.prepare('DELETE FROM journal')
  const rows = db.prepare<[], JournalRow>('SELECT first_command AS firstCommand, documents FROM journal ORDER BY id')
  // IGNORE: a command line tool beside the server may have folded the same rows.
  const index = db.prepare(`INSERT OR IGNORE INTO commands_search
    SELECT ${SEARCH_ENTRY} FROM commands WHERE id >= ? ORDER BY charge_point, id`)
  const pending = new PendingDocuments()
  let firstCommand: number | undefined
  let waiting = 0

  const notice = (first: number | undefined, documents: readonly Documents[], sets: number): void => {
    firstCommand ??= first
    for (const one of documents) pending.add(one)
    waiting += sets
  }
  const putInPlace = (): void => {
    for (const [chargePointId, { status, connectors, transactions, sessions }] of pending.entries()) {
      if (status) writers.status(chargePointId, status)
      for (const connector of connectors.values()) writers.connector(chargePointId, connector)
      for (const transaction of transactions.values()) writers.transaction(transaction)
      for (const session of sessions.values()) writers.session(session)
    }
    if (firstCommand !== undefined) index.run(firstCommand)
    clear.run()
  }
  const forget = (): void => {
    pending.clear()
    firstCommand = undefined
    waiting = 0
  }
  // A tool beside the server may have folded what an entry builds on: then the tables have it.
  const storedTransaction = transactionById(db)
  const storedSession = sessionById(db)
  const known: Known = {
    transaction: (chargePointId, id) => pending.transaction(chargePointId, id) ?? storedTransaction(chargePointId, id),
    session: (id) => pending.session(id) ?? storedSession(id),
  }
  const fold = db.transaction(putInPlace)
  const recover = db.transaction(() => {
    for (const row of rows.all()) {
      notice(row.firstCommand ?? undefined, [], 1)
      for (const entry of JSON.parse(row.documents) as JournalEntry[]) pending.add(restored(entry, known))
    }
    putInPlace()
  })

  if (rows.get()) {
    recover.immediate()
    forget()
  }
  const journal: Journal = {
    append: (group) => {
      const documents = group.flatMap((set) => documentsOf(set) ?? [])
      const first = firstCommandOf(group)
      if (first === undefined && documents.length === 0) return () => undefined
      put.run(first ?? null, JSON.stringify(entriesOf(documents, pending)))
      return () => notice(first, documents, group.length)
    },
    fold: () => {
      if (waiting === 0) return
      fold.immediate()
      forget()
    },
    foldFor: (chargePointId) => {
      if (pending.concern(chargePointId)) journal.fold()
    },
    waiting: () => waiting,
    transaction: (chargePointId, by) =>
      'startKey' in by
        ? pending.transactionByStartKey(chargePointId, by.startKey)
        : pending.transaction(chargePointId, by.transactionId),
    session: (id) => pending.session(id),
  }
  return journal
}

/** Log ids rise with the order of commits: the first one is the lowest. */
function firstCommandOf(group: readonly ChangeSet[]): number | undefined {
  return group.find(({ command }) => command)?.command?.id
}
