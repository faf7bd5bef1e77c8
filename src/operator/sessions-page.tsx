import type { FC } from 'hono/jsx'
import { type Frame, Page, shownTime } from '../dashboard/layout.tsx'
import type { Session } from '../sessions/model.ts'
import { representSession } from '../sessions/representation.ts'
import { StateChip, shownCost, shownEnergy } from './figures.tsx'
import { operatorTexts } from './texts.ts'

/** The account's sessions, newest first, a page at a time. */
export const SessionsPage: FC<{
  frame: Frame
  sessions: readonly Session[]
  /** Not the first page. */
  later: boolean
  /** Id of the last session shown, when there are older ones. */
  olderThan?: string
}> = ({ frame, sessions, later, olderThan }) => {
  const { texts, root } = frame
  const words = operatorTexts(frame)
  return (
    <Page frame={frame} title={texts.sessions} wide live>
      <h1>{texts.sessions}</h1>
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
          {later && <a href={`${root}/charging-sessions`}>{words.newest}</a>}
          {olderThan !== undefined && (
            <a href={`${root}/charging-sessions?${new URLSearchParams({ before: olderThan })}`} rel="next">
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
        <a href={`${frame.root}/charging-sessions/${encodeURIComponent(id)}`}>{shownTime(startedAt ?? createdAt)}</a>
      </td>
      <td class="host">{chargePointId}</td>
      <td>
        <StateChip frame={frame} state={state} />
      </td>
      <td class="number">{shownEnergy(shown)}</td>
      <td class="number">{shownCost(shown)}</td>
      <td class="time">{stoppedAt !== undefined && shownTime(stoppedAt)}</td>
    </tr>
  )
}
