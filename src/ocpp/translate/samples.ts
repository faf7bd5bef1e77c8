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
  readonly unit: (sampled: Payload) => unknown
  /** Power of ten; 0 where the version has none. */
  readonly multiplier: (sampled: Payload) => number
  readonly signed: (sampled: Payload, context: string) => Sample['signed']
}

/** The samples of a list of meter values, defaults filled in. One that is neither measured nor signed is left out. */
export function samplesOf(meterValues: unknown, receivedAt: number, own: OwnMembers): readonly Sample[] {
  const samples: Sample[] = []
  for (const entry of list(meterValues)) {
    const { timestamp, sampledValue } = object(entry)
    const at = stationTime(timestamp, receivedAt)
    for (const sampled of list(sampledValue)) {
      const sample = sampleOf(object(sampled), at, own)
      if (sample) samples.push(sample)
    }
  }
  return samples
}

function sampleOf(sampled: Payload, at: Sample['at'], own: OwnMembers): Sample | undefined {
  const context = text(sampled.context) ?? DEFAULT_CONTEXT
  const signed = own.signed(sampled, context)
  const value = sampleValue(sampled.value) ?? signed?.data
  if (value === undefined) return undefined
  const measurand = text(sampled.measurand) ?? DEFAULT_MEASURAND
  return {
    at,
    value,
    measurand,
    context,
    location: text(sampled.location) ?? DEFAULT_LOCATION,
    unit: text(own.unit(sampled)) ?? defaultUnit(measurand),
    multiplier: own.multiplier(sampled),
    phase: text(sampled.phase),
    signed,
  }
}

/** A number as plain text; text as it is, because it may be signed (ENERGY-N5). Undefined: there is no value. */
function sampleValue(value: unknown): string | undefined {
  if (typeof value === 'string') return withoutNul(value)
  return typeof value === 'number' ? String(value) : undefined
}
