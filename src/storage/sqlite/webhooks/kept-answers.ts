/** Answers kept for requests that come again under the same Idempotency-Key (HOOK-S5). */
import type { Database } from 'better-sqlite3'
import type { KeptAnswer, WebhookReads, WebhookWrites } from '../../../ports/storage-webhooks.ts'

const KEPT_MS = 24 * 3600_000
/** A few old ones go with each new one, so that the table needs no sweeper. */
const REMOVED_AT_ONCE = 10

export function keptAnswerWrites(db: Database): Pick<WebhookWrites, 'keepAnswer'> {
  const put = db.prepare('INSERT OR REPLACE INTO kept_answers (name, at, sealed) VALUES (@name, @at, @sealed)')
  const prune = db.prepare(`DELETE FROM kept_answers WHERE name IN (
    SELECT name FROM kept_answers WHERE at <= ? ORDER BY at LIMIT ${REMOVED_AT_ONCE})`)
  const keep = db.transaction((answer: KeptAnswer) => {
    prune.run(answer.at - KEPT_MS)
    put.run(answer)
  })
  return {
    keepAnswer: async (answer) => {
      keep.immediate(answer)
    },
  }
}

export function keptAnswerReads(db: Database): Pick<WebhookReads, 'findKeptAnswer'> {
  const find = db.prepare<[string], KeptAnswer>('SELECT name, at, sealed FROM kept_answers WHERE name = ?')
  return { findKeptAnswer: async (name) => find.get(name) }
}
