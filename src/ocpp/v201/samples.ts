import type { Sample } from '../../domain/ports/sessions.ts'
import type { Payload } from '../payload.ts'
import { integer, object } from '../translate/payload.ts'
import { samplesOf } from '../translate/samples.ts'
import { signedData201 } from '../translate/signed/signed-data.ts'

const OWN = {
  unit: ({ unitOfMeasure }: Payload) => object(unitOfMeasure).unit,
  multiplier: ({ unitOfMeasure }: Payload) => integer(object(unitOfMeasure).multiplier) ?? 0,
  signed: signedData201,
}

/** `meterValue` (OCPP 2.0.1 part 2, MeterValueType), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, OWN)
}
