import type { Sample } from '../../domain/ports/sessions.ts'
import { integer, object } from '../translate/payload.ts'
import { samplesOf } from '../translate/samples.ts'
import { signedData201 } from '../translate/signed/signed-data.ts'

/** The sampled values of `meterValue` (OCPP 2.0.1 part 2, MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, (sampled, context) => {
    const { unit, multiplier } = object(sampled.unitOfMeasure)
    return { unit, multiplier: integer(multiplier) ?? 0, signed: signedData201(sampled, context) }
  })
}
