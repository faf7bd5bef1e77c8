/** The turning points of a register: what lies between two on a rising course says nothing more of the energy. */
import { FREE_DELTA, isZero } from './plausibility.ts'
import { ALL_PHASES, amountOf, type Entry, isTotal, isUnnamed, orderOf, phasesOf, placeOf } from './readings.ts'
import type { Reading } from './sample.ts'

/** About three kilobytes as JSON; up to here every sample is kept, so the order of arrival can never matter. */
export const MAX_POINTS = 96
/** Then the list is made shorter at one go: a list that only grows at its end is cheap to store. */
export const FEWEST_POINTS = 48
/** What was sampled last is kept whole: late samples nearly always belong there. */
const NEWEST_KEPT = 16

/**
 * ENERGY-N3: without numbers samples are in order of arrival. An older one is from another queue if the register lies
 * there; one that stands higher than ever shows that the clock was set back. @param late the sample before this one, if
 * it came late @returns how often the clock had been set back by then
 */
export function arrivalOrder(
  points: readonly Entry[],
  reading: Reading,
  rank: number,
  late: Entry | undefined,
): number {
  const newest = points.at(-1)
  if (!newest) return 0
  const latest = orderOf(newest)
  if (latest === 0 && reading.at >= newest[0]) return 0
  const said = points.findLast((point) => saysAlready(point, reading, rank))
  if (said) return orderOf(said)
  let end = points.length
  let byTime: number | undefined
  while (end > 0) {
    const order = orderOf(points[end - 1] ?? newest)
    let index = end
    while (index > 0 && isOfOrder(points[index - 1], order) && (points[index - 1]?.[0] ?? 0) > reading.at) index--
    if (fits(points, index, reading, rank)) return order
    let begin = index
    while (begin > 0 && isOfOrder(points[begin - 1], order)) begin--
    if (begin < index) byTime ??= order
    end = begin
  }
  if (late && late[0] <= reading.at && (valueLike(late, reading, rank) ?? 0) <= reading.value) return orderOf(late)
  const level = valueBefore(points, points.length, reading, rank)
  const rise = level === undefined ? Number.NEGATIVE_INFINITY : reading.value - level
  const setBack = reading.at < newest[0] && rise >= 0 && rise <= FREE_DELTA
  return setBack ? latest + 1 : (byTime ?? latest)
}

function isOfOrder(point: Entry | undefined, order: number): boolean {
  return point !== undefined && orderOf(point) === order
}

/** The same again, or another phase of what is known. */
function saysAlready(point: Entry, { at, phase, value }: Reading, rank: number): boolean {
  if (point[0] !== at || point[1] !== rank) return false
  if (phase === 0) return isTotal(point) && point[2] === value
  return !isTotal(point) && (point[1 + phase] === value || point[1 + phase] === -1)
}

/** The register stood between its neighbors, or on either side of a known restart between them. */
function fits(points: readonly Entry[], index: number, reading: Reading, rank: number): boolean {
  const before = valueBefore(points, index, reading, rank) ?? 0
  const after = valueFrom(points, index, reading, rank) ?? Number.POSITIVE_INFINITY
  const isAbove = reading.value >= before
  const isBelow = reading.value <= after
  return before <= after ? isAbove && isBelow : isAbove || isBelow
}

function valueFrom(points: readonly Entry[], index: number, reading: Reading, rank: number): number | undefined {
  for (let at = index; at < points.length; at++) {
    const value = valueLike(points[at], reading, rank)
    if (value !== undefined) return value
  }
  return undefined
}

function valueBefore(points: readonly Entry[], index: number, reading: Reading, rank: number): number | undefined {
  for (let at = index - 1; at >= 0; at--) {
    const value = valueLike(points[at], reading, rank)
    if (value !== undefined) return value
  }
  return undefined
}

function valueLike(point: Entry | undefined, { phase }: Reading, rank: number): number | undefined {
  if (!point || point[1] !== rank || isTotal(point) !== (phase === 0)) return undefined
  const value = isTotal(point) ? point[2] : point[1 + phase]
  return value === undefined || value < 0 ? undefined : value
}

/** As the register passed them: in the station's order, but for what 2.0.1's Ended repeats, put where it fits. */
export function inLine(points: readonly Entry[]): readonly Entry[] {
  let at = Number.NEGATIVE_INFINITY
  for (const point of points) {
    if (point[0] < at) return lineOf(points)
    at = point[0]
  }
  return points
}

function lineOf(points: readonly Entry[]): readonly Entry[] {
  const line: Entry[] = []
  for (const point of points) {
    const last = line.findLast((other) => isLike(other, point))
    const index = last && amountOf(point) < amountOf(last) ? repeatedAt(line, point) : undefined
    line.splice(index ?? line.length, 0, point)
  }
  return line
}

function repeatedAt(line: readonly Entry[], point: Entry): number | undefined {
  let after: Entry | undefined
  for (let index = line.length - 1; index >= 0; index--) {
    const other = line[index]
    if (!other || !isLike(other, point)) continue
    const isBefore = other[0] <= point[0] && amountOf(other) <= amountOf(point)
    if (isBefore && after && point[0] <= after[0] && amountOf(point) <= amountOf(after)) return index + 1
    after = other
  }
  return after && point[0] <= after[0] && amountOf(point) <= amountOf(after) ? 0 : undefined
}

function isLike(a: Entry, b: Entry): boolean {
  return a[1] === b[1] && phasesOf(a) === phasesOf(b) && isTotal(a) === isTotal(b)
}

/** Without what says nothing more. The figures are the same, and what comes later is judged the same. */
export function thinned(points: readonly Entry[]): readonly Entry[] {
  const reported = points.length - NEWEST_KEPT
  const heard = heeded(points, reported)
  const kept: Entry[] = []
  for (const [index, point] of heard.entries()) {
    const isOld = index < heard.length - NEWEST_KEPT
    if (!(isOld && isBetween(kept.at(-2), kept.at(-1), point, heard[index + 1], heard[index + 2]))) kept.push(point)
  }
  return kept
}

export function isRedundant(points: readonly Entry[], index: number): boolean {
  const point = points[index]
  if (!point || index >= points.length - NEWEST_KEPT) return false
  return isBetween(points[index - 2], points[index - 1], point, points[index + 1], points[index + 2])
}

/** Without what no walk heeds: other places beside a better one, phases beside their total, a life beside a session. */
function heeded(points: readonly Entry[], until: number): readonly Entry[] {
  const firstNamed = points.findIndex((point) => !isUnnamed(point))
  const lastNamed = points.findLastIndex((point) => !isUnnamed(point))
  let place = Number.POSITIVE_INFINITY
  let total: Entry | undefined
  return points.filter((point, index) => {
    if (index > firstNamed && index < lastNamed && isUnnamed(point)) return false
    const isWorse = placeOf(point) > place
    if (!isUnnamed(point)) place = Math.min(place, placeOf(point))
    const isBeside = total !== undefined && !isTotal(point) && total[0] === point[0] && total[1] === point[1]
    if (isTotal(point)) total = point
    return index >= until || !(isWorse || isBeside)
  })
}

/** Five that rise in small steps: two make sure that a restart counts on, two that a fall is not taken for a stray. */
function isBetween(
  first: Entry | undefined,
  second: Entry | undefined,
  third: Entry,
  fourth: Entry | undefined,
  fifth: Entry | undefined,
): boolean {
  if (!first || !second || !fourth || !fifth) return false
  return (
    !isZero(amountOf(second)) &&
    rises(first, second) &&
    rises(second, third) &&
    rises(third, fourth) &&
    rises(fourth, fifth) &&
    amountOf(second) - amountOf(first) <= FREE_DELTA &&
    amountOf(fourth) - amountOf(second) <= FREE_DELTA
  )
}

function rises(from: Entry, to: Entry): boolean {
  if (!isLike(from, to) || from[0] > to[0]) return false
  if (phasesOf(from) === ALL_PHASES && isTotal(from)) return amountOf(from) <= amountOf(to)
  return !isTotal(from) && !isTotal(to) && from[2] <= to[2] && from[3] <= to[3] && from[4] <= to[4]
}
