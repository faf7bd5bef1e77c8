import type { FC } from 'hono/jsx'
import type { TimelineEntry } from '../../application/session-timeline.ts'
import type { Session } from '../../domain/ports/sessions.ts'
import type { CostPart } from '../../domain/sessions/figures/cost.ts'
import type { SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import type { Typed } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Frame, Page } from '../../web/layout.tsx'
import { At, shownTime } from '../../web/times.tsx'
import { Facts } from '../kit/facts.tsx'
import { OfStation } from '../kit/of-station.tsx'
import { TableCard } from '../kit/table.tsx'
import { messagePath } from '../paths.ts'
import { SessionState, StateChip, shownCost, shownDuration, shownEnergy } from '../shown-figures.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import { CostCard } from './cost-card.tsx'
import { CourseCard, type CourseProps } from './course-card.tsx'
import type { ElectricReading } from './electric.ts'
import { Orders } from './orders-card.tsx'
import { sessionTexts } from './session-texts.ts'

type SettlementEntry = Extract<TimelineEntry, { readonly type: 'settlement' }>
type EventEntry = Extract<TimelineEntry, { readonly type: 'event' }>

export interface SessionProps {
  readonly visit: Visit
  readonly session: Session
  readonly details: SessionDetails
  readonly costParts: readonly CostPart[]
  readonly isOnline: boolean
  /** What the page was asked to ask: `stop` or `settle`. */
  readonly asked: string | undefined
  /** What was typed into the form that settles, and what is wrong with it. */
  readonly typed: Typed | undefined
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly course: Omit<CourseProps, 'frame'> & { readonly electric?: readonly ElectricReading[] | undefined }
}

/** One session: what it came to, how it got there, and why. */
export const SessionPage: FC<SessionProps> = (props) => {
  const { visit, session, costParts, timeline, course } = props
  const { frame } = visit
  const words = sessionTexts(frame)
  const settlements = timeline.filter((entry): entry is SettlementEntry => entry.type === 'settlement')
  const events = timeline.filter((entry): entry is EventEntry => entry.type === 'event')
  return (
    <Page frame={frame} title={words.session} wide live>
      <OfStation frame={frame} what={words.session} id={session.chargePointId} />
      <div class="halves">
        <div>
          <div data-live="figures">
            <Figures {...props} />
          </div>
          {mayAct(visit) && (
            <div data-live="orders">
              <Orders {...props} />
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

const Figures: FC<SessionProps> = ({ visit: { frame }, session, details, isOnline, course }) => {
  const words = sessionTexts(frame)
  const shown = representSession(session)
  const { id, startedAt, stoppedAt, createdAt, externalReference, transactionId, state } = session
  const { evseId, connectorId, idToken, durationSeconds, meterStartWh, meterStopWh, powerKw, stateOfCharge } = details
  const place = [evseId, connectorId].filter((part) => part !== undefined).join(' / ')
  const isOffline = !isOnline && state !== 'completed' && state !== 'failed'
  return (
    <section class="card">
      <div class="state">
        <SessionState frame={frame} session={session} isOffline={isOffline} />
      </div>
      {isOffline && <p class="amber">{words.offlineLong}</p>}
      <Facts
        facts={[
          [words.energy, shownEnergy(frame, shown)],
          [words.cost, shownCost(frame, shown)],
          [words.duration, shownDuration(durationSeconds)],
          [words.powerNow, powerKw === undefined ? undefined : `${shownFigure(frame, powerKw, 3)} kW`],
          [words.stateOfCharge, stateOfCharge === undefined ? undefined : `${stateOfCharge} %`],
          [words.current, shownReadings(course.electric, 'current')],
          [words.voltage, shownReadings(course.electric, 'voltage')],
          [words.started, startedAt === undefined ? undefined : shownTime(frame, startedAt)],
          [words.stopped, stoppedAt === undefined ? undefined : shownTime(frame, stoppedAt)],
          [words.stopReason, details.stopReason],
          [words.created, shownTime(frame, createdAt)],
          [words.connector, place],
          [words.card, idToken],
          [words.meterStart, shownRegister(frame, meterStartWh)],
          [words.meterStop, shownRegister(frame, meterStopWh)],
          [words.reference, externalReference],
          [words.transaction, transactionId],
          [words.flags, session.flags.join(', ')],
          ['ID', id],
        ]}
      />
    </section>
  )
}

function shownRegister(frame: Frame, wattHours: number | undefined): string | undefined {
  return wattHours === undefined ? undefined : shownEnergy(frame, { energyKwh: wattHours / 1000 })
}

function shownReadings(readings: readonly ElectricReading[] | undefined, kind: ElectricReading['kind']): string {
  const shown = (readings ?? []).filter((reading) => reading.kind === kind)
  return shown.map(({ phase, value, unit }) => `${phase === undefined ? '' : `${phase} `}${value} ${unit}`).join(' · ')
}

const Settlements: FC<{ frame: Frame; settlements: readonly SettlementEntry[] }> = ({ frame, settlements }) => {
  const words = sessionTexts(frame)
  return (
    <TableCard
      label={words.settlements}
      heading={words.settlements}
      plain
      rows={settlements}
      columns={[
        { title: words.number, cell: ({ number }) => number },
        { title: words.time, kind: 'time', cell: ({ at }) => <At frame={frame} at={Date.parse(at)} /> },
        { title: words.energy, kind: 'number', cell: (entry) => shownEnergy(frame, entry) },
        { title: words.cost, kind: 'number', cell: (entry) => shownCost(frame, entry) },
        { title: words.by, cell: ({ by }) => by },
        { title: words.reason, cell: ({ reason }) => reason },
      ]}
    />
  )
}

const Timeline: FC<{ frame: Frame; chargePointId: string; events: readonly EventEntry[] }> = ({
  frame,
  chargePointId,
  events,
}) => {
  const words = sessionTexts(frame)
  return (
    <TableCard
      label={words.timeline}
      heading={words.timeline}
      plain
      rows={events}
      columns={[
        { title: words.time, kind: 'time', cell: ({ at }) => <At frame={frame} at={Date.parse(at)} /> },
        { title: words.event, cell: ({ kind }) => words.eventKinds[kind] },
        { title: words.state, cell: ({ session }) => <StateChip frame={frame} state={session.state} /> },
        { title: words.energy, kind: 'number', cell: ({ session }) => shownEnergy(frame, session) },
        { title: words.cost, kind: 'number', cell: ({ session }) => shownCost(frame, session) },
        {
          title: words.causes,
          cell: ({ causes }) =>
            causes.map(({ id, method }) => (
              <>
                {method === undefined ? (
                  <code>{id}</code>
                ) : (
                  <a class="host" href={messagePath(frame, chargePointId, id)}>
                    {method}
                  </a>
                )}{' '}
              </>
            )),
        },
      ]}
    />
  )
}
