import type { FC } from 'hono/jsx'
import type { BudgetStanding } from '../../application/id-tokens/budget.ts'
import type { TimelineEntry } from '../../application/session-timeline.ts'
import type { FrozenTariff, Session } from '../../domain/ports/sessions.ts'
import { type CostPart, roundCost } from '../../domain/sessions/figures/cost.ts'
import type { SessionDetails } from '../../domain/sessions/figures/details.ts'
import { representSession } from '../../domain/sessions/figures/representation.ts'
import { isTerminal } from '../../domain/sessions/states/transition.ts'
import { type Frame, Page, type Typed } from '../../web/entries.tsx'
import { shownFigure, shownPower } from '../../web/figures.tsx'
import { Crumb, TableCard, TextLink } from '../../web/parts/table.tsx'
import { At, shownTime } from '../../web/times.tsx'
import { LimitsPanel } from '../charge-limits/charge-limits.tsx'
import { Facts, figure, Panel, TabBar, wordsIn } from '../kit/parts.tsx'
import { cardPath, chargePointPath, messagePath, queryText, sessionPath, sessionsPath } from '../paths.ts'
import {
  exactDuration,
  SessionState,
  StateChip,
  shownCost,
  shownDuration,
  shownEnergy,
  shownMicros,
} from '../shown-figures.tsx'
import { mayAct, type Visit } from '../visit.tsx'
import type { Course, ElectricReading } from './curve.ts'
import { OrderLink, Question } from './orders-card.tsx'
import { CourseCard } from './sessions.tsx'

type SettlementEntry = Extract<TimelineEntry, { readonly type: 'settlement' }>
type EventEntry = Extract<TimelineEntry, { readonly type: 'event' }>

interface SessionProps {
  readonly visit: Visit
  readonly session: Session
  readonly details: SessionDetails
  readonly costParts: readonly CostPart[]
  readonly isOnline: boolean
  readonly budget?: BudgetStanding | undefined
  readonly tab: 'overview' | 'timeline'
  readonly asked: string | undefined
  readonly typed: Typed | undefined
  /** Oldest first. */
  readonly timeline: readonly TimelineEntry[]
  readonly course: Course
}

export const SessionPage: FC<SessionProps> = (props) => {
  const { visit, session, timeline, tab } = props
  const { frame } = visit
  const words = wordsIn('sessions', frame)
  const events = timeline.filter((entry): entry is EventEntry => entry.type === 'event')
  return (
    <Page frame={frame} title={words.session} wide live>
      <SessionHead {...props} />
      {mayAct(visit) && (
        <div data-live="orders">
          <Question {...props} />
        </div>
      )}
      <div data-live="figures">
        <Figures {...props} />
      </div>
      {tab === 'timeline' ? (
        <div data-live="history">
          <Timeline frame={frame} chargePointId={session.chargePointId} events={events} />
        </div>
      ) : (
        <Overview {...props} />
      )}
    </Page>
  )
}

const Overview: FC<SessionProps> = (props) => {
  const { visit, session, budget, costParts, timeline, course } = props
  const { frame } = visit
  const settlements = timeline.filter((entry): entry is SettlementEntry => entry.type === 'settlement')
  return (
    <>
      <div class="halves">
        <div data-live="course">
          <CourseCard frame={frame} {...course} />
        </div>
        <div>
          <div data-live="cost">
            {session.tariff && costParts.length > 0 && (
              <CostCard frame={frame} session={session} tariff={session.tariff} parts={costParts} />
            )}
          </div>
          <div data-live="limits">
            <LimitsPanel frame={frame} session={session} budget={budget} />
          </div>
          <div data-live="more">
            <More {...props} />
          </div>
        </div>
      </div>
      <div data-live="settlements">
        {settlements.length > 0 && <Settlements frame={frame} settlements={settlements} />}
      </div>
    </>
  )
}

const SessionHead: FC<SessionProps> = (props) => {
  const { visit, session, details, isOnline } = props
  const { frame } = visit
  const words = wordsIn('sessions', frame)
  const { id, chargePointId, state, startedAt, stoppedAt, transactionId } = session
  const isOffline = !isOnline && !isTerminal(state)
  const times = [startedAt, stoppedAt].filter((at) => at !== undefined).map((at) => shownTime(frame, at))
  return (
    <div class="stays">
      <Crumb
        ways={[
          [sessionsPath(frame), words.sessions],
          [chargePointPath(frame, chargePointId), chargePointId],
        ]}
      />
      <div class="title" data-live="head">
        <h1>
          {words.session} <bdi>{transactionId ?? id.slice(0, 8)}</bdi>
        </h1>
        <span class="state">
          <SessionState frame={frame} session={session} isOffline={isOffline} />
        </span>
        <span class="soft">
          {times.join(' – ')}
          {details.stopReason !== undefined && (
            <>
              {' · '}
              <bdi title={details.stopReason}>{stopReasonText(frame, details.stopReason)}</bdi>
            </>
          )}
        </span>
        {mayAct(visit) && <OrderLink {...props} />}
      </div>
      <SessionTabs {...props} />
    </div>
  )
}

function stopReasonText(frame: Frame, reason: string): string {
  return wordsIn('sessions', frame).stopReasons[reason.toLowerCase()] ?? reason
}

const SessionTabs: FC<SessionProps> = ({ visit: { frame }, session: { id, chargePointId, transactionId }, tab }) => {
  const words = wordsIn('sessions', frame)
  const path = sessionPath(frame, id)
  const log = `${chargePointPath(frame, chargePointId)}${queryText({ transactionId })}#messages`
  const tabs = [
    { to: path, text: frame.texts.overview, isHere: tab === 'overview' },
    { to: path + queryText({ tab: 'timeline' }), text: words.timeline, isHere: tab === 'timeline' },
    ...(transactionId === undefined ? [] : [{ to: log, text: words.messages, isHere: false }]),
  ]
  return <TabBar label={words.session} tabs={tabs} />
}

const Figures: FC<SessionProps> = ({ visit: { frame }, session, details, isOnline }) => {
  const words = wordsIn('sessions', frame)
  const shown = representSession(session)
  const { state, chargePointId } = session
  const { evseId, connectorId, idToken, durationSeconds, powerKw, stateOfCharge } = details
  const place = [evseId, connectorId].filter((part) => part !== undefined).join(' / ')
  const percent = stateOfCharge === undefined ? undefined : `${shownFigure(frame, stateOfCharge)} %`
  return (
    <section class="card" aria-label={words.totals}>
      {!isOnline && !isTerminal(state) && <p class="amber">{words.offlineLong}</p>}
      {details.suspectEnergyKwh !== undefined && (
        <p class="amber">{words.suspect(shownEnergy(frame, { energyKwh: details.suspectEnergyKwh }))}</p>
      )}
      <Facts
        asFigures
        facts={[
          [words.energy, shownEnergy(frame, shown)],
          [words.cost, shownCost(frame, shown)],
          [
            words.duration,
            durationSeconds !== undefined && (
              <time datetime={`PT${durationSeconds}S`} title={exactDuration(durationSeconds)}>
                {shownDuration(durationSeconds)}
              </time>
            ),
          ],
          [words.powerNow, powerKw === undefined ? undefined : shownPower(frame, powerKw)],
          [words.stateOfCharge, percent],
          [words.station, <TextLink to={chargePointPath(frame, chargePointId)} text={chargePointId} />],
          [words.connector, place],
          [words.card, idToken === undefined ? undefined : <TextLink to={cardPath(frame, idToken)} text={idToken} />],
        ]}
      />
    </section>
  )
}

const More: FC<SessionProps> = ({ visit: { frame }, session, details, course }) => {
  const words = wordsIn('sessions', frame)
  const { id, startedAt, stoppedAt, createdAt, externalReference, transactionId } = session
  const { meterStartWh, meterStopWh } = details
  return (
    <Panel title={words.about}>
      <Facts
        facts={[
          [words.current, shownReadings(frame, course.electric, 'current')],
          [words.voltage, shownReadings(frame, course.electric, 'voltage')],
          [words.started, startedAt === undefined ? undefined : shownTime(frame, startedAt)],
          [words.stopped, stoppedAt === undefined ? undefined : shownTime(frame, stoppedAt)],
          [
            words.stopReason,
            details.stopReason && `${stopReasonText(frame, details.stopReason)} (${details.stopReason})`,
          ],
          [words.created, shownTime(frame, createdAt)],
          [words.meterStart, shownRegister(frame, meterStartWh)],
          [words.meterStop, shownRegister(frame, meterStopWh)],
          [words.reference, externalReference],
          [words.transaction, transactionId],
          [words.payment, details.payment && paymentText(details.payment)],
          [words.flags, session.flags.join(', ')],
          ['ID', id],
        ]}
      />
    </Panel>
  )
}

function paymentText({ pspRef, status, amount }: NonNullable<SessionDetails['payment']>): string {
  return [status, amount, pspRef].join(' · ')
}

function shownRegister(frame: Frame, wattHours: number | undefined): string | undefined {
  return wattHours === undefined ? undefined : shownEnergy(frame, { energyKwh: wattHours / 1000 })
}

function shownReadings(
  frame: Frame,
  readings: readonly ElectricReading[] | undefined,
  kind: ElectricReading['kind'],
): string {
  const shown = (readings ?? []).filter((reading) => reading.kind === kind)
  const figure = (value: number): string => shownFigure(frame, value, String(value).split('.')[1]?.length)
  return shown.map(({ phase, value, unit }) => [phase, figure(value), unit].filter(Boolean).join(' ')).join(' · ')
}

type CostCardProps = { frame: Frame; session: Session; tariff: FrozenTariff; parts: readonly CostPart[] }

/** The cost by the parts of the tariff that the session began with (CONSOLE-C8). */
const CostCard: FC<CostCardProps> = ({ frame, session, tariff: { currency }, parts }) => {
  const more = wordsIn('sessions', frame)
  const sum = roundCost(
    parts.reduce((total, { micros }) => total + micros, 0),
    currency,
  )
  const money = (micros: number): string => `${shownMicros(frame, micros, currency)} ${currency}`
  const shown = session.cost && roundCost(session.cost.micros, session.cost.currency)
  const differs = session.costFixed ? more.costFixed : shown !== undefined && shown !== sum ? more.otherCost : undefined
  return (
    <TableCard<CostPart>
      label={more.breakdown}
      heading={more.breakdown}
      before={differs !== undefined && <p class="soft">{differs}</p>}
      oneLine
      rows={parts}
      columns={[
        { title: more.part, heads: true, cell: ({ part }) => more.parts[part] },
        figure(more.quantity, ({ part, quantity }) => shownQuantity(frame, part, quantity)),
        figure(more.price, ({ part, priceMicros }) => money(priceMicros) + UNITS[part], { wideOnly: true }),
        figure(more.amount, ({ micros }) => money(micros)),
      ]}
      foot={
        <tr>
          <th scope="row">{more.sum}</th>
          <td />
          <td class="no-phone" />
          <td class="number">
            <strong>{shownCost(frame, { cost: sum, currency })}</strong>
          </td>
        </tr>
      }
      after={<p class="soft">{more.costNet}</p>}
    />
  )
}

const UNITS: Readonly<Record<CostPart['part'], string>> = {
  energy: ' / kWh',
  time: ' / min',
  idle: ' / min',
  session: '',
}

function shownQuantity(frame: Frame, part: CostPart['part'], quantity: number): string {
  if (part === 'session') return ''
  if (part !== 'energy') return exactDuration(Math.floor(quantity / 1000))
  return shownEnergy(frame, { energyKwh: quantity / 1_000_000 })
}

const Settlements: FC<{ frame: Frame; settlements: readonly SettlementEntry[] }> = ({ frame, settlements }) => {
  const words = wordsIn('sessions', frame)
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

type TimelineProps = { frame: Frame; chargePointId: string; events: readonly EventEntry[] }

const Timeline: FC<TimelineProps> = ({ frame, chargePointId, events }) => {
  const words = wordsIn('sessions', frame)
  return (
    <TableCard
      label={words.timeline}
      plain
      rows={events}
      empty={words.noEvents}
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
