/** A tariff in sentences, and its week as a chart (TARIFF-A3). */
import type { FC } from 'hono/jsx'
import type { Tariff } from '../../domain/ports/storage-webhooks.ts'
import { amountIn, dayName, sentencesOf } from '../../domain/tariffs/sentences.ts'
import { type WeekCell, weekOf } from '../../domain/tariffs/week.ts'
import { DAY_MS } from '../../domain/time-zone.ts'
import type { Frame } from '../../web/entries.tsx'
import { wordsIn } from '../kit/parts.tsx'

/** The first day of 1970 was a Thursday. */
const MONDAY_OFFSET_MS = 4 * DAY_MS
const [ROW, LEFT, WIDTH] = [26, 100, 720]
const HOURS = [0, 6, 12, 18, 24]

export function described(frame: Frame, tariff: Tariff) {
  const words = wordsIn('tariffs', frame)
  const { language } = frame
  const monday = Math.floor((frame.now - MONDAY_OFFSET_MS) / (7 * DAY_MS)) * 7 * DAY_MS + MONDAY_OFFSET_MS
  return (
    <section class="card">
      <h2>{words.inWords}</h2>
      <ul class="rows">
        {sentencesOf(tariff, language).map((sentence) => (
          <li>{sentence}</li>
        ))}
      </ul>
      <h3>{words.week}</h3>
      <Week frame={frame} cells={weekOf(tariff, monday)} label={words.weekOf(tariff.currency)} />
    </section>
  )
}

const Week: FC<{ frame: Frame; cells: readonly WeekCell[]; label: string }> = ({ frame, cells, label }) => {
  const { language } = frame
  const most = Math.max(1, ...cells.map(weightOf))
  const x = (minute: number): string => (LEFT + (minute / 1440) * WIDTH).toFixed(1)
  const said = ({ energyMicros, timeMicros }: WeekCell): string => {
    const energy = `${amountIn(energyMicros, language)}/kWh`
    return timeMicros > 0 ? `${energy} + ${amountIn(timeMicros, language)}/h` : energy
  }
  return (
    <svg class="chart" viewBox={`0 0 ${LEFT + WIDTH + 20} ${7 * ROW + 20}`} role="img" aria-label={label}>
      {[0, 1, 2, 3, 4, 5, 6].map((day) => (
        <text x="0" y={day * ROW + 17}>
          {dayName(day, language)}
        </text>
      ))}
      {cells.map((cell) => (
        <g>
          <rect
            class="price"
            x={x(cell.from)}
            y={cell.day * ROW + 1}
            width={(((cell.to - cell.from) / 1440) * WIDTH).toFixed(1)}
            height={ROW - 2}
            fill-opacity={(0.08 + 0.42 * (weightOf(cell) / most)).toFixed(2)}
          >
            <title>{said(cell)}</title>
          </rect>
          {(cell.to - cell.from) * WIDTH > said(cell).length * 7 * 1440 && (
            <text class="ink" x={Number(x(cell.from)) + 6} y={cell.day * ROW + 17}>
              {said(cell)}
            </text>
          )}
        </g>
      ))}
      {HOURS.map((hour) => (
        <text x={x(hour * 60)} y={7 * ROW + 15} text-anchor="middle">
          {`${String(hour).padStart(2, '0')}:00`}
        </text>
      ))}
    </svg>
  )
}

/** As if an hour were ten kilowatt-hours: dearer is darker. */
function weightOf({ energyMicros, timeMicros }: WeekCell): number {
  return energyMicros + timeMicros / 10
}
