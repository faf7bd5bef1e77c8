/** The picture of a group's course: the building, EVSE upon EVSE on top of it, and the limit above all (CONSOLE-G2). */
import type { FC } from 'hono/jsx'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { wordsIn } from '../kit/parts.tsx'
import { timeLabels, valueTicks } from '../sessions/chart.tsx'
import type { StackedCourse, Step } from './stacked-course.ts'

const PLOT = 190
const HEIGHT = 210
const WIDTH = 1000
const LINE = 16
const SHADES = 6

export function shadeOf(band: number): string {
  return `s${(band % SHADES) + 1}`
}

export const StackedChart: FC<{ frame: Frame; course: StackedCourse; label: string; reported: string }> = ({
  frame,
  course: { bands, steps, from, stepMs },
  label,
  reported,
}) => {
  const words = wordsIn('limitGroups', frame)
  const known = steps.filter((step) => step !== undefined)
  const most = Math.max(1, ...known.map(({ totalAmps, limitAmps }) => Math.max(totalAmps, limitAmps))) * 1.08
  const x = (index: number): number => Math.round((index / steps.length) * WIDTH * 10) / 10
  const y = (amps: number): number => Math.round((PLOT - (amps / most) * (PLOT - LINE)) * 10) / 10
  const newest = known.at(-1)
  const limitY = y(newest?.limitAmps ?? 0)
  const ticks = valueTicks(most).filter((tick) => tick > 0 && y(tick) > LINE && Math.abs(y(tick) - limitY) > LINE)
  const under = (step: Step, band: number): number =>
    step.loadAmps + step.parts.slice(0, band).reduce((sum, amps) => sum + amps, 0)
  const area = (low: (step: Step) => number, high: (step: Step) => number): string => areaOf(steps, x, y, low, high)
  return (
    <svg class="chart" height={HEIGHT} role="img" aria-label={label}>
      <title>{label}</title>
      <desc>{reported}</desc>
      <line class="axis" x1="0" x2="100%" y1={PLOT} y2={PLOT} />
      {ticks.map((tick) => (
        <line class="grid" x1="0" x2="100%" y1={y(tick)} y2={y(tick)} />
      ))}
      <svg
        aria-hidden="true"
        width="100%"
        height={PLOT}
        viewBox={`0 0 ${WIDTH} ${PLOT}`}
        preserveAspectRatio="none"
        overflow="visible"
      >
        <path
          class="band base"
          d={area(
            () => 0,
            ({ loadAmps }) => loadAmps,
          )}
        />
        {bands.map((_, band) => (
          <path
            class={`band ${shadeOf(band)}`}
            d={area(
              (step) => under(step, band),
              (step) => under(step, band + 1),
            )}
          />
        ))}
        <path
          class="band rest"
          d={area(
            (step) => under(step, bands.length),
            (step) => under(step, bands.length) + step.othersAmps,
          )}
        />
        <path class="lim" d={lineOf(steps, x, y)} />
      </svg>
      {ticks.map((tick) => (
        <text class="halo" x="0" y={y(tick) - 4}>
          {shownFigure(frame, tick, String(tick).split('.')[1]?.length)}
        </text>
      ))}
      {newest && (
        <text class="ink halo" x="100%" y={Math.max(11, limitY - 5)} text-anchor="end">
          {words.limitOf(shownFigure(frame, newest.limitAmps, 1))}
        </text>
      )}
      {timeLabels(frame, from, from + steps.length * stepMs).map(([, text], index, { length }) => (
        <text
          x={`${(index / (length - 1)) * 100}%`}
          y={HEIGHT - 4}
          text-anchor={index === 0 ? 'start' : index === length - 1 ? 'end' : 'middle'}
        >
          {text}
        </text>
      ))}
    </svg>
  )
}

type Steps = StackedCourse['steps']
type Scale = (value: number) => number

/** One outline for each stretch without a gap. */
function areaOf(steps: Steps, x: Scale, y: Scale, low: (step: Step) => number, high: (step: Step) => number): string {
  return stretches(steps)
    .filter((stretch) => stretch.some(({ step }) => high(step) > low(step)))
    .map((stretch) => {
      const there = stretch.map(({ index, step }) => `V${y(high(step))}H${x(index + 1)}`).join('')
      const back = stretch
        .toReversed()
        .map(({ index, step }) => `V${y(low(step))}H${x(index)}`)
        .join('')
      return `M${x(stretch[0]?.index ?? 0)} ${y(0)}${there}${back}Z`
    })
    .join('')
}

function lineOf(steps: Steps, x: Scale, y: Scale): string {
  return stretches(steps)
    .map((stretch) => {
      const [first] = stretch
      const line = stretch.map(({ index, step }) => `V${y(step.limitAmps)}H${x(index + 1)}`).join('')
      return `M${x(first?.index ?? 0)} ${y(first?.step.limitAmps ?? 0)}${line}`
    })
    .join('')
}

interface Placed {
  readonly index: number
  readonly step: Step
}

function stretches(steps: Steps): readonly (readonly Placed[])[] {
  const found: Placed[][] = []
  for (const [index, step] of steps.entries()) {
    if (!step) continue
    const last = found.at(-1)
    if (last?.at(-1)?.index === index - 1) last.push({ index, step })
    else found.push([{ index, step }])
  }
  return found
}
