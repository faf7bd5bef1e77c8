/** What is remembered of a transaction's samples: plain JSON, stored with the transaction. */
import type { Intervals } from './interval.ts'
import { advance, newWalk, type Walk, type WalkSettings } from './meter-register.ts'
import type { Newest } from './newest.ts'
import { inLine } from './points.ts'
import type { PowerSamples } from './power.ts'
import { amountOf, type Entry, isTotal, isUnnamed, orderOf } from './readings.ts'

export interface MeterState {
  /** Register at the start as the start itself said (1.6 meterStart), and when. */
  readonly startMilliWh?: number | undefined
  readonly startAt?: number | undefined
  readonly relativeHint?: true | undefined
  readonly maxPowerW?: number | undefined
  /** Transaction.Begin: only ever a baseline. Transaction.End: the last word. Sorted, a few at most (ENERGY-N2). */
  readonly begin: readonly Entry[]
  readonly end: readonly Entry[]
  /** The turning points of the register (points.ts), and the walk over those that were too many. */
  readonly register: readonly Entry[]
  /** Time of the first register sample, Transaction.Begin aside. */
  readonly since?: number | undefined
  /** What came last, if it was older than what came before it and not numbered: one of a queue. */
  readonly late?: Entry | undefined
  /** Points that said nothing more were left out. */
  readonly thinned?: true | undefined
  readonly folded?: { readonly last: Entry; readonly walk: Walk } | undefined
  readonly intervals: Intervals
  readonly power: PowerSamples
  readonly newest?: Newest | undefined
}

/** What a walk over this meter's register needs to know. */
export function walkSettings(meter: MeterState): WalkSettings {
  return {
    maxPowerW: meter.maxPowerW,
    relativeHint: meter.relativeHint === true,
    baseline(place) {
      if (meter.startMilliWh !== undefined) {
        return { value: meter.startMilliWh, ...(meter.startAt !== undefined && { at: meter.startAt }) }
      }
      const begin = meter.begin.find((entry) => entry[1] === place)
      return begin && { value: amountOf(begin), at: begin[0] }
    },
  }
}

/** Everything the register says: samples before Transaction.End, then that, which beats periodic ones (ENERGY-N2). */
export function walkRegister(meter: MeterState): Readonly<Walk> {
  if (newest?.meter !== meter) newest = { meter, walk: walkAnew(meter) }
  return newest.walk
}

/**
 * A meter never changes, so its walk is walked once however many questions one message asks. Only the newest one is
 * kept, because a weak map of all of them would burden each garbage collection.
 */
let newest: { readonly meter: MeterState; readonly walk: Readonly<Walk> } | undefined

function walkAnew(meter: MeterState): Walk {
  const walk = meter.folded ? { ...meter.folded.walk } : newWalk()
  const settings = walkSettings(meter)
  const points = inLine(meter.register)
  const end = meter.end[0]
  const lastNamed = lastNamedOf(points)
  let index = 0
  for (const point of points) {
    if (!end || !isAfter(point, end)) advance(walk, point, settings, index < lastNamed)
    index++
  }
  for (const entry of meter.end) advance(walk, entry, settings)
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

/** When the register first spoke, infinity if never; what poorer sources say counts only until then. */
export function registerSince(meter: MeterState): number {
  if (meter.since !== undefined) return meter.since
  const sampled = meter.folded?.walk.since ?? meter.register[0]?.[0] ?? Number.POSITIVE_INFINITY
  return Math.min(sampled, meter.end[0]?.[0] ?? Number.POSITIVE_INFINITY)
}

/** The best Transaction.Begin: best place, then the earliest. */
export function firstWord(begin: readonly Entry[]): Entry | undefined {
  return begin.reduce<Entry | undefined>((best, entry) => (best && best[1] <= entry[1] ? best : entry), undefined)
}

/** The best Transaction.End: best place, then the newest; a total rather than phases. */
export function lastWord(end: readonly Entry[]): Entry | undefined {
  return end.reduce<Entry | undefined>((best, entry) => (best && outranks(best, entry) ? best : entry), undefined)
}

function outranks(best: Entry, entry: Entry): boolean {
  return best[1] < entry[1] || (best[1] === entry[1] && best[0] === entry[0] && isTotal(best) && !isTotal(entry))
}
