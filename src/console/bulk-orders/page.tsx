/** Bulk orders on the console (BULK-B1 to BULK-B7): ticked in the list, asked about, ordered, followed, cancelled. */
import type { Asked } from '../../application/bulk-orders/choose.ts'
import type { BulkOrders } from '../../application/bulk-orders/orders.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { labelFault } from '../../application/charge-points/labels.ts'
import { type BulkOrder, type BulkWhat, ROW_STATES } from '../../domain/bulk-orders/records.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { noSuch } from '../../domain/refuse.ts'
import type { PageContext } from '../../web/site.ts'
import { CHARGE_POINT_FILTERS, filterOf } from '../charge-points/list-query.ts'
import type { ConsolePage, MountConsolePages, OperatorContext } from '../console-parts.ts'
import { readQuery } from '../kit/filters.ts'
import { pageOfRows, rowsAsked } from '../kit/page-of-rows.ts'
import { acting, actingPage, again, type Shown, showing, type Visit } from '../visit.tsx'
import { ttlOf, whatOf } from './form.ts'
import { NEW_ORDER, NewOrderPage } from './new-page.tsx'
import { OrderPage, OrdersPage, type ShownOrder, tokenOf } from './order-page.tsx'

const MAX_OFFERED = 200
const PAGE = 500

export function bulkOrderPages(orders: BulkOrders): MountConsolePages {
  return (page, parts) => {
    page('/new-bulk-order', { GET: showNew(parts, orders), POST: create(parts, orders) })
    page('/bulk-orders', { GET: showOrders(orders) })
    page('/bulk-orders/:orderId', { GET: showOrder(orders) })
    page('/bulk-orders/:orderId/cancel', { POST: cancel(orders) })
  }
}

function showNew(parts: OperatorContext, orders: BulkOrders): ConsolePage {
  return actingPage((visit) => formPage(parts, orders, visit, new URL(visit.context.req.url).searchParams))
}

function create(parts: OperatorContext, orders: BulkOrders): ConsolePage {
  return acting(NEW_ORDER, async (visit, form) => {
    const asked = await askedFor(parts, orders, visit, form)
    if (!asked.what) return again(await formPage(parts, orders, visit, form), { status: 400 })
    const { what, ids } = asked
    const order = await orders.order(orderOf(visit, ids, what, form), { kind: 'user', id: visit.user.id })
    if ('refused' in order) return refused(parts, orders, visit, form, order)
    return `/bulk-orders/${order.id}`
  })
}

async function refused(
  parts: OperatorContext,
  orders: BulkOrders,
  visit: Visit,
  form: URLSearchParams,
  refusal: Refusal,
): Promise<Shown> {
  return again(await formPage(parts, orders, visit, form, refusal.detail), refusal)
}

async function formPage(
  parts: OperatorContext,
  orders: BulkOrders,
  visit: Visit,
  form: URLSearchParams,
  fault?: string,
) {
  const { site, accountId } = visit
  const { ids, what } = await askedFor(parts, orders, visit, form)
  const preview = what && ids.length > 0 ? await orders.preview(orderOf(visit, ids, what, form)) : undefined
  const where = { accountId }
  const [configurations, images] = await Promise.all([
    site.reads.listRecords('configurations', { where, limit: MAX_OFFERED }),
    site.reads.listRecords('firmware_images', { where, limit: MAX_OFFERED }),
  ])
  const isRefused = preview && 'refused' in preview
  return (
    <NewOrderPage
      visit={visit}
      form={form}
      again={form.get('again') === null ? undefined : what}
      total={ids.length}
      chosen={isRefused ? undefined : preview}
      fault={fault ?? (isRefused ? preview.detail : undefined)}
      configurations={configurations.map(({ name }) => name)}
      images={Object.fromEntries(images.map(({ id, version, fileName }) => [id, `${version} (${fileName})`]))}
    />
  )
}

function orderOf({ accountId }: Visit, ids: readonly string[], what: BulkWhat, form: URLSearchParams): Asked {
  return { accountId, selector: { ids }, what, ttlMs: ttlOf(form) }
}

/** Those that are ticked, all that the list is narrowed to, or what failed of another order, as it was ordered then. */
async function askedFor(
  parts: OperatorContext,
  orders: BulkOrders,
  visit: Visit,
  form: URLSearchParams,
): Promise<{ readonly ids: readonly string[]; readonly what: BulkWhat | undefined }> {
  const again = form.get('again')
  if (again !== null) return failedOf(orders, visit, again)
  const all = form.get('all')
  const ids = all === null ? [...new Set(form.getAll('id'))] : await matching(parts, visit, all)
  const what = whatOf(form)
  const isFaulty = what?.kind === 'label' && Object.entries(what.labels).some(([key, value]) => labelFault(key, value))
  return { ids, what: isFaulty ? undefined : what }
}

async function failedOf(orders: BulkOrders, { site, accountId }: Visit, id: string) {
  const order = await site.reads.getRecord('bulk_orders', { accountId, id })
  if (!order) return { ids: [], what: undefined }
  const where = { orderId: id, state: 'failed' } as const
  const rows = await site.reads.listRecords('bulk_order_rows', { where, limit: order.total })
  return { ids: rows.map(({ stationId }) => stationId), what: orders.whatOf(order) }
}

async function matching(
  { core }: OperatorContext,
  { site, accountId, frame }: Visit,
  all: string,
): Promise<readonly string[]> {
  const { requested, wrong } = readQuery(CHARGE_POINT_FILTERS, new URLSearchParams(all === '*' ? '' : all), frame)
  const filter = filterOf(requested)
  const found: string[] = []
  for (let more = wrong.length === 0; more; ) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { after: [last, last] as const }
    const query = { accountId, sort: 'id', limit: PAGE, ...after } as const
    const rows = await findChargePoints({ reads: site.reads, core }, filter, query)
    found.push(...rows.map(({ view }) => view.id))
    more = rows.length === PAGE
  }
  return found
}

function showOrders(orders: BulkOrders): ConsolePage {
  return showing('see', async (visit) => {
    const { accountId, context, site, frame } = visit
    const id = context.req.query('after')
    const found = await site.reads.listRecords('bulk_orders', {
      where: { accountId },
      newestFirst: true,
      limit: rowsAsked(frame),
      ...(id !== undefined && { after: { accountId, id } }),
    })
    const { rows, last } = pageOfRows(found, frame)
    const shown = await Promise.all(rows.map((order) => shownOrder(orders, visit, order)))
    return <OrdersPage visit={visit} orders={shown} next={last?.id} />
  })
}

function showOrder(orders: BulkOrders): ConsolePage {
  return showing('see', async (visit) => {
    const order = await find(visit)
    if (!order) return undefined
    const { state: asked = '', after: stationId } = visit.context.req.query()
    const state = ROW_STATES.find((one) => one === asked)
    const orderId = order.id
    const found = await visit.site.reads.listRecords('bulk_order_rows', {
      where: { orderId, state },
      limit: rowsAsked(visit.frame),
      ...(stationId !== undefined && { after: { orderId, stationId } }),
    })
    const { rows, last } = pageOfRows(found, visit.frame)
    const shown = await shownOrder(orders, visit, order)
    return <OrderPage {...{ visit, ...shown, rows, state, next: last?.stationId }} />
  })
}

function cancel(orders: BulkOrders): ConsolePage {
  const actionOf = ({ req }: PageContext): string => tokenOf(req.param('orderId') ?? '')
  return acting(actionOf, async (visit) => {
    const order = await find(visit)
    if (!order) return noSuch('bulk order')
    const cancelled = await orders.cancel(order)
    return 'refused' in cancelled ? cancelled : `/bulk-orders/${order.id}`
  })
}

async function find({ site, context, accountId }: Visit): Promise<BulkOrder | undefined> {
  return site.reads.getRecord('bulk_orders', { accountId, id: context.req.param('orderId') ?? '' })
}

async function shownOrder(orders: BulkOrders, { site }: Visit, order: BulkOrder): Promise<ShownOrder> {
  const user = order.by.kind === 'user' ? await site.reads.findUser(order.by.id) : undefined
  return { order, what: orders.whatOf(order), counts: await orders.countsOf(order), by: user?.email }
}
