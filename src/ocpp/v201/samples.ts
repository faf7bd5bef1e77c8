import type { Sample } from '../../ports/sessions.ts'
import { integer, object, text } from '../translate/payload.ts'
import {
  DEFAULT_CONTEXT,
  DEFAULT_LOCATION,
  DEFAULT_MEASURAND,
  defaultUnit,
  samplesOf,
  sampleValue,
} from '../translate/samples.ts'
import type { Payload } from '../version.ts'

/** The sampled values of `meterValue` (OCPP 2.0.1 part 2, MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, sample)
}

function sample(sampled: Payload, at: Sample['at']): Sample | undefined {
  const value = sampleValue(sampled.value)
  if (value === undefined) return undefined
  const measurand = text(sampled.measurand) ?? DEFAULT_MEASURAND
  const unitOfMeasure = object(sampled.unitOfMeasure)
  const signed = object(sampled.signedMeterValue).signedMeterData
  return {
    at,
    value,
    measurand,
    context: text(sampled.context) ?? DEFAULT_CONTEXT,
    location: text(sampled.location) ?? DEFAULT_LOCATION,
    unit: text(unitOfMeasure.unit) ?? defaultUnit(measurand),
    multiplier: integer(unitOfMeasure.multiplier) ?? 0,
    phase: text(sampled.phase),
    signed: typeof signed === 'string' ? signed : undefined,
  }
}
