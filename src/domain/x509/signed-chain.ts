/** Whether a signed chain may be sent to the charge point that requested it (CERT-C9, CERT-C10). */

import type { X509Certificate } from 'node:crypto'
import type { CertificateFacts } from '../certificates/records.ts'
import { csrPublicKey } from './authority.ts'
import { isAuthority, isForOthersThanClients, isIssuer } from './client-certificate.ts'
import { oneLine } from './issue.ts'
import {
  fingerprintOf,
  holdsPrivateKey,
  joinPem,
  PRIVATE_KEY_FAULT,
  readCertificates,
  serialNumberOf,
  validFrom,
  validTo,
} from './pem.ts'

/** The schemas' limit for CertificateSigned, where the charge point names none. */
export const MAX_CHAIN_LENGTH = 10_000
const MAX_IN_CHAIN = 10
/** The signer has a clock of its own. */
const FAST_CLOCK_MS = 3600_000

interface ChainUse {
  readonly now: number
  /** As the request names it; absent: with it the charge point logs in. */
  readonly type?: 'ChargingStationCertificate' | 'V2GCertificate' | undefined
  /** Characters that the charge point takes. */
  readonly longest?: number | undefined
}

interface SignedChain {
  /** Leaf first, in PEM, no longer than the charge point takes. */
  readonly chain: string
  readonly leaf: CertificateFacts
}

type ChainReading =
  | { readonly ok: true; readonly signed: SignedChain }
  | { readonly ok: false; readonly reason: string }

/** In order, checked against the request's key; the root is left out first if too long. @param csr PEM by `readCsr` */
export function readSignedChain(text: string, csr: string, use: ChainUse): ChainReading {
  if (holdsPrivateKey(text)) return refused(`the chain ${PRIVATE_KEY_FAULT}`)
  const given = readCertificates(text)
  if (!given) return refused('the chain is no PEM of certificates')
  if (given.length > MAX_IN_CHAIN) return refused(`the chain has more than ${MAX_IN_CHAIN} certificates`)
  try {
    return checked(given, csr, use)
  } catch {
    return refused('the chain cannot be read')
  }
}

function checked(
  given: readonly X509Certificate[],
  csr: string,
  { now, type, longest = MAX_CHAIN_LENGTH }: ChainUse,
): ChainReading {
  const key = csrPublicKey(csr)
  const certified = given.filter((certificate) => certificate.publicKey.equals(key))
  const [leaf] = certified
  if (!leaf) return refused('no certificate of the chain is for the key of the request')
  if (certified.length > 1) return refused('several certificates of the chain are for the key of the request')
  if (isAuthority(leaf)) return refused('the certificate is one of an authority (CA:true)')
  if (validTo(leaf) <= now) return refused('the certificate has expired already')
  if (validFrom(leaf) > now + FAST_CLOCK_MS) return refused('the certificate is not valid yet')
  if (type !== 'V2GCertificate' && isForOthersThanClients(leaf))
    return refused('the certificate is not one for clients')
  const over = given.find((certificate) => validTo(certificate) <= now)
  if (over) return refused(`a certificate of the chain has expired: ${oneLine(over.subject)}`)
  const ordered = [leaf]
  let last = leaf
  for (;;) {
    const issuer = given.find((candidate) => !ordered.includes(candidate) && isIssuer(candidate, last, now))
    if (!issuer) break
    ordered.push(issuer)
    last = issuer
  }
  if (ordered.length < given.length) return refused('a certificate of the chain is not the issuer of another one')
  const pems = ordered.map((certificate) => certificate.toString())
  while (pems.length > 1 && joinPem(pems).length > longest) pems.pop()
  const chain = joinPem(pems)
  if (chain.length > longest) return refused(`the certificate is longer than the ${longest} characters that are taken`)
  return {
    ok: true,
    signed: {
      chain,
      leaf: {
        fingerprint: fingerprintOf(leaf),
        serialNumber: serialNumberOf(leaf),
        subject: oneLine(leaf.subject),
        issuer: oneLine(leaf.issuer),
        pem: leaf.toString(),
        notBefore: validFrom(leaf),
        notAfter: validTo(leaf),
      },
    },
  }
}

function refused(reason: string): ChainReading {
  return { ok: false, reason }
}
