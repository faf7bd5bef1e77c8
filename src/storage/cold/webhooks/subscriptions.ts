import { setImmediate } from 'node:timers/promises'
import { eq } from 'drizzle-orm'
import { envelopeOf } from '../../../domain/events/emission.ts'
import type {
  Attempt,
  Delivery,
  DisabledReason,
  EventRecord,
  ListedDelivery,
  Subscription,
  WebhookWrites,
} from '../../../domain/ports/storage-webhooks.ts'
import { rotated } from '../../../webhooks/sending/webhook-secrets.ts'
import { columnsOf, present, readRow } from '../../rows/present.ts'
import { webhookSubscriptions } from '../../schema/webhooks.ts'
import {
  change,
  column,
  first,
  insert,
  insertNew,
  type Operations,
  type Run,
  type Tours,
  update,
  value,
  type Work,
} from '../work.ts'

/** A few milliseconds of work. All at once, a month of a busy account would delay acknowledgements for seconds. */
const ROWS_PER_STEP = 500

type Step = {
  readonly subscriptionId: string
  readonly after: number
  readonly upTo: number
}

export const IN_STEP = 'subscription_id = @subscriptionId AND position > @after AND position <= @upTo'

const END_OF_STEP = `SELECT max(position) FROM (SELECT position FROM webhook_deliveries
  WHERE subscription_id = @subscriptionId AND position > @after ORDER BY position LIMIT ${ROWS_PER_STEP}) AS step`

/** Oldest to newest, with late arrivals. @param change returns its row count; `finish` gets the sum, in the last */
export async function inSteps<T>(
  run: Run,
  subscriptionId: string,
  change: (step: Step) => Work<number>,
  finish: (changed: number) => Work<T>,
): Promise<T> {
  let changed = 0
  let after = 0
  for (;;) {
    const behind = after
    const before = changed
    const step = await run(function* () {
      const upTo = (yield* value<number | null>(END_OF_STEP, { subscriptionId, after: behind })) ?? null
      if (upTo === null) return { end: yield* finish(before) }
      return { upTo, changed: yield* change({ subscriptionId, after: behind, upTo }) }
    })
    if (step.upTo === undefined) return step.end
    changed += step.changed
    after = step.upTo
    await setImmediate()
  }
}

export const SUBSCRIPTION_COLUMNS = columnsOf(webhookSubscriptions, undefined, ['rateSpent'])

export function readSubscription(row: object): Subscription {
  return readRow(webhookSubscriptions, row)
}

export const DELIVERY_COLUMNS = `position, id, subscription_id AS "subscriptionId", event_id AS "eventId",
  type, session_id AS "subject", kind, state, attempts, due_at AS "dueAt", ordered, created_at AS "createdAt", finished_at AS "finishedAt"`

/** Due at that time, with a whole schedule ahead (HOOK-R8). */
export const anew = (at: string): string => `due_at = ${at}, delay_ms = 0, earlier_attempts = attempts`

export type DeliveryRow = Omit<ListedDelivery, 'ordered'> & {
  readonly ordered: 0 | 1
  readonly finishedAt: number | null
}

export function readListedDelivery(row: DeliveryRow): ListedDelivery {
  const { ordered, ...rest } = row
  return { ...(present(rest) as Omit<ListedDelivery, 'ordered'>), ordered: ordered === 1 }
}

export function readDelivery(row: DeliveryRow): Delivery {
  const { position: _, ...delivery } = readListedDelivery(row)
  return delivery
}

export const EVENT_COLUMNS = `id, account_id AS "accountId", type, session_id AS "subject", charge_point_id AS "chargePointId",
  kind, time, body, causes`

export type EventRow = Omit<EventRecord, 'causes'> & { readonly causes: string }

export function readEvent({ causes, ...event }: EventRow): EventRecord {
  return { ...event, body: envelopeOf(event), causes: JSON.parse(causes) as readonly number[] }
}

export function writeAttempt({ number: _number, at: _at, ...rest }: Attempt): string {
  return JSON.stringify(rest)
}

export function readAttempt(row: { readonly number: number; readonly at: number; readonly document: string }): Attempt {
  return { number: row.number, at: row.at, ...(JSON.parse(row.document) as Omit<Attempt, 'number' | 'at'>) }
}

/** Resets pause and slowness: about a new receiver nothing is known. */
const UNHINDERED = 'paused_until = NULL, paused_for_ms = NULL, answer_ms = NULL'
const OF_OWNER = 'account_id = ? AND grant_id IS NOT DISTINCT FROM ? AND partner_id IS NULL'

const FIND = `SELECT ${SUBSCRIPTION_COLUMNS} FROM webhook_subscriptions WHERE id = ?`
const DISABLE = `UPDATE webhook_subscriptions SET status = 'disabled', disabled_reason = ?, disabled_at = ?
  WHERE id = ? AND status = 'active'`
const ACTIVE = `SELECT count(*) FROM webhook_subscriptions WHERE ${OF_OWNER} AND status = 'active'`
const OTHER_URLS = `SELECT url FROM webhook_subscriptions WHERE ${OF_OWNER} AND id <> ?`
const RECOVER = `UPDATE webhook_subscriptions SET consecutive_failures = 0, ${UNHINDERED} WHERE id = ?`
const ENABLE = `UPDATE webhook_subscriptions SET status = 'active', disabled_reason = NULL,
    disabled_at = NULL, consecutive_failures = 0, attempts_since_success = 0, failing_since = NULL, ${UNHINDERED}
  WHERE id = ? AND status = 'disabled'`
const SKIP = `UPDATE webhook_deliveries SET state = 'cancelled', finished_at = @now
  WHERE ${IN_STEP} AND state IN ('pending', 'held')`

export function* findSubscription(id: string): Work<Subscription | undefined> {
  const found = yield* first<object>(FIND, [id])
  return found && readSubscription(found)
}

/** Also ends the subscription's work, for the owner, a 410, or five days of failures. */
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

export const subscriptionWrites = {
  *createSubscription(subscription, limit) {
    if (yield* isTaken(subscription)) return 'exists'
    if (subscription.partnerId !== undefined)
      return (yield* insertNew(webhookSubscriptions, subscription)) ? 'created' : 'exists'
    if ((yield* countActive(subscription)) >= limit) return 'too_many'
    yield* insert(webhookSubscriptions, subscription)
    return 'created'
  },
  *updateSubscription(id, { rotation, ...changed }) {
    const before = yield* findSubscription(id)
    if (!before) return undefined
    const { url = before.url } = changed
    if (url !== before.url && (yield* isTaken({ ...before, url }))) return 'exists'
    const secrets = rotation && rotated(before.secrets, rotation)
    yield* update(webhookSubscriptions, { id, ...changed, secrets }, eq(webhookSubscriptions.id, id))
    if (url !== before.url) yield* change(RECOVER, [id])
    return yield* findSubscription(id)
  },
} satisfies Partial<Operations<WebhookWrites>>

export const subscriptionTours = {
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
} satisfies Partial<Tours<WebhookWrites>>

/** Limits the owner's active ones, counting this one. */
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

/**
 * Waiting deliveries follow their webhook step by step; claims.ts takes only active webhooks', so the row decides at
 * once.
 */
const changeTo = (to: string, condition: string): string =>
  `UPDATE webhook_deliveries SET ${to} WHERE ${IN_STEP} AND ${condition}`
const webhook = (status: string): string =>
  `EXISTS (SELECT 1 FROM webhook_subscriptions WHERE id = @subscriptionId AND status ${status})`

const CHANGES = [
  changeTo(`state = 'held'`, `state = 'pending' AND ${webhook(`= 'disabled'`)}`),
  changeTo(`state = 'pending', ${anew('@now')}`, `state = 'held' AND ${webhook(`= 'active'`)}`),
  changeTo(
    `state = 'cancelled', finished_at = @now`,
    `state IN ('pending', 'held', 'in_flight') AND NOT ${webhook(`<> 'revoked'`)}`,
  ),
]

/** The next webhook with deliveries, deleted or not: one index probe. */
const NEXT = 'SELECT min(subscription_id) FROM webhook_deliveries WHERE subscription_id > ?'

function align(run: Run, subscriptionId: string, now: number): Promise<string | undefined> {
  return inSteps(
    run,
    subscriptionId,
    function* (step) {
      for (const each of CHANGES) yield* change(each, { ...step, now })
      return 0
    },
    () => nextAfter(subscriptionId),
  )
}

export const alignTours: Tours<Pick<WebhookWrites, 'alignDeliveries'>> = {
  async alignDeliveries(run, now, subscriptionId) {
    if (subscriptionId !== undefined) {
      await align(run, subscriptionId, now)
      return
    }
    let id = await run(() => nextAfter(''))
    while (id !== undefined) id = await align(run, id, now)
  },
}

function* nextAfter(subscriptionId: string): Work<string | undefined> {
  return (yield* value<string | null>(NEXT, [subscriptionId])) ?? undefined
}
