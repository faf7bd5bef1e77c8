/** Certificates on a 2.0.1 station: a new request, and the installed ones (CERT-C20, CERT-C23). */

import type { Input } from '../../../domain/sessions/decision.ts'
import type { OutgoingCall, Payload } from '../../payload.ts'
import { readHashes } from '../../translate/certificate-hashes.ts'
import { list, object, text } from '../../translate/payload.ts'
import type { OcppVersion } from '../../version.ts'

export const certificates: Pick<OcppVersion, 'certificateTrigger'> = {
  certificateTrigger: {
    method: 'TriggerMessage',
    request: { requestedMessage: 'SignChargingStationCertificate' },
  },
}

export function readInstalled({ method, request }: OutgoingCall, response: Payload): Input | undefined {
  if (method !== 'GetInstalledCertificateIds') return undefined
  const certificates = list(response.certificateHashDataChain).flatMap((entry) => {
    const { certificateType, certificateHashData } = object(entry)
    const type = text(certificateType)
    return type === undefined ? [] : readHashes(certificateHashData).map((hash) => ({ type, hash }))
  })
  const types = Array.isArray(request.certificateType) ? request.certificateType.map(String) : undefined
  return { kind: 'certificatesReported', types, certificates }
}
