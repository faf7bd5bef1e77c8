import type {
  DisabledReason,
  Subscription,
  SubscriptionChange,
  WebhookWrites,
} from '../../../domain/ports/storage-webhooks.ts'
import { rotated } from '../../../webhooks/sending/webhook-secrets.ts'
import { change, column, first, type Operations, type Tours, type Value, value, type Work } from '../work.ts'
import { align } from './align.ts'
import { IN_STEP, inSteps, type Step } from './in-steps.ts'
import { readSubscription, SUBSCRIPTION_COLUMNS, type SubscriptionRow } from './rows.ts'

/** Of another receiver, or one that its owner answers for, nothing is known: neither a pause nor slowness. */
const UNHINDERED = 'paused_until = NULL, paused_for_ms = NULL, answer_ms = NULL'
const OF_OWNER = 'account_id = ? AND grant_id IS NOT DISTINCT FROM ?'

const FIND = `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions WHERE id = ?`
const DISABLE = `UPDATE webhook_subscriptions SET status = 'disabled', disabled_reason = ?, disabled_at = ?
  WHERE id = ? AND status = 'active'`
const ACTIVE = `SELECT count(*) FROM webhook_subscriptions WHERE ${OF_OWNER} AND status = 'active'`
const OTHER_URLS = `SELECT url FROM webhook_subscriptions WHERE ${OF_OWNER} AND id <> ?`
const INSERT = `INSERT INTO webhook_subscriptions (id, account_id, grant_id, url, description, updates,
    charge_point_ids, status, secrets, signature_scheme, verify, rate_per_minute, consecutive_failures,
    attempts_since_success, created_at, events)
  VALUES (@id, @accountId, @grantId, @url, @description, @updates, @chargePointIds, @status, @secrets,
    @signatureScheme, @verify, @ratePerMinute, 0, 0, @createdAt, @events)`
const UPDATE = `UPDATE webhook_subscriptions SET url = @url, description = @description,
    updates = @updates, charge_point_ids = @chargePointIds, secrets = @secrets, verify = @verify,
    rate_per_minute = @ratePerMinute, events = @events WHERE id = @id`
const RECOVER = `UPDATE webhook_subscriptions SET consecutive_failures = 0, ${UNHINDERED} WHERE id = ?`
const ENABLE = `UPDATE webhook_subscriptions SET status = 'active', disabled_reason = NULL,
    disabled_at = NULL, consecutive_failures = 0, attempts_since_success = 0, failing_since = NULL, ${UNHINDERED}
  WHERE id = ? AND status = 'disabled'`
const SKIP = `UPDATE webhook_deliveries SET state = 'cancelled', finished_at = @now
  WHERE ${IN_STEP} AND state IN ('pending', 'held')`

export function* findSubscription(id: string): Work<Subscription | undefined> {
  const found = yield* first<SubscriptionRow>(FIND, [id])
  return found && readSubscription(found)
}

/** Ends a subscription's work, whoever asks for it: the owner, a 410, five days of failures. */
export function* disable(id: string, reason: DisabledReason, at: number): Work<boolean> {
  return (yield* change(DISABLE, [reason, at, id])) === 1
}

/** HOOK-S2: also in another spelling, or its receiver would get every event twice. */
function* isTaken({ id, accountId, grantId, url }: Subscription): Work<boolean> {
  const { href } = new URL(url)
  const others = yield* column<string>(OTHER_URLS, [accountId, grantId ?? null, id])
  return others.some((other) => new URL(other).href === href)
}

function* countActive({ accountId, grantId }: Subscription): Work<number> {
  return (yield* value<number>(ACTIVE, [accountId, grantId ?? null])) ?? 0
}

export const subscriptionWrites: Operations<Pick<WebhookWrites, 'createSubscription' | 'updateSubscription'>> = {
  *createSubscription(subscription, limit) {
    if (yield* isTaken(subscription)) return 'exists'
    if ((yield* countActive(subscription)) >= limit) return 'too_many'
    yield* change(INSERT, columns(subscription))
    return 'created'
  },
  *updateSubscription(id, changed) {
    const before = yield* findSubscription(id)
    if (!before) return undefined
    const { url = before.url } = changed
    if (url !== before.url && (yield* isTaken({ ...before, url }))) return 'exists'
    yield* change(UPDATE, changedColumns(before, changed))
    if (url !== before.url) yield* change(RECOVER, [id])
    return yield* findSubscription(id)
  },
}

type SubscriptionTours = Pick<WebhookWrites, 'deleteSubscription' | 'disableSubscription' | 'enableSubscription'>

export const subscriptionTours: Tours<SubscriptionTours> = {
  async deleteSubscription(run, id, now) {
    const removed = await run(() => change('DELETE FROM webhook_subscriptions WHERE id = ?', [id]))
    if (removed === 0) return false
    await align(run, id, now)
    return true
  },
  async disableSubscription(run, id, reason, at) {
    if (await run(() => disable(id, reason, at))) await align(run, id, at)
    return run(() => findSubscription(id))
  },
  async enableSubscription(run, id, how, now, limit) {
    const reopen = () => reopenUnlessFull(id, limit)
    const skip = (step: Step) => skipUnlessFull(step, now, limit)
    if (!(await (how === 'skip' ? inSteps(run, id, skip, reopen) : run(reopen)))) return 'too_many'
    // With `skip`, too: an attempt that failed during the walk was held behind it.
    await align(run, id, now)
    return run(() => findSubscription(id))
  },
}

/** Whether the owner has as many active ones as are allowed, were this one to be another. */
function* judged(id: string, limit: number): Work<{ status?: Subscription['status'] | undefined; isFull: boolean }> {
  const found = yield* findSubscription(id)
  if (!found) return { isFull: false }
  return { status: found.status, isFull: found.status === 'disabled' && (yield* countActive(found)) >= limit }
}

function* skipUnlessFull(step: Step, now: number, limit: number): Work<number> {
  const { status, isFull } = yield* judged(step.subscriptionId, limit)
  return status === 'disabled' && !isFull ? yield* change(SKIP, { ...step, now }) : 0
}

function* reopenUnlessFull(id: string, limit: number): Work<boolean> {
  const { isFull } = yield* judged(id, limit)
  if (!isFull) yield* change(ENABLE, [id])
  return !isFull
}

function changedColumns(before: Subscription, changed: SubscriptionChange): Readonly<Record<string, Value>> {
  const { url = before.url, rotation, description, updates = before.updates, verify, ratePerMinute } = changed
  return {
    id: before.id,
    url,
    description: description === undefined ? (before.description ?? null) : description,
    updates,
    events: JSON.stringify(changed.events ?? before.events),
    chargePointIds: listText(changed.chargePointIds === undefined ? before.chargePointIds : changed.chargePointIds),
    secrets: JSON.stringify(rotation ? rotated(before.secrets, rotation) : before.secrets),
    verify: verify === undefined ? (before.verify ?? null) : verify,
    ratePerMinute: ratePerMinute === undefined ? (before.ratePerMinute ?? null) : ratePerMinute,
  }
}

function columns(subscription: Subscription): Readonly<Record<string, Value>> {
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
