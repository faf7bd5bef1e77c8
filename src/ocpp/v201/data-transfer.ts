import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 2.0.1 P02. No vendor's extension is known here; the log keeps what was sent. */
export const dataTransfer = fromChargePoint('DataTransfer', {
  effect: 'stored; no vendor extension is known',
  needs: needsText('vendorId'),
  answer: () => ({ status: 'UnknownVendorId' }),
})
