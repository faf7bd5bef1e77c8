/** Writing what one message changes. Runs inside the transaction that commit.ts opened. */
import type { Database } from 'better-sqlite3'
import type { IdToken } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, CommitResult } from '../../../domain/ports/storage.ts'
import { isPlacedLater } from '../../../domain/records/records.ts'
import { requireRow, writeRecord } from '../../cold/records.ts'
import { eventWork, writeSettlement } from '../../cold/webhooks/record-event.ts'
import { requireStorable } from '../../documents/pending-documents.ts'
import { sqliteDialect } from '../dialect.ts'
import type { LogNames } from '../rows/dictionary.ts'
import type { Now } from '../run-cold.ts'
import { commandWriter } from './apply-command.ts'

/** Says what `CommitResult` says of a set that was applied. */
export type ChangeSetWriter = (set: ChangeSet) => CommitResult

const APPLIED: CommitResult = { ok: true }
const DUE: CommitResult = { ok: true, due: true }

/** What is only ever added; the rest waits in the journal (journal.ts). */
export function appendingWriter(db: Database, names: LogNames, now: Now): ChangeSetWriter {
  const commands = commandWriter(db, names)
  const putIdToken = idTokenWriter(db)
  const tell = eventWork(sqliteDialect)
  return (set) => {
    requireStorable(set)
    let due = false
    if (set.command) commands.insert(set.command)
    if (set.answer) commands.answer(set.chargePointId, set.answer)
    for (const idToken of set.idTokens ?? []) putIdToken(idToken)
    for (const event of set.events ?? []) if (now(tell(event))) due = true
    for (const entry of set.settlements ?? []) now(writeSettlement(entry))
    for (const change of set.records ?? []) {
      if (isPlacedLater(change.kind)) requireRow(change)
      else now(writeRecord(change))
    }
    return due ? DUE : APPLIED
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
