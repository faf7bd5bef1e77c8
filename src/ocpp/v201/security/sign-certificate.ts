import { certificateRequested, SIGNING_EFFECT, signingStatus } from '../../translate/sign-certificate.ts'
import { fromChargePoint } from '../from-charge-point.ts'

/** A02, A03 (CERT-C1). */
export const signCertificate = fromChargePoint('SignCertificate', {
  effect: SIGNING_EFFECT,
  judgesItself: true,
  input: certificateRequested,
  answer(_request, outcome) {
    const { reason = 'no signer here' } = outcome.signing ?? {}
    const status = signingStatus(outcome)
    if (status === 'Accepted') return { status }
    return { status, statusInfo: { reasonCode: 'InvalidCSR', additionalInfo: reason.slice(0, 512) } }
  },
})
