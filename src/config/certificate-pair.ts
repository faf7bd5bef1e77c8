/** Whether a certificate and a key belong together. OpenSSL accepts an RSA key beside ECDSA; no handshake succeeds. */
import { createPrivateKey, X509Certificate } from 'node:crypto'

/** What is at fault, and what would be right. */
export type PairFault = 'certificate' | 'key' | 'pair'

/** What would be right, by what is at fault: the end of a sentence about the setting. */
export const EXPECTED: Readonly<Record<PairFault, string>> = {
  certificate: 'expected a certificate in PEM (-----BEGIN CERTIFICATE-----)',
  key: 'expected a private key in PEM (-----BEGIN PRIVATE KEY-----) without a passphrase',
  pair: 'expected the private key of the certificate at the same place of the list',
}

/** @param certificate PEM, perhaps with its chain behind it */
export function pairFault(certificate: string, key: string): PairFault | undefined {
  const leaf = readable(() => new X509Certificate(certificate))
  if (!leaf) return 'certificate'
  const own = readable(() => createPrivateKey(key))
  if (!own) return 'key'
  return leaf.checkPrivateKey(own) ? undefined : 'pair'
}

function readable<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
