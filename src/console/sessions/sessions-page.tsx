import type { FC } from 'hono/jsx'
import type { Session } from '../../ports/sessions.ts'
import { representSession } from '../../sessions/figures/representation.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { StateChip, shownCost, shownEnergy } from '../figures.tsx'
import { chargePointPath, sessionPath, sessionsPath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'

/** The account's sessions, newest first, a page at a time. */
export const SessionsPage: FC<{
  frame: Frame
  sessions: readonly Session[]
  /** Only its sessions are shown. */
  chargePoint?: string
  /** Not the first page. */
  later: boolean
  /** Id of the last session shown, when there are older ones. */
  olderThan?: string
}> = ({ frame, sessions, chargePoint, later, olderThan }) => {
  const { texts } = frame
  const words = operatorTexts(frame)
  return (
    <Page frame={frame} title={texts.sessions} wide live>
      <h1>
        {texts.sessions}
        {chargePoint !== undefined && (
          <>
            {' · '}
            <a class="host" href={chargePointPath(frame, chargePoint)}>
              {chargePoint}
            </a>
          </>
        )}
      </h1>
      <div data-live="sessions">
        {sessions.length === 0 ? (
          <p class="card soft">{words.noSessions}</p>
        ) : (
          <div class="card scrolls">
            <table>
              <thead>
                <tr>
                  <th>{words.started}</th>
                  <th>{words.chargePoint}</th>
                  <th>{words.state}</th>
                  <th class="number">{words.energy}</th>
                  <th class="number">{words.cost}</th>
                  <th>{words.stopped}</th>
                </tr>
              </thead>
              <tbody>
                {sessions.map((session) => (
                  <SessionRow frame={frame} session={session} />
                ))}
              </tbody>
            </table>
          </div>
        )}
        <p class="filters">
          {later && <a href={sessionsPath(frame, { chargePoint })}>{words.newest}</a>}
          {olderThan !== undefined && (
            <a href={sessionsPath(frame, { chargePoint, before: olderThan })} rel="next">
              {words.older}
            </a>
          )}
        </p>
      </div>
    </Page>
  )
}

const SessionRow: FC<{ frame: Frame; session: Session }> = ({ frame, session }) => {
  const { id, chargePointId, state, startedAt, stoppedAt, createdAt } = session
  const shown = representSession(session)
  return (
    <tr>
      <td class="time">
        <a href={sessionPath(frame, id)}>{shownTime(startedAt ?? createdAt)}</a>
      </td>
      <td>
        <a class="host" href={chargePointPath(frame, chargePointId)}>
          {chargePointId}
        </a>
      </td>
      <td>
        <StateChip frame={frame} state={state} />
      </td>
      <td class="number">{shownEnergy(shown)}</td>
      <td class="number">{shownCost(shown)}</td>
      <td class="time">{stoppedAt !== undefined && shownTime(stoppedAt)}</td>
    </tr>
  )
}
