import type { Sample } from '../../sessions/model.ts'
import { stationTime } from '../station-time.ts'
import { integer, list, object, text } from '../translate/payload.ts'
import { DEFAULT_CONTEXT, DEFAULT_LOCATION, DEFAULT_MEASURAND, defaultUnit, sampleValue } from '../translate/samples.ts'

/** The sampled values of `meterValue` (OCPP 2.0.1 part 2, MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return list(meterValues).flatMap((entry) => {
    const { timestamp, sampledValue } = object(entry)
    const at = stationTime(timestamp, receivedAt)
    return list(sampledValue).flatMap((sampled) => sample(object(sampled), at))
  })
}

function sample(sampled: Readonly<Record<string, unknown>>, at: Sample['at']): readonly Sample[] {
  const value = sampleValue(sampled.value)
  if (value === undefined) return []
  const measurand = text(sampled.measurand) ?? DEFAULT_MEASURAND
  const unitOfMeasure = object(sampled.unitOfMeasure)
  const signed = object(sampled.signedMeterValue).signedMeterData
  return [
    {
      at,
      value,
      measurand,
      context: text(sampled.context) ?? DEFAULT_CONTEXT,
      location: text(sampled.location) ?? DEFAULT_LOCATION,
      unit: text(unitOfMeasure.unit) ?? defaultUnit(measurand),
      multiplier: integer(unitOfMeasure.multiplier) ?? 0,
      phase: text(sampled.phase),
      signed: typeof signed === 'string' ? signed : undefined,
    },
  ]
}
