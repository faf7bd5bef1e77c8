/** The current that a message tells of an EVSE, from whatever it measured. */
import { scaledInteger } from '../energy/decimal.ts'
import type { Sample } from '../ports/sessions.ts'
import type { Supply } from './profile.ts'
import type { Draw } from './records.ts'

const PHASES = ['l1', 'l2', 'l3']

/**
 * @param before what was known; what this message leaves out stays, for it may come in messages of its own
 * @returns undefined where it tells nothing of current or power
 */
export function drawOf(
  samples: readonly Sample[],
  { voltage, phases }: Supply,
  before: Draw | undefined,
  now: number,
): Draw | undefined {
  let current: readonly (number | undefined)[] | undefined
  let total: number | undefined
  let watts: number | undefined
  let wattsOfPhases: readonly (number | undefined)[] | undefined
  let offered: number | undefined
  for (const sample of samples) {
    const measurand = sample.measurand.toLowerCase()
    const value = readingOf(sample, measurand.startsWith('power') ? MOST_WATTS : MOST_AMPS)
    if (value === undefined || (sample.location !== 'Outlet' && sample.location !== 'EV')) continue
    const phase = PHASES.indexOf(sample.phase?.toLowerCase().slice(0, 2) ?? '')
    switch (measurand) {
      case 'current.import':
        if (phase < 0) total = value
        else current = withPhase(current, phase, value)
        break
      case 'power.active.import':
        if (phase < 0) watts = value
        else wattsOfPhases = withPhase(wattsOfPhases, phase, value)
        break
      case 'current.offered':
        offered = value
        break
      case 'power.offered':
        offered ??= value / voltage / phases
        break
    }
  }
  const power = watts ?? wattsOfPhases?.reduce<number>((sum, each = 0) => sum + each, 0)
  const byPower = wattsOfPhases?.map((each) => (each === undefined ? undefined : each / voltage))
  const known = current ?? (total === undefined ? byPower : undefined)
  const largest = known?.reduce<number>((most, each = 0) => Math.max(most, each), 0)
  const amps = largest ?? total ?? (power === undefined ? undefined : power / voltage / phases)
  if (amps === undefined && offered === undefined) return undefined
  const kept = amps === undefined ? before : undefined
  return {
    at: kept?.at ?? now,
    amps: amps === undefined ? kept?.amps : rounded(amps),
    phaseAmps: known ?? kept?.phaseAmps,
    watts: power === undefined ? undefined : Math.round(power),
    offeredAmps: offered === undefined ? before?.offeredAmps : rounded(offered),
  }
}

/** No connector gives more: a meter that jumps must not take everything from the others of its group. */
const MOST_AMPS = 10_000
const MOST_WATTS = 10_000_000

/** An empty value, or one that is no plain number, is no reading of 0. */
function readingOf({ value, multiplier, unit }: Sample, most: number): number | undefined {
  const thousandths = scaledInteger(value, 3 + multiplier + (unit.toLowerCase() === 'kw' ? 3 : 0), most * 1000)
  return thousandths === undefined ? undefined : thousandths / 1000
}

function withPhase(
  known: readonly (number | undefined)[] = [undefined, undefined, undefined],
  phase: number,
  value: number,
): readonly (number | undefined)[] {
  return known.map((before, at) => (at === phase ? value : before))
}

function rounded(amps: number): number {
  return Math.round(amps * 10) / 10
}
