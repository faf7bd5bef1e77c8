import { certificateRequested, SIGNING_EFFECT, signingStatus } from '../translate/sign-certificate.ts'
import { fromChargePoint } from './from-charge-point.ts'

/** Security whitepaper A02/A03 (CERT-C1). */
export const signCertificate = fromChargePoint('SignCertificate', {
  effect: SIGNING_EFFECT,
  judgesItself: true,
  input: certificateRequested,
  answer: (_request, outcome) => ({ status: signingStatus(outcome) }),
})
