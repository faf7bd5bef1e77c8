/** What follows from all profiles of a charge point for the next 24 hours, by us and by itself (CONSOLE-G7). */

import type { FC } from 'hono/jsx'
import type { OwnSchedule, ReportedAnswer } from '../../application/charging/held.ts'
import type { CompositePeriod } from '../../domain/charging/composite.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { DAY_MS } from '../../domain/time-zone.ts'
import { Action, type Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { Table } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { actionOf } from '../charge-points/own-charge-point.ts'
import { Chip, figure, Panel, wordsIn } from '../kit/parts.tsx'
import { amps } from '../limits/group-page.tsx'
import { chargePointPath } from '../paths.ts'
import { Chart } from '../sessions/chart.tsx'
import { mayAct, type Visit } from '../visit.tsx'

export interface Schedule extends OwnSchedule {
  readonly evseId: number
}

interface SchedulesProps {
  readonly visit: Visit
  readonly view: ChargePointView
  readonly schedules: readonly Schedule[]
  readonly reported?: { readonly evseId: number; readonly answer: ReportedAnswer } | undefined
}

export const PROOF_TONES = { proved: '', ignored: 'bad', limitedElsewhere: 'amber held', pending: 'over' } as const

export function placeText(frame: Frame, evseId: number): string {
  return evseId === 0 ? wordsIn('stationLimits', frame).whole : String(evseId)
}

export const Schedules: FC<SchedulesProps> = ({ visit, view, schedules, reported }) => {
  const { frame } = visit
  const words = wordsIn('stationLimits', frame)
  return (
    <Panel title={words.schedule} said={words.scheduleSaid}>
      {reported && <Reported frame={frame} {...reported} />}
      {schedules.map((schedule) => (
        <div class="outlet">
          <h3>
            {words.place} {placeText(frame, schedule.evseId)}
          </h3>
          <OneSchedule frame={frame} schedule={schedule} />
          {mayAct(visit) && (
            <Action
              to={`${chargePointPath(frame, view.id)}/limits/ask`}
              csrf={visit.csrf(actionOf(visit.context))}
              text={words.ask}
              style="less"
              sent={{ place: String(schedule.evseId) }}
            />
          )}
        </div>
      ))}
    </Panel>
  )
}

const OneSchedule: FC<{ frame: Frame; schedule: Schedule }> = ({ frame, schedule: { evseId, from, periods } }) => {
  const words = wordsIn('stationLimits', frame)
  const isWhole = periods.every(({ limit }) => limit !== undefined)
  const to = from + DAY_MS
  const points = periods.flatMap(({ startSeconds, limit = 0 }, at) => {
    const next = periods[at + 1]
    const end = next ? from + next.startSeconds * 1000 : to
    return [
      { at: from + startSeconds * 1000, value: limit },
      { at: end, value: limit },
    ]
  })
  const most = Math.max(0, ...points.map(({ value }) => value))
  return (
    <>
      {isWhole && periods.length > 1 && (
        <Chart
          frame={frame}
          kind="power"
          label={words.scheduleOf(placeText(frame, evseId), shownFigure(frame, most, 1))}
          points={points}
          span={[from, to]}
        />
      )}
      <Periods frame={frame} periods={periods} startAt={from} value={(limit) => amps(frame, limit)} />
    </>
  )
}

interface PeriodsProps {
  readonly frame: Frame
  readonly periods: readonly Pick<CompositePeriod, 'startSeconds' | 'limit'>[]
  readonly startAt: number
  readonly value: (limit: number) => string
}

const Periods: FC<PeriodsProps> = ({ frame, periods, startAt, value }) => {
  const words = wordsIn('stationLimits', frame)
  return (
    <div class="scrolls" tabindex={0}>
      <Table<PeriodsProps['periods'][number]>
        rows={periods}
        columns={[
          {
            title: words.since,
            heads: true,
            cell: ({ startSeconds }) => shownTime(frame, startAt + startSeconds * 1000),
          },
          figure(words.limits, ({ limit }) => (limit === undefined ? words.unlimited : value(limit))),
        ]}
      />
    </div>
  )
}

const Reported: FC<{ frame: Frame; evseId: number; answer: ReportedAnswer }> = ({ frame, evseId, answer }) => {
  const { reported, reason, verdict } = answer
  const words = wordsIn('stationLimits', frame)
  return (
    <div role="status">
      <h3>
        {words.known} ({words.place} {placeText(frame, evseId)}){' '}
        {verdict && <Chip tone={PROOF_TONES[verdict]} text={words.proofs[verdict]} />}
      </h3>
      {reported ? (
        <Periods
          frame={frame}
          periods={reported.periods}
          startAt={reported.startAt ?? frame.now}
          value={(limit) => `${shownFigure(frame, limit, 1)} ${reported.unit}`}
        />
      ) : (
        <p>
          {words.reportedNone} <bdi>{reason}</bdi>
        </p>
      )}
    </div>
  )
}
