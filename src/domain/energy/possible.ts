/** What can have flowed in a time, by wiring or reported power (ENERGY-N7). Generous: coarse clocks, few samples. */
import type { Walk } from './meter-register.ts'
import { LARGEST_BATTERY, plausibleDelta, SMALL_START } from './plausibility.ts'
import type { MeterState } from './power.ts'

/** Milliwatts of the strongest AC connector: it may have been sampled only while the sun filled a car, or when full. */
const AC_MILLI_W = 22_000_000
const SHORTEST_MS = 5 * 60_000
const MS_PER_HOUR = 3_600_000
const DAY_MS = 24 * MS_PER_HOUR

/** Undefined: nothing is known of it. What a car took is the least that its connector can give. */
function powerOf({ maxPowerW, peakMilliW }: MeterState): number | undefined {
  if (maxPowerW !== undefined) return 1000 * maxPowerW
  return peakMilliW && Math.max(peakMilliW, AC_MILLI_W)
}

function most(milliW: number, ms: number): number {
  return SMALL_START + (2 * milliW * Math.max(0, ms)) / MS_PER_HOUR
}

/** From an unread register's zero to its first value; 0 where that, or what follows, says that the times are wrong. */
export function impossibleLead(meter: MeterState, { lead, sum, at }: Readonly<Walk>): number {
  const power = lead && powerOf(meter)
  if (!lead || !power) return 0
  const [energy, ms, since] = lead
  const isPossible = energy <= most(Math.max(power, AC_MILLI_W), ms) || sum - energy > most(power, at - since)
  return isPossible ? 0 : energy
}

interface Between {
  readonly at?: number | undefined
  readonly elapsedMs?: number | undefined
}

/** Most between the last sample and the stop; undefined where the samples themselves say that the times are wrong. */
export function tailLimit(meter: MeterState, walk: Readonly<Walk>, stop: Between): number | undefined {
  const { at, elapsedMs } = stop
  const power = powerOf(meter)
  const sampledMs = walk.at - walk.since
  if (at === undefined || elapsedMs === undefined || !power || walk.count < 2) return undefined
  return walk.sum <= most(power, sampledMs) ? most(power, Math.max(at - walk.at, elapsedMs - sampledMs)) : undefined
}

/** Most of a charge known by its registers alone. @param isUnread it began at zero: at most what a car holds */
export function unseenLimit(meter: MeterState, elapsedMs: number | undefined, isUnread: boolean): number {
  if (elapsedMs === undefined) return Number.POSITIVE_INFINITY
  const isTimed = elapsedMs >= SHORTEST_MS
  const power = powerOf(meter)
  const limit = isTimed && power ? most(power, elapsedMs) : plausibleDelta(isTimed ? elapsedMs : DAY_MS)
  return isUnread ? Math.min(limit, LARGEST_BATTERY) : limit
}

/** Most of any charge, whatever speaks of it: by the wiring of its connector, else by the strongest that there is. */
export function chargeLimit({ maxPowerW }: MeterState, elapsedMs: number | undefined): number {
  if (elapsedMs === undefined || elapsedMs < SHORTEST_MS) return Number.POSITIVE_INFINITY
  return maxPowerW === undefined ? plausibleDelta(elapsedMs) : most(1000 * maxPowerW, elapsedMs)
}
