import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'

/**
 * Security whitepaper A02/A03. Rejected: there is no certificate authority here, and a station must not wait for one.
 */
export const signCertificate = fromChargePoint('SignCertificate', {
  effect: 'refused: there is no certificate authority',
  needs: needsText('csr'),
  answer: () => ({ status: 'Rejected' }),
})
