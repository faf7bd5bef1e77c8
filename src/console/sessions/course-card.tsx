/** Power and energy of a session over time: as pictures, and the same as a table for those who do not see them. */
import type { FC } from 'hono/jsx'
import { shownFigure } from '../../web/figures.tsx'
import type { Frame } from '../../web/layout.tsx'
import { Table } from '../../web/parts/table.tsx'
import { At, shownTime } from '../../web/times.tsx'
import { sessionTexts } from '../kit/texts.ts'
import { Chart, type ChartPoint } from './chart.tsx'
import type { Course } from './course.ts'
import { type CurvePoint, thinned } from './curve.ts'

/** More points than the picture has columns show nothing. */
const POINTS_DRAWN = 500
const POINTS_LISTED = 50
const MILLI_PER_KILO = 1_000_000

export const CourseCard: FC<{ frame: Frame } & Course> = ({ frame, points, cutAt }) => {
  const words = sessionTexts(frame)
  const span = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0] as const
  const power = points.flatMap(({ at, powerMilliW }) => (powerMilliW === undefined ? [] : [kilo(at, powerMilliW)]))
  const energy = points.map(({ at, energyMilliWh }) => kilo(at, energyMilliWh))
  const series = [
    { kind: 'power', name: words.power, unit: 'kW', values: power },
    { kind: 'energy', name: words.energy, unit: 'kWh', values: energy },
  ] as const
  return (
    <section class="card">
      <h2>{words.course}</h2>
      {points.length < 2 ? (
        <p class="soft">{words.noCurve}</p>
      ) : (
        <>
          {cutAt !== undefined && <p class="soft">{words.cutCurve(cutAt)}</p>}
          {series.map(
            ({ kind, name, unit, values }) =>
              values.length > 1 && (
                <>
                  <p class="soft">
                    {name} ({unit})
                  </p>
                  <Chart
                    frame={frame}
                    kind={kind}
                    points={thinned(values, POINTS_DRAWN)}
                    span={span}
                    label={words.chartText(
                      name,
                      `${shownFigure(frame, mostOf(values), 3)} ${unit}`,
                      shownTime(frame, span[0]),
                      shownTime(frame, span[1]),
                    )}
                  />
                </>
              ),
          )}
          <details>
            <summary>{words.courseTable}</summary>
            <CourseTable frame={frame} points={thinned(points, POINTS_LISTED)} />
          </details>
        </>
      )}
    </section>
  )
}

const CourseTable: FC<{ frame: Frame; points: readonly CurvePoint[] }> = ({ frame, points }) => {
  const words = sessionTexts(frame)
  const kilos = (milli: number): string => shownFigure(frame, milli / MILLI_PER_KILO, 3)
  return (
    <Table
      plain
      rows={points}
      columns={[
        { title: words.time, kind: 'time', cell: ({ at }) => <At frame={frame} at={at} /> },
        {
          title: `${words.power} (kW)`,
          kind: 'number',
          cell: ({ powerMilliW }) => powerMilliW !== undefined && kilos(powerMilliW),
        },
        { title: `${words.energy} (kWh)`, kind: 'number', cell: ({ energyMilliWh }) => kilos(energyMilliWh) },
      ]}
    />
  )
}

function kilo(at: number, milli: number): ChartPoint {
  return { at, value: milli / MILLI_PER_KILO }
}

function mostOf(values: readonly ChartPoint[]): number {
  return values.reduce((most, { value }) => Math.max(most, value), 0)
}
