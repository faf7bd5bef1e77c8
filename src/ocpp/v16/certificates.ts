/** Certificates on a 1.6 charge point: a new request, and the installed ones (CERT-C20, CERT-C23). */

import type { Input } from '../../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from '../payload.ts'
import { readHashes } from '../translate/certificate-hashes.ts'
import type { OcppVersion } from '../version.ts'

export const certificates: Pick<OcppVersion, 'certificateTrigger'> = {
  certificateTrigger: {
    method: 'ExtendedTriggerMessage',
    request: { requestedMessage: 'SignChargePointCertificate' },
  },
}

/** One type per request, which the answer does not repeat. */
export function readInstalled({ method, request }: OutgoingCall, response: Payload): Input | undefined {
  if (method !== 'GetInstalledCertificateIds' || typeof request.certificateType !== 'string') return undefined
  const type = request.certificateType
  const certificates = readHashes(response.certificateHashData).map((hash) => ({ type, hash }))
  return { kind: 'certificatesReported', types: [type], certificates }
}
