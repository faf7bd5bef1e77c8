import { receivedTransfer, TRANSFER_EFFECT, transferAnswer } from '../translate/data-transfer.ts'
import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 1.6 §4.3. Its data is text. */
export const dataTransfer = fromChargePoint('DataTransfer', {
  effect: TRANSFER_EFFECT,
  needs: needsText('vendorId'),
  input: (request, { receivedAt }) => receivedTransfer(request, receivedAt, 'ours'),
  answer: transferAnswer((data) => (typeof data === 'string' ? data : JSON.stringify(data))),
})
