import type { Payload } from '../payload.ts'
import { needsText } from '../translate/message.ts'
import { fromChargePoint } from './from-charge-point.ts'
import { idTokenInfo, requiredIdToken } from './id-token-info.ts'

/** OCPP 2.0.1 C01-C07. Without trusted roots, no token is accepted because of a certificate (OCPP-MS2). */
export const authorize = fromChargePoint('Authorize', {
  effect: 'looks the token up; contract certificates cannot be verified and are refused',
  needs: needsText('idToken.idToken'),
  repeatable: false,
  input: (request) => ({ kind: 'authorise', idToken: requiredIdToken(request.idToken) }),
  answer: (request, { authorisation }) =>
    hasCertificate(request)
      ? { idTokenInfo: { status: 'Invalid' }, certificateStatus: 'CertChainError' }
      : { idTokenInfo: idTokenInfo(authorisation) },
})

function hasCertificate(request: Payload): boolean {
  return [request.certificate, request.iso15118CertificateHashData].some(
    (value) => value !== undefined && value !== null,
  )
}
