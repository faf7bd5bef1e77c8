import type { FC } from 'hono/jsx'
import { CONNECTOR_STATUSES } from '../../application/charge-points/find.ts'
import type { Connectivity } from '../../domain/ports/core.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { ChargePointView } from '../../domain/ports/storage.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { sessionAt } from '../commands/legal.ts'
import { type Filter, FilterForm, Paging } from '../kit/list.tsx'
import { type Column, type Columns, TableCard, TextLink } from '../kit/table.tsx'
import { chargePointPath, queryText, sessionPath } from '../paths.ts'
import { StateChip } from '../shown-figures.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { ConnectorFault, StatusChip, shownPlace } from './connector.tsx'
import { DECISION, Decision } from './decision.tsx'
import type { ListQuery } from './list-query.ts'
import { chargePointTexts } from './texts.ts'

export interface ShownChargePoint {
  readonly view: ChargePointView
  /** What the core knows of it now. */
  readonly live?: Connectivity
  /** Sessions that run there, where a connector says no more than that it is taken. */
  readonly open?: readonly Session[]
}

/** The account's charge points: found, sorted and narrowed by the address alone. */
export const ChargePointsPage: FC<{
  visit: Visit
  query: ListQuery
  chargePoints: readonly ShownChargePoint[]
  /** The last one shown, when there are more. */
  next: { readonly after: string; readonly by: string } | undefined
}> = ({ visit, query, chargePoints, next }) => {
  const { frame } = visit
  const { texts, root } = frame
  const words = chargePointTexts(frame)
  const path = `${root}/charge-points`
  const asked = queryOf(query.asked)
  return (
    <Page frame={frame} title={texts.chargePoints} wide live>
      <div class="heading">
        <h1>{texts.chargePoints}</h1>
        <p class="filters">
          {mayAct(visit) && <a href={`${root}/new-charge-point`}>{words.add}</a>}
          <a href={`${path}.csv${queryText(asked)}`} download>
            {words.csv}
          </a>
        </p>
      </div>
      <Narrowing frame={frame} path={path} query={query} />
      <div data-live="charge-points">
        <TableCard
          label={texts.chargePoints}
          rows={chargePoints}
          empty={query.asked.size > 0 ? texts.noMatches : texts.noChargePoints}
          columns={columnsOf(visit, path, query)}
        />
        <Paging
          frame={frame}
          path={path}
          query={asked}
          later={query.after !== undefined}
          next={next && (query.sort === 'id' ? { after: next.after } : { ...next })}
        />
      </div>
    </Page>
  )
}

/** Each name with all its values. */
function queryOf(asked: URLSearchParams): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...asked.keys()].map((name) => [name, asked.getAll(name)]))
}

/** What the list is narrowed and sorted by. */
const Narrowing: FC<{ frame: Frame; path: string; query: ListQuery }> = ({ frame, path, query: { asked, wrong } }) => {
  const { texts } = frame
  const words = chargePointTexts(frame)
  const field = (name: string, label: string, options?: Readonly<Record<string, string>>): Filter => ({
    ...{ name, label, value: asked.get(name) ?? '' },
    ...(options && { options }),
  })
  const any = { '': words.any }
  const statuses = Object.fromEntries(CONNECTOR_STATUSES.map((status) => [status, status]))
  return (
    <FilterForm
      path={path}
      filters={[
        { ...field('q', words.search), type: 'search' },
        field('online', words.connection, { ...any, true: texts.online, false: texts.offline }),
        field('status', words.status, { ...any, ...statuses }),
        field('sort', words.sort, words.sorts),
        field('order', words.order, words.orders),
      ]}
      button={words.find}
      rare={{
        title: words.moreFilters,
        filters: [
          field('site', words.site),
          field('label', words.label),
          field('vendor', words.vendor),
          field('model', words.model),
          field('firmwareVersion', words.firmware),
          field('securityProfile', words.profile, { ...any, ...words.profiles }),
          field('registration', words.registration, { ...any, ...words.registrations }),
          field('charging', words.charging, { ...any, true: words.yes }),
        ],
      }}
      // A label and a status beyond the first have no field of their own.
      kept={['label', 'status', 'registration'].flatMap((name) =>
        asked
          .getAll(name)
          .slice(1)
          .map((text) => [name, text] as const),
      )}
      fault={
        wrong.length > 0 &&
        `${words.wrong} ${wrong.map((name) => `${name} = ${asked.getAll(name).join(', ')}`).join('; ')}`
      }
      clear={asked.size > 0 && words.clear}
    />
  )
}

function columnsOf(visit: Visit, path: string, query: ListQuery): Columns<ShownChargePoint> {
  const { frame, csrf } = visit
  const { texts } = frame
  const words = chargePointTexts(frame)
  const sortedBy = (sort: ListQuery['sort']): NonNullable<Column<ShownChargePoint>['sort']> => {
    const isNow = query.sort === sort
    const order = isNow && !query.descending ? 'desc' : 'asc'
    const to = path + queryText({ ...queryOf(query.asked), sort, order })
    return { to, now: isNow ? (query.descending ? 'descending' : 'ascending') : undefined }
  }
  const decides = mayAct(visit) ? csrf(DECISION) : undefined
  return [
    {
      title: words.chargePoint,
      kind: 'name',
      sort: sortedBy('id'),
      cell: ({ view: { id, name, labels = {} } }) => (
        <>
          <TextLink class="host" to={chargePointPath(frame, id)} text={id} />
          {name !== undefined && (
            <div class="soft">
              <bdi>{name}</bdi>
            </div>
          )}
          <Labels labels={labels} />
        </>
      ),
    },
    {
      title: words.registration,
      cell: ({ view }) => (
        <>
          {words.registrations[view.registrationStatus]} {view.disabled && texts.disabled}
          {view.registrationStatus === 'Pending' && decides !== undefined && (
            <Decision frame={frame} view={view} csrf={decides} />
          )}
        </>
      ),
    },
    {
      title: words.connection,
      cell: ({ view, live }) => (
        <>
          <span class={`chip ${live?.online ? 'good' : ''}`}>{live?.online ? texts.online : texts.offline}</span>
          <div class="soft">{live?.protocol ?? view.status.protocol}</div>
        </>
      ),
    },
    {
      title: words.connectors,
      cell: ({ view, live, open = [] }) =>
        view.connectors.map((connector) => (
          <div class="connector">
            {shownPlace(connector)} <StatusChip connector={connector} online={live?.online ?? false} />{' '}
            <Running frame={frame} session={sessionAt(connector, open)} />
            {connector.status.toLowerCase() === 'faulted' && <ConnectorFault frame={frame} connector={connector} />}
          </div>
        )),
    },
    {
      title: words.model,
      text: ({ view: { status } }) => [status.vendor, status.model].filter((part) => part !== undefined).join(' '),
    },
    { title: words.firmware, text: ({ view }) => view.status.firmwareVersion },
    {
      title: words.lastSeen,
      kind: 'time',
      sort: sortedBy('lastSeenAt'),
      cell: ({ view, live }) => {
        const at = live?.lastSeenAt ?? view.status.lastSeenAt
        return at === undefined ? texts.never : shownTime(at)
      },
    },
  ]
}

/** CONSOLE-A9: 2.0.1 says Occupied of every connector with a cable in it. */
const Running: FC<{ frame: Frame; session: Session | undefined }> = ({ frame, session }) =>
  session ? (
    <a href={sessionPath(frame, session.id)}>
      <StateChip frame={frame} state={session.state} />
    </a>
  ) : null

export const Labels: FC<{ labels: Readonly<Record<string, string>> }> = ({ labels }) => (
  <div class="labels">
    {Object.entries(labels).map(([key, value]) => (
      <span class="label">
        {key}: <bdi>{value}</bdi>
      </span>
    ))}
  </div>
)
