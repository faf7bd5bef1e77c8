/** Results of attempts: for delivery, log and the subscription's health (HOOK-R4, HOOK-R5, HOOK-R6, HOOK-F4). */

import { eq } from 'drizzle-orm'
import { withAttempt } from '../../../domain/deliveries/lanes.ts'
import { isGivenUp } from '../../../domain/deliveries/outcome.ts'
import type {
  Attempt,
  DisabledReason,
  DisabledSubscription,
  FinishedAttempt,
  WebhookReads,
  WebhookWrites,
} from '../../../domain/ports/storage-webhooks.ts'
import { keptAnswers } from '../../schema/webhooks.ts'
import { change, find, type Operations, value, type Work } from '../work.ts'
import { writeAttempt } from './rows.ts'
import { disable, findSubscription } from './subscriptions.ts'

const LOG = `INSERT INTO webhook_attempts (delivery_id, number, at, document) VALUES (?, ?, ?, ?)
  ON CONFLICT (delivery_id, number, at) DO UPDATE SET document = excluded.document`
// A success counts even when its lease or its grant ended meanwhile; a failure never overrides anything (HOOK-F4).
const FINISH = `UPDATE webhook_deliveries SET state = @state, attempts = @attempts,
    due_at = coalesce(@dueAt, due_at), delay_ms = @delayMs, ordered = 0, lease_until = NULL, finished_at = @finishedAt
  WHERE id = @id AND (state = 'in_flight' OR (@state = 'succeeded' AND state IN ('pending', 'held', 'cancelled')))`
/** A failure from before the receiver asked for the pause does not count; a later success ends the pause (HOOK-R2). */
const BEGAN_BEFORE_PAUSE = '@at < paused_until - coalesce(paused_for_ms, 0)'
const SUCCEEDED = `UPDATE webhook_subscriptions SET consecutive_failures = 0,
    attempts_since_success = 0, failing_since = NULL, last_success_at = @now, last_error = NULL,
    paused_until = CASE WHEN ${BEGAN_BEFORE_PAUSE} THEN paused_until END, answer_ms = @answerMs
  WHERE id = @id`
// Of two pauses the later end counts.
const FAILED = `UPDATE webhook_subscriptions SET consecutive_failures = consecutive_failures + 1,
    attempts_since_success = attempts_since_success + 1, failing_since = coalesce(failing_since, @at),
    last_error = @error, answer_ms = @answerMs,
    paused_for_ms = CASE WHEN @pausedUntil > coalesce(paused_until, 0) THEN @pausedForMs ELSE paused_for_ms END,
    paused_until = CASE WHEN @pausedUntil > coalesce(paused_until, 0) THEN @pausedUntil ELSE paused_until END
  WHERE id = @id`
const PACE = 'SELECT answer_ms FROM webhook_subscriptions WHERE id = ?'

export const resultWrites: Operations<Pick<WebhookWrites, 'finishAttempts'>> = {
  *finishAttempts(finished, now) {
    const disabled: DisabledSubscription[] = []
    for (const one of finished) {
      const { deliveryId, subscriptionId, attempt, state, dueAt = null } = one
      yield* change(LOG, [deliveryId, attempt.number, attempt.at, writeAttempt(attempt)])
      const reason = yield* countHealth(one, now)
      if (reason !== undefined) disabled.push({ id: subscriptionId, reason })
      const waits = state === 'pending' || state === 'gone'
      const kept = waits ? WAITING[(yield* findSubscription(subscriptionId))?.status ?? 'revoked'] : state
      yield* change(FINISH, {
        id: deliveryId,
        state: kept,
        attempts: attempt.number,
        dueAt,
        delayMs: dueAt === null ? 0 : Math.max(0, dueAt - now),
        finishedAt: kept === 'pending' || kept === 'held' ? null : now,
      })
    }
    return disabled
  },
}

function* countHealth(finished: FinishedAttempt, now: number): Work<DisabledReason | undefined> {
  const { subscriptionId: id, attempt, state, pausedUntil = null } = finished
  const pace = (yield* value<number | null>(PACE, [id])) ?? undefined
  const attempted = { id, at: attempt.at, now, answerMs: withAttempt(pace, attempt.durationMs) }
  if (state === 'succeeded') {
    yield* change(SUCCEEDED, attempted)
    return undefined
  }
  const pausedForMs = pausedUntil === null ? null : pausedUntil - now
  yield* change(FAILED, { ...attempted, error: errorText(attempt), pausedUntil, pausedForMs })
  const subscription = yield* findSubscription(id)
  if (state === 'gone') return (yield* disable(id, 'gone', now)) ? 'gone' : undefined
  if (!subscription || !isGivenUp(subscription.failingSince, subscription.attemptsSinceSuccess, now)) return undefined
  return (yield* disable(id, 'failing', now)) ? 'failing' : undefined
}

const WAITING = { active: 'pending', disabled: 'held', revoked: 'cancelled' } as const

function errorText({ status, error }: Attempt): string {
  return status === undefined ? (error ?? 'status') : `${status}`
}

/** Answers kept for repeated requests with an Idempotency-Key (HOOK-S5). */
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
