import type { FC } from 'hono/jsx'
import { SESSION_STATES } from '../../domain/events/session-events.ts'
import type { Fault } from '../../domain/message-log/fault.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { SessionTotals } from '../../domain/ports/storage.ts'
import { durationOf, representTotals } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { Field, type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { Warning } from '../../web/warning.tsx'
import { localOf } from '../local-time.ts'
import { chargePointPath, sessionPath, sessionsCsvPath, sessionsPath } from '../paths.ts'
import { SessionState, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import { operatorTexts } from '../texts.ts'
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
  readonly olderThan?: string
}

/** The account's sessions, in the order of their creation, newest first, a page at a time. */
export const SessionsPage: FC<SessionsProps & { frame: Frame }> = (props) => {
  const { frame, asked, faults, sessions, offline = new Set(), now = 0, totals, unknown, later, olderThan } = props
  const { texts } = frame
  const words = operatorTexts(frame)
  const more = sessionTexts(frame)
  const narrowing = { ...asked }
  const { evseControllerId } = asked
  return (
    <Page frame={frame} title={texts.sessions} wide live>
      <h1>
        {texts.sessions}
        {evseControllerId !== undefined && !unknown && (
          <>
            {' · '}
            <a class="host" href={chargePointPath(frame, evseControllerId)}>
              {evseControllerId}
            </a>
          </>
        )}
      </h1>
      <section class="card">
        <Filter frame={frame} asked={asked} faults={faults} />
        {unknown && evseControllerId !== undefined && (
          <p class="warn host" role="alert">
            {more.unknownChargePoint(evseControllerId)}
          </p>
        )}
      </section>
      <div data-live="sessions">
        {totals && <Totals frame={frame} shown={totals} csv={sessionsCsvPath(frame, narrowing)} />}
        {sessions.length === 0 ? (
          <p class="card soft">{Object.keys(asked).length > 0 || later ? more.noneFound : words.noSessions}</p>
        ) : (
          <section class="card scrolls" tabindex={0} aria-label={texts.sessions}>
            <table>
              <Headings
                of={[
                  more.created,
                  words.chargePoint,
                  words.state,
                  more.card,
                  { number: more.duration },
                  { number: words.energy },
                  { number: words.cost },
                ]}
              />
              <tbody>
                {sessions.map((session) => (
                  <SessionRow
                    frame={frame}
                    session={session}
                    now={now}
                    isOffline={offline.has(session.chargePointId) && !isOver(session)}
                  />
                ))}
              </tbody>
            </table>
          </section>
        )}
        <p class="filters">
          {later && <a href={sessionsPath(frame, narrowing)}>{words.newest}</a>}
          {olderThan !== undefined && (
            <a href={sessionsPath(frame, { ...narrowing, before: olderThan })} rel="next">
              {words.older}
            </a>
          )}
        </p>
      </div>
    </Page>
  )
}

const Filter: FC<{ frame: Frame; asked: AskedSessions; faults: readonly Fault[] }> = ({ frame, asked, faults }) => {
  const words = operatorTexts(frame)
  const more = sessionTexts(frame)
  return (
    <form class="narrowing" method="get" action={sessionsPath(frame)}>
      <Field label={words.chargePoint} name="evseControllerId" value={asked.evseControllerId ?? ''} />
      {(asked.label ?? ['']).map((label) => (
        <Field label={more.label} name="label" value={label} />
      ))}
      <label class="field">
        <span>{words.state}</span>
        <select name="state">
          <option value="">{words.allStates}</option>
          <option value="running" selected={asked.state === 'running'}>
            {more.running}
          </option>
          {SESSION_STATES.map((state) => (
            <option value={state} selected={asked.state === state}>
              {words.sessionStates[state]}
            </option>
          ))}
        </select>
      </label>
      <Field label={more.card} name="idToken" value={asked.idToken ?? ''} />
      <Field label={words.reference} name="externalReference" value={asked.externalReference ?? ''} />
      <Field label={more.createdFrom} name="from" type="datetime-local" value={localOf(asked.from)} />
      <Field label={more.createdTo} name="to" type="datetime-local" value={localOf(asked.to)} />
      <button type="submit">{more.filter}</button>
      {Object.keys(asked).length > 0 && (
        <p class="reset">
          <a href={sessionsPath(frame)}>{more.noFilter}</a>
        </p>
      )}
      {faults.length > 0 && (
        <Warning>{faults.map(({ pointer, message }) => `${pointer.slice(1)}: ${message}`).join('. ')}</Warning>
      )}
    </form>
  )
}

const Totals: FC<{ frame: Frame; shown: ShownTotals; csv: string }> = ({ frame, shown: { totals, at }, csv }) => {
  const more = sessionTexts(frame)
  return (
    <section class="card totals" aria-label={more.totals}>
      {totals ? <Figures frame={frame} totals={totals} /> : <p role="status">{more.adding}</p>}
      <p class="filters">
        <a href={csv}>{more.csv}</a>
        {at !== undefined && <span class="soft">{more.addedUpAt(shownTime(at))}</span>}
      </p>
    </section>
  )
}

const Figures: FC<{ frame: Frame; totals: SessionTotals }> = ({ frame, totals }) => {
  const words = operatorTexts(frame)
  const more = sessionTexts(frame)
  const { sessions, energyKwh, cost, durationSeconds } = representTotals(totals)
  const figures: readonly (readonly [string, string])[] = [
    [more.sessions, String(sessions)],
    [words.energy, shownEnergy({ energyKwh })],
    [words.cost, cost.map(({ currency, amount }) => shownCost({ cost: amount, currency })).join(' + ')],
    [more.duration, shownDuration(durationSeconds)],
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

const SessionRow: FC<{ frame: Frame; session: Session; now: number; isOffline: boolean }> = ({
  frame,
  session,
  now,
  isOffline,
}) => {
  const more = sessionTexts(frame)
  const { id, chargePointId, startedAt, createdAt, evseId, connectorId, idToken, externalReference } = session
  const shown = representSession(session)
  const place = [evseId, connectorId].filter((part) => part !== undefined).join('/')
  return (
    <tr>
      <td class="time">
        <a href={sessionPath(frame, id)}>{shownTime(createdAt)}</a>
        {startedAt !== undefined && shownTime(startedAt) !== shownTime(createdAt) && (
          <div class="soft">{more.begun(shownTime(startedAt))}</div>
        )}
      </td>
      <td>
        <a class="host" href={chargePointPath(frame, chargePointId)}>
          {chargePointId}
        </a>
        {place !== '' && (
          <span class="soft">
            {' '}
            {operatorTexts(frame).connector} {place}
          </span>
        )}
      </td>
      <td>
        <SessionState frame={frame} session={session} isOffline={isOffline} />
      </td>
      <td class="host">
        {idToken}
        {externalReference !== undefined && <div class="soft">{externalReference}</div>}
      </td>
      <td class="number">{shownDuration(durationOf(session, now))}</td>
      <td class="number">{shownEnergy(shown)}</td>
      <td class="number">{shownCost(shown)}</td>
    </tr>
  )
}

function isOver({ state }: Session): boolean {
  return state === 'completed' || state === 'failed'
}
