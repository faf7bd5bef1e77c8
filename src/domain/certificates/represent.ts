import { isoTime } from '../iso-time.ts'
import type {
  CertificateAuthority,
  CertificateFacts,
  CertificateRequest,
  InstalledCertificate,
  StationCertificate,
} from './records.ts'

export function representRequest({
  id,
  chargePointId,
  csr,
  type,
  state,
  reason,
  createdAt,
}: CertificateRequest): object {
  return { id, evseControllerId: chargePointId, csr, type, state, reason, createdAt: isoTime(createdAt) }
}

export function representCertificate(certificate: StationCertificate): object {
  const { fingerprint, state, serialNumber, subject, issuer, notBefore, notAfter } = certificate
  return {
    id: fingerprint,
    certificateType: 'ChargingStationCertificate',
    state,
    serialNumber,
    subject,
    issuer,
    validFrom: isoTime(notBefore),
    validTo: isoTime(notAfter),
    certificate: certificate.certificate,
  }
}

export function representInstalled({ id, type, hash, reportedAt }: InstalledCertificate): object {
  return {
    id,
    certificateType: type,
    state: 'installed',
    serialNumber: hash.serialNumber,
    hashData: hash,
    reportedAt: isoTime(reportedAt),
  }
}

export type AuthorityFacts = Pick<CertificateFacts, 'subject' | 'fingerprint' | 'notBefore' | 'notAfter'>

export function representAuthority(
  { name, keyKind }: CertificateAuthority,
  { subject, fingerprint, notBefore, notAfter }: AuthorityFacts,
  baseUrl: string,
): object {
  return {
    name,
    keyType: keyKind,
    subject,
    validFrom: isoTime(notBefore),
    validTo: isoTime(notAfter),
    fingerprint,
    certificateUrl: `${baseUrl}/certificates/${name}.pem`,
    revocationListUrl: `${baseUrl}/certificates/${name}.crl`,
  }
}
