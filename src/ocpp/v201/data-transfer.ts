import { receivedTransfer, TRANSFER_EFFECT, transferAnswer } from '../translate/data-transfer.ts'
import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 2.0.1 P02. */
export const dataTransfer = fromChargePoint('DataTransfer', {
  effect: TRANSFER_EFFECT,
  needs: needsText('vendorId'),
  input: (request, { receivedAt }) => receivedTransfer(request, receivedAt, 'stations'),
  answer: transferAnswer((data) => data),
})
