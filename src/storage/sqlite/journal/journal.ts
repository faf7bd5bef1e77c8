/**
 * Appends now, places later. A message's log row goes to its table at once. Its documents (status, connectors,
 * transaction, session), its events without a webhook and its search entry belong among others: a page each per
 * message.
 * They are committed as one journal row per group, and a flush writes them, of documents the newest version, into their
 * tables with those of thousands of rows (docs/decisions/0007, 0012, 0021).
 */

import type { Database } from 'better-sqlite3'
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, TransactionKey } from '../../../domain/ports/storage-records.ts'
import { documentsOf, PendingDocuments } from '../../documents/pending-documents.ts'
import type { WaitingEvents } from './apply-change-set.ts'
import { Bases, type DocumentWriters } from './document-writers.ts'
import { createFlush, type PutRow, WaitingChanges } from './flush.ts'
import { spelled } from './journal-entry.ts'
import { recoverJournal } from './recover.ts'

export type Journal = ReturnType<typeof openJournal>

/** First places what an earlier process left behind. */
export function openJournal(db: Database, writers: DocumentWriters, now: () => number = () => performance.now()) {
  recoverJournal(db, writers)
  const pending = new PendingDocuments()
  const waiting = new WaitingChanges()
  const bases = new Bases()
  const writer = db.prepare<[], number>('SELECT abs(random() % 9007199254740991)').pluck().get() ?? 0
  // Above every row that there is and every one that this process ever wrote: an id that another process gave out again
  // would have a flush take away what it does not know.
  const put = db.prepare(`INSERT INTO journal (id, first_command, documents, writer)
    VALUES (max(coalesce((SELECT max(id) FROM journal), 0), ?) + 1, ?, ?, ?)`)
  const oldest = db.prepare<[number], number | null>('SELECT min(first_command) FROM journal WHERE writer = ?').pluck()
  const putRow: PutRow = (firstCommand, documents) =>
    Number(put.run(waiting.newest, firstCommand, documents, writer).lastInsertRowid)
  const flushing = createFlush({ db, writers, pending, waiting, bases, putRow, writer, now })
  const flush = (): void => {
    if (!waiting.hasRowsUpTo(waiting.newest)) return
    const round = flushing.begin()
    while (!round.isDone()) round.part()
  }
  const webhooks = webhookLooks(db)
  let running: Promise<unknown> = Promise.resolve()

  const events: WaitingEvents = {
    hasWebhook: webhooks.has,
    placeEvents: (accountId) => {
      for (const event of pending.eventsOf(accountId)) writers.event(event)
    },
  }

  return {
    ...events,
    /** In each group's transaction, during which no webhook is created: drops cached answers about webhooks. */
    begin: webhooks.forget,
    /** In the group's transaction: one row for all that waits. Call the result after COMMIT: look-ups then see it. */
    append: (group: readonly ChangeSet[]): (() => void) => {
      const { entries, sets, first, noted } = spelled(group, (set) => documentsOf(set, webhooks.has), pending, bases)
      if (first === undefined && entries.length === 0) return () => undefined
      const id = putRow(first ?? null, JSON.stringify(entries))
      return () => {
        noted()
        waiting.noticeRow(id)
        for (const [at, { chargePointId, command }] of group.entries()) {
          const documents = sets[at]?.documents
          if (command || documents) waiting.add(chargePointId, command?.id)
          if (documents) pending.add(documents)
        }
      }
    },
    /** Another process may have placed and removed this one's rows. */
    rewritten: (): void => bases.clear(),
    /** Places everything; throws when the database refuses, and the rest still waits. */
    flush,
    /** In parts of a few milliseconds, with `between` between them (STORE-J3); a caller during a flush waits for it. */
    flushInParts: (between: () => Promise<void>): Promise<void> => {
      const last = waiting.newest
      const parts = async (): Promise<void> => {
        const round = flushing.begin()
        // Another process may place all of it meanwhile.
        const isDone = (): boolean => round.isDone() || !waiting.hasRowsUpTo(last)
        while (!isDone()) {
          round.part()
          if (!isDone()) await between()
        }
      }
      const flushed = running.then(parts)
      running = flushed.catch(() => undefined)
      return flushed
    },
    /** Before log rows are removed: waiting changes then no longer need those before this id (STORE-J6). */
    flushBefore: (command: number): void => {
      if ((oldest.get(writer) ?? command) < command) flush()
    },
    /** Before reads of these charge points' documents from their tables. */
    flushFor: (chargePointIds: readonly string[]): void => {
      const concerned = new Set(chargePointIds.filter((id) => waiting.of(id) !== undefined))
      if (concerned.size > 0) flushing.chargePoints([...concerned])
    },
    /** Before reads of a charge point's documents or log; with `between` in parts. */
    flushOf: async (chargePointId: string, between?: () => Promise<void>): Promise<void> => {
      const last = waiting.newest
      const waits = (): boolean => (waiting.of(chargePointId)?.since ?? Number.POSITIVE_INFINITY) <= last
      while (waits()) {
        flushing.partOf(chargePointId)
        if (between && waits()) await between()
      }
    },
    waiting: (): number => waiting.changes,
    transaction: (chargePointId: string, by: TransactionKey): Transaction | undefined =>
      'startKey' in by
        ? pending.transactionByStartKey(chargePointId, by.startKey)
        : pending.transaction(chargePointId, by.transactionId),
    session: (id: string): Session | undefined => pending.session(id),
  }
}

/** Cached for the events of an account in a group. */
function webhookLooks(db: Database): { readonly has: (accountId: string) => boolean; readonly forget: () => void } {
  const look = db.prepare<[string], 1>('SELECT 1 FROM webhook_subscriptions WHERE account_id = ? LIMIT 1').pluck()
  const known = new Map<string, boolean>()
  return {
    has: (accountId) => {
      const has = known.get(accountId) ?? look.get(accountId) !== undefined
      known.set(accountId, has)
      return has
    },
    forget: () => known.clear(),
  }
}
