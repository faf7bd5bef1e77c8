import { integer } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { samples } from './samples.ts'

/** OCPP 2.0.1 J01: values outside transactions (evseId 0 is the main meter), so they belong to no session. */
export const meterValues = fromChargePoint('MeterValues', {
  effect: 'samples outside transactions',
  billing: true,
  input: (request, { receivedAt }) => {
    const evseId = integer(request.evseId)
    return {
      kind: 'sampled',
      connectorId: 0,
      samples: samples(request.meterValue, receivedAt),
      ...(evseId !== undefined && { evseId }),
    }
  },
})
