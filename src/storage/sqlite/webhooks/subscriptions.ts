import type { Database } from 'better-sqlite3'
import type {
  DisabledReason,
  Subscription,
  SubscriptionChange,
  WebhookWrites,
} from '../../../ports/storage-webhooks.ts'
import { rotated } from '../../../webhooks/sending/secrets.ts'
import type { Align } from './align.ts'
import { IN_STEP, inSteps } from './in-steps.ts'
import { readSubscription, SUBSCRIPTION_COLUMNS, type SubscriptionRow } from './rows.ts'

/** What ends a subscription's work, whoever asks for it: the owner, a 410, five days of failures. */
export interface Endings {
  disable(id: string, reason: DisabledReason, at: number): boolean
}

export function subscriptionEndings(db: Database): Endings {
  const mark = db.prepare(
    `UPDATE webhook_subscriptions SET status = 'disabled', disabled_reason = ?, disabled_at = ?
      WHERE id = ? AND status = 'active'`,
  )
  return { disable: (id, reason, at) => mark.run(reason, at, id).changes === 1 }
}

export function subscriptionFinder(db: Database): (id: string) => Subscription | undefined {
  const find = db.prepare<[string], SubscriptionRow>(
    `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions WHERE id = ?`,
  )
  return (id) => {
    const row = find.get(id)
    return row && readSubscription(row)
  }
}

type SubscriptionWrites = Pick<
  WebhookWrites,
  'createSubscription' | 'updateSubscription' | 'deleteSubscription' | 'disableSubscription' | 'enableSubscription'
>

/** Of another receiver, or one that its owner answers for, nothing is known: neither a pause nor slowness. */
const UNHINDERED = 'paused_until = NULL, paused_for_ms = NULL, answer_ms = NULL'

const OF_OWNER = 'account_id = ? AND grant_id IS ?'

export function subscriptionWrites(db: Database, align: Align): SubscriptionWrites {
  const find = subscriptionFinder(db)
  const endings = subscriptionEndings(db)
  const active = db
    .prepare<[string, string | null], number>(
      `SELECT count(*) FROM webhook_subscriptions WHERE ${OF_OWNER} AND status = 'active'`,
    )
    .pluck()
  const otherUrls = db
    .prepare<[string, string | null, string], string>(
      `SELECT url FROM webhook_subscriptions WHERE ${OF_OWNER} AND id <> ?`,
    )
    .pluck()
  /** HOOK-S2: also in another spelling, or its receiver would get every event twice. */
  const isTaken = ({ id, accountId, grantId, url }: Subscription): boolean => {
    const { href } = new URL(url)
    return otherUrls.all(accountId, grantId ?? null, id).some((other) => new URL(other).href === href)
  }
  const insert = db.prepare(`INSERT INTO webhook_subscriptions (id, account_id, grant_id, url, description, updates,
      charge_point_ids, status, secrets, signature_scheme, verify, rate_per_minute, consecutive_failures,
      attempts_since_success, created_at, events)
    VALUES (@id, @accountId, @grantId, @url, @description, @updates, @chargePointIds, @status, @secrets,
      @signatureScheme, @verify, @ratePerMinute, 0, 0, @createdAt, @events)`)
  const update = db.prepare(`UPDATE webhook_subscriptions SET url = @url, description = @description,
      updates = @updates, charge_point_ids = @chargePointIds, secrets = @secrets, verify = @verify,
      rate_per_minute = @ratePerMinute, events = @events WHERE id = @id`)
  const recover = db.prepare(`UPDATE webhook_subscriptions SET consecutive_failures = 0, ${UNHINDERED} WHERE id = ?`)
  const remove = db.prepare('DELETE FROM webhook_subscriptions WHERE id = ?')
  const enable = db.prepare(`UPDATE webhook_subscriptions SET status = 'active', disabled_reason = NULL,
      disabled_at = NULL, consecutive_failures = 0, attempts_since_success = 0, failing_since = NULL, ${UNHINDERED}
    WHERE id = ? AND status = 'disabled'`)
  const skip = db.prepare(
    `UPDATE webhook_deliveries SET state = 'cancelled', finished_at = @now
      WHERE ${IN_STEP} AND state IN ('pending', 'held')`,
  )

  const create = db.transaction((subscription: Subscription, limit: number) => {
    const { accountId, grantId = null } = subscription
    if (isTaken(subscription)) return 'exists'
    if ((active.get(accountId, grantId) ?? 0) >= limit) return 'too_many'
    insert.run(columns(subscription))
    return 'created'
  })
  const change = db.transaction((id: string, changed: SubscriptionChange) => {
    const before = find(id)
    if (!before) return undefined
    const { url = before.url, rotation } = changed
    if (url !== before.url && isTaken({ ...before, url })) return 'exists'
    update.run({
      id,
      url,
      description: changed.description === undefined ? (before.description ?? null) : changed.description,
      updates: changed.updates ?? before.updates,
      events: JSON.stringify(changed.events ?? before.events),
      chargePointIds: listText(changed.chargePointIds === undefined ? before.chargePointIds : changed.chargePointIds),
      secrets: JSON.stringify(rotation ? rotated(before.secrets, rotation) : before.secrets),
      verify: changed.verify === undefined ? (before.verify ?? null) : changed.verify,
      ratePerMinute: changed.ratePerMinute === undefined ? (before.ratePerMinute ?? null) : changed.ratePerMinute,
    })
    if (url !== before.url) recover.run(id)
    return find(id)
  })
  const walk = inSteps(db)
  const drop: SubscriptionWrites['deleteSubscription'] = async (id, now) => {
    if (remove.run(id).changes === 0) return false
    await align(now, id)
    return true
  }
  const disable: SubscriptionWrites['disableSubscription'] = async (id, reason, at) => {
    if (endings.disable(id, reason, at)) await align(at, id)
    return find(id)
  }
  const isFull = (id: string, limit: number): boolean => {
    const before = find(id)
    return before?.status === 'disabled' && (active.get(before.accountId, before.grantId ?? null) ?? 0) >= limit
  }
  const reopen: SubscriptionWrites['enableSubscription'] = async (id, how, now, limit) => {
    if (isFull(id, limit)) return 'too_many'
    if (how === 'skip' && find(id)?.status === 'disabled') {
      await walk(id, (step) => skip.run({ ...step, now }).changes)
      if (isFull(id, limit)) return 'too_many'
    }
    enable.run(id)
    // With `skip`, too: an attempt that failed during the walk was held behind it.
    await align(now, id)
    return find(id)
  }
  return {
    createSubscription: async (subscription, limit) => create.immediate(subscription, limit),
    updateSubscription: async (id, changed) => change.immediate(id, changed),
    deleteSubscription: drop,
    disableSubscription: disable,
    enableSubscription: reopen,
  }
}

function columns(subscription: Subscription): object {
  const { id, accountId, grantId = null, url, description = null, updates, status, secrets, createdAt } = subscription
  return {
    id,
    accountId,
    grantId,
    url,
    description,
    updates,
    chargePointIds: listText(subscription.chargePointIds),
    status,
    secrets: JSON.stringify(secrets),
    signatureScheme: subscription.signatureScheme ?? null,
    verify: subscription.verify ?? null,
    ratePerMinute: subscription.ratePerMinute ?? null,
    createdAt,
    events: JSON.stringify(subscription.events),
  }
}

function listText(list: readonly string[] | null | undefined): string | null {
  return list ? JSON.stringify(list) : null
}
