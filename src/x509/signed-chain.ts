/** A chain that somebody made for a request: is it what the charge point may be sent (CERT-C9, CERT-C10)? */
import type { X509Certificate } from 'node:crypto'
import { isIssuer } from './path.ts'
import { fingerprintOf, joinPem, readCertificates, serialNumberOf, validFrom, validTo } from './pem.ts'
import { csrPublicKey } from './read-csr.ts'
import { oneLine } from './subject.ts'

/** The schemas' limit for CertificateSigned, where the charge point names none. */
export const LONGEST_CHAIN = 10_000
const MOST_IN_CHAIN = 10

export interface SignedChain {
  /** Leaf first, in PEM, no longer than the charge point takes. */
  readonly chain: string
  readonly leaf: {
    readonly fingerprint: string
    readonly serialNumber: string
    readonly subject: string
    readonly issuer: string
    readonly pem: string
    readonly notBefore: number
    readonly notAfter: number
  }
}

export type ChainReading =
  | { readonly ok: true; readonly signed: SignedChain }
  | { readonly ok: false; readonly reason: string }

/**
 * Puts a chain in order and checks it against the request's key. Where it is too long for the charge point the root is
 * left out first, because the charge point cannot trust one that comes with the rest.
 * @param csr PEM as `readCsr` gave it
 */
export function readSignedChain(
  text: string,
  csr: string,
  { now, longest = LONGEST_CHAIN }: { readonly now: number; readonly longest?: number | undefined },
): ChainReading {
  const given = readCertificates(text)
  if (!given) return refused('the chain is no PEM of certificates')
  if (given.length > MOST_IN_CHAIN) return refused(`the chain has more than ${MOST_IN_CHAIN} certificates`)
  try {
    return checked(given, csr, now, longest)
  } catch {
    return refused('the chain cannot be read')
  }
}

function checked(given: readonly X509Certificate[], csr: string, now: number, longest: number): ChainReading {
  const key = csrPublicKey(csr)
  const leaf = given.find((certificate) => !certificate.ca && certificate.publicKey.equals(key))
  if (!leaf) return refused('no certificate of the chain is for the key of the request')
  if (validTo(leaf) <= now) return refused('the certificate has expired already')
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
