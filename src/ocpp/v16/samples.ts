import type { Sample } from '../../ports/sessions.ts'
import { samplesOf } from '../translate/samples.ts'

/** The sampled values of `meterValue` or `transactionData` (OCPP 1.6 §7.33, §7.43), defaults filled in. */
export function samples(meterValues: unknown, receivedAt: number): readonly Sample[] {
  return samplesOf(meterValues, receivedAt, ({ unit, format }, value) => ({
    unit,
    multiplier: 0,
    signed: format === 'SignedData' ? value : undefined,
  }))
}
