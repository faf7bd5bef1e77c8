import type { Sample } from '../../ports/sessions.ts'
import { integer, object } from '../translate/payload.ts'
import { samplesOf } from '../translate/samples.ts'

/** The sampled values of `meterValue` (OCPP 2.0.1 part 2, MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, ({ unitOfMeasure, signedMeterValue }) => {
    const { unit, multiplier } = object(unitOfMeasure)
    const { signedMeterData } = object(signedMeterValue)
    return {
      unit,
      multiplier: integer(multiplier) ?? 0,
      signed: typeof signedMeterData === 'string' ? signedMeterData : undefined,
    }
  })
}
