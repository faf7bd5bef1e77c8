/** What ended processes left in the journal, or a running one has not placed yet. */

import type { Database } from 'better-sqlite3'
import { logIdTime } from '../../../domain/message-log/log-id.ts'
import type { DecidedBy } from '../../../domain/ports/storage-records.ts'
import { NO_RECORDS } from '../../../domain/records/records.ts'
import type { Changes } from '../../../domain/sessions/decision.ts'
import { decideAgain, type RowDecided } from '../../../ocpp/admission.ts'
import { eventRow } from '../../cold/webhooks/record-event.ts'
import { EnergySlots } from '../../documents/energy-slots.ts'
import { type Documents, PendingDocuments } from '../../documents/pending-documents.ts'
import { SEARCH_ENTRY } from '../../rows/command-row.ts'
import { sessionById, transactionById } from '../queries/session-queries.ts'
import { type DocumentWriters, writeDocuments } from './document-writers.ts'
import { CHANGED, type DecidedAgain, type Known, restored, type Spelled } from './journal-entry.ts'

interface JournalRow {
  readonly firstCommand: number | null
  readonly documents: string
  readonly writer: number | null
}

/** Places everything and empties the journal, in one transaction (STORE-J1). */
export function recoverJournal(db: Database, writers: DocumentWriters): void {
  const rows = db.prepare<[], JournalRow>(
    'SELECT first_command AS firstCommand, documents, writer FROM journal ORDER BY id',
  )
  const clear = db.prepare('DELETE FROM journal')
  // IGNORE: a part of a flush may have added some to the search already.
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
    for (const [, events] of pending.events()) for (const event of events) writers.event(event)
    writers.slots(slots)
    const first = firstCommandOf(left)
    if (first !== undefined) index.run(first)
    clear.run()
  })
  if (rows.get()) recover.immediate()
}

function documentsOf(db: Database, rows: readonly JournalRow[]): PendingDocuments {
  const pending = new PendingDocuments()
  // A tool beside the server may have placed an entry's base: then the tables have it.
  const storedTransaction = transactionById(db)
  const storedSession = sessionById(db)
  const known: Known = {
    transaction: (chargePointId, id) => pending.transaction(chargePointId, id) ?? storedTransaction(chargePointId, id),
    session: (id) => pending.session(id) ?? storedSession(id),
  }
  const read = rows.map((row) => ({ ...row, entries: JSON.parse(row.documents) as Spelled[] }))
  const placedBefore = new Map<string, number>()
  const keyOf = (writer: number | null, chargePointId: string): string => `${writer} ${chargePointId}`
  read.forEach(({ writer, entries }, position) => {
    for (const entry of entries) if ('placed' in entry) placedBefore.set(keyOf(writer, entry.chargePointId), position)
  })
  const decided = decidedAgain(db, pending)
  const settings = new Map<number | null, DecidedBy['settings']>()
  read.forEach(({ writer, firstCommand, entries }, position) => {
    const isPlaced = (chargePointId: string): boolean =>
      position <= (placedBefore.get(keyOf(writer, chargePointId)) ?? Number.NEGATIVE_INFINITY)
    for (const entry of entries) {
      if ('placed' in entry) continue
      if ('settings' in entry) settings.set(writer, entry.settings)
      else if ('chargePointId' in entry) {
        if (!isPlaced(entry.chargePointId)) pending.add(restored(entry, known))
      } else {
        const documents = decided(entry, firstCommand ?? 0, settings.get(writer), isPlaced)
        if (documents) pending.add(documents)
      }
    }
  })
  return pending
}

interface LoggedRow extends RowDecided {
  readonly chargePointId: string
  /** Null: deleted since; what was waiting is placed already. */
  readonly accountId: string | null
}

/** STORE-J6: from the journal alone, as the tables may be ahead. */
function decidedAgain(db: Database, pending: PendingDocuments) {
  const find = db.prepare<[number], LoggedRow>(`SELECT command.id, command.message_id AS messageId, command.request,
      (SELECT name FROM log_methods WHERE key = command.method) AS method,
      (SELECT name FROM log_protocols WHERE key = command.protocol) AS protocol,
      log.name AS chargePointId, (SELECT account_id FROM charge_points WHERE id = log.name) AS accountId
    FROM commands AS command JOIN log_charge_points AS log ON log.key = command.charge_point WHERE command.id = ?`)
  return (
    [id, waitedMs, changed]: DecidedAgain,
    first: number,
    settings: DecidedBy['settings'] | undefined,
    isPlaced: (chargePointId: string) => boolean,
  ): Documents | undefined => {
    const row = find.get(first + id)
    if (!row || !settings)
      throw new Error(`The journal names a message that it lacks (${first + id}): restore a backup.`)
    const { chargePointId, accountId } = row
    if (accountId === null || isPlaced(chargePointId)) return undefined
    const { status = {}, connectors, transactions, sessions } = pending.of(chargePointId) ?? NOTHING
    const records = NO_RECORDS
    const state = {
      chargePointId,
      accountId,
      registrationStatus: 'Accepted',
      status,
      connectors,
      transactions,
      sessions,
      records,
    } as const
    const changes = decideAgain(state, row, { receivedAt: logIdTime(row.id) - waitedMs, settings })
    const part = <Name extends Exclude<keyof typeof CHANGED, 'events'>>(name: Name): Changes[Name] => {
      if ((changed & CHANGED[name]) === 0) return undefined
      if (!changes[name]) throw new Error(`Message ${row.id} no longer changes its ${name}: restore a backup.`)
      return changes[name]
    }
    return {
      chargePointId,
      status: undefined,
      connectors: part('connectors'),
      transactions: part('transactions'),
      sessions: part('sessions'),
      records: part('records'),
      // With their original ids: those already placed stay (HOOK-F9).
      events: changed & CHANGED.events ? changes.happened.map((event) => eventRow(event, event.data)) : undefined,
    }
  }
}

const NOTHING = { status: {}, connectors: new Map(), transactions: new Map(), sessions: new Map() }

function firstCommandOf(rows: readonly JournalRow[]): number | undefined {
  let first: number | undefined
  for (const { firstCommand } of rows) {
    if (firstCommand !== null && (first === undefined || firstCommand < first)) first = firstCommand
  }
  return first
}
