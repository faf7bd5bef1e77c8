import type { FC } from 'hono/jsx'
import type { TimelineEntry } from '../../application/session-timeline.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { CostPart } from '../../domain/sessions/figures/cost.ts'
import type { SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { type Frame, Page, shownTime } from '../../web/layout.tsx'
import { Headings } from '../../web/table.tsx'
import { Facts } from '../facts.tsx'
import { chargePointPath, messagePath } from '../paths.ts'
import { SessionState, StateChip, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import { operatorTexts } from '../texts.ts'
import { CostCard } from './cost-card.tsx'
import { CourseCard, type CourseProps } from './course-card.tsx'
import type { ElectricReading } from './electric.ts'
import { Orders, type OrdersProps } from './orders-card.tsx'
import { sessionTexts } from './session-texts.ts'

type SettlementEntry = Extract<TimelineEntry, { readonly type: 'settlement' }>
type EventEntry = Extract<TimelineEntry, { readonly type: 'event' }>

export interface SessionProps {
  readonly frame: Frame
  readonly session: Session
  readonly details: SessionDetails
  readonly costParts: readonly CostPart[]
  readonly isOnline: boolean
  /** For those who may act. */
  readonly csrf?: OrdersProps['csrf']
  readonly asked?: string
  readonly typed?: OrdersProps['typed']
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly course: Omit<CourseProps, 'frame'> & { readonly electric?: readonly ElectricReading[] | undefined }
}

/** One session: what it came to, how it got there, and why. */
export const SessionPage: FC<SessionProps> = (props) => {
  const { frame, session, costParts, asked, typed, csrf, timeline, course } = props
  const words = operatorTexts(frame)
  const settlements = timeline.filter((entry): entry is SettlementEntry => entry.type === 'settlement')
  const events = timeline.filter((entry): entry is EventEntry => entry.type === 'event')
  return (
    <Page frame={frame} title={words.session} wide live>
      <h1>
        {words.session} ·{' '}
        <a class="host" href={chargePointPath(frame, session.chargePointId)}>
          <bdi>{session.chargePointId}</bdi>
        </a>
      </h1>
      <div class="halves">
        <div>
          <div data-live="figures">
            <Figures {...props} />
          </div>
          {csrf && (
            <div data-live="orders">
              <Orders
                frame={frame}
                session={session}
                csrf={csrf}
                {...(asked !== undefined && { asked })}
                {...(typed && { typed })}
              />
            </div>
          )}
        </div>
        <div>
          <div data-live="course">
            <CourseCard frame={frame} {...course} />
          </div>
          <div data-live="cost">
            {session.tariff && costParts.length > 0 && (
              <CostCard frame={frame} session={session} tariff={session.tariff} parts={costParts} />
            )}
          </div>
        </div>
      </div>
      <div data-live="history">
        {settlements.length > 0 && <Settlements frame={frame} settlements={settlements} />}
        {events.length > 0 && <Timeline frame={frame} chargePointId={session.chargePointId} events={events} />}
      </div>
    </Page>
  )
}

const Figures: FC<SessionProps> = ({ frame, session, details, isOnline, course }) => {
  const words = operatorTexts(frame)
  const more = sessionTexts(frame)
  const shown = representSession(session)
  const { id, startedAt, stoppedAt, createdAt, externalReference, transactionId, state } = session
  const { evseId, connectorId, idToken, durationSeconds, meterStartWh, meterStopWh, powerKw, stateOfCharge } = details
  const place = [evseId, connectorId].filter((part) => part !== undefined).join(' / ')
  const isOffline = !isOnline && state !== 'completed' && state !== 'failed'
  const facts = [
    [words.energy, shownEnergy(shown)],
    [words.cost, shownCost(shown)],
    [more.duration, shownDuration(durationSeconds)],
    [more.powerNow, powerKw === undefined ? undefined : `${powerKw.toFixed(3)} kW`],
    [more.stateOfCharge, stateOfCharge === undefined ? undefined : `${stateOfCharge} %`],
    [more.current, shownReadings(course.electric, 'current')],
    [more.voltage, shownReadings(course.electric, 'voltage')],
    [words.started, startedAt === undefined ? undefined : shownTime(startedAt)],
    [words.stopped, stoppedAt === undefined ? undefined : shownTime(stoppedAt)],
    [more.stopReason, details.stopReason],
    [more.created, shownTime(createdAt)],
    [words.connector, place],
    [more.card, idToken],
    [more.meterStart, shownRegister(meterStartWh)],
    [more.meterStop, shownRegister(meterStopWh)],
    [words.reference, externalReference],
    [words.transaction, transactionId],
    [more.flags, session.flags.join(', ')],
    ['Id', id],
  ] as const
  return (
    <section class="card">
      <div class="state">
        <SessionState frame={frame} session={session} isOffline={isOffline} />
      </div>
      {isOffline && <p class="amber">{more.offlineLong}</p>}
      <Facts facts={facts} />
    </section>
  )
}

function shownRegister(wattHours: number | undefined): string | undefined {
  return wattHours === undefined ? undefined : `${(wattHours / 1000).toFixed(3)} kWh`
}

function shownReadings(readings: readonly ElectricReading[] | undefined, kind: ElectricReading['kind']): string {
  const shown = (readings ?? []).filter((reading) => reading.kind === kind)
  return shown.map(({ phase, value, unit }) => `${phase === undefined ? '' : `${phase} `}${value} ${unit}`).join(' · ')
}

const Settlements: FC<{ frame: Frame; settlements: readonly SettlementEntry[] }> = ({ frame, settlements }) => {
  const words = operatorTexts(frame)
  return (
    <section class="card scrolls" tabindex={0}>
      <h2>{words.settlements}</h2>
      <table>
        <Headings
          of={[words.number, words.time, { number: words.energy }, { number: words.cost }, words.by, words.reason]}
        />
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
    <section class="card scrolls" tabindex={0}>
      <h2>{words.timeline}</h2>
      <table>
        <Headings
          of={[words.time, words.event, words.state, { number: words.energy }, { number: words.cost }, words.causes]}
        />
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
