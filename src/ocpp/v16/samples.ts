import type { Sample } from '../../ports/sessions.ts'
import { text } from '../translate/payload.ts'
import {
  DEFAULT_CONTEXT,
  DEFAULT_LOCATION,
  DEFAULT_MEASURAND,
  defaultUnit,
  samplesOf,
  sampleValue,
} from '../translate/samples.ts'
import type { Payload } from '../version.ts'

/** The sampled values of `meterValue` or `transactionData` (OCPP 1.6 §7.33, §7.43), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, sample)
}

function sample(sampled: Payload, at: Sample['at']): Sample | undefined {
  const value = sampleValue(sampled.value)
  if (value === undefined) return undefined
  const measurand = text(sampled.measurand) ?? DEFAULT_MEASURAND
  return {
    at,
    value,
    measurand,
    context: text(sampled.context) ?? DEFAULT_CONTEXT,
    location: text(sampled.location) ?? DEFAULT_LOCATION,
    unit: text(sampled.unit) ?? defaultUnit(measurand),
    multiplier: 0,
    phase: text(sampled.phase),
    signed: sampled.format === 'SignedData' ? value : undefined,
  }
}
