import type { Sample } from '../../sessions/model.ts'
import { stationTime } from '../station-time.ts'
import { list, object, text } from '../translate/payload.ts'
import { DEFAULT_CONTEXT, DEFAULT_LOCATION, DEFAULT_MEASURAND, defaultUnit, sampleValue } from '../translate/samples.ts'

/** The sampled values of `meterValue` or `transactionData` (OCPP 1.6 §7.33, §7.43), defaults filled in. */
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
  return [
    {
      at,
      value,
      measurand,
      context: text(sampled.context) ?? DEFAULT_CONTEXT,
      location: text(sampled.location) ?? DEFAULT_LOCATION,
      unit: text(sampled.unit) ?? defaultUnit(measurand),
      multiplier: 0,
      phase: text(sampled.phase),
      signed: sampled.format === 'SignedData' ? value : undefined,
    },
  ]
}
