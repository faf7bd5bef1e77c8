import type { FC } from 'hono/jsx'
import { CONNECTOR_STATUSES } from '../../application/charge-points/find.ts'
import type { NetworkCounts } from '../../domain/ports/storage.ts'
import { Sealed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { Page } from '../../web/layout.tsx'
import { BulkBar, tickColumn } from '../bulk-orders/bulk-bar.tsx'
import { Nothing, TabBar, Title } from '../kit/frame.tsx'
import { type Filter, FilterForm, Paging, partText } from '../kit/list.tsx'
import { type Column, TableCard } from '../kit/table.tsx'
import { queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { COLUMNS, type ColumnName, columnNames, columnsOf } from './columns.tsx'
import { type ListQuery, SIZES } from './list-query.ts'
import { LIST_SETTINGS } from './list-settings.ts'
import type { ShownChargePoint } from './shown-charge-point.ts'
import { chargePointTexts } from './texts.ts'
import { countOf, narrowingOf, type SavedView, USUAL_VIEWS, type UsualView } from './views.ts'

interface ChargePointsShown {
  readonly visit: Visit
  readonly query: ListQuery
  readonly chargePoints: readonly ShownChargePoint[]
  /** The last one shown, when there are more. */
  readonly next: { readonly after: string; readonly by: string } | undefined
  /** Of all that are found. */
  readonly total: number
  readonly counts: NetworkCounts
  readonly columns: readonly ColumnName[]
  readonly views: readonly SavedView[]
}

/** The account's charge points: found, sorted and narrowed by the address alone. */
export const ChargePointsPage: FC<ChargePointsShown> = (shown) => {
  const { visit, query, chargePoints, next, total, counts, columns } = shown
  const { frame } = visit
  const { texts, root } = frame
  const words = chargePointTexts(frame)
  const path = `${root}/charge-points`
  const asked = queryOf(query.asked)
  const part = { first: query.before + 1, rows: chargePoints.length, total }
  return (
    <Page frame={frame} title={texts.stations} wide live>
      <Title
        text={texts.stations}
        said={`${partText(frame, part)} · ${words.nOnline(shownFigure(frame, counts.online))}`}
      >
        <ChooseColumns visit={visit} chosen={columns} query={query} />
        <a class="button" href={`${path}.csv${queryText(asked)}`} download>
          {words.csv}
        </a>
        {mayAct(visit) && (
          <a class="button main" href={`${root}/new-charge-point`}>
            {words.add}
          </a>
        )}
      </Title>
      <Views {...shown} path={path} />
      <Narrowing {...shown} path={path} />
      <div data-live="charge-points">
        <TableCard
          label={texts.stations}
          oneLine
          rows={chargePoints}
          empty={query.asked.size > 0 ? texts.noMatches : texts.noChargePoints}
          columns={[
            tickColumn(visit, ({ view: { id } }: ShownChargePoint) => id),
            ...columnsOf(frame, columns, sortedBy(path, query)),
          ]}
          after={
            <Paging
              frame={frame}
              path={path}
              query={asked}
              later={query.after !== undefined}
              next={
                next && {
                  after: next.after,
                  ...(query.sort !== 'id' && { by: next.by }),
                  before: String(query.before + chargePoints.length),
                }
              }
              part={part}
              size={{ now: query.size, others: SIZES }}
            />
          }
        />
        {counts.chargePoints === 0 && <Nothing text={words.beginHint} />}
      </div>
      {mayAct(visit) && chargePoints.length > 0 && (
        <BulkBar frame={frame} query={narrowingOf(query.asked)} total={shownFigure(frame, total)} />
      )}
    </Page>
  )
}

/** Each name with all its values. */
function queryOf(asked: URLSearchParams): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries([...asked.keys()].map((name) => [name, asked.getAll(name)]))
}

function sortedBy(path: string, query: ListQuery) {
  return (sort: ListQuery['sort']): NonNullable<Column<ShownChargePoint>['sort']> => {
    const isNow = query.sort === sort
    const order = isNow && !query.descending ? 'desc' : 'asc'
    const to = path + queryText({ ...queryOf(query.asked), sort, order })
    return { to, now: isNow ? (query.descending ? 'descending' : 'ascending') : undefined }
  }
}

const Views: FC<ChargePointsShown & { path: string }> = ({ visit, query, counts, views, path }) => {
  const { frame } = visit
  const words = chargePointTexts(frame)
  const now = narrowingOf(query.asked)
  const names: Readonly<Record<UsualView, string>> = {
    ...{ all: words.allViews, faulted: words.viewNames.faulted, offline: words.viewNames.offline },
    ...{ charging: words.viewNames.charging, pending: words.waits },
  }
  const usual = (Object.keys(USUAL_VIEWS) as UsualView[]).map((view) => ({
    to: path + (USUAL_VIEWS[view] && `?${USUAL_VIEWS[view]}`),
    text: names[view],
    count: shownFigure(frame, countOf(view, counts)),
    isHere: now === narrowingOf(new URLSearchParams(USUAL_VIEWS[view])),
  }))
  const own = views.map(({ name, query: kept }) => ({
    ...{ to: path + (kept && `?${kept}`), text: <bdi>{name}</bdi>, isHere: kept === now },
  }))
  const tabs = [...usual, ...own]
  const isNew = query.wrong.length === 0 && !tabs.some(({ isHere }) => isHere)
  return <TabBar label={words.views} tabs={tabs} more={isNew && <SaveView visit={visit} query={now} />} />
}

/** What the list is narrowed by, and the name under which a user keeps that. */
const Narrowing: FC<ChargePointsShown & { path: string }> = ({ visit, path, query, views }) => {
  const { frame } = visit
  const { texts } = frame
  const { asked, wrong } = query
  const words = chargePointTexts(frame)
  const field = (name: string, label: string, options?: Readonly<Record<string, string>>): Filter => ({
    ...{ name, label, value: asked.get(name) ?? '' },
    options,
  })
  const any = { '': words.any }
  const statuses = Object.fromEntries(CONNECTOR_STATUSES.map((status) => [status, status]))
  const now = narrowingOf(asked)
  const saved = views.find((view) => view.query === now)
  return (
    <>
      <FilterForm
        path={path}
        filters={[
          { ...field('q', words.search), type: 'search' },
          field('status', words.status, { ...any, ...statuses }),
          field('site', words.site),
          field('errorCode', words.errorCode),
          field('faultedFor', words.faultedFor, { ...any, ...words.atLeast }),
          field('model', words.model),
          field('firmwareVersion', words.firmware),
          field('securityProfile', words.security, { ...any, ...words.profiles }),
          field('silentFor', words.silentFor, { ...any, ...words.atLeast }),
          { ...field('label', words.label), rare: true },
          { ...field('online', words.connection, { ...any, true: texts.online, false: texts.offline }), rare: true },
          { ...field('registration', words.registration, { ...any, ...words.registrations }), rare: true },
          { ...field('vendor', words.vendor), rare: true },
          { ...field('charging', words.charging, { ...any, true: words.yes }), rare: true },
        ]}
        button={words.find}
        more={words.moreFilters}
        kept={[
          ...['label', 'status', 'registration'].flatMap((name) => pairs(asked, name).slice(1)),
          ...['sort', 'order', 'size'].flatMap((name) => pairs(asked, name)),
        ]}
        fault={
          wrong.length > 0 &&
          `${words.wrong} ${wrong.map((name) => `${name} = ${asked.getAll(name).join(', ')}`).join('; ')}`
        }
        clear={asked.size > 0 && words.clear}
      />
      {saved && (
        <form class="inline" method="post" action={`${frame.root}${LIST_SETTINGS}`}>
          <Sealed csrf={visit.csrf(LIST_SETTINGS)} />
          <input type="hidden" name="forget" value={saved.name} />
          <button class="plain small" type="submit">
            {words.forgetView}
          </button>
        </form>
      )}
    </>
  )
}

function pairs(asked: URLSearchParams, name: string): readonly (readonly [string, string])[] {
  return asked.getAll(name).map((value) => [name, value])
}

const SaveView: FC<{ visit: Visit; query: string }> = ({ visit: { frame, csrf }, query }) => {
  const words = chargePointTexts(frame)
  return (
    <>
      <button class="bare less soft" type="button" popovertarget="save-view">
        <Icon name="plus" />
        {words.saveView}
      </button>
      <form id="save-view" class="menu" popover="auto" method="post" action={`${frame.root}${LIST_SETTINGS}`}>
        <Sealed csrf={csrf(LIST_SETTINGS)} />
        <input type="hidden" name="query" value={query} />
        <label class="field">
          <span>{words.viewName}</span>
          <input name="view" maxlength={60} required autocomplete="off" />
        </label>
        <button class="main" type="submit">
          {words.save}
        </button>
      </form>
    </>
  )
}

const ChooseColumns: FC<{ visit: Visit; chosen: readonly ColumnName[]; query: ListQuery }> = ({
  visit: { frame, csrf },
  chosen,
  query,
}) => {
  const words = chargePointTexts(frame)
  const names = columnNames(frame)
  return (
    <>
      <button type="button" popovertarget="columns">
        {words.columns}
      </button>
      <form id="columns" class="menu" popover="auto" method="post" action={`${frame.root}${LIST_SETTINGS}`}>
        <Sealed csrf={csrf(LIST_SETTINGS)} />
        <input type="hidden" name="query" value={narrowingOf(query.asked)} />
        <input type="hidden" name="columns" value="id" />
        <ul class="choices">
          {COLUMNS.filter((name) => name !== 'id').map((name) => (
            <li>
              <label>
                <input type="checkbox" name="columns" value={name} checked={chosen.includes(name)} />
                <span>{names[name]}</span>
              </label>
            </li>
          ))}
        </ul>
        <button class="main" type="submit">
          {words.save}
        </button>
      </form>
    </>
  )
}

export const Labels: FC<{ labels: Readonly<Record<string, string>> }> = ({ labels }) => (
  <div class="labels">
    {Object.entries(labels).map(([key, value]) => (
      <span class="label">
        {key}: <bdi>{value}</bdi>
      </span>
    ))}
  </div>
)
