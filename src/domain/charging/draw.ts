/** The current at an EVSE that a message reports, from any measurand. */
import { scaledInteger } from '../energy/decimal.ts'
import type { Sample } from '../ports/sessions.ts'
import type { Supply } from './profile.ts'
import type { Draw } from './records.ts'
import type { WattShare } from './watts.ts'

const PHASES = ['l1', 'l2', 'l3']

type ByPhase = readonly (number | undefined)[]

interface DrawSupply extends Supply {
  /** It holds a share in watts: so a power reported without phases is taken as the share was (GROUP-P3). */
  readonly watts?: WattShare | undefined
  /** The charge showed before that it is of direct current, also where this message has no voltage. */
  readonly isDirect?: true | undefined
}

/** @param before stands for what this message leaves out @returns undefined where it has no current or power */
export function drawOf(
  samples: readonly Sample[],
  supply: DrawSupply,
  before: Draw | undefined,
  now: number,
): Draw | undefined {
  const { voltage } = supply
  const read = readingsOf(samples)
  const power = read.watts ?? read.wattsOfPhases?.reduce<number>((sum, each = 0) => sum + each, 0)
  const isDirect = supply.isDirect || isDirectCurrent(read, voltage)
  const byPower = read.wattsOfPhases?.map((each) => (each === undefined ? undefined : each / voltage))
  const known = read.amps ?? (read.total === undefined ? byPower : undefined)
  const largest = known?.reduce<number>((most, each = 0) => Math.max(most, each), 0)
  const phases = isDirect ? supply.phases : phasesShown(read, known, supply)
  const spread = phases ?? supply.watts?.phases ?? supply.phases
  const reported = largest ?? (isDirect ? undefined : read.total)
  const amps = reported ?? (power === undefined ? undefined : power / voltage / spread)
  const ofOffered = supply.watts ? spread : supply.phases
  const offered =
    (isDirect ? undefined : read.offered) ?? (read.wattsOffered && read.wattsOffered / voltage / ofOffered)
  if (amps === undefined && offered === undefined) return undefined
  const kept = amps === undefined ? before : undefined
  return {
    at: kept?.at ?? now,
    amps: amps === undefined ? kept?.amps : rounded(amps),
    phaseAmps: known ?? kept?.phaseAmps,
    watts: power === undefined ? undefined : Math.round(power),
    phases,
    ...(isDirect && { isDirect }),
    offeredAmps: offered === undefined ? before?.offeredAmps : rounded(offered),
  }
}

interface Readings {
  amps?: ByPhase | undefined
  total?: number | undefined
  watts?: number | undefined
  wattsOfPhases?: ByPhase | undefined
  volts?: number | undefined
  offered?: number | undefined
  wattsOffered?: number | undefined
}

function readingsOf(samples: readonly Sample[]): Readings {
  const read: Readings = {}
  for (const sample of samples) {
    const measurand = sample.measurand.toLowerCase()
    const value = readingOf(sample, measurand.startsWith('power') ? MAX_WATTS : MAX_AMPS)
    if (value === undefined || (sample.location !== 'Outlet' && sample.location !== 'EV')) continue
    const phase = PHASES.indexOf(sample.phase?.toLowerCase().slice(0, 2) ?? '')
    switch (measurand) {
      case 'current.import':
        if (phase < 0) read.total = value
        else read.amps = withPhase(read.amps, phase, value)
        break
      case 'power.active.import':
        if (phase < 0) read.watts = value
        else read.wattsOfPhases = withPhase(read.wattsOfPhases, phase, value)
        break
      case 'voltage':
        if (phase < 0) read.volts = value
        break
      case 'current.offered':
        read.offered = value
        break
      case 'power.offered':
        read.wattsOffered ??= value
        break
    }
  }
  return read
}

/** GROUP-P4: amperes at the voltage of a battery are not those of the connection, which gives the same power. */
function isDirectCurrent({ total, watts, volts }: Readings, voltage: number): boolean {
  if (total === undefined || watts === undefined || volts === undefined || volts < voltage * ABOVE_MAINS) return false
  // A voltage between two phases comes to less than three of them carry.
  return total >= SHOWS_AMPS && Math.abs(watts - volts * total) <= watts * CLOSE
}

/** By current or power of each phase, by current beside power, or by more power than one phase carries. */
function phasesShown({ total, watts }: Readings, known: ByPhase | undefined, supply: DrawSupply): number | undefined {
  const { voltage } = supply
  if (known) {
    const largest = Math.max(...known.map((each = 0) => each))
    return largest < SHOWS_AMPS ? undefined : known.filter((each = 0) => each >= largest * EVEN).length
  }
  if (watts === undefined) return undefined
  if (total !== undefined) {
    const ratio = watts / (total * voltage)
    const phases = Math.round(ratio)
    return total >= SHOWS_AMPS && phases >= 1 && phases <= 3 && Math.abs(ratio / phases - 1) <= CLOSE
      ? phases
      : undefined
  }
  const least = supply.watts && Math.ceil(watts / (supply.watts.fullAmps * voltage * (1 + CLOSE)))
  return least !== undefined && least > 1 ? Math.min(least, 3) : undefined
}

/** Less is a car that begins or ends. */
const SHOWS_AMPS = 2
/** Watts are even on the phases that a share in watts is spread over: one that carries less is none of them. */
const EVEN = 0.8
/** Of a meter, a voltage and a power factor together. */
const CLOSE = 0.1
/** No phase of a mains has so much more than it should have. */
const ABOVE_MAINS = 1.3

/** No connector gives more: a meter that jumps must not take everything from the others of its group. */
const MAX_AMPS = 10_000
const MAX_WATTS = 10_000_000

/** An empty value, or one that is no plain number, is no reading of 0. */
function readingOf({ value, multiplier, unit }: Sample, most: number): number | undefined {
  const thousandths = scaledInteger(value, 3 + multiplier + (unit.toLowerCase() === 'kw' ? 3 : 0), most * 1000)
  return thousandths === undefined ? undefined : thousandths / 1000
}

function withPhase(known: ByPhase = [undefined, undefined, undefined], phase: number, value: number): ByPhase {
  return known.map((before, at) => (at === phase ? value : before))
}

function rounded(amps: number): number {
  return Math.round(amps * 10) / 10
}
