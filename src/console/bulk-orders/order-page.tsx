/** One bulk order: how far it is, and what became of each charge point (BULK-B1, BULK-B4). */
import type { FC } from 'hono/jsx'
import type { Counts } from '../../application/bulk-orders/orders.ts'
import {
  type BulkOrder,
  type BulkRow,
  type BulkRowState,
  type BulkWhat,
  OPEN_ROWS,
  ROW_STATES,
} from '../../domain/bulk-orders/records.ts'
import { Action, type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table, TableCard, Title } from '../../web/parts/table.tsx'
import { At, shownSpan } from '../../web/times.tsx'
import { Paging, Tabs, Way } from '../kit/list.tsx'
import { ago, ButtonLink, bulkTexts, chip, link, station } from '../kit/parts.tsx'
import { translated } from '../kit/translated.ts'
import { messagePath, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { nameOfWhat } from './form.ts'

export interface ShownOrder {
  readonly order: BulkOrder
  readonly what: BulkWhat | undefined
  readonly counts: Counts
  readonly by?: string | undefined
}

export function tokenOf(id: string): string {
  return `bulk order ${id}`
}

interface Props extends ShownOrder {
  readonly visit: Visit
  readonly rows: readonly BulkRow[]
  readonly state: BulkRowState | undefined
  readonly next: string | undefined
}

export const OrderPage: FC<Props> = (props) => {
  const { visit, order, counts, rows, state, next } = props
  const { frame } = visit
  const words = bulkTexts(frame)
  const path = orderPath(frame, order)
  const title = words.title(nameOf(frame, props), words.stationsOf(shownFigure(frame, order.total)))
  const isOpen = stateOf(order, counts) === 'running'
  const inTable = ROW_STATES.filter((one) => counts[one] !== undefined)
  return (
    <Page frame={frame} title={title} wide live>
      <Title text={<bdi>{title}</bdi>} said={<By {...props} frame={frame} />}>
        {counts.failed !== undefined && props.what && mayAct(visit) && (
          <ButtonLink
            main
            to={`${frame.root}/new-bulk-order${queryText({ again: order.id })}`}
            text={words.again(shownFigure(frame, counts.failed))}
          />
        )}
        {isOpen && mayAct(visit) && (
          <Action
            to={`${path}/cancel`}
            csrf={visit.csrf(tokenOf(order.id))}
            style="danger"
            ask={words.cancelAsk}
            text={words.cancelRest}
          />
        )}
      </Title>
      <section class="card" data-live="progress" aria-label={words.progress}>
        <p>
          <StateWord frame={frame} {...props} />{' '}
          {order.reason !== undefined && <bdi class="soft">{translated(frame, order.reason)}</bdi>}
        </p>
        <Progress frame={frame} {...props} />
      </section>
      <section class="card" data-live="rows" aria-label={words.stations}>
        <Tabs
          frame={frame}
          path={path}
          name="state"
          chosen={state}
          options={[
            [undefined, `${words.all} ${shownFigure(frame, order.total)}`],
            ...inTable.map((one) => [one, `${words.states[one]} ${shownFigure(frame, counts[one] ?? 0)}`] as const),
          ]}
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
            {
              title: words.inWords,
              whole: (row) => inWords(frame, row),
              cell: (row) => <bdi>{inWords(frame, row)}</bdi>,
            },
            ago(frame, words.at, ({ updatedAt }) => updatedAt),
            {
              title: words.messageOfLog,
              width: 104,
              wideOnly: true,
              cell: ({ stationId, commandId }) =>
                commandId !== undefined && <a href={messagePath(frame, stationId, commandId)}>{words.messageOfLog}</a>,
            },
          ]}
        />
        <Paging frame={frame} path={path} query={{ state }} next={next} />
      </section>
      <Way to={`${frame.root}/bulk-orders`} text={words.orders} />
    </Page>
  )
}

export const OrdersPage: FC<{ visit: Visit; orders: readonly ShownOrder[]; next: string | undefined }> = (props) => {
  const { frame } = props.visit
  const words = bulkTexts(frame)
  return (
    <Page frame={frame} title={words.orders} wide live>
      <Title text={words.orders} />
      <div data-live="orders">
        <TableCard<ShownOrder>
          label={words.orders}
          rows={props.orders}
          oneLine
          empty={words.noOrders}
          columns={[
            link(words.what, (one) => ({ to: orderPath(frame, one.order), text: nameOf(frame, one) }), {
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
        <Paging frame={frame} path={`${frame.root}/bulk-orders`} next={props.next} newestFirst />
      </div>
      <Way to={`${frame.root}/charge-points`} text={words.toStations} />
    </Page>
  )
}

const By: FC<ShownOrder & { frame: Frame }> = ({ frame, order, by }) => {
  const words = bulkTexts(frame)
  const who = by ?? (order.by.kind === 'grant' ? words.application : words.api)
  return (
    <>
      <bdi>{words.orderedBy(who)}</bdi>, <At frame={frame} at={order.createdAt} />
    </>
  )
}

const StateWord: FC<ShownOrder & { frame: Frame }> = ({ frame, order, counts }) => (
  <span class="chip">{bulkTexts(frame).orderStates[stateOf(order, counts)]}</span>
)

const Progress: FC<ShownOrder & { frame: Frame }> = ({ frame, order: { total }, counts }) => {
  const words = bulkTexts(frame)
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

function orderPath({ root }: Pick<Frame, 'root'>, { id }: BulkOrder): string {
  return `${root}/bulk-orders/${id}`
}

function inWords(frame: Frame, { answer, backAfterMs, reason }: BulkRow): string | undefined {
  if (answer === undefined) return reason && translated(frame, reason)
  return backAfterMs === undefined ? answer : bulkTexts(frame).backAfter(answer, shownSpan(frame, backAfterMs))
}

function style(state: BulkRowState): string {
  if (state === 'failed') return 'bad'
  return state === 'done' ? 'over' : ''
}
