/** Whether a certificate may sign others: by what it says of itself, whatever another part of it says (CERT-C11). */
import type { X509Certificate } from 'node:crypto'
import { x509Library } from './library.ts'

/** By CA:true or a right to sign, which OpenSSL demands together. @throws for one that the library cannot read */
export function isAuthority({ ca, raw }: X509Certificate): boolean {
  const x509 = x509Library()
  if (ca) return true
  const certificate = new x509.X509Certificate(new Uint8Array(raw))
  const usages = certificate.getExtension(x509.KeyUsagesExtension)?.usages ?? 0
  return (
    certificate.getExtension(x509.BasicConstraintsExtension)?.ca === true ||
    (usages & x509.KeyUsageFlags.keyCertSign) !== 0
  )
}

/** id-kp-clientAuth. */
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2'

/** One that says what it is for, and does not name logins. */
export function isForOthersThanClients({ keyUsage }: X509Certificate): boolean {
  // Node calls the extended key usage keyUsage.
  const uses = keyUsage as readonly string[] | undefined
  return uses !== undefined && !uses.includes(CLIENT_AUTH)
}
