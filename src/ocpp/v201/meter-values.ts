import { integer } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { samples } from './samples.ts'

/** OCPP 2.0.1 J01: values without a transaction (evseId 0: main meter); some stations send no others (ENERGY-N3). */
export const meterValues = fromChargePoint('MeterValues', {
  effect:
    'samples outside transactions; of the one that runs on the EVSE where its events carry none; signed values are kept',
  billing: true,
  input: (request, { receivedAt }) => {
    const evseId = integer(request.evseId)
    return {
      kind: 'sampled',
      connectorId: 0,
      samples: samples(request.meterValue, receivedAt),
      evseId,
    }
  },
})
