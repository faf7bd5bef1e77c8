import type { Sample } from '../../domain/ports/sessions.ts'
import type { Payload } from '../payload.ts'
import { samplesOf } from '../translate/samples.ts'
import { signedData16 } from '../translate/signed/signed-data.ts'

const OWN = { unit: ({ unit }: Payload) => unit, multiplier: () => 0, signed: signedData16 }

/** `meterValue` or `transactionData` (OCPP 1.6 §7.33, §7.43), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, OWN)
}
