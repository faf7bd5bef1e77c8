/** Writes the changes of one message, inside the transaction that commit.ts opened. */

import type { Database } from 'better-sqlite3'
import { envelopeAround } from '../../../domain/events/emission.ts'
import type { IdToken } from '../../../domain/ports/id-tokens.ts'
import type {
  ChangeSet,
  Command,
  CommandAnswer,
  CommandError,
  CommitResult,
} from '../../../domain/ports/storage-records.ts'
import type { NewEvent } from '../../../domain/ports/storage-webhooks.ts'
import { isPlacedLater, type RecordChange } from '../../../domain/records/records.ts'
import { recordStatement, requireRow } from '../../cold/records.ts'
import {
  deliveryOf,
  eventRow,
  eventStatements,
  supersededBy,
  writeSettlement,
} from '../../cold/webhooks/record-event.ts'
import { requireStorable } from '../../documents/pending-documents.ts'
import { DIRECTIONS, SEARCH_ENTRY, STATUSES } from '../../rows/command-row.ts'
import { type Now, sqliteDialect } from '../dialect.ts'
import { statementCache } from '../reads/statements.ts'

/** The journal's knowledge of events without a webhook (HOOK-F9), within the group's transaction. */
export interface WaitingEvents {
  readonly hasWebhook: (accountId: string) => boolean
  /** Before additions to the account's feeds; placed events stay waiting, should the group fail. */
  readonly placeEvents: (accountId: string) => void
}

export type ChangeSetWriter = (set: ChangeSet) => CommitResult

const APPLIED: CommitResult = { ok: true }
const DUE: CommitResult = { ok: true, due: true }

/** Append-only data; the rest waits in the journal (journal.ts). */
export function appendingWriter(db: Database, names: LogNames, now: Now, journal: WaitingEvents): ChangeSetWriter {
  const commands = commandWriter(db, names)
  const putIdToken = idTokenWriter(db)
  const tell = eventWriter(db, journal)
  const put = recordWriter(db)
  return (set) => {
    requireStorable(set)
    let due = false
    if (set.command) commands.insert(set.command)
    if (set.answer) commands.answer(set.chargePointId, set.answer)
    if (set.idTokens) for (const idToken of set.idTokens) putIdToken(idToken)
    if (set.events) for (const event of set.events) if (tell(event)) due = true
    if (set.settlements) for (const entry of set.settlements) now(writeSettlement(entry))
    if (set.records)
      for (const change of set.records) {
        if (isPlacedLater(change.kind)) requireRow(change)
        else put(change)
      }
    return due ? DUE : APPLIED
  }
}

/** `eventWork` by prepared statements. Of an account without a webhook they wait in the journal (HOOK-F9). */
function eventWriter(db: Database, { hasWebhook, placeEvents }: WaitingEvents): (event: NewEvent) => boolean {
  const statements = eventStatements(sqliteDialect)
  const put = db.prepare<unknown[]>(statements.put)
  const supersede = db.prepare<unknown[]>(statements.supersede)
  const deliver = db.prepare<unknown[]>(statements.deliver)
  const deliverTo = db.prepare<unknown[]>(statements.deliverTo)
  return (event) => {
    if (!hasWebhook(event.accountId)) return false
    placeEvents(event.accountId)
    put.run(...eventRow(event, envelopeAround(event)))
    const superseded = supersededBy(event)
    if (superseded) supersede.run(...superseded)
    const values = deliveryOf(event)
    const reported = deliver.run(...values).changes
    if (event.alsoTo === undefined) return reported > 0
    return reported + deliverTo.run(...values, JSON.stringify(event.alsoTo)).changes > 0
  }
}

export function recordWriter(db: Database): (change: RecordChange) => void {
  const prepared = statementCache(db)
  return (change) => {
    const { sql, values } = recordStatement(change)
    prepared(sql).run(...values)
  }
}

function idTokenWriter(db: Database): (token: IdToken) => void {
  const put = db.prepare(`INSERT INTO id_tokens (account_id, id, type, status, expires_at, group_id, created_at)
    VALUES (?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET type = excluded.type, status = excluded.status, expires_at = excluded.expires_at,
      group_id = excluded.group_id`)
  return (token) =>
    put.run(
      token.accountId,
      token.id,
      token.type,
      token.status,
      token.expiresAt ?? null,
      token.groupId ?? null,
      token.createdAt,
    )
}

/** Writes the log: the hottest statements of the product. */
export function commandWriter(db: Database, names: LogNames) {
  const insert = db.prepare(`INSERT INTO commands (id, charge_point, direction, method, message_id, protocol,
    connector_id, evse_id, transaction_id, status, request, response, error, answered_at, schema_errors)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
  const answer = db.prepare(`UPDATE commands SET status = ?, response = ?, error = ?, answered_at = ?,
    transaction_id = coalesce(?, transaction_id), schema_errors = ? WHERE id = ?`)
  const indexAgain = db.prepare(`REPLACE INTO commands_search SELECT ${SEARCH_ENTRY} FROM commands
    WHERE id = ? AND EXISTS (SELECT 1 FROM commands_search WHERE charge_point = ? AND id = ?)`)
  return {
    insert: (command: Command) => {
      insert.run(
        command.id,
        names.chargePoint(command.chargePointId),
        DIRECTIONS.indexOf(command.direction),
        names.method(command.method),
        command.messageId,
        names.protocol(command.protocol),
        command.connectorId ?? null,
        command.evseId ?? null,
        command.transactionId ?? null,
        STATUSES.indexOf(command.status),
        command.request,
        command.response ?? null,
        errorText(command.error),
        command.answeredAt ?? null,
        command.schemaErrors ?? null,
      )
    },
    // Ignores rows that retention removed meanwhile, and search entries still to come.
    answer: (chargePointId: string, given: CommandAnswer) => {
      answer.run(
        STATUSES.indexOf(given.status),
        given.response ?? null,
        errorText(given.error),
        given.answeredAt ?? null,
        given.transactionId ?? null,
        given.schemaErrors ?? null,
        given.id,
      )
      indexAgain.run(given.id, names.chargePoint(chargePointId), given.id)
    },
  }
}

function errorText(error: CommandError | undefined): string | null {
  return error === undefined ? null : JSON.stringify(error)
}

/** Bounds the memory for names that a hostile station invents. */
const REMEMBERED = 10_000

export type LogNames = ReturnType<typeof logNames>

/** Names that repeat in every log row, kept once and referred to by a small integer. */
export function logNames(db: Database) {
  const chargePoints = dictionary(db, 'log_charge_points')
  const methods = dictionary(db, 'log_methods')
  const protocols = dictionary(db, 'log_protocols')
  return {
    chargePoint: chargePoints.keep,
    method: methods.keep,
    protocol: protocols.keep,
    /** After a rollback, a renamed row, or another process's write, the cache may be wrong. */
    forget: (): void => {
      for (const one of [chargePoints, methods, protocols]) one.forget()
    },
  }
}

function dictionary(db: Database, table: 'log_charge_points' | 'log_methods' | 'log_protocols') {
  const find = db.prepare<[string], number>(`SELECT key FROM ${table} WHERE name = ?`).pluck()
  const insert = db.prepare<[string]>(`INSERT INTO ${table} (name) VALUES (?)`)
  const known = new Map<string, number>()
  return {
    /** Key of a name, assigned when new. Only inside a write transaction. */
    keep: (name: string): number => {
      const remembered = known.get(name)
      if (remembered !== undefined) return remembered
      const key = find.get(name) ?? Number(insert.run(name).lastInsertRowid)
      if (known.size >= REMEMBERED) known.clear()
      known.set(name, key)
      return key
    },
    forget: () => known.clear(),
  }
}
