/** Own certificates, where there is no reverse proxy (OCPP-TL1, OCPP-TL2). Node never compresses TLS. */

import { readFileSync, watch } from 'node:fs'
import type { Server, ServerOptions } from 'node:https'
import { dirname } from 'node:path'
import { EXPECTED, pairFault } from '../config/certificate-pair.ts'
import type { Clock } from '../domain/ports/core.ts'

/** One pair, or one of each kind: an ECDSA certificate serves only ECDSA suites, an RSA one the rest (OCPP-TL2). */
export interface CertificateFiles {
  /** PEM, each with its whole chain. */
  readonly certFiles: readonly string[]
  /** In the same order. */
  readonly keyFiles: readonly string[]
}

/** OCPP-TL2: mandatory for 1.6 and 2.0.1 stations, after the suites of TLS 1.3. */
const CIPHERS = [
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'TLS_AES_128_GCM_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'AES128-GCM-SHA256',
  'AES256-GCM-SHA384',
]
/** Renewal tools write several files one after the other. */
const SETTLE_MS = 1000

/** @throws when a file is unreadable, or a key does not match its certificate */
export function tlsOptions({ certFiles, keyFiles }: CertificateFiles): ServerOptions {
  const cert = certFiles.map((file) => readFileSync(file, 'utf8'))
  const key = keyFiles.map((file) => readFileSync(file, 'utf8'))
  for (const [index, file] of certFiles.entries()) {
    const fault = pairFault(cert[index] ?? '', key[index] ?? '')
    if (fault !== undefined) throw new Error(`${fault === 'certificate' ? file : keyFiles[index]}: ${EXPECTED[fault]}`)
  }
  return {
    cert,
    key,
    minVersion: 'TLSv1.2',
    ciphers: CIPHERS.join(':'),
    honorCipherOrder: true,
    // CERT-C11: requested but not required here, because the record of each charge point decides.
    requestCert: true,
    rejectUnauthorized: false,
  }
}

/** OCPP-TL1: renewed certificates serve new connections; an unusable pair is reported. @returns ends the watch */
export function watchCertificates(
  server: Pick<Server, 'setSecureContext'>,
  files: CertificateFiles,
  clock: Clock,
  report: (error: Error | undefined) => void,
): () => void {
  let cancel: (() => void) | undefined
  const reload = (): void => {
    try {
      server.setSecureContext(tlsOptions(files))
      report(undefined)
    } catch (error) {
      report(error instanceof Error ? error : new Error(String(error)))
    }
  }
  // Folders, not files: renewal replaces a file or a link, and a watch on the old one would see nothing more.
  const folders = new Set([...files.certFiles, ...files.keyFiles].map(dirname))
  const watchers = [...folders].map((folder) =>
    watch(folder, { persistent: false }, () => {
      cancel?.()
      cancel = clock.after(SETTLE_MS, reload)
    }),
  )
  return () => {
    cancel?.()
    for (const watcher of watchers) watcher.close()
  }
}
