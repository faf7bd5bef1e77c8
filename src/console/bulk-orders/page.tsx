/** Bulk orders on the console (BULK-B1 to BULK-B7): ticked in the list, asked about, ordered. */

import type { FC } from 'hono/jsx'
import type { Asked, Chosen } from '../../application/bulk-orders/choose.ts'
import type { BulkOrders } from '../../application/bulk-orders/orders.ts'
import { findChargePoints } from '../../application/charge-points/find.ts'
import { labelFault } from '../../application/charge-points/register.ts'
import type { BulkWhat } from '../../domain/bulk-orders/records.ts'
import { Page, Sealed, Warning } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table } from '../../web/parts/table.tsx'
import { CHARGE_POINT_FILTERS, filterOf } from '../charge-points/list-query.ts'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { readQuery } from '../kit/filters.ts'
import { asOptions, type Field, FieldList, type Fields, namesAsOptions } from '../kit/form.tsx'
import { Way } from '../kit/list.tsx'
import { station, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { acting, actingPage, again, type Visit } from '../visit.tsx'
import { BULK_KINDS, kindOf, MESSAGES, nameOfWhat, ttlOf, whatOf } from './form.ts'
import { cancel, pathOf, showOrder, showOrders } from './order-page.tsx'

const NEW_ORDER = 'bulk order'
const MAX_OFFERED = 200
const MAX_NAMED = 50
const PAGE = 500

export function bulkOrderPages(orders: BulkOrders): MountConsolePages {
  return (page) => {
    const show = actingPage((visit) => formPage(orders, visit, new URL(visit.context.req.url).searchParams))
    page('/new-bulk-order', { GET: show, POST: create(orders) })
    page('/bulk-orders', { GET: showOrders(orders) })
    page('/bulk-orders/:orderId', { GET: showOrder(orders) })
    page('/bulk-orders/:orderId/cancel', { POST: cancel(orders) })
  }
}

function create(orders: BulkOrders): ConsolePage {
  return acting(NEW_ORDER, async (visit, form) => {
    const { what, ids } = await askedFor(orders, visit, form)
    if (!what) return again(await formPage(orders, visit, form), { status: 400 })
    const order = await orders.order(orderOf(visit, ids, what, form), { kind: 'user', id: visit.user.id })
    return 'refused' in order ? again(await formPage(orders, visit, form, order.detail), order) : pathOf(order)
  })
}

/** The question before a bulk order: of how many, who cannot and why (BULK-B2, CONSOLE-A19). */
async function formPage(orders: BulkOrders, visit: Visit, form: URLSearchParams, refused?: string) {
  const { frame } = visit
  const words = wordsIn('bulkOrders', frame)
  const { ids, what } = await askedFor(orders, visit, form)
  const preview = what && ids.length > 0 ? await orders.preview(orderOf(visit, ids, what, form)) : undefined
  const chosen = preview && !('refused' in preview) ? preview : undefined
  const fault = refused ?? (preview && 'refused' in preview ? preview.detail : undefined)
  // What is tried again as it was ordered: nothing of it is chosen anew.
  const repeated = form.has('again') ? what : undefined
  const stationsOf = (count: number): string => words.stationsOf(shownFigure(frame, count))
  const titleOf = (count: number): string =>
    words.title(repeated ? nameOfWhat(frame, repeated) : words.kinds[kindOf(form)], stationsOf(count))
  const able = chosen?.filter(({ objection }) => objection === undefined).length ?? 0
  const title = titleOf(ids.length)
  return (
    <Page frame={frame} title={title} narrow>
      <form class="card" method="post" action={`${frame.root}/new-bulk-order`}>
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {fault !== undefined && <Warning>{fault}</Warning>}
        {ids.length === 0 ? (
          <p>{words.noneTicked}</p>
        ) : (
          <>
            <Sealed csrf={visit.csrf(NEW_ORDER)} once={visit.once()} />
            {['id', 'all', 'again'].flatMap((name) =>
              form.getAll(name).map((value) => <input type="hidden" {...{ name, value }} />),
            )}
            <FieldList fields={await fieldsOf(visit, form, repeated)} typed={{ form, faults: {} }} />
            {chosen && <Preview visit={visit} chosen={chosen} able={able} />}
            <div class="actions">
              {able > 0 && (
                <button type="submit" class="danger">
                  <bdi>{repeated ? titleOf(able) : words.order[kindOf(form)](stationsOf(able))}</bdi>
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

async function fieldsOf(
  { site, accountId, frame }: Visit,
  form: URLSearchParams,
  repeated: BulkWhat | undefined,
): Promise<Fields> {
  const words = wordsIn('bulkOrders', frame)
  const wait: Field = { name: 'wait', label: words.wait, tick: true }
  if (repeated) return [wait]
  const offered = { where: { accountId }, limit: MAX_OFFERED }
  const [configurations, images] = await Promise.all([
    site.reads.listRecords('configurations', offered),
    site.reads.listRecords('firmware_images', offered),
  ])
  const connector: Field = { name: 'connectorId', label: words.connectorId, inputmode: 'numeric' }
  const evse: Field = { name: 'evseId', label: words.evseId, inputmode: 'numeric' }
  const kinds = Object.fromEntries(BULK_KINDS.map((kind) => [kind, words.kinds[kind]]))
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
        options: namesAsOptions(
          frame,
          configurations.map(({ name }) => name),
        ),
        hint: configurations.length === 0 ? words.noneThere : words.configurationHint,
      },
    ],
    firmware: [
      {
        name: 'firmwareId',
        label: words.image,
        options: Object.fromEntries(images.map(({ id, version, fileName }) => [id, `${version} (${fileName})`])),
        hint: images.length === 0 ? words.noneThere : undefined,
      },
    ],
  } satisfies Readonly<Record<(typeof BULK_KINDS)[number], Fields>>
  const kind = kindOf(form)
  return [{ name: 'kind', label: words.what, options: kinds, value: kind }, ...own[kind], wait]
}

type PreviewProps = { visit: Visit; chosen: readonly Chosen[]; able: number }

const Preview: FC<PreviewProps> = ({ visit: { frame }, chosen, able }) => {
  const words = wordsIn('bulkOrders', frame)
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
