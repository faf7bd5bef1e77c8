import type { FC } from 'hono/jsx'
import type { NetworkCounts } from '../../domain/ports/storage-queries.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { type Frame, Page, Sealed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Icon } from '../../web/frame/icons.tsx'
import { type Column, TableCard, Title } from '../../web/parts/table.tsx'
import type { BulkKind } from '../bulk-orders/form.ts'
import { FilterForm, Paging, partText } from '../kit/list.tsx'
import { ButtonLink, bulkTexts, chargePointTexts, Nothing, TabBar } from '../kit/parts.tsx'
import { chargePointPath, type Narrowing, queryText } from '../paths.ts'
import { mayAct, type Visit } from '../visit.tsx'
import { COLUMNS, columnsOf, declaredColumns, type ListColumn, labelColumns } from './columns.tsx'
import { CHARGE_POINT_FILTERS, type ChargePointListQuery, type ListPosition } from './list-query.ts'
import type { ShownChargePoint } from './shown-charge-point.ts'
import { countOf, DEFAULT_VIEWS, LIST_SETTINGS, narrowingOf, type SavedView, type UsualView } from './views.ts'

interface ChargePointsShown {
  readonly visit: Visit
  readonly query: ChargePointListQuery
  readonly place: ListPosition
  readonly chargePoints: readonly ShownChargePoint[]
  readonly next: { readonly after: string; readonly by: string } | undefined
  readonly total: number
  readonly counts: NetworkCounts
  readonly columns: readonly ListColumn[]
  readonly views: readonly SavedView[]
}

export const ChargePointsPage: FC<ChargePointsShown> = (shown) => {
  const { visit, query, place, chargePoints, next, total, counts, columns } = shown
  const { frame } = visit
  const { texts, root } = frame
  const words = chargePointTexts(frame)
  const path = `${root}/charge-points`
  const { asked, isNarrowed } = query
  const narrowing = narrowingOf(new URLSearchParams(queryText(asked)))
  const part = { first: place.before + 1, rows: chargePoints.length, total }
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
      <Views {...shown} path={path} narrowing={narrowing} />
      <FilterForm frame={frame} path={path} filters={CHARGE_POINT_FILTERS} query={query} />
      <ForgetView {...shown} narrowing={narrowing} />
      <div data-live="charge-points">
        <TableCard
          label={texts.stations}
          oneLine
          rows={chargePoints}
          empty={isNarrowed ? texts.noMatches : texts.noChargePoints}
          columns={[
            tickColumn(visit, ({ view: { id } }: ShownChargePoint) => id),
            ...columnsOf(frame, columns, sortedBy(path, asked, place)),
          ]}
          after={
            <Paging
              frame={frame}
              path={path}
              query={asked}
              later={place.after !== undefined}
              next={
                next && {
                  after: next.after,
                  ...(place.sort !== 'id' && { by: next.by }),
                  before: String(place.before + chargePoints.length),
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
}

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

interface Narrowed {
  readonly narrowing: string
}

type ViewsProps = ChargePointsShown & Narrowed & { path: string }

const Views: FC<ViewsProps> = ({ visit, query, counts, views, path, narrowing: now }) => {
  const { frame } = visit
  const words = chargePointTexts(frame)
  const names: Readonly<Record<UsualView, string>> = {
    all: words.allViews,
    faulted: words.viewNames.faulted,
    offline: words.viewNames.offline,
    charging: words.viewNames.charging,
    pending: words.waits,
  }
  const usual = (Object.keys(DEFAULT_VIEWS) as UsualView[]).map((view) => ({
    to: path + (DEFAULT_VIEWS[view] && `?${DEFAULT_VIEWS[view]}`),
    text: names[view],
    count: shownFigure(frame, countOf(view, counts)),
    isHere: now === narrowingOf(new URLSearchParams(DEFAULT_VIEWS[view])),
  }))
  const own = views.map(({ name, query: kept }) => ({
    to: path + (kept && `?${kept}`),
    text: <bdi>{name}</bdi>,
    isHere: kept === now,
  }))
  const tabs = [...usual, ...own]
  const isNew = query.wrong.length === 0 && !tabs.some(({ isHere }) => isHere)
  return <TabBar label={words.views} tabs={tabs} more={isNew && <SaveView visit={visit} query={now} />} />
}

const ForgetView: FC<ChargePointsShown & Narrowed> = ({ visit, views, narrowing }) => {
  const { frame } = visit
  const saved = views.find((view) => view.query === narrowing)
  if (!saved) return null
  return (
    <form class="inline" method="post" action={`${frame.root}${LIST_SETTINGS}`}>
      <Sealed csrf={visit.csrf(LIST_SETTINGS)} />
      <input type="hidden" name="forget" value={saved.name} />
      <button class="plain small" type="submit">
        {chargePointTexts(frame).forgetView}
      </button>
    </form>
  )
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

const ChooseColumns: FC<
  { visit: Visit; chosen: readonly ListColumn[]; seen: readonly ShownChargePoint[] } & Narrowed
> = ({ visit: { frame, csrf }, chosen, seen, narrowing }) => {
  const words = chargePointTexts(frame)
  const declared = declaredColumns(frame)
  const usual = COLUMNS.filter((name) => name !== 'id').map((name) => [name, declared[name].title] as const)
  return (
    <>
      <button type="button" popovertarget="columns">
        {words.columns}
      </button>
      <form id="columns" class="menu" popover="auto" method="post" action={`${frame.root}${LIST_SETTINGS}`}>
        <Sealed csrf={csrf(LIST_SETTINGS)} />
        <input type="hidden" name="query" value={narrowing} />
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

const FORM = 'bulk'

/** Empty for visitors who may only look. A link behind each tick leads to the orders, which follow all rows. */
function tickColumn<Row>(visit: Visit, idOf: (row: Row) => string): Column<Row> | false {
  if (!mayAct(visit)) return false
  const words = bulkTexts(visit.frame)
  return {
    kind: 'tick',
    cell: (row) => (
      <>
        <input type="checkbox" name="id" value={idOf(row)} form={FORM} aria-label={words.tick(idOf(row))} />
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
const BulkBar: FC<{ frame: Frame; query: string; total?: string | undefined }> = ({ frame, query, total }) => {
  const words = bulkTexts(frame)
  return (
    <form id={FORM} class="bulk" method="get" action={`${frame.root}/new-bulk-order`} aria-label={words.actOn}>
      <label class="choice">
        <input type="checkbox" name="all" value={query === '' ? '*' : query} />
        <span>{total === undefined ? words.allMatching : words.allOf(total)}</span>
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

/** As in `csrfToken`: one token for all that wait. */
export const DECISION = 'charge points'
export const DECIDED_AT = 'at'

/** OCPP-AU5: approved without a password, the identity would be open to everybody who knows it. */
export const Decision: FC<{
  frame: Frame
  view: Pick<ChargePointView, 'id' | 'securityProfile' | 'passwordHash'>
  csrf: string
  at?: 'its page'
}> = ({ frame, view: { id, securityProfile, passwordHash }, csrf, at }) => {
  const words = chargePointTexts(frame)
  const needsPassword = securityProfile !== 0 && passwordHash === undefined
  return (
    <form method="post" action={`${chargePointPath(frame, id)}/registration`}>
      <Sealed csrf={csrf} />
      {at !== undefined && <input type="hidden" name={DECIDED_AT} value={at} />}
      {needsPassword && (
        <label>
          {words.stationPassword}
          <input type="text" name="password" required minlength={16} maxlength={40} autocomplete="off" />
          <span class="soft">{words.stationPasswordHint}</span>
        </label>
      )}
      <div class="filters">
        <button class="main" type="submit" name="registrationStatus" value="Accepted">
          {words.approve}
        </button>
        <button type="submit" name="registrationStatus" value="AcceptedWithCertificate" formnovalidate>
          {words.approveWithCertificate}
        </button>
        <button class="danger" type="submit" name="registrationStatus" value="Rejected" formnovalidate>
          {words.reject}
        </button>
      </div>
    </form>
  )
}
