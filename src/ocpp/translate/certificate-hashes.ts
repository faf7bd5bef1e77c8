/** CertificateHashData as both versions have it; kept as reported, to name the certificate again (CERT-C23). */
import type { CertificateHash } from '../../domain/certificates/records.ts'
import { list, object } from './payload.ts'

const LONGEST = 256

export function readHashes(value: unknown): readonly CertificateHash[] {
  return list(value).flatMap((entry) => {
    const { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } = object(entry)
    const all = [hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber]
    if (!all.every((part) => typeof part === 'string' && part.length <= LONGEST)) return []
    return [{ hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } as CertificateHash]
  })
}
