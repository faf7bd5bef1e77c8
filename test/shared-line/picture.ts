/** The story as a picture: the connection above, its stations below, each with what it was allowed and what it drew. */
import { LIMIT_AMPS, ORDERED_AMPS, type Reported, SCENES, STEP_SECONDS, type StationCourse } from './story.ts'

const WIDTH = 960
const LEFT = 48
const RIGHT = 16
const END_SECONDS = SCENES.end * 60
const SUM = { top: 104, height: 190, most: 110 }
const GRID = { top: 362, columns: 3, height: 62, gap: 50, most: 16 }
/** Seconds between two points that are drawn. */
const POINT_SECONDS = 10

interface Box {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
  /** Amps at its upper edge. */
  readonly most: number
}

type Point = readonly [second: number, amps: number]

const x = ({ left, width }: Box, second: number): string => (left + (second / END_SECONDS) * width).toFixed(1)
const y = ({ top, height, most }: Box, amps: number): string =>
  (top + height - (Math.min(amps, most) / most) * height).toFixed(1)

/** What holds until the next point. */
function steps(box: Box, points: readonly Point[]): string {
  let path = ''
  let last: number | undefined
  for (const [second, amps] of points) {
    if (amps === last) continue
    path += path === '' ? `M${x(box, second)} ${y(box, amps)}` : `H${x(box, second)}V${y(box, amps)}`
    last = amps
  }
  return `${path}H${x(box, END_SECONDS)}`
}

function area(box: Box, points: readonly Point[]): string {
  const kept = points.filter(([, amps], at) => amps !== points[at - 1]?.[1] || amps !== points[at + 1]?.[1])
  const line = kept.map(([second, amps]) => `${x(box, second)} ${y(box, amps)}`).join('L')
  return `M${x(box, 0)} ${y(box, 0)}L${line}L${x(box, END_SECONDS)} ${y(box, 0)}Z`
}

function thinned(points: readonly Point[]): readonly Point[] {
  return points
    .filter(([second]) => second % POINT_SECONDS === 0)
    .map(([second, amps]) => [second, Math.round(amps * 10) / 10])
}

export function pictureOf({ stations, seconds }: Reported): string {
  const box: Box = { ...SUM, left: LEFT, width: WIDTH - LEFT - RIGHT }
  const course = (amps: (one: Reported['seconds'][number]) => number): readonly Point[] =>
    thinned(seconds.map((one) => [one.at, amps(one)]))
  const rows = Math.ceil(stations.length / GRID.columns)
  const height = GRID.top + rows * (GRID.height + GRID.gap) - 8
  const ticks = [0, 20, 40, 60, 80, 100].map(
    (amps) =>
      `<path class="grid" d="M${LEFT} ${y(box, amps)}H${WIDTH - RIGHT}"/>` +
      `<text class="small" x="${LEFT - 8}" y="${Number(y(box, amps)) + 4}" text-anchor="end">${amps}</text>`,
  )
  const minutes = [0, 5, 10, 15, 20, 25, 30].map(
    (minute) =>
      `<text class="small" x="${x(box, minute * 60)}" y="${box.top + box.height + 18}" text-anchor="${minute === SCENES.end ? 'end' : 'middle'}">${minute}${minute === SCENES.end ? ' min' : ''}</text>`,
  )
  const scenes: readonly (readonly [minute: number, words: string])[] = [
    [SCENES.ordered, `grid operator: ${ORDERED_AMPS} A`],
    [SCENES.free, 'order over'],
    [SCENES.silent, 'G-02 silent'],
    [SCENES.powerCut, 'G-06 reboots'],
    [SCENES.back, 'back'],
    [SCENES.leave, 'three leave'],
  ]
  const marks = scenes.map(([minute, words], at) => {
    const top = at % 2 === 0 ? 78 : 96
    const left = x(box, minute * 60)
    return (
      `<path class="mark" d="M${left} ${top - 12}V${box.top + box.height}"/>` +
      `<text class="small" x="${Number(left) + 4}" y="${top}">${words}</text>`
    )
  })
  const limit = steps(
    box,
    seconds.map((one) => [one.at, one.limit]),
  )
  const parts = stations.map((station, at) => {
    const width = (WIDTH - RIGHT - 16 * 2 - 24 * GRID.columns) / GRID.columns
    const left = 24 + (at % GRID.columns) * (width + 24 + 16)
    return small(station, {
      ...GRID,
      left,
      top: GRID.top + Math.floor(at / GRID.columns) * (GRID.height + GRID.gap),
      width,
    })
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-labelledby="title" font-family="system-ui, sans-serif" font-size="14">
  <title id="title">Thirty minutes of twelve stations behind ${LIMIT_AMPS} A, seven of them with a quirk: what each was allowed and drew, and their sum, which stays below the limit.</title>
  <style>
    .drawn { fill: #54aeff66 } .allowed { stroke: #0969da; stroke-width: 1.6; fill: none } .limit { stroke: #cf222e; stroke-width: 2; fill: none }
    .grid { stroke: #d0d7de; stroke-width: 1 } .mark { stroke: #6e7781; stroke-width: 1; stroke-dasharray: 2 3 }
    text { fill: #1f2328 } .small { font-size: 12.5px; fill: #57606a } .strong { font-weight: 600 } .quirk { font-size: 12.5px; fill: #9a6700 }
    @media (prefers-color-scheme: dark) {
      .drawn { fill: #388bfd66 } .allowed { stroke: #58a6ff } .limit { stroke: #ff7b72 } .grid { stroke: #30363d } .mark { stroke: #8b949e }
      text { fill: #e6edf3 } .small { fill: #9198a1 } .quirk { fill: #d29922 }
    }
  </style>
  <text class="strong" x="${LEFT}" y="26">Twelve stations behind ${LIMIT_AMPS} A</text>
  <path class="limit" d="M${LEFT} 47h26"/><text class="small" x="${LEFT + 34}" y="51">limit</text>
  <path class="allowed" d="M${LEFT + 92} 47h26"/><text class="small" x="${LEFT + 126}" y="51">may draw at most, by all it was given</text>
  <path class="drawn" d="M${LEFT + 368} 41h26v12h-26z"/><text class="small" x="${LEFT + 402}" y="51">draws; amps of each phase</text>
  ${[...ticks, ...minutes].join('\n  ')}
  <path class="drawn" d="${area(
    box,
    course(({ drawn }) => drawn),
  )}"/>
  <path class="allowed" d="${steps(
    box,
    course(({ mayDraw }) => mayDraw),
  )}"/>
  <path class="limit" d="${limit}"/>
  ${marks.join('\n  ')}
  ${parts.join('\n  ')}
</svg>
`
}

function small({ id, ocpp, quirk = '', mayDraw, drawn }: StationCourse, box: Box): string {
  const points = (amps: readonly number[]): readonly Point[] =>
    thinned(amps.map((each, at) => [(at + 1) * STEP_SECONDS, each]))
  const [above, right] = [box.top - 8, box.left + box.width]
  return (
    `<text class="strong" x="${box.left}" y="${above}">${id}</text>` +
    `<text class="small" x="${box.left + 44}" y="${above}">${ocpp}</text>` +
    `<text class="quirk" x="${right}" y="${above}" text-anchor="end">${quirk}</text>` +
    `<path class="grid" d="M${box.left} ${y(box, 0)}H${right}M${box.left} ${y(box, box.most)}H${right}"/>` +
    `<text class="small" x="${box.left - 4}" y="${box.top + 5}" text-anchor="end">${box.most}</text>` +
    `<path class="drawn" d="${area(box, points(drawn))}"/><path class="allowed" d="${steps(box, points(mayDraw))}"/>`
  )
}
