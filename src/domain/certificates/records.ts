/** What charge points asked for, what was issued or revoked, authorities, what is installed (CERT-C1 to CERT-C24). */

import { type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'

/** As OCPP 2.0.1 names what a certificate is for; 1.6 knows the first one alone. */
export type CertificateType = 'ChargingStationCertificate' | 'V2GCertificate'
/** The kinds of keys that are signed: elliptic curves, or RSA. */
export type KeyKind = 'EC' | 'RSA'

/** Requests of SignCertificate, from their receipt until their certificate is sent or refused (CERT-C1). */
export const certificateRequests = record('certificate_requests', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: text(),
    accountId: text(),
    /** PEM, in one spelling. */
    csr: text(),
    keyKind: text<KeyKind>(),
    commonName: text(),
    type: optional(text<CertificateType>()),
    state: text<'pending' | 'signed' | 'rejected' | 'failed'>(),
    reason: optional(text()),
    /** PEM, leaf first. */
    chain: optional(text()),
    /** What is still to be done, also after a restart. */
    work: text<'sign' | 'send' | 'none'>(),
    createdAt: integer(),
    /** The station's number for it; only OCPP 2.1 has one (OCPP21-B9). */
    stationRequestId: optional(integer()),
    /** CERT-C27: no certificate came of it; absent again once one was made, or an operator knows. */
    failedAt: optional(integer()),
  },
  indexes: [['work'], ['id'], ['accountId', 'chargePointId', 'id'], ['accountId', 'failedAt']],
  loadedWith: 'chargePoint',
})

/** `replaced`: a newer one was used since. Rows of ended ones stay: they show whose certificate it was. */
export const stationCertificates = record('station_certificates', {
  key: ['chargePointId', 'fingerprint'],
  columns: {
    chargePointId: text(),
    /** SHA-256 of its DER, hexadecimal. */
    fingerprint: text(),
    serialNumber: text(),
    /** Of ours; absent: issued by another authority. */
    authority: optional(text()),
    subject: text(),
    issuer: text(),
    certificate: text(),
    notBefore: integer(),
    notAfter: integer(),
    state: text<'issued' | 'inUse' | 'replaced' | 'revoked'>(),
    createdAt: integer(),
    usedAt: optional(integer()),
  },
  indexes: [['fingerprint']],
  loadedWith: 'chargePoint',
})

/** Stays when its charge point is deleted: the revocation list is about certificates. */
export const revokedCertificates = record('revoked_certificates', {
  key: ['fingerprint'],
  columns: {
    fingerprint: text(),
    /** Empty: not one of ours, so on none of our lists. */
    authority: text(),
    serialNumber: text(),
    revokedAt: integer(),
    notAfter: integer(),
  },
  indexes: [['authority']],
})

/** Our own authorities, one for each kind of key. */
export const certificateAuthorities = record('certificate_authorities', {
  key: ['name'],
  columns: {
    name: text(),
    keyKind: text<KeyKind>(),
    certificate: text(),
    /** Sealed (CERT-C7). */
    privateKey: text(),
    createdAt: integer(),
  },
})

/** As OCPP names a certificate on a charge point. */
export interface CertificateHash {
  readonly hashAlgorithm: string
  readonly issuerNameHash: string
  readonly issuerKeyHash: string
  readonly serialNumber: string
}

/** What a charge point trusts, as it reported it, and what it was sent. */
export const installedCertificates = record('installed_certificates', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: text(),
    type: text(),
    hash: json<CertificateHash>(),
    reportedAt: integer(),
    /** Of the application that had it installed (OIDC-C14). */
    grantId: since(2, optional(text())),
  },
  upgrades: [(older) => older],
  loadedWith: 'chargePoint',
})

export type CertificateRequest = RecordOf<typeof certificateRequests>
export type StationCertificate = RecordOf<typeof stationCertificates>
export type CertificateAuthority = RecordOf<typeof certificateAuthorities>
export type InstalledCertificate = RecordOf<typeof installedCertificates>

/** What is kept of a certificate that was made or shown. */
export interface CertificateFacts {
  readonly fingerprint: string
  readonly serialNumber: string
  readonly subject: string
  readonly issuer: string
  readonly pem: string
  readonly notBefore: number
  readonly notAfter: number
}

/** A request as it was read from SignCertificate; `fault`: why it cannot be signed. */
export type DesiredCertificate = { readonly type?: CertificateType | undefined } & (
  | { readonly fault: string }
  | {
      readonly csr: string
      readonly digest: string
      readonly keyKind: KeyKind
      readonly commonName?: string | undefined
      readonly stationRequestId?: number | undefined
    }
)

/** Inputs of requests.ts and certificates.ts. */
export type CertificateInput = InputsOf<{
  certificateRequested: DesiredCertificate
  certificateMade: {
    id: string
    chain: string
    certificate: CertificateFacts
    authority?: string | undefined
  }
  certificateNotMade: {
    id: string
    state: 'rejected' | 'failed'
    reason: string
    /** An operator refused it, so there is no alert. */
    isOrdered?: boolean | undefined
  }
  /** The charge point answered CertificateSigned, and does not use what it was sent. */
  certificateNotTaken: { id: string; reason: string }
  certificateFailureNoticed: unknown
  /** The authority has it, and will answer later. */
  certificateAwaited: { id: string }
  certificateQueued: { id: string }
  certificateShown: { certificate: CertificateFacts }
  /** A login that was refused for it. `id`: of its entry in the timeline. */
  certificateRefused: { id: number; reason: string }
  certificateRevoked: { fingerprint: string }
  certificatesRevoked: unknown
  certificatesReported: {
    types?: readonly string[] | undefined
    certificates: readonly Pick<InstalledCertificate, 'type' | 'hash'>[]
  }
  /** An installation was accepted; of an application, with its grant. */
  certificateInstalled: { id: string; grantId?: string | undefined }
}>
