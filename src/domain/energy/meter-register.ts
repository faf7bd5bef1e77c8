/** A walk over register samples in the station's order (ENERGY-N3), never ahead; dropouts lower `sum`, never `peak`. */
import {
  consistentUnit,
  FIRST_ROLLOVER,
  FREE_DELTA,
  isRelativeStart,
  isReset,
  isZero,
  LARGEST_BATTERY,
  plausibleDelta,
  rolloverDelta,
  SMALL_START,
  STEP_BACK,
} from './plausibility.ts'
import { ALL_PHASES, amountOf, type Entry, isTotal, isUnnamed, phasesOf, placeOf } from './readings.ts'
import { LARGEST_MILLI } from './sample.ts'

const HOUR_MS = 3_600_000
const NEVER = -HOUR_MS

type Held = readonly [at: number, value: number]

/** Energy in milli-Wh, times in milliseconds since the epoch. Plain JSON: it is also how old samples are folded. */
export interface Walk {
  count: number
  since: number
  at: number
  level: number
  /** Energy by the best knowledge now; without the last sample; and the largest it ever was. */
  sum: number
  prior: number
  peak: number
  /** Place and phases of the register that is followed (ENERGY-N2). */
  place: number
  phases: number
  /** Time of the last value without phase: the phases beside it say the same again. */
  totalAt: number
  namedAt: number
  /** The register counts from the start of the session. */
  relative: boolean
  mixed: boolean
  anomaly: boolean
  /** The samples agree with each other and not with where the register is said to have begun: they alone count. */
  startRefuted: boolean
  /** Its first rise from zero: how much, in which time, and when (ENERGY-N7). */
  lead?: readonly [energy: number, ms: number, at: number] | undefined
  /** Value and time of the first sample where no baseline was known. */
  first?: readonly [value: number, at: number] | undefined
  /** An implausible jump that waits for the next sample. */
  held?: Held | undefined
  /** Energy when the register began again in mid-charge, seen in two samples before it at least (ENERGY-N4). */
  restartedAt?: number | undefined
  /** A boot proves that it did. */
  isProven?: boolean | undefined
  /** The highest it had stood when it did. */
  restartedFrom?: number | undefined
  /** Where the register stood before it fell, and the energy then; `fresh` until the fall is confirmed. */
  before?: readonly [at: number, value: number, sum: number] | undefined
  fresh: boolean
}

interface Baseline {
  readonly value: number
  readonly at?: number | undefined
}

/** What a walk needs to know of its meter. */
export interface WalkSettings {
  readonly startMilliWh?: number | undefined
  readonly startAt?: number | undefined
  readonly begin: readonly Entry[]
  readonly maxPowerW?: number | undefined
  readonly boots?: readonly number[] | undefined
  /** This charge point's register was session-relative before. */
  readonly relativeHint?: boolean | undefined
}

export function newWalk(): Walk {
  return {
    count: 0,
    since: 0,
    at: 0,
    level: 0,
    sum: 0,
    prior: 0,
    peak: 0,
    place: 0,
    phases: 0,
    totalAt: -1,
    namedAt: NEVER,
    relative: false,
    mixed: false,
    anomaly: false,
    startRefuted: false,
    lead: undefined,
    first: undefined,
    held: undefined,
    restartedAt: undefined,
    isProven: undefined,
    restartedFrom: undefined,
    before: undefined,
    fresh: false,
  }
}

export function advance(walk: Walk, entry: Entry, settings: WalkSettings, more = false): void {
  const at = entry[0]
  const place = placeOf(entry)
  const phases = phasesOf(entry)
  // Some stations count the session under its number, and the meter's whole life without one (lbbrhzn/ocpp#919).
  if (!isUnnamed(entry)) name(walk, entry, settings)
  else if (walk.namedAt !== NEVER && (more || at - walk.namedAt < HOUR_MS)) return
  const started = walk.count > 0
  if (started && place > walk.place) return
  const samePlace = started && place === walk.place
  if (samePlace && !isTotal(entry) && (walk.totalAt === at || (phases & walk.phases) !== walk.phases)) return
  const otherRegister = started && !(samePlace && phases === walk.phases)
  walk.place = place
  walk.phases = phases
  if (isTotal(entry)) walk.totalAt = at
  const value = amountOf(entry)
  if (!started) begin(walk, at, value, settings)
  else if (otherRegister) follow(walk, at, value)
  else step(walk, at, value, settings)
  walk.count += 1
}

/** The walk as it is when the register stood so at the stop. */
export function stoppedAt(walk: Readonly<Walk>, at: number, value: number, settings: WalkSettings): Readonly<Walk> {
  const stopped = { ...walk }
  step(stopped, at, value, settings)
  return stopped
}

/** What came before without the transaction's number is counted again from the baseline, where one is known. */
function name(walk: Walk, entry: Entry, settings: WalkSettings): void {
  const isFirst = walk.namedAt === NEVER && walk.count > 0
  if (isFirst && baselineOf(settings, placeOf(entry), phasesOf(entry), amountOf(entry))) {
    Object.assign(walk, newWalk(), { peak: walk.peak })
  }
  walk.namedAt = entry[0]
}

/** The register when the session began, by place, phases and value of the first sample. */
function baselineOf(settings: WalkSettings, place: number, phases: number, value: number): Baseline | undefined {
  const { startMilliWh, startAt, begin } = settings
  // Some label the only phase there is; the register of one of three stands below the total (ENERGY-N2).
  const isTotalToo = (total: number): boolean => phases === ALL_PHASES || value >= total - STEP_BACK
  if (startMilliWh !== undefined) return isTotalToo(startMilliWh) ? { value: startMilliWh, at: startAt } : undefined
  const here = begin.filter((entry) => entry[1] === place)
  const word = here.find((entry) => phasesOf(entry) === phases) ?? here.find(isTotal)
  const isLike = word && (phasesOf(word) === phases || isTotalToo(amountOf(word)))
  return isLike ? { value: amountOf(word), at: word[0] } : undefined
}

function begin(walk: Walk, at: number, value: number, settings: WalkSettings): void {
  walk.since = at
  const baseline = baselineOf(settings, walk.place, walk.phases, value)
  if (baseline) {
    beginAt(walk, baseline, at, value, settings)
  } else if (settings.relativeHint && value <= FREE_DELTA && !baselineOf(settings, walk.place, ALL_PHASES, value)) {
    // A phase below the total at the start (ENERGY-N2) says nothing of how the station counts.
    walk.relative = true
    accept(walk, at, value, value)
  } else {
    walk.first = [value, at]
    accept(walk, at, value, 0)
  }
}

function beginAt(walk: Walk, baseline: Baseline, at: number, value: number, settings: WalkSettings): void {
  walk.level = baseline.value
  walk.at = baseline.at ?? at
  step(walk, at, value, settings)
}

/** A better place or more phases: a register of its own, whose energy counts from here. */
function follow(walk: Walk, at: number, value: number): void {
  walk.held = undefined
  walk.before = undefined
  accept(walk, at, value, 0)
}

function step(walk: Walk, at: number, sent: number, settings: WalkSettings): void {
  const limit = plausibleDelta(at - walk.at, settings.maxPowerW)
  const value = consistentUnit(walk.level, sent, limit, walk.mixed)
  if (value !== sent) {
    walk.mixed = true
    walk.anomaly = true
  }
  const { held } = walk
  const lastRise = walk.sum - walk.prior
  walk.held = undefined
  walk.prior = walk.sum
  if (held && value >= held[1] - STEP_BACK && value - held[1] <= plausibleDelta(at - held[0], settings.maxPowerW)) {
    confirm(walk, at, Math.max(value, held[1]), held, settings)
  } else if (!comeBack(walk, at, value, limit, settings)) {
    if (value >= walk.level) rise(walk, at, value, limit)
    else fall(walk, at, value, limit, settings, lastRise)
  }
}

function rise(walk: Walk, at: number, value: number, limit: number): void {
  const delta = value - walk.level
  if (delta <= limit) {
    if (walk.sum === 0 && delta > 0 && isZero(walk.level)) walk.lead = [delta, at - walk.at, at]
    accept(walk, at, value, delta)
    // Still at zero the register may yet come back; a meter that counts on has truly begun again.
    walk.fresh = walk.fresh && isZero(value)
  } else {
    walk.held = [at, value]
    walk.anomaly = true
  }
}

/**
 * Two samples agree on a jump. Before any energy has flowed, more than any charge is the register itself, read late:
 * freshly booted stations start at 0. No sample says that all of it flowed since (ENERGY-N4).
 */
function confirm(walk: Walk, at: number, value: number, held: Held, settings: WalkSettings): void {
  const first = walk.sum === 0 && refutesStart(walk, held, settings)
  walk.startRefuted ||= first
  if (!first && walk.sum === 0 && isZero(walk.level)) walk.lead = [held[1] - walk.level, held[0] - walk.at, held[0]]
  accept(walk, at, value, value - (first ? held[1] : walk.level))
}

/** A replayed queue is granted an hour; a register at zero, perhaps unread, one battery (citrineos-core#1060). */
function refutesStart({ at: since, level }: Walk, [at, value]: Held, { maxPowerW }: WalkSettings): boolean {
  const granted = isZero(level) ? 0 : HOUR_MS
  return value - level > Math.max(plausibleDelta(Math.max(at - since, granted), maxPowerW), LARGEST_BATTERY)
}

/** The register is where it was before it fell: the fall was a dropout (lbbrhzn/ocpp#374). */
function comeBack(walk: Walk, at: number, value: number, limit: number, settings: WalkSettings): boolean {
  if (!walk.before) return false
  const [leftAt, level, sum] = walk.before
  // Only zeros are a sign of a dropout, whose register may wobble: any other count is back once it is there.
  const wobble = isZero(walk.level) ? Math.min(STEP_BACK, level / 10) : 0
  if (value < level - wobble || value - level > plausibleDelta(at - leftAt, settings.maxPowerW)) return false
  if (!walk.fresh && value - walk.level <= limit) return false
  walk.before = undefined
  walk.relative = false
  walk.anomaly = true
  walk.sum = sum
  if (walk.restartedAt !== undefined && walk.restartedAt >= sum) walk.restartedAt = undefined
  accept(walk, at, Math.max(value, level), Math.max(value - level, 0))
  return true
}

function fall(walk: Walk, at: number, value: number, limit: number, settings: WalkSettings, lastRise: number): void {
  const { level } = walk
  const first = walk.count === 0
  const hint = first && settings.relativeHint === true
  const rolled = hint ? undefined : rolloverDelta(level, value, first ? FIRST_ROLLOVER : limit)
  const relative = rolled === undefined && first && isRelativeStart(level, value, hint)
  const isProven = !first && level - value > STEP_BACK && hasBooted(settings, walk.at, at)
  const reset = isProven || isReset(level, value)
  if (rolled === undefined && !relative && !reset && level - value <= STEP_BACK) return
  if (!(walk.before && walk.fresh)) walk.before = [walk.at, level, walk.sum]
  walk.fresh = true
  // A restart from zero, unless so much cannot have flowed since: then it is unknown where it began again.
  const restarted = (relative || reset) && value <= limit
  if (relative && restarted) walk.relative = true
  else walk.anomaly = true
  if (rolled === undefined && (isProven || isRestart(walk, value, lastRise, reset))) {
    walk.isProven ||= isProven
    walk.restartedAt ??= walk.sum
    walk.restartedFrom = Math.max(walk.restartedFrom ?? 0, level)
  }
  accept(walk, at, value, rolled ?? (restarted ? value : 0))
}

/** The station's clock is not ours. */
export const CLOCKS_APART_MS = 60_000

function hasBooted({ boots = [] }: WalkSettings, from: number, until: number): boolean {
  return boots.some((at) => at > from - CLOCKS_APART_MS && at < until + CLOCKS_APART_MS)
}

/**
 * ENERGY-N4: two samples stood higher, so that energy was delivered. Above the last but one, the last may have been a
 * stray value. A fall that is no reset must be as gross as that of a stop (final.ts): a register may be corrected.
 */
function isRestart({ count, level, mixed }: Walk, value: number, lastRise: number, reset: boolean): boolean {
  if (count < 2 || mixed) return false
  if (value < level - lastRise) return reset || value < level / 2
  return reset && lastRise <= SMALL_START
}

function accept(walk: Walk, at: number, level: number, delta: number): void {
  walk.at = at
  walk.level = level
  walk.sum = Math.min(walk.sum + delta, LARGEST_MILLI)
  walk.peak = Math.max(walk.peak, walk.sum)
}

/** A walk that began without a baseline learns it: what flowed before its first sample is added. */
export function withBaseline(
  walk: Walk,
  settings: WalkSettings,
  baseline = walk.first && baselineOf(settings, walk.place, walk.phases, walk.first[0]),
): Walk {
  if (!baseline || !walk.first) return walk
  const [value, at] = walk.first
  const lead = newWalk()
  beginAt(lead, baseline, at, value, settings)
  const { before } = walk
  return {
    ...walk,
    first: undefined,
    sum: walk.sum + lead.sum,
    prior: walk.prior + lead.sum,
    peak: walk.peak + lead.sum,
    relative: lead.relative,
    anomaly: walk.anomaly || lead.anomaly,
    lead: walk.lead ?? lead.lead,
    startRefuted: walk.startRefuted || (lead.held !== undefined && refutesStart(lead, lead.held, settings)),
    restartedAt: walk.restartedAt === undefined ? undefined : walk.restartedAt + lead.sum,
    before: before && [before[0], before[1], before[2] + lead.sum],
  }
}

/** A walk without a baseline learns of a sample from before its first one; the same walk where that says nothing. */
export function beganBy(walk: Walk, entry: Entry, settings: WalkSettings): Walk {
  const at = entry[0]
  if (!walk.first || at >= walk.first[1] || placeOf(entry) !== walk.place || !isTotal(entry)) return walk
  const value = amountOf(entry)
  const led = withBaseline(walk, settings, { value, at })
  return { ...led, first: [value, at], since: at }
}
