/** What a station last said of its power and of the battery (CONSOLE-C3); nothing is computed from it. */
import type { Sample } from '../ports/sessions.ts'
import { scaledInteger } from './decimal.ts'
import type { Reading } from './sample.ts'

export interface Newest {
  readonly power?: NewestPower | undefined
  /** Hundredths of a per cent, and when. */
  readonly charge?: readonly [at: number, hundredths: number] | undefined
}

/** Milliwatts in total, or of the phases that were named; -1 where nothing was said. */
type NewestPower = readonly [at: number, place: number, total: number, l1: number, l2: number, l3: number]

const SOC = 'soc'
const MAX_HUNDREDTHS = 10_000

/** The better place wins, as for energy (ENERGY-N2); values of one time and place belong together. */
export function withPower(newest: Newest | undefined, { at, place, phase, value }: Reading): Newest | undefined {
  const before = newest?.power
  if (before && (at < before[0] || (at === before[0] && place > before[1]))) return newest
  const same = before && at === before[0] && place === before[1]
  if (!same && phase === 0) return { power: [at, place, value, -1, -1, -1], charge: newest?.charge }
  const said = same ? [before[2], before[3], before[4], before[5]] : [-1, -1, -1, -1]
  if (same && said[phase] === value) return newest
  const [total = -1, l1 = -1, l2 = -1, l3 = -1] = said.map((known, index) => (index === phase ? value : known))
  return { power: [at, place, total, l1, l2, l3], charge: newest?.charge }
}

export function withCharge(newest: Newest | undefined, sample: Sample): Newest | undefined {
  if (sample.measurand.length !== SOC.length || sample.measurand.toLowerCase() !== SOC) return newest
  const at = sample.at.occurredAt
  if (newest?.charge && at < newest.charge[0]) return newest
  const hundredths = scaledInteger(sample.value, 2 + sample.multiplier, MAX_HUNDREDTHS)
  if (hundredths === undefined || hundredths < 0) return newest
  if (at === newest?.charge?.[0] && hundredths === newest.charge[1]) return newest
  return { power: newest?.power, charge: [at, hundredths] }
}

export function powerMilliW({ power }: Newest): number | undefined {
  if (!power) return undefined
  const [, , total, ...phases] = power
  return total >= 0 ? total : phases.reduce((sum, value) => sum + Math.max(0, value), 0)
}
