/** Sampled values of both versions: where they stand, and the defaults of members left out (ENERGY-N1). */

import type { Sample } from '../../domain/ports/sessions.ts'
import type { Payload } from '../payload.ts'
import { stationTime } from '../station-time.ts'
import { list, object, text, withoutNul } from './payload.ts'

const DEFAULT_MEASURAND = 'Energy.Active.Import.Register'
export const DEFAULT_CONTEXT = 'Sample.Periodic'
const DEFAULT_LOCATION = 'Outlet'

/** The protocol names a default unit for energy only; for the rest it is the unit everybody means. */
const UNITS: readonly (readonly [prefix: string, unit: string])[] = [
  ['Energy.', 'Wh'],
  ['Power.Factor', ''],
  ['Power.Reactive', 'var'],
  ['Power.', 'W'],
  ['Current.', 'A'],
  ['Voltage', 'V'],
  ['SoC', 'Percent'],
  ['Temperature', 'Celsius'],
  ['Frequency', 'Hertz'],
  ['RPM', 'RPM'],
]

function defaultUnit(measurand: string): string {
  return UNITS.find(([prefix]) => measurand.startsWith(prefix))?.[1] ?? ''
}

/** What a version writes in a way of its own. */
interface OwnMembers {
  readonly unit: unknown
  /** Power of ten; 0 where the version has none. */
  readonly multiplier: number
  readonly signed: Sample['signed']
}

type ReadOwn = (sampled: Payload, context: string) => OwnMembers

/** The samples of a list of meter values, defaults filled in. One that is neither measured nor signed is left out. */
export function samplesOf(meterValues: unknown, receivedAt: number, own: ReadOwn): readonly Sample[] {
  return list(meterValues).flatMap((entry) => {
    const { timestamp, sampledValue } = object(entry)
    const at = stationTime(timestamp, receivedAt)
    return list(sampledValue).flatMap((sampled) => sampleOf(object(sampled), at, own) ?? [])
  })
}

function sampleOf(sampled: Payload, at: Sample['at'], own: ReadOwn): Sample | undefined {
  const context = text(sampled.context) ?? DEFAULT_CONTEXT
  const { unit, multiplier, signed } = own(sampled, context)
  const value = sampleValue(sampled.value) ?? signed?.data
  if (value === undefined) return undefined
  const measurand = text(sampled.measurand) ?? DEFAULT_MEASURAND
  return {
    at,
    value,
    measurand,
    context,
    location: text(sampled.location) ?? DEFAULT_LOCATION,
    unit: text(unit) ?? defaultUnit(measurand),
    multiplier,
    phase: text(sampled.phase),
    signed,
  }
}

/** A number as plain text; text as it is, because it may be signed (ENERGY-N5). Undefined: there is no value. */
function sampleValue(value: unknown): string | undefined {
  if (typeof value === 'string') return withoutNul(value)
  return typeof value === 'number' ? String(value) : undefined
}
