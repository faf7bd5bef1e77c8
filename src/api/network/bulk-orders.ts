/** Bulk orders: one thing ordered of many charge points (BULK-B1 to BULK-B7). */

import { isOnlyAsked } from '../../application/audit/auditing.ts'
import type { Asked, Chosen } from '../../application/bulk-orders/choose.ts'
import type { BulkOrders, Counts } from '../../application/bulk-orders/orders.ts'
import { SCOPE_OF } from '../../application/bulk-orders/right.ts'
import {
  BulkOrderListSchema,
  BulkOrderSchema,
  BulkOrderWithRowsSchema,
  BulkPreviewSchema,
  BulkRowSchema,
  bulkOrderParams,
  bulkRowQuery,
  CreateBulkOrderSchema,
} from '../../application/bulk-orders/schemas.ts'
import { json as described, located, pageQuery, shown } from '../../application/schemas/common.ts'
import {
  type BulkActor,
  type BulkOrder,
  type BulkRow,
  type BulkWhat,
  OPEN_ROWS,
  reasonOf,
} from '../../domain/bulk-orders/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { maskPart } from '../../ocpp/mask.ts'
import {
  capabilitiesOf,
  credentialOnly,
  grantOf,
  needsScope,
  type Principal,
  permit,
  sees,
  sharedChargePoints,
  sharedStatuses,
} from '../access/access.ts'
import { challengeOf } from '../access/authenticate.ts'
import type { Api } from '../api-parts.ts'
import { refuseFaults, windowFaults } from '../requests/validation.ts'
import { recordPage, resource } from '../resource.ts'
import { json, notFound, orRefused } from '../respond.ts'
import { protectedResourceUrl } from '../routes/health-and-metrics.ts'

const MAX_NAMED = 500

export function addBulkOrders(api: Api, orders: BulkOrders): void {
  const common = { tag: 'Bulk orders', path: '/2/bulk-orders' } as const
  const all = resource(api, common)
  const one = resource(api, {
    ...common,
    path: `${common.path}/{bulkOrderId}`,
    params: bulkOrderParams,
    find: async ({ principal, params }) => ({ order: await find(api, principal, params.bulkOrderId) }),
  })
  const challenge = challengeOf(protectedResourceUrl(api.settings.baseUrl))
  all.post('', 'createBulkOrder', 'Order one thing of many charge points', {
    description:
      'Every charge point that is meant now carries it out when it is there, one order after the other, as if it had been ordered of it alone. One that is away is waited for as a command is: resets and unlocks only where a ttl is given. Who cannot carry it out is `refused` at once, with the reason. It needs the scope of what is ordered; labels need an API credential. An application reaches the charge points that are shared with it. Where its orderer loses the right, the rest is cancelled.',
    body: CreateBulkOrderSchema,
    inspect: ({ body: { order } }) => ({ faults: windowFaults(Object(order) as object, '/order/to') }),
    idempotent: 'optional',
    problems: [409],
    responses: {
      200: described(BulkPreviewSchema, `For dryRun: who would be ordered it, and at most ${MAX_NAMED} who cannot`),
      202: located(BulkOrderSchema, 'The order'),
    },
    async handle({ principal, body }) {
      const { order: ordered, selector, ids, ttl, dryRun } = body
      if ((selector === undefined) === (ids === undefined)) {
        const message = 'is to be given, or else ids, and not both'
        refuseFaults([{ pointer: '/selector', code: 'required', message }])
      }
      const what = whatOf(ordered)
      const scope = SCOPE_OF[what.kind]
      permit(principal, scope === undefined ? credentialOnly : needsScope(scope), challenge)
      const asked: Asked = {
        accountId: principal.accountId,
        selector: selector ?? { ids },
        what,
        grantId: grantOf(principal),
        capabilities: capabilitiesOf(principal),
        ttlMs: ttl === undefined ? undefined : ttl * 1000,
        shared: sharedChargePoints(principal),
        statuses: sharedStatuses(principal),
      }
      if (dryRun) {
        isOnlyAsked()
        return json(preview(orRefused(await orders.preview(asked))))
      }
      const order = orRefused(await orders.order(asked, actorOf(principal)))
      return json(await represent(orders, order), 202, { location: `${common.path}/${order.id}` })
    },
  })
  all.get('', 'listBulkOrders', 'List bulk orders', {
    query: pageQuery,
    ok: [BulkOrderListSchema, 'A page of orders, newest first'],
    handle: (request) =>
      recordPage(api, request, {
        name: 'bulk orders',
        kind: 'bulk_orders',
        newestFirst: true,
        fits: (order) => mayKnow(request.principal, order),
        show: (rows) => Promise.all(rows.map((order) => represent(orders, order))),
      }),
  })
  one.get('', 'getBulkOrder', 'Get a bulk order with its charge points', {
    query: bulkRowQuery,
    ok: [BulkOrderWithRowsSchema, 'The order, and a page of its charge points by id'],
    async handle(request) {
      const { order, query, principal } = request
      const { id: orderId, accountId } = order
      const page = await recordPage(api, request, {
        name: `bulk order ${orderId}`,
        kind: 'bulk_order_rows',
        where: { orderId, state: query.state },
        fits: ({ stationId: id }) => sees(principal, { id, accountId }),
        show: (rows) => rows.map(representRow),
      })
      return { ...(await represent(orders, order)), ...page }
    },
  })
  one.post('/cancel', 'cancelBulkOrder', 'Cancel a bulk order', {
    description: 'What waits is not sent any more. What was sent cannot be called back: its answer still counts.',
    problems: [409],
    ok: [BulkOrderSchema, 'The order as it is now'],
    holds: ({ order: { by } }) => ({ grantId: by.kind === 'grant' ? by.id : undefined }),
    async handle({ principal, order, params }) {
      const what = orders.whatOf(order)
      const scope = what && SCOPE_OF[what.kind]
      permit(principal, scope === undefined ? credentialOnly : needsScope(scope), challenge)
      orRefused(await orders.cancel(order))
      return represent(orders, await find(api, principal, params.bulkOrderId))
    },
  })
}

function whatOf(ordered: ReturnType<typeof CreateBulkOrderSchema.parse>['order']): BulkWhat {
  if (ordered.kind !== 'log') return ordered
  const { kind, type, from, to } = ordered
  return { kind, type, fromAt: from, toAt: to }
}

function actorOf(principal: Principal): BulkActor {
  return principal.kind === 'credential'
    ? { kind: 'credential', id: principal.credentialId }
    : { kind: 'grant', id: principal.grantId }
}

/** @throws Problem 404, the same for another account's and another application's */
async function find({ reads }: Api, principal: Principal, id: string): Promise<BulkOrder> {
  const order = await reads.getRecord('bulk_orders', { accountId: principal.accountId, id })
  if (!order || !mayKnow(principal, order)) throw notFound('bulk order')
  return order
}

/** An application knows its own, because others name charge points that are not shared with it. */
function mayKnow(principal: Principal, { by }: BulkOrder): boolean {
  return principal.kind === 'credential' || (by.kind === 'grant' && by.id === principal.grantId)
}

function preview(chosen: readonly Chosen[]): object {
  const cannot = chosen.filter(({ objection }) => objection !== undefined)
  const waiting = chosen.length - cannot.length
  const counts = { ...(waiting > 0 && { waiting }), ...(cannot.length > 0 && { refused: cannot.length }) }
  const data = cannot
    .slice(0, MAX_NAMED)
    .map(({ id, objection }) => ({ evseControllerId: id, state: 'refused', reason: objection }))
  return { counts, total: chosen.length, data }
}

function shownWhat(what: BulkWhat | undefined): unknown {
  if (what?.kind === 'label') {
    const removed = Object.keys(what.labels).filter((key) => what.labels[key] === null)
    const labels = Object.fromEntries(Object.entries(what.labels).filter(([, value]) => value !== null))
    return { kind: what.kind, labels, ...(removed.length > 0 && { removed }) }
  }
  if (what?.kind !== 'log') return maskPart(what ?? { kind: 'sealed' })
  const { kind, type, fromAt, toAt } = what
  const from = fromAt !== undefined && { from: isoTime(fromAt) }
  return { kind, type, ...from, ...(toAt !== undefined && { to: isoTime(toAt) }) }
}

/** The server notes the end of one a moment later. */
function shownState(state: BulkOrder['state'], counts: Counts): 'running' | 'done' | 'cancelled' {
  if (state === 'ending' || state === 'cancelled') return 'cancelled'
  if (state === 'done') return 'done'
  return OPEN_ROWS.some((open) => counts[open] !== undefined) ? 'running' : 'done'
}

async function represent(orders: BulkOrders, order: BulkOrder): Promise<object> {
  const counts = await orders.countsOf(order)
  const state = shownState(order.state, counts)
  return shown(BulkOrderSchema, order, { state, order: shownWhat(orders.whatOf(order)), counts })
}

function representRow(row: BulkRow): object {
  const { stationId: evseControllerId, backAfterMs } = row
  const backAfterSeconds = backAfterMs && Math.round(backAfterMs / 1000)
  return shown(BulkRowSchema, row, { evseControllerId, reason: reasonOf(row), backAfterSeconds })
}
