/** What both versions share about SignCertificate: the request read and judged, and the answer (CERT-C1, CERT-C3). */
import type { CertificateType, DesiredCertificate } from '../../domain/certificates/records.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import { readCsr } from '../../domain/x509/read-csr.ts'
import type { Payload } from '../payload.ts'
import { text } from './payload.ts'

const TYPES: readonly CertificateType[] = ['ChargingStationCertificate', 'V2GCertificate']

export const SIGNING_EFFECT = 'the request is checked and kept; the certificate follows as CertificateSigned'

/** Any defect becomes a fault, because only `Rejected` makes a station stop waiting. */
export function certificateRequested({ csr, certificateType }: Payload): Input {
  const type = TYPES.find((known) => known === certificateType)
  return { kind: 'certificateRequested', ...desired(csr), ...(type !== undefined && { type }) }
}

function desired(csr: unknown): DesiredCertificate {
  const reading = readCsr(text(csr) ?? '')
  if (!reading.ok) return { fault: reading.reason }
  const { pem, digest, kind, commonName } = reading.csr
  return { csr: pem, digest, keyKind: kind, commonName }
}

export function signingStatus({ signing }: Outcome): 'Accepted' | 'Rejected' {
  return signing?.isAccepted ? 'Accepted' : 'Rejected'
}
