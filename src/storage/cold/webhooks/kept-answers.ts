/** Answers kept for repeated requests with an Idempotency-Key (HOOK-S5). */
import { eq } from 'drizzle-orm'
import type { WebhookReads, WebhookWrites } from '../../../domain/ports/storage-webhooks.ts'
import { keptAnswers } from '../../schema/webhooks.ts'
import { change, find, type Operations } from '../work.ts'

const KEPT_MS = 24 * 3600_000
/** Each new one removes a few old ones, so that the table needs no sweeper. */
const REMOVED_AT_ONCE = 10

const PUT = `INSERT INTO kept_answers (name, at, sealed) VALUES (@name, @at, @sealed)
  ON CONFLICT (name) DO UPDATE SET at = excluded.at, sealed = excluded.sealed`
const PRUNE = `DELETE FROM kept_answers WHERE name IN (
  SELECT name FROM kept_answers WHERE at <= ? ORDER BY at LIMIT ${REMOVED_AT_ONCE})`

export const keptAnswerWrites = {
  *keepAnswer(answer) {
    yield* change(PRUNE, [answer.at - KEPT_MS])
    yield* change(PUT, { ...answer })
  },
} satisfies Partial<Operations<WebhookWrites>>

export const keptAnswerReads = {
  findKeptAnswer: (name) => find(keptAnswers, eq(keptAnswers.name, name)),
} satisfies Partial<Operations<WebhookReads>>
