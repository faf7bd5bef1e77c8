/** The thresholds of ENERGY-N3, each a pure question about two register values in milli-Wh. */
import { LARGEST_MILLI } from './sample.ts'

const WH = 1_000
const KWH = 1_000_000

/** Below this nothing is ever held back, however fast: replays, tests and coarse clocks are legal (ENERGY-N3). */
export const FREE_DELTA = 100 * KWH
export const LARGEST_BATTERY = 250 * KWH
/** Registers wobble by rounding and by two readings crossing each other (ENERGY-N3). */
export const STEP_BACK = 100 * WH
/** A fast charger's first minutes: what a session-relative register may show in its first sample. */
export const SMALL_START = 5 * KWH
const DEFAULT_MAX_POWER_W = 1_000_000

/** Most that can have flowed in `ms`: max(100 kWh, power x time x 1.2). */
export function plausibleDelta(ms: number, maxPowerW: number = DEFAULT_MAX_POWER_W): number {
  return Math.max(FREE_DELTA, (maxPowerW * ms * 1.2) / 3600)
}

/** A drop of more than 1 Wh to less than a tenth: the register began again. */
export function isReset(old: number, value: number): boolean {
  return old - value > WH && value < old / 10
}

export function isZero(value: number): boolean {
  return value <= WH
}

/** The first sample lies below the start register and is small: it counts from the start of the session (OCPP-DR11). */
export function isRelativeStart(start: number, value: number, hint: boolean): boolean {
  if (start - value <= STEP_BACK) return isReset(start, value)
  return value <= FREE_DELTA && (hint || isReset(start, value) || value <= SMALL_START)
}

/** Decimal displays, and registers of 16, 31 and 32 bits in Wh or (16) kWh. */
const MODULI = [
  ...Array.from({ length: 9 }, (_, n) => 10 ** (n + 4) * WH),
  2 ** 16 * WH,
  2 ** 16 * KWH,
  2 ** 31 * WH,
  2 ** 32 * WH,
]

/** Undefined: no rollover. A bare zero is more often a meter that dropped out, so must be within 1 kWh of the end. */
export function rolloverDelta(old: number, value: number, limit: number): number | undefined {
  for (const modulus of MODULI) {
    if (old >= modulus || old < modulus * 0.99) continue
    const delta = modulus - old + value
    if (delta <= (value === 0 ? KWH : limit)) return delta
  }
  return undefined
}

/** A first sample is rather relative than a rollover unless the rollover is this close. */
export const FIRST_ROLLOVER = SMALL_START

/** In the session's unit: a jump by about 1000 beyond 100 kWh is kWh taken for Wh or the reverse (OpenEVSE#703). */
export function consistentUnit(level: number, value: number, limit: number, mixedBefore: boolean): number {
  const jump = Math.abs(value - level)
  if (jump <= FREE_DELTA) return value
  const scaled = value > level ? Math.round(value / 1000) : value * 1000
  if (scaled > LARGEST_MILLI) return value
  if (Math.abs(scaled - level) <= level / 10) return scaled
  const fits = scaled >= level - STEP_BACK && scaled - level <= limit
  return mixedBefore && jump > limit && fits ? scaled : value
}
