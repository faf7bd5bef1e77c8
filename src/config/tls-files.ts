import { EXPECTED, pairFault } from './certificate-pair.ts'
import type { Settings } from './config.ts'
import type { Fault } from './setting.ts'

const CERT = { name: 'PILOTWIRE_TLS_CERT_FILE', example: '/etc/pilotwire/tls.crt' }
const KEY = { name: 'PILOTWIRE_TLS_KEY_FILE', example: '/etc/pilotwire/tls.key' }

/** Faults of TLS files: missing, unreadable, no pair (OCPP-TL1, OCPP-TL2). @param readText as in `readSettings` */
export function tlsFaults(
  { tlsCertFiles = [], tlsKeyFiles = [] }: Pick<Settings, 'tlsCertFiles' | 'tlsKeyFiles'>,
  readText: (path: string) => string,
): readonly Fault[] {
  const more = tlsCertFiles.length - tlsKeyFiles.length
  if (more !== 0) {
    const problem = 'expected together with its other half: TLS needs each certificate and its key'
    return [{ ...(more > 0 ? KEY : CERT), problem }]
  }
  return tlsCertFiles.flatMap((certPath, index) => fileFaults(certPath, tlsKeyFiles[index] ?? '', readText))
}

function fileFaults(certPath: string, keyPath: string, readText: (path: string) => string): readonly Fault[] {
  const cert = contents(CERT, certPath, readText)
  const key = contents(KEY, keyPath, readText)
  if (typeof cert !== 'string' || typeof key !== 'string') {
    return [cert, key].filter((each) => typeof each !== 'string')
  }
  const fault = pairFault(cert, key)
  if (fault === undefined) return []
  const [setting, path] = fault === 'certificate' ? [CERT, certPath] : [KEY, keyPath]
  return [{ ...setting, value: JSON.stringify(path), problem: EXPECTED[fault] }]
}

function contents(setting: typeof CERT, path: string, readText: (path: string) => string): string | Fault {
  try {
    return readText(path)
  } catch (error) {
    const problem = `expected a readable file, but ${error instanceof Error ? error.message : String(error)}`
    return { ...setting, value: JSON.stringify(path), problem }
  }
}
