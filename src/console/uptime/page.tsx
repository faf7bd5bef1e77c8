/** How long connectors were usable: by charge point, connector, site and month, and the same as a file (UPTIME-U6). */
import {
  type PlacedRow,
  type UptimeGroup,
  type UptimeList,
  type UptimePosition,
  uptimeCsv,
  uptimeList,
} from '../../application/uptime/rows.ts'
import { UPTIME_GROUPS } from '../../application/uptime/schemas.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { DAY_MS, type Period, periodOf } from '../../domain/time-zone.ts'
import { Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Columns, TableCard, Title } from '../../web/parts/table.tsx'
import { shownSpan } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages } from '../console-parts.ts'
import { day, kept, type ListQuery, labelsOf, pageSize } from '../kit/filters.ts'
import { FilterForm, Paging } from '../kit/list.tsx'
import { listFile, listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { ButtonLink, figure, link, TabBar, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import type { Visit } from '../visit.tsx'

const DAYS = 30

export const addUptimePages: MountConsolePages = (page) => {
  page('/uptime', { GET: showUptime })
  page('/uptime.csv', { GET: downloadUptime })
}

const DEFAULT: UptimeGroup = 'evseController'

const label = labelsOf('uptime')

const UPTIME_FILTERS = {
  from: day(label('from')),
  to: day(label('to')),
  group: kept(UPTIME_GROUPS),
  size: pageSize,
}

type Query = ListQuery<typeof UPTIME_FILTERS>

function windowOf({ requested: { from, to } }: Query, timeZone: string, now: number) {
  const begin = (from === undefined ? periodOf('day', now - DAYS * DAY_MS, timeZone) : dayOf(from, timeZone)).from
  const end = to === undefined ? now : dayOf(to, timeZone).below
  return begin < end ? { from: begin, to: end } : undefined
}

function dayOf(text: string, timeZone: string): Period {
  return periodOf('day', Date.parse(`${text}T12:00:00Z`), timeZone)
}

async function listOf(
  { site: { reads, now, timeZone }, accountId }: Visit,
  query: Query,
): Promise<UptimeList | Refusal | undefined> {
  const window = query.wrong.length > 0 ? undefined : windowOf(query, timeZone, now())
  return (
    window && uptimeList({ reads, now, timeZone }, { accountId, group: query.requested.group ?? DEFAULT, ...window })
  )
}

const showUptime: ConsolePage = listing('see', UPTIME_FILTERS, async (visit, query) => {
  const list = await listOf(visit, query)
  const { frame, context } = visit
  const { after, at = '0' } = context.req.query()
  const place: UptimePosition | undefined = after === undefined ? undefined : [after, Number(at) || 0]
  const found: PlacedRow[] = []
  if (list && 'rows' in list) {
    for await (const rows of list.rows(place)) {
      found.push(...rows)
      if (found.length >= rowsAsked(frame)) break
    }
  }
  const { rows, last } = pageOfRows(found, frame)
  const isWindow = list !== undefined || query.wrong.length > 0
  const fault = !isWindow ? wordsIn('uptime', frame).wrong : list && 'refused' in list ? list.detail : undefined
  const words = wordsIn('uptime', frame)
  const path = `${frame.root}/uptime`
  const { asked, requested } = query
  const group = requested.group ?? DEFAULT
  const page = (
    <Page frame={frame} title={words.uptime} wide>
      <Title text={words.uptime}>
        <ButtonLink to={`${path}.csv${queryText(asked)}`} text={words.csv} download />
      </Title>
      <TabBar
        label={words.by}
        tabs={UPTIME_GROUPS.map((one) => ({
          to: path + queryText({ ...asked, group: one }),
          text: words.groups[one],
          isHere: one === group,
        }))}
      />
      <FilterForm frame={frame} path={path} filters={UPTIME_FILTERS} query={query} fault={fault} />
      <p class="soft">{words.hint}</p>
      <TableCard
        label={words.uptime}
        oneLine
        rows={rows}
        empty={words.none}
        columns={columnsOf(frame, group)}
        after={
          <Paging
            frame={frame}
            path={path}
            query={asked}
            later={after !== undefined}
            next={last && { after: last.at[0], at: String(last.at[1]) }}
          />
        }
      />
    </Page>
  )
  return fault === undefined ? page : { page, status: 400 }
})

const downloadUptime: ConsolePage = listFile('see', UPTIME_FILTERS, async (visit, query) => {
  const list = await listOf(visit, query)
  return list && 'rows' in list ? { name: 'uptime.csv', chunks: uptimeCsv(list) } : undefined
})

function columnsOf(frame: Visit['frame'], group: UptimeGroup): Columns<PlacedRow> {
  const words = wordsIn('uptime', frame)
  const span = (title: string, name: 'downtimeSeconds' | 'plannedSeconds' | 'unknownSeconds', more: object) =>
    figure<PlacedRow>(title, ({ row }) => row[name] > 0 && shownSpan(frame, row[name] * 1000), { width: 136, ...more })
  const wideOnly = { wideOnly: true } as const
  const isByStation = group === 'evseController' || group === 'connector'
  return [
    isByStation &&
      link(
        words.chargePoint,
        ({ row: { evseControllerId: id = '' } }) => ({ class: 'name-link', to: chargePointPath(frame, id), text: id }),
        { whole: ({ row }) => row.evseControllerId },
      ),
    group === 'connector' && {
      title: words.connector,
      width: 104,
      cell: ({ row }) => [row.evseId, row.connectorId].filter((part) => part !== undefined).join(' / '),
    },
    group === 'site' && {
      title: words.site,
      whole: ({ row }) => row.site,
      text: ({ row }) => row.site ?? words.noSite,
    },
    group === 'month' && { title: words.month, text: ({ row }) => row.month },
    figure(
      words.share,
      ({ row: { uptime } }) =>
        uptime === undefined ? (
          <span class="soft">{words.unknownShare}</span>
        ) : (
          `${shownFigure(frame, uptime * 100, 2)} %`
        ),
      { width: 136 },
    ),
    span(words.down, 'downtimeSeconds', { narrow: false }),
    span(words.planned, 'plannedSeconds', wideOnly),
    span(words.unknown, 'unknownSeconds', wideOnly),
    figure(words.visits, ({ row }) => shownFigure(frame, row.visits), { width: 104, ...wideOnly }),
    figure(words.failedVisits, ({ row }) => shownFigure(frame, row.failedVisits), { width: 200, ...wideOnly }),
  ]
}
