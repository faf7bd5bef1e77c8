/**
 * What attempts came to: for the delivery, its log, and the subscription's health (HOOK-R4, HOOK-R5, HOOK-R6, HOOK-F4).
 */
import type { Database } from 'better-sqlite3'
import type {
  Attempt,
  DisabledReason,
  DisabledSubscription,
  FinishedAttempt,
  WebhookWrites,
} from '../../../ports/storage-webhooks.ts'
import { isGivenUp } from '../../../webhooks/due/outcome.ts'
import { withAttempt } from '../../../webhooks/due/pace.ts'
import { writeAttempt } from './rows.ts'
import { subscriptionEndings, subscriptionFinder } from './subscriptions.ts'

export function resultWrites(db: Database): Pick<WebhookWrites, 'finishAttempts'> {
  const log = db.prepare(
    'INSERT OR REPLACE INTO webhook_attempts (delivery_id, number, at, document) VALUES (?, ?, ?, ?)',
  )
  // A success counts also when its lease or its grant ended meanwhile; a failure never overrides anything (HOOK-F4).
  const finish = db.prepare(`UPDATE webhook_deliveries SET state = @state, attempts = @attempts,
      due_at = coalesce(@dueAt, due_at), delay_ms = max(0, coalesce(@dueAt - @now, 0)), ordered = 0,
      lease_until = NULL, finished_at = @finishedAt
    WHERE id = @id AND (state = 'in_flight' OR (@state = 'succeeded' AND state IN ('pending', 'held', 'cancelled')))`)
  const find = subscriptionFinder(db)
  const endings = subscriptionEndings(db)
  const succeeded = db.prepare(`UPDATE webhook_subscriptions SET consecutive_failures = 0,
      attempts_since_success = 0, failing_since = NULL, last_success_at = @now, last_error = NULL,
      paused_until = CASE WHEN ${BEGAN_BEFORE_PAUSE} THEN paused_until END, answer_ms = @answerMs
    WHERE id = @id`)

  // Of two pauses the later end counts.
  const failed = db.prepare(`UPDATE webhook_subscriptions SET consecutive_failures = consecutive_failures + 1,
      attempts_since_success = attempts_since_success + 1, failing_since = coalesce(failing_since, @at),
      last_error = @error, answer_ms = @answerMs,
      paused_for_ms = CASE WHEN @pausedUntil > coalesce(paused_until, 0) THEN @pausedUntil - @now ELSE paused_for_ms END,
      paused_until = CASE WHEN @pausedUntil > coalesce(paused_until, 0) THEN @pausedUntil ELSE paused_until END
    WHERE id = @id`)
  const pace = db.prepare<[string], number | null>('SELECT answer_ms FROM webhook_subscriptions WHERE id = ?').pluck()

  /** Why the subscription ends with this attempt, if it does. */
  const health = (finished: FinishedAttempt, now: number): DisabledReason | undefined => {
    const { subscriptionId: id, attempt, state, pausedUntil = null } = finished
    const attempted = { id, at: attempt.at, now, answerMs: withAttempt(pace.get(id) ?? undefined, attempt.durationMs) }
    if (state === 'succeeded') {
      succeeded.run(attempted)
      return undefined
    }
    failed.run({ ...attempted, error: errorText(attempt), pausedUntil })
    const subscription = find(id)
    if (state === 'gone') return endings.disable(id, 'gone', now) ? 'gone' : undefined
    if (!subscription || !isGivenUp(subscription.failingSince, subscription.attemptsSinceSuccess, now)) return undefined
    return endings.disable(id, 'failing', now) ? 'failing' : undefined
  }

  const record = db.transaction((all: readonly FinishedAttempt[], now: number) => {
    const disabled: DisabledSubscription[] = []
    for (const finished of all) {
      const { deliveryId, subscriptionId, attempt, state, dueAt = null } = finished
      log.run(deliveryId, attempt.number, attempt.at, writeAttempt(attempt))
      const reason = health(finished, now)
      if (reason !== undefined) disabled.push({ id: subscriptionId, reason })
      const waits = state === 'pending' || state === 'gone'
      const kept = waits ? WAITING[find(subscriptionId)?.status ?? 'revoked'] : state
      finish.run({
        id: deliveryId,
        state: kept,
        attempts: attempt.number,
        dueAt,
        now,
        finishedAt: kept === 'pending' || kept === 'held' ? null : now,
      })
    }
    return disabled
  })
  return { finishAttempts: async (finished, now) => record.immediate(finished, now) }
}

/**
 * What was under way when the receiver asked for the pause says nothing about it; a later success ends it (HOOK-R2).
 */
const BEGAN_BEFORE_PAUSE = '@at < paused_until - coalesce(paused_for_ms, 0)'

/** What becomes of a delivery that is to be tried again. */
const WAITING = { active: 'pending', disabled: 'held', revoked: 'cancelled' } as const

function errorText({ status, error }: Attempt): string {
  return status === undefined ? (error ?? 'status') : `${status}`
}
