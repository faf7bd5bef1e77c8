/** Claims due deliveries, and gives them back (HOOK-F1, HOOK-F2, HOOK-F4, HOOK-R6). One transaction each. */

import {
  allowance,
  type Candidate,
  chooseDeliveries,
  type Flying,
  hostOf,
  LANE_LIMITS,
  type Lane,
  type RateSpent,
  spend,
  withAttempt,
} from '../../../domain/deliveries/lanes.ts'
import { isGivenUp } from '../../../domain/deliveries/outcome.ts'
import { bodyForApplication } from '../../../domain/events/registry.ts'
import type {
  Attempt,
  ClaimedDelivery,
  ClaimOrder,
  DisabledReason,
  DisabledSubscription,
  FinishedAttempt,
  SealedSecret,
  Subscription,
  WebhookWrites,
} from '../../../domain/ports/storage-webhooks.ts'
import { all, change, column, type Dialect, first, type Operations, value, type Work } from '../work.ts'
import { GRANT_ENDED, sharedWith } from './record-event.ts'
import { disable, findSubscription, writeAttempt } from './subscriptions.ts'

/** Columns of a subscription `s` for lanes.ts. */
const PLACE_COLUMNS = `s.id AS "subscriptionId", coalesce(s.grant_id, s.partner_id, s.account_id) AS "ownerId", s.url AS "url",
  s.consecutive_failures AS "consecutiveFailures", coalesce(s.answer_ms, 0) AS "answerMs"`

interface PlaceRow {
  readonly subscriptionId: string
  readonly ownerId: string
  readonly url: string
  readonly consecutiveFailures: number
  readonly answerMs: number
}

interface LaneRow extends PlaceRow {
  readonly paused: 0 | 1
  readonly ratePerMinute: number | null
  readonly rateSpent: string | null
}

type ClaimRow = Omit<ClaimedDelivery, 'secrets' | 'signatureScheme' | 'partnerId'> & {
  readonly partnerId: string | null
  readonly signatureScheme: Exclude<Subscription['signatureScheme'], undefined> | null
  readonly secrets: string
  readonly shared: 0 | 1
  readonly grantId: string | null
  readonly ratePerMinute: number | null
  readonly rateSpent: string | null
}

const EXPIRE = `UPDATE webhook_deliveries
  SET state = 'pending', attempts = attempts + 1, due_at = @now, delay_ms = 0, lease_until = NULL
  WHERE state = 'in_flight' AND lease_until < @now`
const RELEASE = `UPDATE webhook_deliveries
  SET state = 'pending', attempts = attempts + 1, due_at = ?, delay_ms = 0, lease_until = NULL WHERE state = 'in_flight'`
// Subscriptions end with their grant; nothing of them is claimed any more (HOOK-S3).
const REVOKE = `UPDATE webhook_subscriptions SET status = 'revoked' WHERE status <> 'revoked' AND ${GRANT_ENDED} RETURNING id`
const FLYING = `SELECT ${PLACE_COLUMNS}, coalesce(d.order_key, d.session_id) AS "orderKey" FROM webhook_deliveries AS d
  JOIN webhook_subscriptions AS s ON s.id = d.subscription_id WHERE d.state = 'in_flight'`
const READY = `SELECT ${PLACE_COLUMNS}, s.rate_per_minute AS "ratePerMinute", s.rate_spent AS "rateSpent",
    CASE WHEN coalesce(s.paused_until, 0) > @now THEN 1 ELSE 0 END AS "paused" FROM webhook_subscriptions AS s
  WHERE s.status = 'active' AND CASE WHEN coalesce(s.paused_until, 0) > @now
    THEN EXISTS (SELECT 1 FROM webhook_deliveries
      WHERE subscription_id = s.id AND state = 'pending' AND ordered = 1 AND due_at <= @now)
    ELSE EXISTS (SELECT 1 FROM webhook_deliveries
      WHERE subscription_id = s.id AND state = 'pending' AND due_at <= @now) END`
// Since it was chosen, a commit may have replaced it, or an operator cancelled it.
const TAKE = `UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ? WHERE id = ? AND state = 'pending'`
const COUNT = 'UPDATE webhook_subscriptions SET rate_spent = ? WHERE id = ?'
const CANCEL = `UPDATE webhook_deliveries SET state = 'cancelled', finished_at = ? WHERE id = ? AND state = 'pending'`

export function claimWrites(
  dialect: Dialect,
): Operations<Pick<WebhookWrites, 'claimDeliveries' | 'releaseDeliveries'>> {
  const open = `SELECT d.id AS "id", d.subscription_id AS "subscriptionId", d.event_id AS "eventId",
      d.attempts AS "attempts", d.earlier_attempts AS "earlierAttempts", d.type AS "type", d.kind AS "kind",
      d.session_id AS "subject", s.account_id AS "accountId", s.partner_id AS "partnerId",
      coalesce(e.body, t.body) AS "body", s.url AS "url", s.secrets AS "secrets", s.grant_id AS "grantId",
      s.signature_scheme AS "signatureScheme", s.rate_per_minute AS "ratePerMinute", s.rate_spent AS "rateSpent",
      CASE WHEN d.kind = 'test' OR (e.id IS NOT NULL AND ${sharedWith(dialect, 's', 'e.charge_point_id', 'e.type', 'e.time')})
        THEN 1 ELSE 0 END AS "shared"
    FROM webhook_deliveries AS d JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
    LEFT JOIN events AS e ON e.id = d.event_id LEFT JOIN webhook_test_events AS t ON t.id = d.event_id
    WHERE d.id = ?`

  /** Takes what is still shared and cancels the rest (HOOK-S3: checked again at send time). */
  function* takeOrCancel(id: string, { now, leaseUntil }: ClaimOrder): Work<ClaimedDelivery | undefined> {
    const found = yield* first<ClaimRow>(open, [id])
    if (found?.shared !== 1) {
      yield* change(CANCEL, [now, id])
      return undefined
    }
    if ((yield* change(TAKE, [leaseUntil, id])) === 0) return undefined
    const { shared: _, grantId, partnerId, secrets, signatureScheme, ratePerMinute, rateSpent, ...delivery } = found
    if (ratePerMinute !== null) {
      yield* change(COUNT, [JSON.stringify(spend(spentOf(rateSpent), now)), delivery.subscriptionId])
    }
    return {
      ...delivery,
      ...(grantId !== null && { body: bodyForApplication(delivery.type, delivery.body) }),
      partnerId: partnerId ?? undefined,
      signatureScheme: signatureScheme ?? undefined,
      secrets: JSON.parse(secrets) as readonly SealedSecret[],
    }
  }

  return {
    *claimDeliveries(order) {
      if (dialect.lockClaims) yield dialect.lockClaims
      yield* change(EXPIRE, { now: order.now })
      const revoked = yield* column<string>(REVOKE)
      const deliveries: ClaimedDelivery[] = []
      let last = order.after
      for (;;) {
        const aloft = (yield* all<PlaceRow & { readonly orderKey: string }>(FLYING)).map(
          ({ orderKey, ...row }): Flying => ({ ...placeOf(row), orderKey }),
        )
        if (aloft.length >= LANE_LIMITS.total) break
        const choice = yield* chosenNow(order.now, aloft, last)
        last = choice.last
        let taken = 0
        for (const id of choice.chosen) {
          const delivery = yield* takeOrCancel(id, order)
          if (!delivery) continue
          deliveries.push(delivery)
          taken++
        }
        // Cancelled ones freed their slots for the next.
        if (taken === choice.chosen.length) break
      }
      return { deliveries, revoked, last }
    },
    *releaseDeliveries(now, ids) {
      if (!ids) return yield* change(RELEASE, [now])
      let released = 0
      for (const id of ids) released += yield* change(`${RELEASE} AND id = ?`, [now, id])
      return released
    },
  }
}

function* chosenNow(
  now: number,
  aloft: readonly Flying[],
  last: string | undefined,
): Work<ReturnType<typeof chooseDeliveries>> {
  const lanes = (yield* all<LaneRow>(READY, { now })).map((row) => ({
    lane: laneOf(row, now),
    due: new DueDeliveries(row.subscriptionId, now, row.paused === 1),
  }))
  for (;;) {
    const asked = new Set<DueDeliveries>()
    const choice = chooseDeliveries(
      lanes.map(({ lane, due }) => ({ ...lane, due: candidatesOf(due, asked) })),
      aloft,
      last,
    )
    if (asked.size === 0) return choice
    for (const due of asked) yield* due.readMore()
  }
}

function* candidatesOf(due: DueDeliveries, asked: Set<DueDeliveries>): Generator<Candidate> {
  yield* due.found
  if (!due.isWhole) asked.add(due)
}

function laneOf({ paused: _, ratePerMinute, rateSpent, ...row }: LaneRow, now: number): Omit<Lane, 'due'> {
  const place = placeOf(row)
  return ratePerMinute === null ? place : { ...place, allowance: allowance(ratePerMinute, spentOf(rateSpent), now) }
}

function placeOf({ url, ...rest }: PlaceRow): Omit<PlaceRow, 'url'> & { readonly host: string } {
  return { ...rest, host: hostOf(url) }
}

function spentOf(text: string | null): RateSpent {
  return text === null ? [] : (JSON.parse(text) as RateSpent)
}

// A subscription's due deliveries, read as needed: individually ordered ones first (HOOK-R8), then the oldest.

/** Per subscription: enough to find other order keys behind one whose delivery is in flight (HOOK-F2). */
const ROWS_LOOKED_AT = 500

/** A claim's usual size; then the rest. */
const PAGES = [8, ROWS_LOOKED_AT - 8]

const page = (ordered: 0 | 1): string => `SELECT id AS "id", coalesce(order_key, session_id) AS "orderKey",
    due_at AS "dueAt", position AS "position" FROM webhook_deliveries
  WHERE subscription_id = @id AND state = 'pending' AND due_at <= @now AND ordered = ${ordered}
    AND (due_at, position) > (@dueAt, @position) ORDER BY due_at, position LIMIT @limit`
const ORDERED = page(1)
const OTHERS = page(0)

const START = { dueAt: 0, position: 0 }

class DueDeliveries {
  readonly found: Candidate[] = []
  readonly #id: string
  readonly #now: number
  #pages: readonly { readonly sql: string; readonly limit: number }[]
  #after = START

  constructor(subscriptionId: string, now: number, orderedOnly: boolean) {
    this.#id = subscriptionId
    this.#now = now
    this.#pages = (orderedOnly ? [ORDERED] : [ORDERED, OTHERS]).flatMap((sql) => PAGES.map((limit) => ({ sql, limit })))
  }

  get isWhole(): boolean {
    return this.#pages.length === 0
  }

  *readMore(): Work<void> {
    const before = this.found.length
    for (let [next] = this.#pages; next && this.found.length === before; [next] = this.#pages) {
      const { sql, limit } = next
      const rows = yield* all<Candidate & typeof START>(sql, { id: this.#id, now: this.#now, ...this.#after, limit })
      this.found.push(...rows)
      const last = rows.at(-1)
      const isEnd = rows.length < limit
      this.#pages = this.#pages.filter((one) => one !== next && !(isEnd && one.sql === sql))
      this.#after = last && this.#pages[0]?.sql === sql ? { dueAt: last.dueAt, position: last.position } : START
    }
  }
}

/** Results of attempts: for delivery, log and the subscription's health (HOOK-R4, HOOK-R5, HOOK-R6, HOOK-F4). */
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
