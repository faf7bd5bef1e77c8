import type { FC } from 'hono/jsx'
import { withLabels } from '../../application/charge-points/register.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { SessionTotals } from '../../domain/ports/storage-queries.ts'
import { durationOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { type Frame, Page } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Columns, Table, TableCard, TextLink } from '../../web/parts/table.tsx'
import { At, Near, shownTime } from '../../web/times.tsx'
import { shownNow } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import type { ConsolePage, OperatorContext } from '../console-parts.ts'
import { csvText } from '../csv-file.ts'
import type { ListQuery } from '../kit/filters.ts'
import { FilterForm, Paging, Tabs } from '../kit/list.tsx'
import { listFile, listing, pageOfRows, rowsAsked } from '../kit/listing.ts'
import { cutOff, type Fact, Facts, figure, wordsIn } from '../kit/parts.tsx'
import { chargePointPath, sessionPath, sessionsCsvPath, sessionsPath } from '../paths.ts'
import { exactDuration, SessionState, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import type { Visit } from '../visit.tsx'
import { Chart, type ChartPoint } from './chart.tsx'
import { type Course, type CurvePoint, thinned } from './curve.ts'
import { PERIODS, SESSION_COLUMNS, SESSION_FILTERS, sessionFilter, sessionRows } from './session-query.ts'
import { createTotals, type ShownTotals } from './session-totals.ts'

/** By the start of the charge, newest first (CONSOLE-C14). */
export function showSessions({ core }: Pick<OperatorContext, 'core'>): ConsolePage {
  const totalsOf = createTotals()
  return listing('anybody', SESSION_FILTERS, async (visit, query) => {
    const shown = query.wrong.length > 0 ? undefined : await read(visit, query)
    const { frame } = visit
    const words = wordsIn('sessions', frame)
    const { asked, requested } = query
    const { evseControllerId: id } = requested
    const later = visit.context.req.query('before') !== undefined && shown !== undefined
    const sessions = shown?.sessions ?? []
    const page = (
      <Page frame={frame} title={frame.texts.sessions} wide live>
        {shown?.chargePoint ? (
          <StationHead visit={visit} chargePoint={shown.chargePoint} at="sessions" />
        ) : (
          <h1>{frame.texts.sessions}</h1>
        )}
        <Tabs
          frame={frame}
          path={sessionsPath(frame)}
          name="period"
          options={[[undefined, words.all], ...PERIODS.map((one) => [one, words.periods[one]] as const)]}
          chosen={requested.period}
          label={words.period}
          query={{ ...asked, startedFrom: undefined, startedTo: undefined }}
        />
        <FilterForm
          frame={frame}
          path={sessionsPath(frame)}
          filters={SESSION_FILTERS}
          query={query}
          fault={shown?.isUnknown && id !== undefined && words.unknownChargePoint(id)}
        />
        <div data-live="sessions">
          {shown && <Totals frame={frame} shown={shown.totals} csv={sessionsCsvPath(frame, asked)} />}
          <TableCard
            label={frame.texts.sessions}
            oneLine
            rows={sessions}
            empty={query.isNarrowed || later ? words.noneFound : words.noSessions}
            columns={columnsOf(frame, sessions, shown?.offline)}
          />
          <Paging
            frame={frame}
            path={sessionsPath(frame)}
            query={asked}
            later={later}
            next={shown?.last && { before: shown.last.id }}
            newestFirst
          />
        </div>
      </Page>
    )
    return shown?.isUnknown ? { page, status: 404 } : page
  })

  async function read(visit: Visit, { requested }: ListQuery<typeof SESSION_FILTERS>) {
    const { site, context, frame, accountId } = visit
    const before = context.req.query('before')
    const filter = await withLabels(site.reads, sessionFilter(requested, accountId, frame), requested.label)
    const found = await site.reads.listSessions({ ...filter, byStart: true, belowId: before, limit: rowsAsked(frame) })
    const { rows: sessions, last } = pageOfRows(found, frame)
    const { evseControllerId: id } = requested
    const chargePoint = id === undefined ? undefined : await headOf(visit, id)
    const isGone = id !== undefined && !chargePoint
    const isUnknown = isGone && sessions.length === 0 && !(await hasSessions(visit, id))
    const running = sessions.filter(({ state }) => !isTerminal(state))
    const stations = [...new Set(running.map(({ chargePointId }) => chargePointId))]
    const connectivity = stations.length > 0 ? await core.connectivity(stations) : []
    const offline = new Set(connectivity.filter(({ online }) => !online).map(({ chargePointId }) => chargePointId))
    const totals = await totalsOf(site.reads, filter, () => site.now())
    return { sessions, last, chargePoint, isUnknown, offline, totals }
  }
}

async function hasSessions({ site: { reads }, accountId }: Visit, chargePointId: string): Promise<boolean> {
  return (await reads.listSessions({ accountId, chargePointIds: [chargePointId], limit: 1 })).length > 0
}

async function headOf(visit: Visit, id: string) {
  const view = await visit.site.reads.findChargePoint(id)
  return view?.accountId === visit.accountId ? shownNow(visit, view) : undefined
}

/** A station that was offline reports its charges when it is back. */
const LATE_MS = 3_600_000

function isLate({ createdAt, startedAt = createdAt }: Pick<Session, 'createdAt' | 'startedAt'>): boolean {
  return createdAt - startedAt > LATE_MS
}

const Totals: FC<{ frame: Frame; shown: ShownTotals; csv: string }> = ({ frame, shown: { totals, at }, csv }) => {
  const words = wordsIn('sessions', frame)
  return (
    <section class="card totals" aria-label={words.totals}>
      {totals ? <Facts asFigures facts={factsOf(frame, totals)} /> : <p role="status">{words.adding}</p>}
      <p class="filters">
        <a href={csv}>{words.csv}</a>
        {at !== undefined && <span class="soft">{words.addedUpAt(shownTime(frame, at))}</span>}
      </p>
    </section>
  )
}

function factsOf(frame: Frame, totals: SessionTotals): readonly Fact[] {
  const words = wordsIn('sessions', frame)
  const { sessions, energyKwh, cost, durationSeconds } = representTotals(totals)
  return [
    [words.sessions, shownFigure(frame, sessions)],
    [words.energy, shownEnergy(frame, { energyKwh })],
    [words.cost, cost.map(({ currency, amount }) => shownCost(frame, { cost: amount, currency })).join(' + ')],
    [words.duration, shownDuration(durationSeconds)],
  ]
}

function columnsOf(
  frame: Frame,
  sessions: readonly Session[],
  offline: ReadonlySet<string> = new Set(),
): Columns<Session> {
  const { now } = frame
  const words = wordsIn('sessions', frame)
  return [
    {
      title: words.started,
      kind: 'time',
      width: sessions.some(isLate) ? 200 : 136,
      whole: ({ createdAt, startedAt = createdAt }) =>
        isLate({ createdAt, startedAt }) ? words.arrivedLate(shownTime(frame, createdAt)) : undefined,
      cell: ({ id, createdAt, startedAt = createdAt }) => (
        <>
          <a href={sessionPath(frame, id)}>
            <Near frame={frame} at={startedAt} />
          </a>
          {isLate({ createdAt, startedAt }) && <span class="soft no-phone"> {words.late}</span>}
        </>
      ),
    },
    {
      title: words.chargePoint,
      whole: ({ chargePointId }) => chargePointId,
      cell: ({ chargePointId, evseId, connectorId }) => {
        const place = [evseId, connectorId].filter((part) => part !== undefined).join('/')
        return (
          <>
            <TextLink class="name-link" to={chargePointPath(frame, chargePointId)} text={chargePointId} />
            {place !== '' && <span class="soft no-phone">{` ${words.connector} ${place}`}</span>}
          </>
        )
      },
    },
    {
      title: words.state,
      width: 240,
      wideOnly: true,
      cell: (session) => (
        <SessionState
          frame={frame}
          session={session}
          isOffline={offline.has(session.chargePointId) && !isTerminal(session.state)}
        />
      ),
    },
    cutOff(words.card, ({ idToken, externalReference }) => [idToken, externalReference].filter(Boolean).join(' · '), {
      wideOnly: true,
    }),
    figure(words.duration, (session) => shownDuration(durationOf(session, now)), {
      width: 104,
      wideOnly: true,
      whole: (session) => exactDuration(durationOf(session, now)),
    }),
    figure(words.energy, (session) => shownEnergy(frame, representSession(session)), { width: 120 }),
    figure(words.cost, (session) => shownCost(frame, representSession(session)), { width: 120, wideOnly: true }),
  ]
}

export const downloadSessions: ConsolePage = listFile('anybody', SESSION_FILTERS, async (visit, { requested }) => {
  const { site, frame, accountId } = visit
  const filter = await withLabels(site.reads, sessionFilter(requested, accountId, frame), requested.label)
  const name = `sessions-${isoTime(frame.now)}.csv`
  return { name, chunks: csvText(SESSION_COLUMNS, sessionRows(site.reads, filter, frame.now)) }
})

/** More points than the picture has columns show nothing. */
const POINTS_DRAWN = 500
const POINTS_LISTED = 50
const MILLI_PER_KILO = 1_000_000

export const CourseCard: FC<{ frame: Frame } & Course> = ({ frame, points, cutAt }) => {
  const words = wordsIn('sessions', frame)
  const span = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0] as const
  const power = points.flatMap(({ at, powerMilliW }) => (powerMilliW === undefined ? [] : [kilo(at, powerMilliW)]))
  const energy = points.map(({ at, energyMilliWh }) => kilo(at, energyMilliWh))
  const series = [
    { kind: 'power', name: words.power, unit: 'kW', values: power },
    { kind: 'energy', name: words.energy, unit: 'kWh', values: energy },
  ] as const
  return (
    <section class="card">
      <h2>{words.course}</h2>
      {points.length < 2 ? (
        <p class="soft">{words.noCurve}</p>
      ) : (
        <>
          {cutAt !== undefined && <p class="soft">{words.cutCurve(cutAt)}</p>}
          {series.map(
            ({ kind, name, unit, values }) =>
              values.length > 1 && (
                <>
                  <p class="soft">
                    {name} ({unit})
                  </p>
                  <Chart
                    frame={frame}
                    kind={kind}
                    points={thinned(values, POINTS_DRAWN)}
                    span={span}
                    label={words.chartText(
                      name,
                      `${shownFigure(frame, mostOf(values), 3)} ${unit}`,
                      shownTime(frame, span[0]),
                      shownTime(frame, span[1]),
                    )}
                  />
                </>
              ),
          )}
          <details>
            <summary>{words.courseTable}</summary>
            <CourseTable frame={frame} points={thinned(points, POINTS_LISTED)} />
          </details>
        </>
      )}
    </section>
  )
}

const CourseTable: FC<{ frame: Frame; points: readonly CurvePoint[] }> = ({ frame, points }) => {
  const words = wordsIn('sessions', frame)
  const kilos = (milli: number): string => shownFigure(frame, milli / MILLI_PER_KILO, 3)
  return (
    <Table<CurvePoint>
      plain
      rows={points}
      columns={[
        { title: words.time, kind: 'time', cell: ({ at }) => <At frame={frame} at={at} /> },
        figure(`${words.power} (kW)`, ({ powerMilliW }) => powerMilliW !== undefined && kilos(powerMilliW)),
        figure(`${words.energy} (kWh)`, ({ energyMilliWh }) => kilos(energyMilliWh)),
      ]}
    />
  )
}

function kilo(at: number, milli: number): ChartPoint {
  return { at, value: milli / MILLI_PER_KILO }
}

function mostOf(values: readonly ChartPoint[]): number {
  return values.reduce((most, { value }) => Math.max(most, value), 0)
}
