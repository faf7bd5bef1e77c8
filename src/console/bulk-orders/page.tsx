/** Bulk orders on the console (BULK-B1 to BULK-B7): ticked in the list, asked about, ordered, followed, cancelled. */

import type { FC } from 'hono/jsx'
import type { Asked, Chosen } from '../../application/bulk-orders/choose.ts'
import type { BulkOrders } from '../../application/bulk-orders/orders.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { labelFault } from '../../application/charge-points/register.ts'
import { type BulkOrder, type BulkWhat, ROW_STATES } from '../../domain/bulk-orders/records.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { Page, Sealed, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { CHARGE_POINT_FILTERS, filterOf } from '../charge-points/list-query.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { readQuery } from '../kit/filters.ts'
import { asOptions, type Field, FieldList, type Fields, namesAsOptions } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { bulkTexts, station } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { acting, actingPage, again, type Shown, showing, type Visit } from '../visit.tsx'
import { BULK_KINDS, kindOf, MESSAGES, nameOfWhat, ttlOf, whatOf } from './form.ts'
import { OrderPage, OrdersPage, type ShownOrder, tokenOf } from './order-page.tsx'

const MAX_OFFERED = 200
const PAGE = 500

export function bulkOrderPages(orders: BulkOrders): MountConsolePages {
  return (page) => {
    page('/new-bulk-order', { GET: showNew(orders), POST: create(orders) })
    page('/bulk-orders', { GET: showOrders(orders) })
    page('/bulk-orders/:orderId', { GET: showOrder(orders) })
    page('/bulk-orders/:orderId/cancel', { POST: cancel(orders) })
  }
}

function showNew(orders: BulkOrders): ConsolePage {
  return actingPage((visit) => formPage(orders, visit, new URL(visit.context.req.url).searchParams))
}

function create(orders: BulkOrders): ConsolePage {
  return acting(NEW_ORDER, async (visit, form) => {
    const asked = await askedFor(orders, visit, form)
    if (!asked.what) return again(await formPage(orders, visit, form), { status: 400 })
    const { what, ids } = asked
    const order = await orders.order(orderOf(visit, ids, what, form), { kind: 'user', id: visit.user.id })
    if ('refused' in order) return refused(orders, visit, form, order)
    return `/bulk-orders/${order.id}`
  })
}

async function refused(orders: BulkOrders, visit: Visit, form: URLSearchParams, refusal: Refusal): Promise<Shown> {
  return again(await formPage(orders, visit, form, refusal.detail), refusal)
}

async function formPage(orders: BulkOrders, visit: Visit, form: URLSearchParams, fault?: string) {
  const { site, accountId } = visit
  const { ids, what } = await askedFor(orders, visit, form)
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
  orders: BulkOrders,
  visit: Visit,
  form: URLSearchParams,
): Promise<{ readonly ids: readonly string[]; readonly what: BulkWhat | undefined }> {
  const again = form.get('again')
  if (again !== null) return failedOf(orders, visit, again)
  const all = form.get('all')
  const ids = all === null ? [...new Set(form.getAll('id'))] : await matching(visit, all)
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

async function matching({ site, accountId, frame }: Visit, all: string): Promise<readonly string[]> {
  const { requested, wrong } = readQuery(CHARGE_POINT_FILTERS, new URLSearchParams(all === '*' ? '' : all), frame)
  const filter = filterOf(requested)
  const found: string[] = []
  for (let more = wrong.length === 0; more; ) {
    const last = found.at(-1)
    const after = last === undefined ? {} : { after: [last, last] as const }
    const query = { accountId, sort: 'id', limit: PAGE, ...after } as const
    const rows = await findChargePoints(site, filter, query)
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

/** The question before a bulk order: of how many, who cannot and why (BULK-B2, CONSOLE-A19). */
const MAX_NAMED = 50
const NEW_ORDER = 'bulk order'

interface Props {
  readonly visit: Visit
  readonly form: URLSearchParams
  /** What is tried again as it was ordered: nothing of it is chosen anew. */
  readonly again: BulkWhat | undefined
  readonly total: number
  readonly chosen: readonly Chosen[] | undefined
  readonly fault: string | undefined
  readonly configurations: readonly string[]
  readonly images: Readonly<Record<string, string>>
}

const NewOrderPage: FC<Props> = (props) => {
  const { visit, form, total, chosen, fault } = props
  const { frame } = visit
  const words = bulkTexts(frame)
  const title = words.title(
    props.again ? nameOfWhat(frame, props.again) : words.kinds[kindOf(form)],
    words.stationsOf(shownFigure(frame, total)),
  )
  const able = chosen?.filter(({ objection }) => objection === undefined).length ?? 0
  return (
    <Page frame={frame} title={title} narrow>
      <form class="card" method="post" action={`${frame.root}/new-bulk-order`}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {fault !== undefined && <Warning>{fault}</Warning>}
        {total === 0 ? (
          <p>{words.noneTicked}</p>
        ) : (
          <>
            <Sealed csrf={visit.csrf(NEW_ORDER)} once={visit.once()} />
            {['id', 'all', 'again'].flatMap((name) =>
              form.getAll(name).map((value) => <input type="hidden" {...{ name, value }} />),
            )}
            <FieldList fields={fieldsOf(props)} typed={{ form, faults: {} }} />
            {chosen && <Preview {...props} chosen={chosen} able={able} />}
            <div class="actions">
              {able > 0 && (
                <button type="submit" class="danger">
                  <bdi>{buttonOf(props, words.stationsOf(shownFigure(frame, able)))}</bdi>
                </button>
              )}
              <button type="submit" formmethod="get" formnovalidate>
                {words.preview}
              </button>
              <a href={`${frame.root}/charge-points`}>{words.cancel}</a>
            </div>
          </>
        )}
      </form>
      <Way to={`${frame.root}/charge-points`} text={words.toStations} />
    </Page>
  )
}

function buttonOf({ visit: { frame }, again, form }: Props, stations: string): string {
  const words = bulkTexts(frame)
  return again ? words.title(nameOfWhat(frame, again), stations) : words.order[kindOf(form)](stations)
}

function fieldsOf({ visit, form, again, configurations, images }: Props): Fields {
  const words = bulkTexts(visit.frame)
  const wait: Field = { name: 'wait', label: words.wait, tick: true }
  if (again) return [wait]
  const connector: Field = { name: 'connectorId', label: words.connectorId, inputmode: 'numeric' }
  const evse: Field = { name: 'evseId', label: words.evseId, inputmode: 'numeric' }
  const kinds = Object.fromEntries(BULK_KINDS.map((kind) => [kind, words.kinds[kind]]))
  const none = Object.keys(images).length === 0
  const own = {
    reset: [{ name: 'type', label: words.resetType, options: { soft: words.soft, hard: words.hard } }],
    unlock: [evse, { ...connector, value: '1' }],
    availability: [
      { name: 'available', label: words.available, options: { false: words.no, true: words.yes } },
      evse,
      { ...connector, hint: words.wholeStation },
    ],
    trigger: [{ name: 'message', label: words.message, options: asOptions(MESSAGES) }],
    label: [
      { name: 'key', label: words.labelKey, required: true, maxlength: 63 },
      { name: 'value', label: words.labelValue, hint: words.labelHint, maxlength: 255 },
    ],
    log: [{ name: 'log', label: words.logType, options: { diagnostics: words.diagnostics, security: words.security } }],
    configuration: [
      {
        name: 'name',
        label: words.configuration,
        options: namesAsOptions(visit.frame, configurations),
        hint: configurations.length === 0 ? words.noneThere : words.configurationHint,
      },
    ],
    firmware: [{ name: 'firmwareId', label: words.image, options: images, hint: none ? words.noneThere : undefined }],
  } satisfies Readonly<Record<(typeof BULK_KINDS)[number], Fields>>
  const kind = kindOf(form)
  return [{ name: 'kind', label: words.what, options: kinds, value: kind }, ...own[kind], wait]
}

const Preview: FC<Props & { chosen: readonly Chosen[]; able: number }> = ({ visit: { frame }, chosen, able }) => {
  const words = bulkTexts(frame)
  const cannot = chosen.filter(({ objection }) => objection !== undefined)
  const more = cannot.length - MAX_NAMED
  return (
    <section aria-live="polite">
      <p>
        <strong>{words.can(shownFigure(frame, able))}</strong>
      </p>
      {cannot.length > 0 && (
        <>
          <p>{words.cannot(shownFigure(frame, cannot.length))}</p>
          <Table<Chosen>
            plain
            rows={cannot.slice(0, MAX_NAMED)}
            columns={[
              station(frame, words.station, ({ id }) => id),
              { title: words.reason, text: ({ objection = '' }) => translated(frame, objection) },
            ]}
          />
          {more > 0 && <p class="soft">{words.andMore(shownFigure(frame, more))}</p>}
        </>
      )}
    </section>
  )
}
