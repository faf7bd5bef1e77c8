/** The signed energy between begin and end, in one record or two and however many registers (SIGNED-V3, SIGNED-V4). */
import type { Ocmf } from './ocmf/read-ocmf.ts'
import { isBegin, isEnd, isEnergyFlagged, isGood, type OcmfReading, readingKwh } from './ocmf/reading.ts'
import { isExport, isImport, preferred, registerName } from './ocmf/register.ts'

/** Of an OBIS code with other numbers than these there is no use; a meter has a handful of registers. */
const REGISTERS_KEPT = 50

interface Register {
  begin?: number | undefined
  end?: number | undefined
  decimals: number
}

export class SignedEnergy {
  readonly #registers = new Map<string, Register>()
  #isFlagged = false

  add({ readings }: Ocmf): void {
    for (const reading of readings) {
      if (isEnergyFlagged(reading) && !isExport(reading.identification)) this.#isFlagged = true
      const kwh = importKwh(reading)
      if (kwh === undefined) continue
      const register = this.#register(registerName(reading.identification))
      if (!register) continue
      register.decimals = Math.max(
        register.decimals,
        reading.unit?.toLowerCase() === 'wh' ? 3 : (reading.decimals ?? 0),
      )
      if (isBegin(reading)) register.begin ??= kwh
      if (isEnd(reading)) register.end = kwh
    }
  }

  /** What the meter flags once cannot be billed from then on, whatever it signs afterwards. */
  get isFlagged(): boolean {
    return this.#isFlagged
  }

  /** The register that is shown of the session's values; undefined while none has both begin and end. */
  get register(): string | undefined {
    return preferred(this.#complete().map(({ name }) => name))
  }

  /** Whether no register says what the session says: stations report the mains' energy, or what the car got. */
  differsFrom(sessionKwh: number): boolean {
    const complete = this.#isFlagged ? [] : this.#complete()
    return complete.length > 0 && complete.every((register) => differs(register, sessionKwh))
  }

  /** Those with begin and end; ones whose name says nothing only where no other is. */
  #complete(): readonly Complete[] {
    const complete = [...this.#registers].flatMap(([name, { begin, end, decimals }]) =>
      begin === undefined || end === undefined ? [] : [{ name, kwh: end - begin, decimals }],
    )
    const named = complete.filter(({ name }) => isImport(name))
    return named.length > 0 ? named : complete
  }

  #register(name: string): Register | undefined {
    const known = this.#registers.get(name)
    if (known || this.#registers.size >= REGISTERS_KEPT) return known
    const register: Register = { decimals: 0 }
    this.#registers.set(name, register)
    return register
  }
}

interface Complete {
  readonly name: string
  readonly kwh: number
  readonly decimals: number
}

/** Beyond what the digits leave open: both readings were rounded, and stations report whole watt-hours. */
function differs({ kwh, decimals }: Complete, sessionKwh: number): boolean {
  return Math.abs(kwh - sessionKwh) > WATT_HOURS + (decimals > 2 ? WATT_HOURS : HUNDREDTH) + EPSILON
}

const WATT_HOURS = 0.001
const HUNDREDTH = 0.01
/** Sums of binary fractions. */
const EPSILON = 1e-9

/** What is flagged must not be billed. */
function importKwh(reading: OcmfReading): number | undefined {
  const isUsable = isGood(reading) && !isEnergyFlagged(reading) && !isExport(reading.identification)
  return isUsable ? readingKwh(reading) : undefined
}

/** As the value states it for its moment: begin, end or newest. @param register common to begin and end */
export function registerKwh(
  { readings }: Ocmf,
  moment: 'begin' | 'end' | 'other',
  register?: string,
): number | undefined {
  const isOwn = moment === 'begin' ? isBegin : isEnd
  const said = readings.some(isOwn) ? readings.filter(isOwn) : readings.filter((one) => !isBegin(one) && !isEnd(one))
  const metered = said.filter((reading) => importKwh(reading) !== undefined)
  const names = metered.map(({ identification }) => registerName(identification))
  const name = register !== undefined && names.includes(register) ? register : preferred(names)
  const at = moment === 'begin' ? names.indexOf(name ?? '') : names.lastIndexOf(name ?? '')
  const one = metered[at]
  return one && importKwh(one)
}
