import { z } from '@hono/zod-openapi'
import { listOf, time, typedText } from '../schemas/common.ts'

const pem = (description: string) => z.string().min(1).max(100_000).openapi({ description })

export const CertificateRequestSchema = z
  .strictObject({
    id: z.string(),
    evseControllerId: z.string(),
    csr: z.string().openapi({ description: 'PKCS#10 in PEM; its signature and its key were checked.' }),
    type: z.enum(['ChargingStationCertificate', 'V2GCertificate']).optional(),
    state: z.enum(['pending', 'signed', 'rejected', 'failed']),
    reason: z.string().optional(),
    createdAt: time(),
  })
  .openapi('CertificateRequest')

export const CertificateRequestListSchema = listOf('CertificateRequestList', CertificateRequestSchema)

export const AnswerRequestSchema = z
  .union([
    z.strictObject({ chain: pem('PEM, for the key of the request; the issuers may follow.') }),
    z.strictObject({ rejected: typedText({ most: 500 }).openapi({ description: 'The reason.' }) }),
  ])
  .openapi('AnswerCertificateRequest')

const AuthoritySchema = z
  .strictObject({
    name: z.string(),
    keyType: z.enum(['EC', 'RSA']),
    subject: z.string(),
    validFrom: time(),
    validTo: time(),
    fingerprint: z.string().openapi({ description: 'SHA-256, hexadecimal.' }),
    certificateUrl: z.string(),
    revocationListUrl: z.string(),
  })
  .openapi('CertificateAuthority')

export const AuthorityListSchema = listOf('CertificateAuthorityList', AuthoritySchema)

const HashSchema = z
  .strictObject({
    hashAlgorithm: z.string(),
    issuerNameHash: z.string(),
    issuerKeyHash: z.string(),
    serialNumber: z.string(),
  })
  .openapi('CertificateHashData')

const CertificateSchema = z
  .strictObject({
    id: z.string(),
    certificateType: z.string(),
    state: z.enum(['issued', 'inUse', 'replaced', 'revoked', 'installed']),
    serialNumber: z.string(),
    subject: z.string().optional(),
    issuer: z.string().optional(),
    validFrom: time().optional(),
    validTo: time().optional(),
    certificate: z.string().optional().openapi({ description: 'PEM.' }),
    hashData: HashSchema.optional().openapi({ description: 'As the charge point reported it.' }),
    reportedAt: time().optional(),
  })
  .openapi('Certificate')

export const CertificateListSchema = listOf('CertificateList', CertificateSchema)

export const INSTALLABLE = [
  'CSMSRootCertificate',
  'CentralSystemRootCertificate',
  'ManufacturerRootCertificate',
  'V2GRootCertificate',
  'MORootCertificate',
] as const

export const InstallSchema = z
  .strictObject({
    certificateType: z.enum(INSTALLABLE).openapi({
      description:
        'CSMSRootCertificate and CentralSystemRootCertificate are the names of one type in the two versions.',
    }),
    certificate: pem('PEM.'),
  })
  .openapi('InstallCertificate')

export const InstalledSchema = z
  .strictObject({
    state: z.enum(['installed', 'pending']).openapi({ description: 'pending: it waits for the charge point.' }),
    certificateType: z.string(),
    commandId: z.string(),
  })
  .openapi('CertificateInstallation')
