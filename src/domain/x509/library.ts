/** The library that reads and writes certificates and ASN.1, set to Node's WebCrypto (CERT-C6). */
import 'reflect-metadata'
import { webcrypto } from 'node:crypto'
import * as x509 from '@peculiar/x509'

x509.cryptoProvider.set(webcrypto as never)

export { x509 }

/** Far above what a request or a certificate of a charge point needs. */
export const PARSE_LIMITS = { berOptions: { maxDepth: 24, maxNodes: 1000, maxContentLength: 16_384 } }
