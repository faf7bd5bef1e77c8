import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** OCPP 1.6 §4.3. No vendor's extension is known here; the log keeps what was sent. */
export const dataTransfer = fromChargePoint('DataTransfer', {
  effect: 'stored; no vendor extension is known',
  needs: needsText('vendorId'),
  answer: () => ({ status: 'UnknownVendorId' }),
})
