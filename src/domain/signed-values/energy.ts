/**
 * The energy that the meter signed, from the begin and the end of a session's values, whether they came in one record
 * or in two (SIGNED-V3).
 */
import type { Ocmf } from './ocmf/read-ocmf.ts'
import { isBegin, isEnd, type OcmfReading, readingKwh } from './ocmf/reading.ts'

/** Of an OBIS code with other numbers than these there is no use; a meter has a handful of registers. */
const REGISTERS_KEPT = 50

interface Register {
  begin?: number | undefined
  end?: number | undefined
  decimals: number
}

export class SignedEnergy {
  readonly #registers = new Map<string, Register>()

  add({ readings }: Ocmf): void {
    for (const reading of readings) {
      const kwh = importKwh(reading)
      if (kwh === undefined) continue
      const register = this.#register(reading.identification ?? '')
      if (!register) continue
      register.decimals = Math.max(register.decimals, decimalsOf(reading))
      if (isBegin(reading)) register.begin ??= kwh
      if (isEnd(reading)) register.end = kwh
    }
  }

  /** Undefined while begin or end of every register is missing. */
  get kwh(): number | undefined {
    return this.#whole()?.kwh
  }

  /**
   * More than what the digits of both sides leave open: each of two readings was rounded, and stations tell their
   * registers in whole watt-hours.
   */
  differsFrom(sessionKwh: number): boolean {
    const whole = this.#whole()
    if (!whole) return false
    return Math.abs(whole.kwh - sessionKwh) > WATT_HOURS + (whole.decimals > 2 ? WATT_HOURS : HUNDREDTH) + EPSILON
  }

  #whole(): { readonly kwh: number; readonly decimals: number } | undefined {
    for (const { begin, end, decimals } of this.#registers.values()) {
      if (begin !== undefined && end !== undefined) return { kwh: end - begin, decimals }
    }
    return undefined
  }

  #register(identification: string): Register | undefined {
    const known = this.#registers.get(identification)
    if (known || this.#registers.size >= REGISTERS_KEPT) return known
    const register: Register = { decimals: 0 }
    this.#registers.set(identification, register)
    return register
  }
}

const WATT_HOURS = 0.001
const HUNDREDTH = 0.01
/** Sums of binary fractions. */
const EPSILON = 1e-9

/** Export has a register of its own (OBIS 2.8), and what is flagged must not be billed. */
function importKwh(reading: OcmfReading): number | undefined {
  if (reading.errorFlags?.includes('E')) return undefined
  if (/[:-]0?2\.0?8\./.test(reading.identification?.slice(0, 40) ?? '')) return undefined
  return readingKwh(reading)
}

function decimalsOf({ value = 0, unit }: OcmfReading): number {
  const decimals = String(value).split('.')[1]?.length ?? 0
  return unit?.toLowerCase() === 'wh' ? 3 : decimals
}

/** The register as the value states it for its own moment: the begin's, the end's, or the newest. */
export function registerKwh({ readings }: Ocmf, moment: 'begin' | 'end' | 'other'): number | undefined {
  const metered = readings.filter((reading) => importKwh(reading) !== undefined)
  const one =
    (moment === 'begin' ? metered.find(isBegin) : undefined) ??
    (moment === 'end' ? metered.findLast(isEnd) : undefined) ??
    metered.at(-1)
  return one && importKwh(one)
}
