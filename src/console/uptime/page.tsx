/** How long connectors were usable: by charge point, connector, site and month, and the same as a file (UPTIME-U6). */
import type { FC } from 'hono/jsx'
import { uptimeCsv } from '../../application/uptime/csv.ts'
import {
  type PlacedRow,
  UPTIME_GROUPS,
  type UptimeGroup,
  type UptimeList,
  type UptimePosition,
  type UptimeRow,
  uptimeList,
} from '../../application/uptime/rows.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import { DAY_MS, periodOf } from '../../domain/time-zone.ts'
import { shownFigure } from '../../web/figures.tsx'
import { Page } from '../../web/layout.tsx'
import { shownSpan } from '../../web/times.tsx'
import type { ConsolePage, MountConsolePages, OperatorParts } from '../console-parts.ts'
import { TabBar, Title } from '../kit/frame.tsx'
import { FilterForm, Paging } from '../kit/list.tsx'
import { pageOfRows, ROWS_ASKED } from '../kit/page-of-rows.ts'
import { type Columns, TableCard, TextLink } from '../kit/table.tsx'
import { chargePointPath, queryText } from '../paths.ts'
import { downloading, showing, type Visit } from '../visit.tsx'
import { uptimeTexts } from './texts.ts'

const DAYS = 30
const DAY = /^\d{4}-\d\d-\d\d$/

export const addUptimePages: MountConsolePages = (page, parts) => {
  page('/uptime', { GET: showUptime(parts) })
  page('/uptime.csv', { GET: downloadUptime(parts) })
}

interface Query {
  readonly group: UptimeGroup
  /** Days, as they were typed. */
  readonly from: string
  readonly to: string
  readonly window: { readonly from: number; readonly to: number } | undefined
}

function readQuery({ context, site }: Visit, { timeZone }: OperatorParts): Query {
  const { group, from = '', to = '' } = context.req.query()
  const now = site.now()
  const begin = from === '' ? periodOf('day', now - DAYS * DAY_MS, timeZone).from : dayOf(from, timeZone)?.from
  const end = to === '' ? now : dayOf(to, timeZone)?.below
  const window = begin !== undefined && end !== undefined && begin < end ? { from: begin, to: end } : undefined
  return { group: UPTIME_GROUPS.find((one) => one === group) ?? 'evseController', from, to, window }
}

function dayOf(text: string, timeZone: string): { readonly from: number; readonly below: number } | undefined {
  const noon = DAY.test(text) ? Date.parse(`${text}T12:00:00Z`) : Number.NaN
  return Number.isNaN(noon) ? undefined : periodOf('day', noon, timeZone)
}

async function listOf(
  { site: { reads, now }, accountId }: Visit,
  { timeZone }: OperatorParts,
  { group, window }: Query,
): Promise<UptimeList | Refusal | undefined> {
  return window && uptimeList({ reads, now, timeZone }, { accountId, group, ...window })
}

function showUptime(parts: OperatorParts): ConsolePage {
  return showing('see', async (visit) => {
    const query = readQuery(visit, parts)
    const list = await listOf(visit, parts, query)
    const { after, at = '0' } = visit.context.req.query()
    const place: UptimePosition | undefined = after === undefined ? undefined : [after, Number(at) || 0]
    const found: PlacedRow[] = []
    if (list && 'rows' in list) {
      for await (const rows of list.rows(place)) {
        found.push(...rows)
        if (found.length >= ROWS_ASKED) break
      }
    }
    const { rows, last } = pageOfRows(found)
    const words = uptimeTexts(visit.frame)
    const fault = !list ? words.wrong : 'refused' in list ? list.detail : undefined
    const page = (
      <UptimePage visit={visit} query={query} rows={rows} last={last} fault={fault} later={after !== undefined} />
    )
    return fault === undefined ? page : { page, status: 400 }
  })
}

function downloadUptime(parts: OperatorParts): ConsolePage {
  return downloading('see', async (visit) => {
    const list = await listOf(visit, parts, readQuery(visit, parts))
    return list && 'rows' in list ? { name: 'uptime.csv', chunks: uptimeCsv(list) } : undefined
  })
}

interface Props {
  readonly visit: Visit
  readonly query: Query
  readonly rows: readonly PlacedRow[]
  readonly last: PlacedRow | undefined
  readonly fault: string | undefined
  readonly later: boolean
}

const UptimePage: FC<Props> = ({ visit: { frame }, query, rows, last, fault, later }) => {
  const words = uptimeTexts(frame)
  const path = `${frame.root}/uptime`
  const asked = Object.fromEntries(
    (['group', 'from', 'to'] as const).flatMap((name) => (query[name] === '' ? [] : [[name, query[name]]])),
  )
  return (
    <Page frame={frame} title={words.uptime} wide>
      <Title text={words.uptime}>
        <a class="button" href={`${path}.csv${queryText(asked)}`} download>
          {words.csv}
        </a>
      </Title>
      <TabBar
        label={words.by}
        tabs={UPTIME_GROUPS.map((group) => ({
          to: path + queryText({ ...asked, group }),
          text: words.groups[group],
          isHere: group === query.group,
        }))}
      />
      <FilterForm
        path={path}
        filters={[
          { name: 'from', label: words.from, value: query.from, type: 'date' },
          { name: 'to', label: words.to, value: query.to, type: 'date' },
        ]}
        button={words.show}
        kept={[['group', query.group]]}
        fault={fault}
      />
      <p class="soft">{words.hint}</p>
      <TableCard
        label={words.uptime}
        rows={rows}
        empty={words.none}
        columns={columnsOf(frame, query.group)}
        after={
          <Paging
            frame={frame}
            path={path}
            query={asked}
            later={later}
            next={last && { after: last.at[0], at: String(last.at[1]) }}
          />
        }
      />
    </Page>
  )
}

function columnsOf(frame: Visit['frame'], group: UptimeGroup): Columns<PlacedRow> {
  const words = uptimeTexts(frame)
  const span = (name: 'downtimeSeconds' | 'plannedSeconds' | 'unknownSeconds') => (one: PlacedRow) =>
    one.row[name] === 0 ? '' : shownSpan(frame, one.row[name] * 1000)
  const isByStation = group === 'evseController' || group === 'connector'
  return [
    isByStation && {
      title: words.chargePoint,
      kind: 'host',
      cell: ({ row: { evseControllerId: id = '' } }) => <TextLink to={chargePointPath(frame, id)} text={id} />,
    },
    group === 'connector' && { title: words.connector, cell: ({ row }) => placeOf(row) },
    group === 'site' && { title: words.site, text: ({ row }) => row.site ?? words.noSite },
    group === 'month' && { title: words.month, text: ({ row }) => row.month },
    {
      title: words.share,
      kind: 'number',
      cell: ({ row: { uptime } }) =>
        uptime === undefined ? (
          <span class="soft">{words.unknownShare}</span>
        ) : (
          `${shownFigure(frame, uptime * 100, 2)} %`
        ),
    },
    { title: words.down, kind: 'number', cell: span('downtimeSeconds') },
    { title: words.planned, kind: 'number', cell: span('plannedSeconds') },
    { title: words.unknown, kind: 'number', cell: span('unknownSeconds') },
    { title: words.visits, kind: 'number', cell: ({ row }) => shownFigure(frame, row.visits) },
    { title: words.failedVisits, kind: 'number', cell: ({ row }) => shownFigure(frame, row.failedVisits) },
  ]
}

/** As elsewhere: the EVSE before the connector. */
function placeOf({ evseId, connectorId }: UptimeRow): string {
  return [evseId, connectorId].filter((part) => part !== undefined).join(' / ')
}
