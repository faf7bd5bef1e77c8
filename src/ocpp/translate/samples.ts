/** Sampled values of both versions: where they are, and the defaults of absent members (ENERGY-N1). */

import type { Sample } from '../../domain/ports/sessions.ts'
import { stationTime } from '../station-time.ts'
import { list, object, type Payload, text, withoutNul } from './payload.ts'

const DEFAULT_MEASURAND = 'Energy.Active.Import.Register'
export const DEFAULT_CONTEXT = 'Sample.Periodic'
const DEFAULT_LOCATION = 'Outlet'

/** The protocol has a default unit for energy only; the others are conventional. */
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

/** What the versions write differently. */
interface OwnMembers {
  readonly unit: (sampled: Payload) => unknown
  /** Power of ten; 0 where the version has none. */
  readonly multiplier: (sampled: Payload) => number
  readonly signed: (sampled: Payload, context: string) => Sample['signed']
}

/** Defaults filled in; samples that are neither measured nor signed are dropped. */
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
    unit: text(own.unit(sampled)) ?? UNITS.find(([prefix]) => measurand.startsWith(prefix))?.[1] ?? '',
    multiplier: own.multiplier(sampled),
    phase: text(sampled.phase),
    signed,
  }
}

/** A number as plain text; text unchanged, because it may be signed (ENERGY-N5). Undefined: no value. */
function sampleValue(value: unknown): string | undefined {
  if (typeof value === 'string') return withoutNul(value)
  return typeof value === 'number' ? String(value) : undefined
}
