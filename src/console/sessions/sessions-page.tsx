import type { SessionTotals } from '../../domain/ports/storage-queries.ts'
import type { FC } from 'hono/jsx'
import type { Session } from '../../domain/ports/sessions.ts'
import { durationOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { type Columns, TableCard, TextLink } from '../../web/parts/table.tsx'
import { Near, shownTime } from '../../web/times.tsx'
import type { ShownChargePoint } from '../charge-points/shown-charge-point.ts'
import { StationHead } from '../charge-points/station-head.tsx'
import { FilterForm } from '../kit/filter-form.tsx'
import type { ListQuery } from '../kit/filters.ts'
import { Paging, Tabs } from '../kit/list.tsx'
import { sessionTexts } from '../kit/texts.ts'
import { chargePointPath, sessionPath, sessionsCsvPath, sessionsPath } from '../paths.ts'
import { exactDuration, SessionState, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import type { Visit } from '../visit.tsx'
import { PERIODS, SESSION_FILTERS } from './session-query.ts'
import type { ShownTotals } from './session-totals.ts'

interface SessionsProps {
  readonly query: ListQuery<typeof SESSION_FILTERS>
  readonly chargePoint?: ShownChargePoint | undefined
  readonly sessions: readonly Session[]
  readonly offline?: ReadonlySet<string>
  readonly now?: number
  readonly totals?: ShownTotals
  readonly unknown?: boolean
  readonly later: boolean
  readonly olderThan?: string | undefined
}

/** A station that was offline tells of its charges when it is back. */
const LATE_MS = 3_600_000

function isLate({ createdAt, startedAt = createdAt }: Pick<Session, 'createdAt' | 'startedAt'>): boolean {
  return createdAt - startedAt > LATE_MS
}

/** By the start of the charge, newest first (CONSOLE-C14). */
export const SessionsPage: FC<SessionsProps & { visit: Visit; frame: Frame }> = (props) => {
  const { visit, frame, query, chargePoint, sessions, totals, unknown, later, olderThan } = props
  const { texts } = frame
  const words = sessionTexts(frame)
  const { asked: narrowing, isNarrowed, requested } = query
  const { evseControllerId: id } = requested
  return (
    <Page frame={frame} title={texts.sessions} wide live>
      {chargePoint ? <StationHead visit={visit} chargePoint={chargePoint} at="sessions" /> : <h1>{texts.sessions}</h1>}
      <Tabs
        frame={frame}
        path={sessionsPath(frame)}
        name="period"
        options={[[undefined, words.all] as const, ...PERIODS.map((one) => [one, words.periods[one]] as const)]}
        chosen={requested.period}
        label={words.period}
        query={{ ...narrowing, startedFrom: undefined, startedTo: undefined }}
      />
      <FilterForm
        frame={frame}
        path={sessionsPath(frame)}
        filters={SESSION_FILTERS}
        query={query}
        fault={unknown && id !== undefined && words.unknownChargePoint(id)}
      />
      <div data-live="sessions">
        {totals && <Totals frame={frame} shown={totals} csv={sessionsCsvPath(frame, narrowing)} />}
        <TableCard
          label={texts.sessions}
          oneLine
          rows={sessions}
          empty={isNarrowed || later ? words.noneFound : words.noSessions}
          columns={columnsOf(props)}
        />
        <Paging
          frame={frame}
          path={sessionsPath(frame)}
          query={narrowing}
          later={later}
          next={olderThan === undefined ? undefined : { before: olderThan }}
          newestFirst
        />
      </div>
    </Page>
  )
}

const Totals: FC<{ frame: Frame; shown: ShownTotals; csv: string }> = ({ frame, shown: { totals, at }, csv }) => {
  const words = sessionTexts(frame)
  return (
    <section class="card totals" aria-label={words.totals}>
      {totals ? <Figures frame={frame} totals={totals} /> : <p role="status">{words.adding}</p>}
      <p class="filters">
        <a href={csv}>{words.csv}</a>
        {at !== undefined && <span class="soft">{words.addedUpAt(shownTime(frame, at))}</span>}
      </p>
    </section>
  )
}

const Figures: FC<{ frame: Frame; totals: SessionTotals }> = ({ frame, totals }) => {
  const words = sessionTexts(frame)
  const { sessions, energyKwh, cost, durationSeconds } = representTotals(totals)
  const figures: readonly (readonly [string, string])[] = [
    [words.sessions, shownFigure(frame, sessions)],
    [words.energy, shownEnergy(frame, { energyKwh })],
    [words.cost, cost.map(({ currency, amount }) => shownCost(frame, { cost: amount, currency })).join(' + ')],
    [words.duration, shownDuration(durationSeconds)],
  ]
  return (
    <dl class="figures">
      {figures.map(
        ([name, value]) =>
          value !== '' && (
            <div>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

function columnsOf({ frame, sessions, offline, now = 0 }: SessionsProps & { frame: Frame }): Columns<Session> {
  const words = sessionTexts(frame)
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
      cell: (session) => {
        const isOffline = offline?.has(session.chargePointId) && !isOver(session)
        return <SessionState frame={frame} session={session} isOffline={isOffline === true} />
      },
    },
    {
      title: words.card,
      wideOnly: true,
      text: ({ idToken, externalReference }) => [idToken, externalReference].filter(Boolean).join(' · '),
      whole: ({ idToken, externalReference }) => [idToken, externalReference].filter(Boolean).join(' · '),
    },
    {
      title: words.duration,
      kind: 'number',
      width: 104,
      wideOnly: true,
      whole: (session) => exactDuration(durationOf(session, now)),
      cell: (session) => shownDuration(durationOf(session, now)),
    },
    {
      title: words.energy,
      kind: 'number',
      width: 120,
      cell: (session) => shownEnergy(frame, representSession(session)),
    },
    {
      title: words.cost,
      kind: 'number',
      width: 120,
      wideOnly: true,
      cell: (session) => shownCost(frame, representSession(session)),
    },
  ]
}

export function isOver({ state }: Session): boolean {
  return state === 'completed' || state === 'failed'
}
