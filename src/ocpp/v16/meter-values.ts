import { integer, knownTransaction, transactionIdText } from '../translate/payload.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { samples } from './samples.ts'

/** OCPP 1.6 §4.7. Billing: answered `{}` whatever its content (OCPP-DR4, OCPP-VA1). */
export const meterValues = fromChargePoint('MeterValues', {
  effect: 'samples: energy, power, state of charge; sign of life of the session; signed values are kept',
  billing: true,
  input: (request, { receivedAt, raw }) => {
    return {
      kind: 'sampled',
      evseId: undefined,
      connectorId: integer(request.connectorId) ?? 0,
      transactionId: knownTransaction(transactionIdText(request.transactionId, raw)),
      samples: samples(request.meterValue, receivedAt),
    }
  },
})
