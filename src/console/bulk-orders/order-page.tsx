/** Bulk orders as they went: listed, and of each what became of its charge points (BULK-B1, BULK-B4). */
import type { FC } from 'hono/jsx'
import type { BulkOrders, Counts } from '../../application/bulk-orders/orders.ts'
import {
  type BulkOrder,
  type BulkRow,
  type BulkRowState,
  type BulkWhat,
  OPEN_ROWS,
  ROW_STATES,
} from '../../domain/bulk-orders/records.ts'
import { noSuch } from '../../domain/refuse.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table, TableCard, Title } from '../../web/parts/table.tsx'
import type { PageContext } from '../../web/site.ts'
import { At, shownSpan } from '../../web/times.tsx'
import type { ConsolePage } from '../console-parts.ts'
import { Paging, StateTabs, Way } from '../kit/list.tsx'
import { pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ago, ButtonLink, chip, cutOff, link, station, wordsIn } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { messagePath, queryText } from '../paths.ts'
import { acting, mayAct, showing, type Visit } from '../visit.tsx'
import { nameOfWhat } from './form.ts'

const LIST = '/bulk-orders'

interface ShownOrder {
  readonly order: BulkOrder
  readonly what: BulkWhat | undefined
  readonly counts: Counts
  readonly by?: string | undefined
}

async function shownOrder(orders: BulkOrders, { site }: Visit, order: BulkOrder): Promise<ShownOrder> {
  const user = order.by.kind === 'user' ? await site.reads.findUser(order.by.id) : undefined
  return { order, what: orders.whatOf(order), counts: await orders.countsOf(order), by: user?.email }
}

export function showOrders(orders: BulkOrders): ConsolePage {
  return showing('see', async (visit) => {
    const { accountId, context, site, frame } = visit
    const words = wordsIn('bulkOrders', frame)
    const id = context.req.query('after')
    const found = await site.reads.listRecords('bulk_orders', {
      where: { accountId },
      newestFirst: true,
      limit: rowsAsked(frame),
      ...(id !== undefined && { after: { accountId, id } }),
    })
    const { rows, last } = pageOfRows(found, frame)
    return (
      <Page frame={frame} title={words.orders} wide live>
        <Title text={words.orders} />
        <div data-live="orders">
          <TableCard<ShownOrder>
            label={words.orders}
            rows={await Promise.all(rows.map((order) => shownOrder(orders, visit, order)))}
            oneLine
            empty={words.noOrders}
            columns={[
              link(words.what, (one) => ({ to: frame.root + pathOf(one.order), text: nameOf(frame, one) }), {
                whole: (one) => nameOf(frame, one),
              }),
              { title: words.state, width: 136, cell: (one) => <StateWord frame={frame} {...one} /> },
              { title: words.progress, wideOnly: true, cell: (one) => <Progress frame={frame} {...one} /> },
              {
                title: words.created,
                kind: 'time',
                width: 160,
                wideOnly: true,
                cell: ({ order }) => <At frame={frame} at={order.createdAt} />,
              },
            ]}
          />
          <Paging frame={frame} path={frame.root + LIST} next={last?.id} newestFirst />
        </div>
        <Way to={`${frame.root}/charge-points`} text={words.toStations} />
      </Page>
    )
  })
}

export function showOrder(orders: BulkOrders): ConsolePage {
  return showing('see', async (visit) => {
    const order = await find(visit)
    if (!order) return undefined
    const { frame, site, context, csrf } = visit
    const words = wordsIn('bulkOrders', frame)
    const { state: asked = '', after: stationId } = context.req.query()
    const state = ROW_STATES.find((one) => one === asked)
    const orderId = order.id
    const found = await site.reads.listRecords('bulk_order_rows', {
      where: { orderId, state },
      limit: rowsAsked(frame),
      ...(stationId !== undefined && { after: { orderId, stationId } }),
    })
    const { rows, last } = pageOfRows(found, frame)
    const shown = await shownOrder(orders, visit, order)
    const { what, counts } = shown
    const path = frame.root + pathOf(order)
    const title = words.title(nameOf(frame, shown), words.stationsOf(shownFigure(frame, order.total)))
    return (
      <Page frame={frame} title={title} wide live>
        <Title text={<bdi>{title}</bdi>} said={<By {...shown} frame={frame} />}>
          {counts.failed !== undefined && what && mayAct(visit) && (
            <ButtonLink
              main
              to={`${frame.root}/new-bulk-order${queryText({ again: order.id })}`}
              text={words.again(shownFigure(frame, counts.failed))}
            />
          )}
          {stateOf(order, counts) === 'running' && mayAct(visit) && (
            <Action
              to={`${path}/cancel`}
              csrf={csrf(actionOf(context))}
              style="danger"
              ask={words.cancelAsk}
              text={words.cancelRest}
            />
          )}
        </Title>
        <section class="card" data-live="progress" aria-label={words.progress}>
          <p>
            <StateWord frame={frame} {...shown} />{' '}
            {order.reason !== undefined && <bdi class="soft">{translated(frame, order.reason)}</bdi>}
          </p>
          <Progress frame={frame} {...shown} />
        </section>
        <section class="card" data-live="rows" aria-label={words.stations}>
          <StateTabs
            {...{ frame, path, chosen: state, states: ROW_STATES, words: words.states, counts, all: order.total }}
          />
          <Table<BulkRow>
            oneLine
            rows={rows}
            empty={words.noRows}
            columns={[
              station(frame, words.station, ({ stationId }) => stationId, {
                width: 200,
                whole: ({ stationId }) => stationId,
              }),
              chip(words.result, (row) => [style(row.state), words.states[row.state]], { width: 136 }),
              cutOff(words.inWords, (row) => inWords(frame, row)),
              ago(frame, words.at, ({ updatedAt }) => updatedAt),
              {
                title: words.messageOfLog,
                width: 104,
                wideOnly: true,
                cell: ({ stationId, commandId }) =>
                  commandId !== undefined && (
                    <a href={messagePath(frame, stationId, commandId)}>{words.messageOfLog}</a>
                  ),
              },
            ]}
          />
          <Paging frame={frame} path={path} query={{ state }} next={last?.stationId} />
        </section>
        <Way to={frame.root + LIST} text={words.orders} />
      </Page>
    )
  })
}

export function cancel(orders: BulkOrders): ConsolePage {
  return acting(actionOf, async (visit) => {
    const order = await find(visit)
    if (!order) return noSuch('bulk order')
    const cancelled = await orders.cancel(order)
    return 'refused' in cancelled ? cancelled : pathOf(order)
  })
}

function actionOf({ req }: PageContext): string {
  return `bulk order ${req.param('orderId')}`
}

async function find({ site, context, accountId }: Visit): Promise<BulkOrder | undefined> {
  return site.reads.getRecord('bulk_orders', { accountId, id: context.req.param('orderId') ?? '' })
}

const By: FC<ShownOrder & { frame: Frame }> = ({ frame, order, by }) => {
  const words = wordsIn('bulkOrders', frame)
  const who = by ?? (order.by.kind === 'grant' ? words.application : words.api)
  return (
    <>
      <bdi>{words.orderedBy(who)}</bdi>, <At frame={frame} at={order.createdAt} />
    </>
  )
}

const StateWord: FC<ShownOrder & { frame: Frame }> = ({ frame, order, counts }) => (
  <span class="chip">{wordsIn('bulkOrders', frame).orderStates[stateOf(order, counts)]}</span>
)

const Progress: FC<ShownOrder & { frame: Frame }> = ({ frame, order: { total }, counts }) => {
  const words = wordsIn('bulkOrders', frame)
  const open = OPEN_ROWS.reduce((sum, state) => sum + (counts[state] ?? 0), 0)
  return (
    <>
      <progress max={Math.max(1, total)} value={total - open} aria-label={words.progress} />{' '}
      {words.of(shownFigure(frame, total - open), shownFigure(frame, total))}
      {ROW_STATES.flatMap((state) => {
        const count = counts[state]
        if (count === undefined) return []
        return [
          ' · ',
          <span class={state === 'failed' ? 'chip bad' : 'soft'}>
            {shownFigure(frame, count)} {words.states[state]}
          </span>,
        ]
      })}
    </>
  )
}

function stateOf({ state }: BulkOrder, counts: Counts): 'running' | 'done' | 'cancelled' {
  if (state === 'ending' || state === 'cancelled') return 'cancelled'
  return OPEN_ROWS.some((open) => counts[open] !== undefined) ? 'running' : 'done'
}

function nameOf(frame: Frame, { order, what }: ShownOrder): string {
  return what ? nameOfWhat(frame, what) : order.id
}

export function pathOf({ id }: BulkOrder): string {
  return `${LIST}/${id}`
}

function inWords(frame: Frame, { answer, backAfterMs, reason }: BulkRow): string | undefined {
  if (answer === undefined) return reason && translated(frame, reason)
  return backAfterMs === undefined
    ? answer
    : wordsIn('bulkOrders', frame).backAfter(answer, shownSpan(frame, backAfterMs))
}

function style(state: BulkRowState): string {
  if (state === 'failed') return 'bad'
  return state === 'done' ? 'over' : ''
}
