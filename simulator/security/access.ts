import { rootCertificates } from 'node:tls'
import type { Access } from '../wire/connection.ts'
import type { Certificates } from './certificates.ts'
import type { NetworkProfile } from './network-access.ts'

/** Installed roots are trusted besides those of the machine: a station knows the authorities of public servers. */
export function accessOf({ url, securityProfile }: NetworkProfile, { trusted, own }: Certificates): Access {
  const isByCertificate = securityProfile === 3 && own !== undefined
  return {
    url,
    usesPassword: !isByCertificate,
    ...(trusted.length > 0 && { ca: [...rootCertificates, ...trusted] }),
    ...(isByCertificate && { cert: own.chain, key: own.key }),
  }
}
