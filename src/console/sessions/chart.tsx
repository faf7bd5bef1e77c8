/** A line over time as an inline picture: no script, no library, colours from the stylesheet. */
import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { shownClock, shownDay } from '../../web/times.tsx'

export interface ChartPoint {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly value: number
}

const WIDTH = 640
const HEIGHT = 190
const LEFT = 46
const RIGHT = 12
const TOP = 10
const BOTTOM = 24
const TIME_LABELS = 5

/** @param points oldest first, at least one; `label` says in words what the picture shows */
export const Chart: FC<{
  frame: Frame
  kind: 'power' | 'energy'
  label: string
  points: readonly ChartPoint[]
  /** Both ends, in milliseconds since the epoch. */
  span: readonly [from: number, to: number]
  then?: readonly ChartPoint[] | undefined
}> = ({ frame, kind, label, points, span: [from, to], then = [] }) => {
  const ticks = valueTicks(Math.max(0, ...points.map(({ value }) => value), ...then.map(({ value }) => value)))
  const most = ticks.at(-1) ?? 1
  const x = (at: number): number => LEFT + ((at - from) / Math.max(1, to - from)) * (WIDTH - LEFT - RIGHT)
  const y = (value: number): number => HEIGHT - BOTTOM - (value / most) * (HEIGHT - TOP - BOTTOM)
  const lineOf = (shown: readonly ChartPoint[]): readonly string[] =>
    shown.map(({ at, value }) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`)
  const line = lineOf(points)
  const [first, last] = [points[0]?.at ?? from, points.at(-1)?.at ?? to]
  return (
    <svg class={`chart ${kind}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      {ticks.map((tick) => (
        <g>
          <line class="grid" x1={LEFT} x2={WIDTH - RIGHT} y1={y(tick)} y2={y(tick)} />
          <text x={LEFT - 6} y={y(tick) + 4} text-anchor="end">
            {shownFigure(frame, tick, String(tick).split('.')[1]?.length)}
          </text>
        </g>
      ))}
      {timeLabels(frame, from, to).map(([at, text], index) => (
        <text
          x={x(at)}
          y={HEIGHT - 6}
          text-anchor={index === 0 ? 'start' : index === TIME_LABELS - 1 ? 'end' : 'middle'}
        >
          {text}
        </text>
      ))}
      {then.length > 0 && <polyline class="then" points={lineOf(then).join(' ')} />}
      <polygon class="area" points={`${x(first)},${y(0)} ${line.join(' ')} ${x(last)},${y(0)}`} />
      <polyline class="line" points={line.join(' ')} />
    </svg>
  )
}

export function valueTicks(most: number): readonly number[] {
  // A millionth is the smallest figure there is; below it everything is 0.
  const requested = most < 1e-6 ? 0.25 : most / 4
  const power = 10 ** Math.floor(Math.log10(requested))
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= requested * 0.999) ?? 10) * power
  const count = Math.max(1, Math.ceil(most / step - 1e-9))
  return Array.from({ length: count + 1 }, (_, index) => Number((index * step).toPrecision(6)))
}

/** Longer than any day of a zone whose clocks change: hours would not say of which day. */
const LONG_MS = 36 * 3_600_000

/** Hours and minutes, or days, in the reader's zone; none twice in a row. */
export function timeLabels(frame: Frame, from: number, to: number): readonly (readonly [at: number, text: string])[] {
  const labels = Array.from({ length: TIME_LABELS }, (_, index) => {
    const at = from + ((to - from) * index) / (TIME_LABELS - 1)
    return [at, to - from > LONG_MS ? shownDay(frame, at) : shownClock(frame, at)] as const
  })
  return labels.map(([at, text], index) => [at, text === labels[index - 1]?.[1] ? '' : text] as const)
}
