/** What the API and the console do with certificate requests and authorities (CERT-C7, CERT-C22). */

import { X509Certificate } from 'node:crypto'
import { z } from '@hono/zod-openapi'
import { CHAIN_SIZE_KEYS, longestChain } from '../../domain/certificates/certificates.ts'
import type { CertificateAuthority, CertificateRequest } from '../../domain/certificates/records.ts'
import type { AuthorityFacts } from '../../domain/certificates/represent.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { refusalIn, refuseFault } from '../../domain/refuse.ts'
import { oneLine } from '../../domain/x509/issue.ts'
import { fingerprintOf, validFrom, validTo } from '../../domain/x509/pem.ts'
import { readSignedChain } from '../../domain/x509/signed-chain.ts'
import { listOf, time, typedText } from '../schemas/common.ts'

export type RequestAnswer = { readonly chain: string } | { readonly rejected: string }

/** Refuses with 400 a chain that does not fit the request, with 409 where it is not pending any more. */
export async function answerRequest(
  {
    reads,
    core,
    now,
  }: {
    readonly reads: Pick<Reads, 'listRecords'>
    readonly core: Pick<Core, 'decideBlock'>
    readonly now: () => number
  },
  { accountId, chargePointId, id, csr, type }: CertificateRequest,
  answer: RequestAnswer,
): Promise<Refusal | undefined> {
  if ('rejected' in answer) {
    const refusal = { state: 'rejected', reason: answer.rejected, isOrdered: true } as const
    const input = { kind: 'certificateNotMade', id, ...refusal } as const
    return refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
  }
  const where = { chargePointId, key: { in: CHAIN_SIZE_KEYS } }
  const sizes = await reads.listRecords('variables', { where, limit: CHAIN_SIZE_KEYS.length })
  const reading = readSignedChain(answer.chain, csr, { now: now(), type, longest: longestChain(sizes) })
  if (!reading.ok) return refuseFault('/chain', 'invalid_chain', reading.reason)
  const { chain, leaf } = reading.signed
  const input = { kind: 'certificateMade', id, chain, certificate: leaf } as const
  return refusalIn(await core.decideBlock({ accountId, chargePointId, input }))
}

export function authorityFacts(authority: Pick<CertificateAuthority, 'certificate'>): AuthorityFacts {
  const certificate = new X509Certificate(authority.certificate)
  return {
    subject: oneLine(certificate.subject),
    fingerprint: fingerprintOf(certificate),
    notBefore: validFrom(certificate),
    notAfter: validTo(certificate),
  }
}

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
