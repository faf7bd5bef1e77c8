/** Energy estimated from power where nothing better is reported (ENERGY-N3): straight lines between samples. */
import {
  type Counting,
  type Days,
  daysOf,
  entriesOf,
  figuresOf,
  isEmpty,
  named,
  newestAt,
  type Ordered,
  ordersOf,
  ordersTogether,
  stretches,
  until,
  withEntry,
} from './days.ts'
import { amountOf, type Entry, entryOf, join, orderOf } from './readings.ts'
import { LARGEST_MILLI, type Reading } from './sample.ts'

/** Milli-Wh from the first to the last of some samples. */
interface Course extends Ordered {
  readonly energy: number
  readonly first: Entry
  readonly last: Entry
}

export interface PowerSamples {
  /** Milliwatts; rank is the place. */
  readonly days?: Days<Course> | undefined
  /** The station numbered the messages that these came in. */
  readonly numbered?: true | undefined
  /** As earlier versions kept them: the newest ones, the last one before, and the milli-Wh until then. */
  readonly entries?: readonly Entry[] | undefined
  readonly folded?: { readonly last: Entry; readonly energy: number } | undefined
}

const MS_PER_HOUR = 3_600_000
/** A longer gap between samples is not filled with energy, because it is unknown what happened in it. */
const MAX_GAP_MS = MS_PER_HOUR

export function newPower(): PowerSamples {
  return { days: {}, numbered: undefined, entries: undefined, folded: undefined }
}

export function addPower(
  power: PowerSamples,
  reading: Reading,
  order: number,
  maxPowerW: number | undefined,
): PowerSamples {
  const { folded } = power
  const numbered = order > 0 || undefined
  if (folded && reading.at <= folded.last[0]) return power
  // What comes beside the transaction's own messages counts where those say nothing (ENERGY-N3).
  if (power.numbered && !numbered) return power
  const counting = countingWith(maxPowerW)
  const known = numbered && !power.numbered && power.days ? {} : daysFrom(power, counting)
  const days = withEntry(known, entryOf(reading, reading.place, order), counting)
  return days === power.days ? power : { days, numbered, entries: undefined, folded }
}

/** The same samples where another most is known. */
export function recounted(power: PowerSamples, maxPowerW: number): PowerSamples {
  const counting = countingWith(maxPowerW)
  return { ...power, days: daysOf(entriesOf(daysFrom(power, counting)), counting), entries: undefined }
}

export function powerUntil(power: PowerSamples, at: number, maxPowerW: number | undefined): PowerSamples {
  if (power.days && isEmpty(power.days)) return power
  const counting = countingWith(maxPowerW)
  const known = daysFrom(power, counting)
  const days = until(known, at, counting)
  return days === known ? power : { ...power, days, entries: undefined }
}

export function newestPowerAt({ days, entries, folded }: PowerSamples): number | undefined {
  return (days ? newestAt(days) : entries?.at(-1)?.[0]) ?? folded?.last[0]
}

/** Integer milli-Wh. */
export function powerEnergy(power: PowerSamples, maxPowerW: number | undefined): number {
  return Math.min(Math.round(exactEnergy(power, maxPowerW)), LARGEST_MILLI)
}

function exactEnergy(power: PowerSamples, maxPowerW: number | undefined): number {
  const { folded, numbered } = power
  const before = folded?.energy ?? 0
  if (power.days && isEmpty(power.days)) return before
  const counting = countingWith(maxPowerW)
  const days = daysFrom(power, counting)
  const course = figuresOf(days, counting)
  if (!course) return before
  if (numbered && !course.orders) {
    return stretches(entriesOf(days)).reduce((sum, stretch) => sum + courseOf(stretch, maxPowerW).energy, before)
  }
  return before + (folded ? between(folded.last, course.first, maxPowerW) : 0) + course.energy
}

function daysFrom({ days, entries }: PowerSamples, counting: Counting<Course>) {
  return days ? named(days) : daysOf(entries ?? [], counting)
}

function countingWith(maxPowerW: number | undefined): Counting<Course> {
  return {
    compare: byMoment,
    figuresOf: (entries) => courseOf(entries, maxPowerW),
    plus: (a, b) => ({
      energy: a.energy + between(a.last, b.first, maxPowerW) + b.energy,
      first: a.first,
      last: b.last,
      orders: ordersTogether(a, b),
    }),
  }
}

/** One value per moment. */
function courseOf(entries: readonly Entry[], maxPowerW: number | undefined): Course {
  const moments: Entry[] = []
  for (const entry of entries) {
    const last = moments.at(-1)
    if (last && last[0] === entry[0]) moments[moments.length - 1] = join(last, entry)
    else moments.push(entry)
  }
  const [first = NO_ENTRY] = moments
  let energy = 0
  let last = first
  for (const moment of moments) {
    energy += between(last, moment, maxPowerW)
    last = moment
  }
  return { energy, first, last, orders: ordersOf(entries) }
}

const NO_ENTRY: Entry = [0, 0, 0]

function byMoment(a: Entry, b: Entry): number {
  return a[0] - b[0] || orderOf(a) - orderOf(b)
}

function between(from: Entry, to: Entry, maxPowerW = 1_000_000): number {
  const limit = maxPowerW * 1000
  const mean = (Math.min(amountOf(from), limit) + Math.min(amountOf(to), limit)) / 2
  return (mean * Math.min(to[0] - from[0], MAX_GAP_MS)) / MS_PER_HOUR
}
