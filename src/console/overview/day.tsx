/** Key figures and the power of today, each beside the same weekday of last week (CONSOLE-A24). */

import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import type { EnergySlot, NetworkCounts } from '../../domain/ports/storage-queries.ts'
import { DAY_MS, startOfDay } from '../../domain/time-zone.ts'
import type { Frame } from '../../web/entries.tsx'
import { scaled, shownAmount, shownFigure, shownPower } from '../../web/figures.tsx'
import { Table } from '../../web/parts/table.tsx'
import { shownClock, shownDay } from '../../web/times.tsx'
import { KeyFigures, Panel, wordsIn } from '../kit/parts.tsx'
import { Chart, type ChartPoint } from '../sessions/chart.tsx'
import { shownEnergy } from '../shown-figures.tsx'

export const QUARTER_MS = 900_000
const MILLI_WH_PER_KWH = 1e6

interface Days {
  /** When today began, and when it ends; ms since the epoch. */
  readonly today: number
  readonly tomorrow: number
  readonly then: number
  readonly sameMoment: number
}

/** By the clocks of the zone: a day of 23 or 25 hours is still a day. */
export function daysAt(now: number, timeZone: string): Days {
  const today = startOfDay(now, timeZone)
  // At noon clocks are not put back or forward.
  const then = startOfDay(today - 6.5 * DAY_MS, timeZone)
  return { today, then, tomorrow: startOfDay(today + 1.5 * DAY_MS, timeZone), sameMoment: then + (now - today) }
}

/** Energy delivered in the period, in kWh; of a quarter of an hour that is not over, its share. */
export function energyBetween(slots: readonly EnergySlot[], from: number, to: number): number {
  return slots.reduce((sum, slot) => {
    const share = Math.min(1, (to - slot.from) / QUARTER_MS)
    return slot.from >= from && share > 0 ? sum + (share * slot.milliWh) / MILLI_WH_PER_KWH : sum
  }, 0)
}

/** Mean power of the quarter of an hour that holds the moment, in kW. */
export function powerAt(slots: readonly EnergySlot[], at: number): number {
  const slot = slots.find(({ from }) => from <= at && at < from + QUARTER_MS)
  return slot ? meanPower(slot) : 0
}

/** Mean power of each quarter of an hour that is over, in kW, by the time since the day began. */
export function powerOfDay(slots: readonly EnergySlot[], from: number, to: number): readonly ChartPoint[] {
  const known = new Map(slots.map((slot) => [slot.from, slot]))
  const length = Math.max(0, Math.floor((to - from) / QUARTER_MS))
  return Array.from({ length }, (_, index) => {
    const at = from + index * QUARTER_MS
    const slot = known.get(at)
    return { at: index * QUARTER_MS + QUARTER_MS / 2, value: slot ? meanPower(slot) : 0 }
  })
}

function meanPower({ milliWh }: EnergySlot): number {
  return (Math.max(0, milliWh) / MILLI_WH_PER_KWH) * 4
}

export function changeOf(now: number, then: number): number | undefined {
  return then > 0 ? ((now - then) / then) * 100 : undefined
}

interface Props {
  readonly frame: Frame
  readonly days: Days
  readonly energy: readonly EnergySlot[]
}

/** Every figure leads to the list that it counts (CONSOLE-A1). */
export const Figures: FC<Props & { counts: NetworkCounts }> = ({ frame, days, counts, energy }) => {
  const words = wordsIn('overview', frame)
  const stations = `${frame.root}/charge-points?`
  const sessions = `${frame.root}/charging-sessions?`
  const decided = 'registration=Accepted&registration=Rejected'
  const offline = counts.chargePoints - counts.online - counts.pending
  const power = counts.powerMilliW / MILLI_WH_PER_KWH
  const today = energyBetween(energy, days.today, Number.POSITIVE_INFINITY)
  const since = isoTime(days.today).slice(0, 16)
  const counted = (name: 'charging' | 'running' | 'online' | 'offline', count: number, to: string) => ({
    name,
    label: words[name],
    figure: shownFigure(frame, count),
    to,
  })
  return (
    <KeyFigures
      label={words.figures}
      figures={[
        {
          name: 'power',
          label: words.power,
          ...scaled(frame, power, 'W'),
          to: `${sessions}state=charging`,
          than: <Than frame={frame} now={power} then={powerAt(energy, days.sameMoment)} at={days.sameMoment} clock />,
        },
        {
          name: 'energy',
          label: words.energyToday,
          ...scaled(frame, today, 'Wh'),
          to: `${sessions}from=${encodeURIComponent(since)}`,
          than: (
            <Than frame={frame} now={today} then={energyBetween(energy, days.then, days.sameMoment)} at={days.then} />
          ),
        },
        {
          ...counted('charging', counts.charging, `${stations}online=true&charging=true`),
          unit: words.unitStations,
        },
        counted('running', counts.runningSessions, `${sessions}state=running`),
        {
          ...counted('online', counts.online, `${stations}online=true&${decided}`),
          unit: words.ofAll(shownFigure(frame, counts.chargePoints)),
        },
        counted('offline', offline, `${stations}online=false&${decided}`),
      ]}
    />
  )
}

type ThanProps = { frame: Frame; now: number; then: number; at: number; clock?: boolean }

const Than: FC<ThanProps> = ({ frame, now, then, at, clock }) => {
  const words = wordsIn('overview', frame)
  const day = clock ? `${shownDay(frame, at)}, ${shownClock(frame, at)}` : shownDay(frame, at)
  const percent = changeOf(now, then)
  if (percent === undefined) return <>{words.nothingThen(day)}</>
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : ''
  return (
    <>
      <b>{`${sign}${shownFigure(frame, Math.abs(percent), 1)} %`}</b> {words.than(day)}
    </>
  )
}

export const PowerOfDay: FC<Props & { now: number }> = ({ frame, now, days, energy }) => {
  const words = wordsIn('overview', frame)
  const ofToday = (point: ChartPoint): ChartPoint => ({ ...point, at: point.at + days.today })
  const points = powerOfDay(energy, days.today, now).map(ofToday)
  const then = powerOfDay(energy, days.then, days.then + (days.tomorrow - days.today)).map(ofToday)
  const isQuiet = [...points, ...then].every(({ value }) => value === 0)
  const total = energyBetween(energy, days.today, now)
  return (
    <Panel
      title={words.powerOfDay}
      said="kW"
      end={
        <span class="legend">
          <Line style="now" text={words.today} />
          <Line style="then" text={shownDay(frame, days.then)} />
        </span>
      }
    >
      {isQuiet ? (
        <p class="soft">{words.quiet}</p>
      ) : (
        <>
          <Chart
            frame={frame}
            kind="power"
            label={words.chart(shownAmount(frame, total), shownDay(frame, days.then))}
            points={points.length > 0 ? points : [{ at: days.today, value: 0 }]}
            then={then}
            span={[days.today, days.tomorrow]}
          />
          <details>
            <summary>{words.quarters}</summary>
            <Table
              plain
              rows={points.filter(({ value }) => value > 0)}
              empty={words.quietToday}
              columns={[
                { heads: true, cell: (point) => shownClock(frame, point.at - QUARTER_MS / 2) },
                { kind: 'number', cell: ({ value }) => shownPower(frame, value) },
                { kind: 'number', cell: ({ value }) => shownEnergy(frame, { energyKwh: value / 4 }) },
              ]}
            />
          </details>
        </>
      )}
    </Panel>
  )
}

const Line: FC<{ style: 'now' | 'then'; text: string }> = ({ style, text }) => (
  <span>
    <svg viewBox="0 0 16 8" aria-hidden="true">
      <path d="M0 4h16" class={style} />
    </svg>
    {text}
  </span>
)
