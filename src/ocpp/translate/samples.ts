/**
 * What both versions share about sampled values: where they stand, and the defaults of members a station left out
 * (ENERGY-N1).
 */

import type { Sample } from '../../ports/sessions.ts'
import { stationTime } from '../station-time.ts'
import type { Payload } from '../version.ts'
import { list, object, withoutNul } from './payload.ts'

export const DEFAULT_MEASURAND = 'Energy.Active.Import.Register'
export const DEFAULT_CONTEXT = 'Sample.Periodic'
export const DEFAULT_LOCATION = 'Outlet'

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

export function defaultUnit(measurand: string): string {
  return UNITS.find(([prefix]) => measurand.startsWith(prefix))?.[1] ?? ''
}

/** The samples of a list of meter values, each read by `sample`; it says undefined to one without a value. */
export function samplesOf(
  meterValues: unknown,
  receivedAt: number,
  sample: (sampled: Payload, at: Sample['at']) => Sample | undefined,
): readonly Sample[] {
  return list(meterValues).flatMap((entry) => {
    const { timestamp, sampledValue } = object(entry)
    const at = stationTime(timestamp, receivedAt)
    return list(sampledValue).flatMap((sampled) => sample(object(sampled), at) ?? [])
  })
}

/** A number as plain text; text as it is, because it may be signed (ENERGY-N5). Undefined: there is no value. */
export function sampleValue(value: unknown): string | undefined {
  if (typeof value === 'string') return withoutNul(value)
  return typeof value === 'number' ? String(value) : undefined
}
