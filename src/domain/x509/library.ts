/** The library that reads and writes certificates and ASN.1, set to Node's WebCrypto (CERT-C6). */
import { webcrypto } from 'node:crypto'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)
let loaded: typeof import('@peculiar/x509') | undefined

/** Loaded with the first certificate: it takes 4 MB in each thread, and most servers see none. */
export function x509Library(): typeof import('@peculiar/x509') {
  if (loaded) return loaded
  require('reflect-metadata')
  const library: typeof import('@peculiar/x509') = require('@peculiar/x509')
  library.cryptoProvider.set(webcrypto as never)
  loaded = library
  return library
}

/** Far above what a request or a certificate of a charge point needs. */
export const PARSE_LIMITS = { berOptions: { maxDepth: 24, maxNodes: 1000, maxContentLength: 16_384 } }
