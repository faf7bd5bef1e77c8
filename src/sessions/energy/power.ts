/** Energy estimated from power where a charge point reports nothing better (ocpp.md N3): straight lines between samples. */
import { LARGEST_MILLI, type Reading } from './sample.ts'
import { amountOf, byMoment, type Entry, entryOf, insert, WINDOW_LENGTH } from './window.ts'

export interface PowerSamples {
  /** Milliwatts; rank is the place. */
  readonly entries: readonly Entry[]
  /** The last sample that left the window, and the milli-Wh until then. */
  readonly folded?: { readonly last: Entry; readonly energy: number }
}

const MS_PER_HOUR = 3_600_000
/** Nobody knows what happened in a longer silence; beyond this it is not filled with energy. */
const LONGEST_GAP_MS = MS_PER_HOUR

export function addPower(power: PowerSamples, reading: Reading, maxPowerW: number | undefined): PowerSamples {
  const { folded } = power
  if (folded && reading.at <= folded.last[0]) return power
  const entries = insert(power.entries, entryOf(reading, reading.place), byMoment)
  if (entries === power.entries) return power
  const [oldest] = entries
  if (entries.length <= WINDOW_LENGTH || !oldest) return { ...power, entries }
  const energy = folded ? folded.energy + between(folded.last, oldest, maxPowerW) : 0
  return { entries: entries.slice(1), folded: { last: oldest, energy } }
}

/** Integer milli-Wh. */
export function powerEnergy(power: PowerSamples, maxPowerW: number | undefined): number {
  let last = power.folded?.last
  let energy = power.folded?.energy ?? 0
  for (const entry of power.entries) {
    if (last) energy += between(last, entry, maxPowerW)
    last = entry
  }
  return Math.min(Math.round(energy), LARGEST_MILLI)
}

function between(from: Entry, to: Entry, maxPowerW = 1_000_000): number {
  const limit = maxPowerW * 1000
  const mean = (Math.min(amountOf(from), limit) + Math.min(amountOf(to), limit)) / 2
  return (mean * Math.min(to[0] - from[0], LONGEST_GAP_MS)) / MS_PER_HOUR
}
