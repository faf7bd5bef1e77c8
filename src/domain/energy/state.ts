/** What is remembered of a transaction's samples: plain JSON, stored with the transaction. */
import type { Intervals } from './interval.ts'
import { advance, newWalk, type Walk } from './meter-register.ts'
import { inLine } from './points.ts'
import type { Newest, PowerSamples } from './power.ts'
import { type Entry, isTotal, isUnnamed, orderOf } from './readings.ts'

/** No member of JSON or of a copy to another thread, so it stays in the memory where the meter is added to. */
export const WALKED: unique symbol = Symbol('walked')

/** One for all meters that come of one; it speaks of the last that was asked. */
export interface Walked {
  register: readonly Entry[]
  begin: readonly Entry[]
  end: readonly Entry[]
  folded: MeterState['folded']
  maxPowerW: number | undefined
  boots: MeterState['boots']
  /** The clock was never set back in it. */
  isInLine: boolean
  walk: Walk
}

export interface MeterState {
  /** Register at the start as the start itself said (1.6 meterStart), and when. */
  readonly startMilliWh?: number | undefined
  readonly startAt?: number | undefined
  readonly relativeHint?: true | undefined
  readonly maxPowerW?: number | undefined
  /** The greatest that the station sampled, on three phases where it named one (ENERGY-N7). */
  readonly peakMilliW?: number | undefined
  /** When its station booted meanwhile, by our clock; the newest ones (ENERGY-N4). */
  readonly boots?: readonly number[] | undefined
  /** Transaction.Begin: only ever a baseline. Transaction.End: the last word. Sorted, a few at most (ENERGY-N2). */
  readonly begin: readonly Entry[]
  readonly end: readonly Entry[]
  /** The turning points of the register (points.ts), and the walk over those that were too many. */
  readonly register: readonly Entry[]
  readonly since?: number | undefined
  /** What came last, if it was older than what came before it and not numbered: one of a queue. */
  readonly late?: Entry | undefined
  /** Points that said nothing more were left out. */
  readonly thinned?: true | undefined
  readonly folded?: { readonly last: Entry; readonly walk: Walk } | undefined
  readonly intervals: Intervals
  readonly power: PowerSamples
  readonly newest?: Newest | undefined
  [WALKED]?: Walked
}

/** When the register first spoke, infinity if never; what poorer sources say counts only until then. */
export function registerSince(meter: MeterState): number {
  if (meter.since !== undefined) return meter.since
  const sampled = meter.folded?.walk.since ?? meter.register[0]?.[0] ?? Number.POSITIVE_INFINITY
  return Math.min(sampled, meter.end[0]?.[0] ?? Number.POSITIVE_INFINITY)
}

/** The best Transaction.Begin: best place, then the earliest. */
export function firstMessage(begin: readonly Entry[]): Entry | undefined {
  return begin.reduce<Entry | undefined>((best, entry) => (best && best[1] <= entry[1] ? best : entry), undefined)
}

/** The best Transaction.End: best place, then the newest; a total rather than phases. */
export function lastWord(end: readonly Entry[]): Entry | undefined {
  return end.reduce<Entry | undefined>((best, entry) => (best && outranks(best, entry) ? best : entry), undefined)
}

function outranks(best: Entry, entry: Entry): boolean {
  return best[1] < entry[1] || (best[1] === entry[1] && best[0] === entry[0] && isTotal(best) && !isTotal(entry))
}

/** Everything the register says: samples before Transaction.End, then that, which beats periodic ones (ENERGY-N2). */
export function walkRegister(meter: MeterState): Readonly<Walk> {
  const known = meter[WALKED]
  if (known && isOver(known, meter)) return known.walk
  const points = inLine(meter.register)
  const walk = walkAnew(meter, points)
  const { register, begin, end, folded, maxPowerW, boots } = meter
  meter[WALKED] = { register, begin, end, folded, maxPowerW, boots, isInLine: points === register, walk }
  return walk
}

/** @param register the meter's with `point`, which is later than all in it, at its end */
export function walkOn(meter: MeterState, register: readonly Entry[], point: Entry): void {
  const known = meter[WALKED]
  if (!known?.isInLine || !isOver(known, meter) || meter.end.length > 0) return
  const last = meter.register.at(-1)
  // What did not name the transaction counts otherwise once something behind it does.
  if (last && isUnnamed(last) !== isUnnamed(point)) return
  advance(known.walk, point, meter)
  known.register = register
}

function isOver(known: Walked, { register, begin, end, folded, maxPowerW, boots }: MeterState): boolean {
  return (
    known.register === register &&
    known.begin === begin &&
    known.end === end &&
    known.folded === folded &&
    known.maxPowerW === maxPowerW &&
    known.boots === boots
  )
}

function walkAnew(meter: MeterState, points: readonly Entry[]): Walk {
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  const end = meter.end[0]
  const lastNamed = lastNamedOf(points)
  let index = 0
  for (const point of points) {
    if (!end || !isAfter(point, end)) advance(walk, point, meter, index < lastNamed)
    index++
  }
  for (const entry of meter.end) advance(walk, entry, meter)
  return walk
}

function lastNamedOf(points: readonly Entry[]): number {
  for (let index = points.length - 1; index >= 0; index--) {
    const point = points[index]
    if (point && !isUnnamed(point)) return index
  }
  return -1
}

/** By the clock where both are of one message, else by the station's order. */
function isAfter(point: Entry, end: Entry): boolean {
  const order = orderOf(point) - orderOf(end)
  return order > 0 || (order === 0 && point[0] >= end[0])
}
