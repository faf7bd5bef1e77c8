import type { FC } from 'hono/jsx'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { SessionTotals } from '../../domain/ports/storage.ts'
import { durationOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { type Filter, FilterForm, Paging } from '../kit/list.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { type Columns, TableCard, TextLink } from '../kit/table.tsx'
import { localOf } from '../local-time.ts'
import { chargePointPath, sessionPath, sessionsCsvPath, sessionsPath } from '../paths.ts'
import { SessionState, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import type { AskedSessions } from './session-query.ts'
import { sessionTexts } from './session-texts.ts'
import type { ShownTotals } from './session-totals.ts'

export interface SessionsProps {
  /** What the form was sent with. */
  readonly asked: AskedSessions
  /** Why it could not be understood. */
  readonly faults: readonly Fault[]
  readonly sessions: readonly Session[]
  /** Charge points of running sessions that are not connected. */
  readonly offline?: ReadonlySet<string>
  readonly now?: number
  readonly totals?: ShownTotals
  /** Nobody knows the charge point that was asked for. */
  readonly unknown?: boolean
  /** Not the first page. */
  readonly later: boolean
  /** Id of the last session shown, when there are older ones. */
  readonly olderThan?: string | undefined
}

/** The account's sessions, in the order of their creation, newest first, a page at a time. */
export const SessionsPage: FC<SessionsProps & { frame: Frame }> = (props) => {
  const { frame, asked, faults, sessions, totals, unknown, later, olderThan } = props
  const { texts } = frame
  const words = sessionTexts(frame)
  const narrowing = { ...asked }
  const { evseControllerId: id } = asked
  const isNarrowed = Object.keys(asked).length > 0
  return (
    <Page frame={frame} title={texts.sessions} wide live>
      {id === undefined || unknown ? (
        <h1>{texts.sessions}</h1>
      ) : (
        <OfStation frame={frame} what={texts.sessions} id={id} />
      )}
      <FilterForm
        path={sessionsPath(frame)}
        filters={filtersOf(frame, asked)}
        button={words.filter}
        fault={
          (unknown && id !== undefined && words.unknownChargePoint(id)) ||
          faults.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`).join('. ')
        }
        clear={isNarrowed && words.noFilter}
      />
      <div data-live="sessions">
        {totals && <Totals frame={frame} shown={totals} csv={sessionsCsvPath(frame, narrowing)} />}
        <TableCard
          label={texts.sessions}
          plain
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

function filtersOf(frame: Frame, asked: AskedSessions): readonly Filter[] {
  const words = sessionTexts(frame)
  const states = { '': words.all, running: words.running, ...words.sessionStates }
  return [
    { name: 'evseControllerId', label: words.chargePoint, value: asked.evseControllerId },
    ...(asked.label ?? ['']).map((label) => ({ name: 'label', label: words.label, value: label })),
    { name: 'state', label: words.state, value: asked.state, options: states },
    { name: 'idToken', label: words.card, value: asked.idToken },
    { name: 'externalReference', label: words.reference, value: asked.externalReference },
    { name: 'from', label: words.createdFrom, value: localOf(asked.from), type: 'datetime-local' },
    { name: 'to', label: words.createdTo, value: localOf(asked.to), type: 'datetime-local' },
  ]
}

const Totals: FC<{ frame: Frame; shown: ShownTotals; csv: string }> = ({ frame, shown: { totals, at }, csv }) => {
  const words = sessionTexts(frame)
  return (
    <section class="card totals" aria-label={words.totals}>
      {totals ? <Figures frame={frame} totals={totals} /> : <p role="status">{words.adding}</p>}
      <p class="filters">
        <a href={csv}>{words.csv}</a>
        {at !== undefined && <span class="soft">{words.addedUpAt(shownTime(at))}</span>}
      </p>
    </section>
  )
}

const Figures: FC<{ frame: Frame; totals: SessionTotals }> = ({ frame, totals }) => {
  const words = sessionTexts(frame)
  const { sessions, energyKwh, cost, durationSeconds } = representTotals(totals)
  const figures: readonly (readonly [string, string])[] = [
    [words.sessions, String(sessions)],
    [words.energy, shownEnergy({ energyKwh })],
    [words.cost, cost.map(({ currency, amount }) => shownCost({ cost: amount, currency })).join(' + ')],
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

function columnsOf({ frame, offline, now = 0 }: SessionsProps & { frame: Frame }): Columns<Session> {
  const words = sessionTexts(frame)
  return [
    {
      title: words.created,
      kind: 'time',
      cell: ({ id, createdAt, startedAt }) => (
        <>
          <a href={sessionPath(frame, id)}>{shownTime(createdAt)}</a>
          {startedAt !== undefined && shownTime(startedAt) !== shownTime(createdAt) && (
            <div class="soft">{words.begun(shownTime(startedAt))}</div>
          )}
        </>
      ),
    },
    {
      title: words.chargePoint,
      cell: ({ chargePointId, evseId, connectorId }) => {
        const place = [evseId, connectorId].filter((part) => part !== undefined).join('/')
        return (
          <>
            <TextLink class="host" to={chargePointPath(frame, chargePointId)} text={chargePointId} />
            {place !== '' && <span class="soft">{` ${words.connector} ${place}`}</span>}
          </>
        )
      },
    },
    {
      title: words.state,
      cell: (session) => {
        const isOffline = offline?.has(session.chargePointId) && !isOver(session)
        return <SessionState frame={frame} session={session} isOffline={isOffline === true} />
      },
    },
    {
      title: words.card,
      kind: 'host',
      cell: ({ idToken, externalReference }) => (
        <>
          {idToken}
          {externalReference !== undefined && <div class="soft">{externalReference}</div>}
        </>
      ),
    },
    { title: words.duration, kind: 'number', cell: (session) => shownDuration(durationOf(session, now)) },
    { title: words.energy, kind: 'number', cell: (session) => shownEnergy(representSession(session)) },
    { title: words.cost, kind: 'number', cell: (session) => shownCost(representSession(session)) },
  ]
}

export function isOver({ state }: Session): boolean {
  return state === 'completed' || state === 'failed'
}
