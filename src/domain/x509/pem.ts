/** Certificates as text: several in one file or message, and one that we show. */
import { X509Certificate } from 'node:crypto'

const BLOCK = /-----BEGIN CERTIFICATE-----[A-Za-z0-9+/=\s]+-----END CERTIFICATE-----/g

/** In their order; undefined when there is none, or one cannot be read. */
export function readCertificates(text: string): readonly X509Certificate[] | undefined {
  const blocks = text.match(BLOCK)
  if (!blocks) return undefined
  try {
    return blocks.map((block) => new X509Certificate(block))
  } catch {
    return undefined
  }
}

/** A text with one of these contains a secret that must not be stored here. */
export function holdsPrivateKey(text: string): boolean {
  return /-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/.test(text)
}

export const PRIVATE_KEY_FAULT = 'holds a private key: send certificates alone, and make a new key'

export function joinPem(pems: readonly string[]): string {
  return pems.map((pem) => `${pem.trim()}\n`).join('')
}

/** The colons left out, in lower case: as we keep and show it. */
export function fingerprintOf({ fingerprint256 }: X509Certificate): string {
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

export const serialNumberOf = ({ serialNumber }: X509Certificate): string => serialNumber.toLowerCase()
export const validFrom = ({ validFrom }: X509Certificate): number => Date.parse(validFrom)
export const validTo = ({ validTo }: X509Certificate): number => Date.parse(validTo)
