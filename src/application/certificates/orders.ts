/** What the API and the console do with certificate requests and authorities (CERT-C7, CERT-C22). */
import { X509Certificate } from 'node:crypto'
import { CHAIN_SIZE_KEYS, longestChain } from '../../domain/certificates/certificates.ts'
import type { CertificateAuthority, CertificateRequest } from '../../domain/certificates/records.ts'
import type { AuthorityFacts } from '../../domain/certificates/represent.ts'
import type { Core } from '../../domain/ports/core.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { refusalIn, refuseFault } from '../../domain/refuse.ts'
import { fingerprintOf, validFrom, validTo } from '../../domain/x509/pem.ts'
import { readSignedChain } from '../../domain/x509/signed-chain.ts'
import { oneLine } from '../../domain/x509/subject.ts'

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
    const input = {
      kind: 'certificateNotMade',
      id,
      state: 'rejected',
      reason: answer.rejected,
      isOrdered: true,
    } as const
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
