/** The list of charge points, with its views, columns and orders for many, and as a file (CONSOLE-A4, CONSOLE-L1). */
import type { FC, PropsWithChildren } from 'hono/jsx'
import { countChargePoints, findChargePoints } from '../../application/charge-points/find.ts'
import { preferencesOf } from '../../application/users/preferences.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { NetworkCounts } from '../../domain/ports/storage-queries.ts'
import { type Frame, Page, Sealed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { type Column, TableCard, Title } from '../../web/parts/table.tsx'
import type { BulkKind } from '../bulk-orders/form.ts'
import type { ConsolePage } from '../console-parts.ts'
import { type CsvColumns, csvText } from '../csv-file.ts'
import { FilterForm, Paging, partText } from '../kit/list.tsx'
import { listFile, listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ButtonLink, Nothing, TabBar, wordsIn } from '../kit/parts.tsx'
import { type Narrowing, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { COLUMNS, chosenColumns, columnsOf, declaredColumns, type ListColumn, labelColumns } from './columns.tsx'
import { shownPlace } from './connector.tsx'
import { CHARGE_POINT_FILTERS, filterOf, type ListPosition, placeOf } from './list-query.ts'
import { type ShownChargePoint, shownOf, withConnectivity } from './shown-charge-point.ts'
import {
  COLUMNS_KEPT,
  countOf,
  DEFAULT_VIEWS,
  LIST_SETTINGS,
  narrowingOf,
  type SavedView,
  savedViews,
  type UsualView,
  VIEWS,
} from './views.ts'

const CSV_ROWS = 500

export const showChargePoints: ConsolePage = listing('anybody', CHARGE_POINT_FILTERS, async (visit, query) => {
  const { site, context, accountId, frame, user } = visit
  const { asked, requested, isNarrowed } = query
  const place = placeOf(requested, new URL(context.req.url).searchParams)
  const isWrong = query.wrong.length > 0
  const filter = filterOf(requested)
  const { sort, descending, after, before } = place
  const page = { accountId, sort, descending, after, limit: rowsAsked(frame) }
  const [found, total, online, preferences] = await Promise.all([
    isWrong ? [] : findChargePoints(site, filter, page),
    isWrong ? 0 : countChargePoints(site, accountId, filter),
    site.core.onlineChargePoints(accountId),
    preferencesOf(site.reads, user.id),
  ])
  const { rows, last } = pageOfRows(found, frame)
  const chargePoints = await shownOf(visit, rows)
  const counts = await site.reads.countNetwork(accountId, online)
  const columns = chosenColumns(preferences.get(COLUMNS_KEPT))
  const views = savedViews(preferences.get(VIEWS))
  const words = wordsIn('chargePoints', frame)
  const { texts, root } = frame
  const path = `${root}/charge-points`
  const narrowing = narrowingOf(new URLSearchParams(queryText(asked)))
  const forgotten = views.find((view) => view.query === narrowing)
  const part = { first: before + 1, rows: chargePoints.length, total }
  return (
    <Page frame={frame} title={texts.stations} wide live>
      <Title
        text={texts.stations}
        said={`${partText(frame, part)} · ${words.nOnline(shownFigure(frame, counts.online))}`}
      >
        <ChooseColumns visit={visit} chosen={columns} seen={chargePoints} narrowing={narrowing} />
        <ButtonLink to={`${path}.csv${queryText(asked)}`} text={words.csv} download />
        {mayAct(visit) && <ButtonLink main to={`${root}/new-charge-point`} text={words.add} />}
      </Title>
      <Views {...{ visit, counts, views, path, narrowing }} maySave={!isWrong} />
      <FilterForm frame={frame} path={path} filters={CHARGE_POINT_FILTERS} query={query} />
      {forgotten && (
        <form class="inline" method="post" action={root + LIST_SETTINGS}>
          <Sealed csrf={visit.csrf(LIST_SETTINGS)} />
          <input type="hidden" name="forget" value={forgotten.name} />
          <button class="plain small" type="submit">
            {words.forgetView}
          </button>
        </form>
      )}
      <div data-live="charge-points">
        <TableCard
          label={texts.stations}
          oneLine
          rows={chargePoints}
          empty={isNarrowed ? texts.noMatches : texts.noChargePoints}
          columns={[mayAct(visit) && tickColumn(frame), ...columnsOf(frame, columns, sortedBy(path, asked, place))]}
          after={
            <Paging
              frame={frame}
              path={path}
              query={asked}
              later={after !== undefined}
              next={
                last && {
                  after: last.view.id,
                  ...(sort !== 'id' && { by: String(last.sortedBy) }),
                  before: String(before + chargePoints.length),
                }
              }
              part={part}
            />
          }
        />
        {counts.chargePoints === 0 && <Nothing text={words.beginHint} />}
      </div>
      {mayAct(visit) && chargePoints.length > 0 && (
        <BulkBar frame={frame} query={narrowing} total={shownFigure(frame, total)} />
      )}
    </Page>
  )
})

function sortedBy(path: string, asked: Narrowing, place: ListPosition) {
  return (sort: ListPosition['sort']): NonNullable<Column<ShownChargePoint>['sort']> => {
    const isNow = place.sort === sort
    // Who draws nothing is asked for last.
    const first = sort === 'power' ? 'desc' : 'asc'
    const order = isNow ? (place.descending ? 'asc' : 'desc') : first
    const to = path + queryText({ ...asked, sort, order })
    return { to, now: isNow ? (place.descending ? 'descending' : 'ascending') : undefined }
  }
}

interface ViewsProps {
  readonly visit: Visit
  readonly counts: NetworkCounts
  readonly views: readonly SavedView[]
  readonly path: string
  readonly narrowing: string
  readonly maySave: boolean
}

const Views: FC<ViewsProps> = ({ visit, counts, views, path, narrowing: now, maySave }) => {
  const { frame } = visit
  const words = wordsIn('chargePoints', frame)
  const usual = (Object.keys(DEFAULT_VIEWS) as UsualView[]).map((view) => ({
    to: path + (DEFAULT_VIEWS[view] && `?${DEFAULT_VIEWS[view]}`),
    text: words.viewNames[view],
    count: shownFigure(frame, countOf(view, counts)),
    isHere: now === narrowingOf(new URLSearchParams(DEFAULT_VIEWS[view])),
  }))
  const own = views.map(({ name, query: kept }) => ({
    to: path + (kept && `?${kept}`),
    text: <bdi>{name}</bdi>,
    isHere: kept === now,
  }))
  const tabs = [...usual, ...own]
  const save = maySave && !tabs.some(({ isHere }) => isHere) && (
    <Menu visit={visit} id="save-view" style="bare less soft" icon text={words.saveView} query={now}>
      <label class="field">
        <span>{words.viewName}</span>
        <input name="view" maxlength={60} required autocomplete="off" />
      </label>
    </Menu>
  )
  return <TabBar label={words.views} tabs={tabs} more={save} />
}

interface MenuProps {
  readonly visit: Visit
  readonly id: string
  readonly text: string
  readonly query: string
  readonly style?: string
  readonly icon?: boolean
}

/** A form of what visitors keep of the list for themselves, behind the button that opens it. */
const Menu: FC<PropsWithChildren<MenuProps>> = ({ visit: { frame, csrf }, id, text, query, style, icon, children }) => (
  <>
    <button class={style} type="button" popovertarget={id}>
      {icon && <Icon name="plus" />}
      {text}
    </button>
    <form id={id} class="menu" popover="auto" method="post" action={frame.root + LIST_SETTINGS}>
      <Sealed csrf={csrf(LIST_SETTINGS)} />
      <input type="hidden" name="query" value={query} />
      {children}
      <button class="main" type="submit">
        {wordsIn('chargePoints', frame).save}
      </button>
    </form>
  </>
)

interface ChooseColumnsProps {
  readonly visit: Visit
  readonly chosen: readonly ListColumn[]
  readonly seen: readonly ShownChargePoint[]
  readonly narrowing: string
}

const ChooseColumns: FC<ChooseColumnsProps> = ({ visit, chosen, seen, narrowing }) => {
  const declared = declaredColumns(visit.frame)
  const usual = COLUMNS.filter((name) => name !== 'id').map((name) => [name, declared[name].title] as const)
  return (
    <Menu visit={visit} id="columns" text={wordsIn('chargePoints', visit.frame).columns} query={narrowing}>
      <input type="hidden" name="columns" value="id" />
      <ul class="choices">
        {[...usual, ...labelColumns(seen, chosen)].map(([name, text]) => (
          <li>
            <label>
              <input type="checkbox" name="columns" value={name} checked={chosen.includes(name)} />
              <bdi>{text}</bdi>
            </label>
          </li>
        ))}
      </ul>
    </Menu>
  )
}

const FORM = 'bulk'

/** A link behind each tick leads to the orders, which follow all rows. */
function tickColumn(frame: Frame): Column<ShownChargePoint> {
  const words = wordsIn('bulkOrders', frame)
  return {
    kind: 'tick',
    cell: ({ view: { id } }) => (
      <>
        <input type="checkbox" name="id" value={id} form={FORM} aria-label={words.tick(id)} />
        <a class="skip" href={`#${FORM}`}>
          {words.toOrders}
        </a>
      </>
    ),
  }
}

const SHOWN: readonly BulkKind[] = ['reset', 'unlock', 'availability', 'firmware', 'label', 'log']
/** A phone has room for the first. */
const ON_PHONE = 3

/** @param query what narrows the list, without its question mark: all that match may be selected */
const BulkBar: FC<{ frame: Frame; query: string; total: string }> = ({ frame, query, total }) => {
  const words = wordsIn('bulkOrders', frame)
  return (
    <form id={FORM} class="bulk" method="get" action={`${frame.root}/new-bulk-order`} aria-label={words.actOn}>
      <label class="choice">
        <input type="checkbox" name="all" value={query === '' ? '*' : query} />
        <span>{words.allOf(total)}</span>
      </label>
      {SHOWN.map((kind, at) => (
        <button
          type="submit"
          name="kind"
          value={kind}
          class={[at === 0 && 'main', at >= ON_PHONE && 'no-phone'].filter(Boolean).join(' ') || undefined}
        >
          {words.kinds[kind]}…
        </button>
      ))}
    </form>
  )
}

export const downloadChargePoints: ConsolePage = listFile(
  'anybody',
  CHARGE_POINT_FILTERS,
  async ({ site, context, accountId }, { requested }) => {
    const { sort, descending, after: begin } = placeOf(requested, new URL(context.req.url).searchParams)
    async function* pages() {
      for (let after = begin; ; ) {
        const page = { accountId, sort, descending, after, limit: CSV_ROWS }
        const rows = await findChargePoints(site, filterOf(requested), page)
        yield await withConnectivity(site, rows)
        const last = rows.at(-1)
        if (!last || rows.length < CSV_ROWS) return
        after = [last.sortedBy, last.view.id]
      }
    }
    return { name: 'charge-points.csv', chunks: csvText(CHARGE_POINT_COLUMNS, pages()) }
  },
)

/** Charge points as CSV (RFC 4180), safe to open in a spreadsheet. */
const CHARGE_POINT_COLUMNS: CsvColumns<ShownChargePoint> = {
  id: ({ view }) => view.id,
  name: ({ view }) => view.name,
  online: ({ live }) => String(live?.online ?? false),
  registrationStatus: ({ view }) => view.registrationStatus,
  protocol: ({ view, live }) => live?.protocol ?? view.status.protocol,
  connectors: ({ view }) =>
    view.connectors
      .map((one) => [shownPlace(one), one.status, errorOf(one)].filter((part) => part !== '').join(' '))
      .join('; '),
  vendor: ({ view }) => view.status.vendor,
  model: ({ view }) => view.status.model,
  serialNumber: ({ view }) => view.status.serialNumber,
  firmwareVersion: ({ view }) => view.status.firmwareVersion,
  securityProfile: ({ view }) => view.securityProfile,
  labels: ({ view }) =>
    Object.entries(view.labels ?? {})
      .map(([key, value]) => `${key}:${value}`)
      .join('; '),
  lastSeenAt: ({ view, live }) => isoTime(live?.lastSeenAt ?? view.status.lastSeenAt),
}

function errorOf({ errorCode }: ShownChargePoint['view']['connectors'][number]): string {
  return errorCode === undefined || errorCode === 'NoError' ? '' : errorCode
}
