import { needsText } from '../translate/message.ts'
import { transferredValues } from '../translate/signed/data-transfer.ts'
import { fromChargePoint } from './from-charge-point.ts'

/**
 * OCPP 2.0.1 P02. No vendor's extension is known here; the log keeps what was sent, and signed meter values are kept.
 */
export const dataTransfer = fromChargePoint('DataTransfer', {
  effect: 'stored; signed meter values in it are kept; no vendor extension is known',
  needs: needsText('vendorId'),
  input: (request, { receivedAt }) => transferredValues(request, receivedAt, 'stations'),
  answer: () => ({ status: 'UnknownVendorId' }),
})
