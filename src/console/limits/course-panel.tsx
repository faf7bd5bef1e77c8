/** The course of a group with the ways to another phase, span and time, as a table and as a file (CONSOLE-G2). */

import type { FC } from 'hono/jsx'
import { isoTime } from '../../domain/iso-time.ts'
import type { Frame } from '../../web/entries.tsx'
import { shownFigure } from '../../web/figures.tsx'
import { type Column, Table } from '../../web/parts/table.tsx'
import { shownTime } from '../../web/times.tsx'
import { Panel, Segments, wordsIn } from '../kit/parts.tsx'
import type { Narrowing } from '../paths.ts'
import { groupPath } from './place.ts'
import { StackedChart } from './stacked-chart.tsx'
import { type Band, SPANS, type SpanName, type StackedCourse, type Step, windowOf } from './stacked-course.ts'

export interface CourseAsked {
  /** 0 for L1. */
  readonly phase: 0 | 1 | 2
  readonly span: SpanName
  /** Where it ends; absent: now. */
  readonly to?: number | undefined
  readonly all?: boolean | undefined
}

export function queryOf({ phase, span, to, all }: CourseAsked): Narrowing {
  return {
    phase: phase === 0 ? undefined : String(phase + 1),
    span: span === 'day' ? undefined : span,
    to: isoTime(to),
    all: all ? 'yes' : undefined,
  }
}

export const CoursePanel: FC<{
  readonly frame: Frame
  readonly name: string
  readonly phases: 1 | 3
  readonly course: StackedCourse
  readonly asked: CourseAsked
}> = ({ frame, name, phases, course, asked }) => {
  const words = wordsIn('limitGroups', frame)
  const { phase, span, to } = asked
  const line = `L${phase + 1}`
  const at = (change: Partial<CourseAsked>): string => groupPath(frame, name, '', queryOf({ ...asked, ...change }))
  const window = windowOf(span, to ?? frame.now)
  const { spanMs } = SPANS[span]
  const later = window.to + spanMs
  const known = course.steps.filter((step) => step !== undefined)
  const most = Math.max(0, ...known.map(({ totalAmps }) => totalAmps))
  const csv = groupPath(frame, name, '/history.csv', {
    from: isoTime(window.from),
    to: isoTime(window.to),
  })
  return (
    <Panel
      title={words.course}
      said={words.courseOf(line, `${shownTime(frame, window.from)} – ${shownTime(frame, window.to)}`)}
      end={
        <>
          {phases === 3 && (
            <Segments
              label={words.phases}
              tabs={([0, 1, 2] as const).map((one) => ({
                to: at({ phase: one }),
                text: `L${one + 1}`,
                isHere: one === phase,
              }))}
            />
          )}
          <Segments
            label={words.spanLabel}
            tabs={(Object.keys(SPANS) as SpanName[]).map((one) => ({
              to: at({ span: one }),
              text: words.spans[one],
              isHere: one === span,
            }))}
          />
        </>
      }
    >
      <div data-live="course">
        {known.length === 0 ? (
          <p class="soft nothing">{words.nothingKnown}</p>
        ) : (
          <StackedChart
            frame={frame}
            course={course}
            label={words.courseLabel(line, shownFigure(frame, most, 1))}
            reported={words.courseReported(known.length)}
          />
        )}
      </div>
      <p class="legend">
        <span>
          <svg class="sw" aria-hidden="true">
            <rect class="base" width="10" height="10" rx="2" />
          </svg>
          {words.load}
        </span>
        <span>{words.shades}</span>
        <span>
          <svg aria-hidden="true">
            <path class="lim" d="M0 4h16" />
          </svg>
          {words.limitLine}
        </span>
        <a href={at({ to: window.from })}>{words.earlier}</a>
        {to !== undefined && (
          <>
            {later < frame.now && <a href={at({ to: later })}>{words.later}</a>}
            <a href={at({ to: undefined })}>{words.toNow}</a>
          </>
        )}
        <a href={csv} download>
          {words.csv}
        </a>
      </p>
      {known.length > 0 && (
        <details>
          <summary>{words.asTable}</summary>
          <div class="scrolls" tabindex={0} data-live="course-table">
            <CourseTable frame={frame} course={course} />
          </div>
        </details>
      )}
    </Panel>
  )
}

const CourseTable: FC<{ frame: Frame; course: StackedCourse }> = ({ frame, course: { bands, steps } }) => {
  const words = wordsIn('limitGroups', frame)
  const column = (title: string, value: (step: Step) => number): Column<Step> => ({
    title,
    kind: 'number',
    cell: (step) => shownFigure(frame, value(step), 1),
  })
  return (
    <Table
      plain
      rows={steps.filter((step) => step !== undefined).toReversed()}
      columns={[
        { title: words.time, heads: true, cell: ({ at }) => shownTime(frame, at) },
        column(`${words.limit} (A)`, ({ limitAmps }) => limitAmps),
        column(`${words.together} (A)`, ({ totalAmps }) => totalAmps),
        column(`${words.load} (A)`, ({ loadAmps }) => loadAmps),
        ...bands.map((band, at) => column(bandName(band), ({ parts }) => parts[at] ?? 0)),
        column(words.others, ({ othersAmps }) => othersAmps),
      ]}
    />
  )
}

function bandName(band: Band): string {
  return band.group === undefined ? `${band.chargePointId} / ${band.evseId}` : band.group
}
