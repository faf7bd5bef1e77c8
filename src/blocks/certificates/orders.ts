/** What the API and the console do with certificate requests and authorities (CERT-C7, CERT-C22). */
import { X509Certificate } from 'node:crypto'
import { invalidRequest } from '../../http/problem.ts'
import { orRefused } from '../../http/respond.ts'
import type { Core } from '../../ports/core.ts'
import type { Reads } from '../../ports/storage.ts'
import { fingerprintOf, validFrom, validTo } from '../../x509/pem.ts'
import { readSignedChain } from '../../x509/signed-chain.ts'
import { oneLine } from '../../x509/subject.ts'
import { CHAIN_SIZE_KEYS, longestChain } from './longest-chain.ts'
import type { CertificateAuthority, CertificateRequest } from './records.ts'
import type { AuthorityFacts } from './represent.ts'

export type RequestAnswer = { readonly chain: string } | { readonly rejected: string }

/** @throws Problem 400 for a chain that does not fit the request, 409 where it is not pending any more */
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
  { accountId, chargePointId, id, csr }: CertificateRequest,
  answer: RequestAnswer,
): Promise<void> {
  if ('rejected' in answer) {
    const refusal = { kind: 'certificateNotMade', id, state: 'rejected', reason: answer.rejected } as const
    orRefused((await core.decideBlock({ accountId, chargePointId, input: refusal })) as object)
    return
  }
  const where = { chargePointId, key: { in: CHAIN_SIZE_KEYS } }
  const sizes = await reads.listRecords('variables', { where, limit: CHAIN_SIZE_KEYS.length })
  const reading = readSignedChain(answer.chain, csr, { now: now(), longest: longestChain(sizes) })
  if (!reading.ok) throw invalidRequest([{ pointer: '/chain', code: 'invalid_chain', message: reading.reason }])
  const { chain, leaf } = reading.signed
  const input = { kind: 'certificateMade', id, chain, certificate: leaf } as const
  orRefused((await core.decideBlock({ accountId, chargePointId, input })) as object)
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
