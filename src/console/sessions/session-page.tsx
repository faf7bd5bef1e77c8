import type { FC } from 'hono/jsx'
import type { TimelineEntry } from '../../orders/session-timeline.ts'
import type { Session } from '../../ports/sessions.ts'
import { representSession } from '../../sessions/figures/representation.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Facts } from '../facts.tsx'
import { StateChip, shownCost, shownEnergy } from '../figures.tsx'
import { chargePointPath, messagePath } from '../paths.ts'
import { operatorTexts } from '../texts.ts'
import { CourseCard, type CourseProps } from './course-card.tsx'

type SettlementEntry = Extract<TimelineEntry, { readonly type: 'settlement' }>
type EventEntry = Extract<TimelineEntry, { readonly type: 'event' }>

/** One session: what it came to, how it got there, and why. */
export const SessionPage: FC<{
  frame: Frame
  session: Session
  /** Oldest first. */
  timeline: readonly TimelineEntry[]
  course: Omit<CourseProps, 'frame'>
}> = ({ frame, session, timeline, course }) => {
  const words = operatorTexts(frame)
  const settlements = timeline.filter((entry): entry is SettlementEntry => entry.type === 'settlement')
  const events = timeline.filter((entry): entry is EventEntry => entry.type === 'event')
  return (
    <Page frame={frame} title={words.session} wide live>
      <h1>
        {words.session} ·{' '}
        <a class="host" href={chargePointPath(frame, session.chargePointId)}>
          {session.chargePointId}
        </a>
      </h1>
      <div data-live="figures">
        <Figures frame={frame} session={session} />
      </div>
      <div data-live="course">
        <CourseCard frame={frame} {...course} />
      </div>
      <div data-live="history">
        {settlements.length > 0 && <Settlements frame={frame} settlements={settlements} />}
        {events.length > 0 && <Timeline frame={frame} chargePointId={session.chargePointId} events={events} />}
      </div>
    </Page>
  )
}

const Figures: FC<{ frame: Frame; session: Session }> = ({ frame, session }) => {
  const words = operatorTexts(frame)
  const shown = representSession(session)
  const { id, startedAt, stoppedAt, evseId, connectorId, externalReference, transactionId, endReason } = session
  const place = [evseId, connectorId].filter((part) => part !== undefined).join(' / ')
  const facts = [
    [words.energy, shownEnergy(shown)],
    [words.cost, shownCost(shown)],
    [words.started, startedAt === undefined ? undefined : shownTime(startedAt)],
    [words.stopped, stoppedAt === undefined ? undefined : shownTime(stoppedAt)],
    [words.connector, place],
    [words.reference, externalReference],
    [words.transaction, transactionId],
    ['Id', id],
  ] as const
  return (
    <section class="card">
      <p>
        <StateChip frame={frame} state={session.state} />{' '}
        {endReason !== undefined && endReason !== 'normal' && endReason}
      </p>
      <Facts facts={facts} />
    </section>
  )
}

const Settlements: FC<{ frame: Frame; settlements: readonly SettlementEntry[] }> = ({ frame, settlements }) => {
  const words = operatorTexts(frame)
  return (
    <section class="card scrolls">
      <h2>{words.settlements}</h2>
      <table>
        <thead>
          <tr>
            <th>{words.number}</th>
            <th>{words.time}</th>
            <th class="number">{words.energy}</th>
            <th class="number">{words.cost}</th>
            <th>{words.by}</th>
            <th>{words.reason}</th>
          </tr>
        </thead>
        <tbody>
          {settlements.map((settlement) => (
            <tr>
              <td>{settlement.number}</td>
              <td class="time">{shownTime(Date.parse(settlement.at))}</td>
              <td class="number">{shownEnergy(settlement)}</td>
              <td class="number">{shownCost(settlement)}</td>
              <td>{settlement.by}</td>
              <td>{settlement.reason}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

const Timeline: FC<{ frame: Frame; chargePointId: string; events: readonly EventEntry[] }> = ({
  frame,
  chargePointId,
  events,
}) => {
  const words = operatorTexts(frame)
  return (
    <section class="card scrolls">
      <h2>{words.timeline}</h2>
      <table>
        <thead>
          <tr>
            <th>{words.time}</th>
            <th>{words.event}</th>
            <th>{words.state}</th>
            <th class="number">{words.energy}</th>
            <th class="number">{words.cost}</th>
            <th>{words.causes}</th>
          </tr>
        </thead>
        <tbody>
          {events.map(({ at, kind, session, causes }) => (
            <tr>
              <td class="time">{at.slice(0, 19).replace('T', ' ')}</td>
              <td>{words.eventKinds[kind]}</td>
              <td>
                <StateChip frame={frame} state={session.state} />
              </td>
              <td class="number">{shownEnergy(session)}</td>
              <td class="number">{shownCost(session)}</td>
              <td>
                {causes.map(({ id, method }) => (
                  <>
                    {method === undefined ? (
                      <code>{id}</code>
                    ) : (
                      <a class="host" href={messagePath(frame, chargePointId, id)}>
                        {method}
                      </a>
                    )}{' '}
                  </>
                ))}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
