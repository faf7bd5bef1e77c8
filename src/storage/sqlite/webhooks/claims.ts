/** Taking deliveries that are due, and giving them back (HOOK-F1, HOOK-F2, HOOK-F4, HOOK-R6). One transaction each. */
import type { Database } from 'better-sqlite3'
import type {
  ClaimedDelivery,
  ClaimOrder,
  Claims,
  SealedSecret,
  Subscription,
  WebhookWrites,
} from '../../../ports/storage-webhooks.ts'
import {
  type Candidate,
  chooseDeliveries,
  type Flying,
  hostOf,
  LANE_LIMITS,
  type Lane,
} from '../../../webhooks/due/lanes.ts'
import { allowance, type RateSpent, spend } from '../../../webhooks/due/rate.ts'
import { GRANT_ENDED, sharedWith } from './shared-with.ts'

/** Of one subscription: enough to find other order keys behind one whose delivery is in flight (HOOK-F2). */
const ROWS_LOOKED_AT = 500

/** What the next claim usually takes; then the rest. */
const FIRST_ROWS = 8

/** Columns of a subscription `s` that lanes.ts counts by. */
const PLACE_COLUMNS = `s.id AS subscriptionId, coalesce(s.grant_id, s.account_id) AS ownerId, s.url,
  s.consecutive_failures AS consecutiveFailures, coalesce(s.answer_ms, 0) AS answerMs`

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

type ClaimRow = Omit<ClaimedDelivery, 'secrets' | 'signatureScheme'> & {
  readonly signatureScheme: Exclude<Subscription['signatureScheme'], undefined> | null
  readonly secrets: string
  readonly shared: 0 | 1
  readonly ratePerMinute: number | null
  readonly rateSpent: string | null
}

export function claimWrites(db: Database): Pick<WebhookWrites, 'claimDeliveries' | 'releaseDeliveries'> {
  const expire = db.prepare(`UPDATE webhook_deliveries
    SET state = 'pending', attempts = attempts + 1, due_at = @now, delay_ms = 0, lease_until = NULL
    WHERE state = 'in_flight' AND lease_until < @now`)
  const release = db.prepare(`UPDATE webhook_deliveries
    SET state = 'pending', attempts = attempts + 1, due_at = ?, delay_ms = 0, lease_until = NULL WHERE state = 'in_flight'`)
  const revoke = grantEndings(db)
  const flying = db.prepare<[], PlaceRow & { readonly orderKey: string }>(`
    SELECT ${PLACE_COLUMNS}, coalesce(d.order_key, d.session_id) AS orderKey FROM webhook_deliveries AS d
    JOIN webhook_subscriptions AS s ON s.id = d.subscription_id WHERE d.state = 'in_flight'`)
  const ready = db.prepare<[{ now: number }], LaneRow>(`
    SELECT ${PLACE_COLUMNS}, s.rate_per_minute AS ratePerMinute, s.rate_spent AS rateSpent,
      coalesce(s.paused_until, 0) > @now AS paused FROM webhook_subscriptions AS s
    WHERE s.status = 'active' AND CASE WHEN coalesce(s.paused_until, 0) > @now
      THEN EXISTS (SELECT 1 FROM webhook_deliveries
        WHERE subscription_id = s.id AND state = 'pending' AND ordered = 1 AND due_at <= @now)
      ELSE EXISTS (SELECT 1 FROM webhook_deliveries
        WHERE subscription_id = s.id AND state = 'pending' AND due_at <= @now) END`)
  const candidates = dueCandidates(db)
  const open = db.prepare<[string], ClaimRow>(`
    SELECT d.id, d.subscription_id AS subscriptionId, d.event_id AS eventId, d.attempts,
      d.earlier_attempts AS earlierAttempts, d.type, d.kind,
      coalesce(e.body, t.body) AS body, s.url, s.secrets,
      s.signature_scheme AS signatureScheme, s.rate_per_minute AS ratePerMinute, s.rate_spent AS rateSpent,
      d.kind = 'test' OR (e.id IS NOT NULL AND ${sharedWith('s', 'e.charge_point_id', 'e.type')}) AS shared
    FROM webhook_deliveries AS d JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
    LEFT JOIN events AS e ON e.id = d.event_id LEFT JOIN webhook_test_events AS t ON t.id = d.event_id
    WHERE d.id = ?`)
  const take = db.prepare(`UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ? WHERE id = ?`)
  const count = db.prepare('UPDATE webhook_subscriptions SET rate_spent = ? WHERE id = ?')
  const cancel = db.prepare(`UPDATE webhook_deliveries SET state = 'cancelled', finished_at = ? WHERE id = ?`)

  /** Takes what is still shared and cancels the rest (HOOK-S3: checked again at send time). */
  const takeOrCancel = (id: string, { now, leaseUntil }: ClaimOrder): ClaimedDelivery | undefined => {
    const row = open.get(id)
    if (row?.shared !== 1) {
      cancel.run(now, id)
      return undefined
    }
    take.run(leaseUntil, id)
    const { shared: _, secrets, signatureScheme, ratePerMinute, rateSpent, ...delivery } = row
    if (ratePerMinute !== null) count.run(JSON.stringify(spend(spentOf(rateSpent), now)), delivery.subscriptionId)
    return {
      ...delivery,
      ...(signatureScheme && { signatureScheme }),
      secrets: JSON.parse(secrets) as readonly SealedSecret[],
    }
  }

  const lanesNow = (now: number): readonly Lane[] =>
    ready.all({ now }).map(({ paused, ratePerMinute, rateSpent, ...row }): Lane => {
      const lane = { ...placeOf(row), due: candidates(row.subscriptionId, now, paused === 1) }
      return ratePerMinute === null ? lane : { ...lane, allowance: allowance(ratePerMinute, spentOf(rateSpent), now) }
    })

  const claim = db.transaction((order: ClaimOrder): Claims => {
    expire.run({ now: order.now })
    const revoked = revoke()
    const deliveries: ClaimedDelivery[] = []
    let last = order.after
    for (;;) {
      const aloft = flying.all().map(({ orderKey, ...row }): Flying => ({ ...placeOf(row), orderKey }))
      if (aloft.length >= LANE_LIMITS.total) break
      const choice = chooseDeliveries(lanesNow(order.now), aloft, last)
      last = choice.last
      const taken = choice.chosen.flatMap((id) => takeOrCancel(id, order) ?? [])
      deliveries.push(...taken)
      // What was cancelled left its place free: the next one may have it.
      if (taken.length === choice.chosen.length) break
    }
    return { deliveries, revoked, ...(last !== undefined && { last }) }
  })
  return {
    claimDeliveries: async (order) => claim.immediate(order),
    releaseDeliveries: async (now) => release.run(now).changes,
  }
}

/** Those ordered singly first (HOOK-R8); of the others the oldest first, page by page, as far as anybody looks. */
function dueCandidates(db: Database): (id: string, now: number, orderedOnly: boolean) => Iterable<Candidate> {
  const page = (condition: string) =>
    db.prepare<[object], Candidate & { readonly dueAt: number; readonly position: number }>(`
      SELECT id, coalesce(order_key, session_id) AS orderKey, due_at AS dueAt, position FROM webhook_deliveries
      WHERE subscription_id = @id AND state = 'pending' AND due_at <= @now AND ${condition}
        AND (due_at, position) > (@dueAt, @position) ORDER BY due_at, position LIMIT @limit`)
  const ordered = page('ordered = 1')
  const others = page('ordered = 0')
  return function* (id, now, orderedOnly) {
    for (const rows of orderedOnly ? [ordered] : [ordered, others]) {
      let after = { dueAt: 0, position: 0 }
      for (const limit of [FIRST_ROWS, ROWS_LOOKED_AT - FIRST_ROWS]) {
        const found = rows.all({ id, now, ...after, limit })
        yield* found
        const last = found.at(-1)
        if (!last || found.length < limit) break
        after = { dueAt: last.dueAt, position: last.position }
      }
    }
  }
}

function placeOf({ url, ...rest }: PlaceRow): Omit<PlaceRow, 'url'> & { readonly host: string } {
  return { ...rest, host: hostOf(url) }
}

function spentOf(text: string | null): RateSpent {
  return text === null ? [] : (JSON.parse(text) as RateSpent)
}

/** A grant's end ends its subscriptions; nothing of them is claimed any more (HOOK-S3). */
function grantEndings(db: Database): () => readonly string[] {
  const end = db
    .prepare<[], string>(
      `UPDATE webhook_subscriptions SET status = 'revoked' WHERE status <> 'revoked' AND ${GRANT_ENDED} RETURNING id`,
    )
    .pluck()
  return () => end.all()
}
