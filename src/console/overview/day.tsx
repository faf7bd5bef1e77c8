/** Key figures and the power of today, each beside the same weekday of last week (CONSOLE-A24). */

import type { EnergySlot, NetworkCounts } from '../../domain/ports/storage-queries.ts'
import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import { scaled, shownAmount, shownFigure, shownPower } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { Table } from '../../web/parts/table.tsx'
import { shownClock, shownDay } from '../../web/times.tsx'
import { KeyFigures } from '../kit/frame.tsx'
import { Panel } from '../kit/panel.tsx'
import { overviewTexts } from '../kit/texts.ts'
import { Chart } from '../sessions/chart.tsx'
import { shownEnergy } from '../shown-figures.tsx'
import { changeOf, type Days, energyBetween, powerAt, powerOfDay, QUARTER_MS } from './comparison.ts'

const MILLI_WH_PER_KWH = 1e6

interface Props {
  readonly frame: Frame
  readonly now: number
  readonly days: Days
  readonly counts: NetworkCounts
  readonly energy: readonly EnergySlot[]
}

/** Every figure leads to the list that it counts (CONSOLE-A1). */
export const Figures: FC<Props> = ({ frame, days, counts, energy }) => {
  const words = overviewTexts(frame)
  const { root } = frame
  const stations = `${root}/charge-points?`
  const sessions = `${root}/charging-sessions?`
  const decided = 'registration=Accepted&registration=Rejected'
  const offline = counts.chargePoints - counts.online - counts.pending
  const power = counts.powerMilliW / MILLI_WH_PER_KWH
  const today = energyBetween(energy, days.today, Number.POSITIVE_INFINITY)
  const since = isoTime(days.today).slice(0, 16)
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
          name: 'charging',
          label: words.charging,
          figure: shownFigure(frame, counts.charging),
          unit: words.unitStations,
          to: `${stations}online=true&charging=true`,
        },
        {
          name: 'running',
          label: words.running,
          figure: shownFigure(frame, counts.runningSessions),
          to: `${sessions}state=running`,
        },
        {
          name: 'online',
          label: words.online,
          figure: shownFigure(frame, counts.online),
          unit: words.ofAll(shownFigure(frame, counts.chargePoints)),
          to: `${stations}online=true&${decided}`,
        },
        {
          name: 'offline',
          label: words.offline,
          figure: shownFigure(frame, offline),
          to: `${stations}online=false&${decided}`,
        },
      ]}
    />
  )
}

const Than: FC<{ frame: Frame; now: number; then: number; at: number; clock?: boolean }> = ({
  frame,
  now,
  then,
  at,
  clock,
}) => {
  const words = overviewTexts(frame)
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

export const PowerOfDay: FC<Omit<Props, 'counts'>> = ({ frame, now, days, energy }) => {
  const words = overviewTexts(frame)
  const at = (since: number) => (point: { readonly at: number; readonly value: number }) => ({
    ...point,
    at: point.at + since,
  })
  const points = powerOfDay(energy, days.today, now).map(at(days.today))
  const then = powerOfDay(energy, days.then, days.then + (days.tomorrow - days.today)).map(at(days.today))
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
