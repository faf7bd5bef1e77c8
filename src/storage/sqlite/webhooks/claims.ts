/** Taking deliveries that are due, and giving them back (F1, F2, F4, R6). One transaction each. */
import type { Database } from 'better-sqlite3'
import {
  type Candidate,
  chooseDeliveries,
  type Flying,
  hostOf,
  LANE_LIMITS,
  type Lane,
} from '../../../webhooks/lanes.ts'
import { allowance, type RateSpent, spend } from '../../../webhooks/rate.ts'
import type {
  ClaimedDelivery,
  ClaimOrder,
  Claims,
  SealedSecret,
  Subscription,
  WebhookWrites,
} from '../../webhook-store.ts'
import { GRANT_ENDED, sharedWith } from './shared-with.ts'

/** Of one subscription: enough to find other sessions behind one whose delivery is in flight (F2). */
const ROWS_LOOKED_AT = 500

interface LaneRow {
  readonly id: string
  readonly url: string
  readonly consecutiveFailures: number
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
    SET state = 'pending', attempts = attempts + 1, due_at = @now, lease_until = NULL
    WHERE state = 'in_flight' AND lease_until < @now`)
  const release = db.prepare(`UPDATE webhook_deliveries
    SET state = 'pending', attempts = attempts + 1, due_at = ?, lease_until = NULL WHERE state = 'in_flight'`)
  const revoke = grantEndings(db)
  const flying = db.prepare<[], { subscriptionId: string; sessionId: string; url: string }>(`
    SELECT d.subscription_id AS subscriptionId, d.session_id AS sessionId, s.url FROM webhook_deliveries AS d
    JOIN webhook_subscriptions AS s ON s.id = d.subscription_id WHERE d.state = 'in_flight'`)
  const ready = db.prepare<[{ now: number }], LaneRow>(`
    SELECT id, url, consecutive_failures AS consecutiveFailures,
      rate_per_minute AS ratePerMinute, rate_spent AS rateSpent FROM webhook_subscriptions AS s
    WHERE status = 'active' AND (paused_until IS NULL OR paused_until <= @now)
      AND EXISTS (SELECT 1 FROM webhook_deliveries WHERE subscription_id = s.id AND state = 'pending' AND due_at <= @now)`)
  const due = db.prepare<[string, number], Candidate>(`
    SELECT id, session_id AS sessionId FROM webhook_deliveries
    WHERE subscription_id = ? AND state = 'pending' AND due_at <= ? ORDER BY due_at, position LIMIT ${ROWS_LOOKED_AT}`)
  const open = db.prepare<[string], ClaimRow>(`
    SELECT d.id, d.subscription_id AS subscriptionId, d.event_id AS eventId, d.attempts, d.kind,
      coalesce(e.body, t.body) AS body, s.url, s.secrets,
      s.signature_scheme AS signatureScheme, s.rate_per_minute AS ratePerMinute, s.rate_spent AS rateSpent,
      d.kind = 'test' OR (e.id IS NOT NULL AND ${sharedWith('s', 'e.charge_point_id')}) AS shared
    FROM webhook_deliveries AS d JOIN webhook_subscriptions AS s ON s.id = d.subscription_id
    LEFT JOIN events AS e ON e.id = d.event_id LEFT JOIN webhook_test_events AS t ON t.id = d.event_id
    WHERE d.id = ?`)
  const take = db.prepare(`UPDATE webhook_deliveries SET state = 'in_flight', lease_until = ? WHERE id = ?`)
  const count = db.prepare('UPDATE webhook_subscriptions SET rate_spent = ? WHERE id = ?')
  const cancel = db.prepare(`UPDATE webhook_deliveries SET state = 'cancelled', finished_at = ? WHERE id = ?`)

  /** Takes what is still shared and cancels the rest (S3: checked again at send time). */
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

  const lanesNow = (now: number, aloft: readonly Flying[]): readonly Lane[] => {
    const full = new Map<string, number>()
    for (const { subscriptionId } of aloft) full.set(subscriptionId, (full.get(subscriptionId) ?? 0) + 1)
    return ready.all({ now }).flatMap(({ id, url, consecutiveFailures, ratePerMinute, rateSpent }): Lane[] => {
      const left = ratePerMinute === null ? undefined : allowance(ratePerMinute, spentOf(rateSpent), now)
      // What may not leave anyway is not looked at.
      if (left === 0 || (full.get(id) ?? 0) >= LANE_LIMITS.perSubscription) return []
      const lane = { subscriptionId: id, host: hostOf(url), consecutiveFailures, due: due.all(id, now) }
      return [left === undefined ? lane : { ...lane, allowance: left }]
    })
  }

  const claim = db.transaction((order: ClaimOrder): Claims => {
    expire.run({ now: order.now })
    const revoked = revoke()
    const deliveries: ClaimedDelivery[] = []
    let last = order.after
    for (;;) {
      const aloft = flying.all().map(({ url, ...rest }) => ({ ...rest, host: hostOf(url) }))
      const choice = chooseDeliveries(lanesNow(order.now, aloft), aloft, last)
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

function spentOf(text: string | null): RateSpent {
  return text === null ? [] : (JSON.parse(text) as RateSpent)
}

/** A grant's end ends its subscriptions; nothing of them is claimed any more (S3). */
function grantEndings(db: Database): () => readonly string[] {
  const end = db
    .prepare<[], string>(
      `UPDATE webhook_subscriptions SET status = 'revoked' WHERE status <> 'revoked' AND ${GRANT_ENDED} RETURNING id`,
    )
    .pluck()
  return () => end.all()
}
