/** Certificates and keys in files that settings name: faults that stop the start. */
import { EXPECTED, pairFault } from './certificate-pair.ts'
import type { Settings } from './config.ts'
import type { Fault } from './setting.ts'

/** Reads a text file; throws when it cannot be read. */
export type ReadText = (path: string) => string

type PemSetting = Pick<Fault, 'name' | 'example'>

const TLS_CERT: PemSetting = { name: 'PILOTWIRE_TLS_CERT_FILE', example: '/etc/pilotwire/tls.crt' }
const TLS_KEY: PemSetting = { name: 'PILOTWIRE_TLS_KEY_FILE', example: '/etc/pilotwire/tls.key' }
const AFIR_CERT: PemSetting = { name: 'PILOTWIRE_AFIR_PUSH_CERT_FILE', example: '/etc/pilotwire/access-point.crt' }
const AFIR_KEY: PemSetting = { name: 'PILOTWIRE_AFIR_PUSH_KEY_FILE', example: '/etc/pilotwire/access-point.key' }
const AFIR_URL: PemSetting = { name: 'PILOTWIRE_AFIR_PUSH_URL', example: 'https://access-point.example.com/' }

/** Faults of TLS files: missing, unreadable, no pair (OCPP-TL1, OCPP-TL2). @param readText as in `readSettings` */
export function tlsFaults(
  { tlsCertFiles = [], tlsKeyFiles = [] }: Pick<Settings, 'tlsCertFiles' | 'tlsKeyFiles'>,
  readText: ReadText,
): readonly Fault[] {
  return pairFaults([TLS_CERT, tlsCertFiles], [TLS_KEY, tlsKeyFiles], readText)
}

/** AFIR-A2: with what we are known to the access point. */
export function afirPushFaults(settings: Settings, readText: ReadText): readonly Fault[] {
  const { afirPushUrl: url, afirPushToken: token, afirPushCertFile: cert, afirPushKeyFile: key } = settings
  if (url === undefined && (token ?? cert ?? key) !== undefined) {
    return [{ ...AFIR_URL, problem: 'expected, because what is sent to it is set' }]
  }
  const listed = (path: string | undefined) => (path === undefined ? [] : [path])
  return pairFaults([AFIR_CERT, listed(cert)], [AFIR_KEY, listed(key)], readText)
}

type Files = readonly [setting: PemSetting, paths: readonly string[]]

function pairFaults([cert, certPaths]: Files, [key, keyPaths]: Files, readText: ReadText): readonly Fault[] {
  const more = certPaths.length - keyPaths.length
  if (more !== 0) {
    const problem = 'expected together with its other half: TLS needs each certificate and its key'
    return [{ ...(more > 0 ? key : cert), problem }]
  }
  return certPaths.flatMap((path, index) => {
    const keyPath = keyPaths[index] ?? ''
    const [certText, keyText] = [contents(cert, path, readText), contents(key, keyPath, readText)]
    if (typeof certText !== 'string' || typeof keyText !== 'string') {
      return [certText, keyText].filter((each) => typeof each !== 'string')
    }
    const fault = pairFault(certText, keyText)
    if (fault === undefined) return []
    const [setting, value] = fault === 'certificate' ? [cert, path] : [key, keyPath]
    return [{ ...setting, value: JSON.stringify(value), problem: EXPECTED[fault] }]
  })
}

function contents(setting: PemSetting, path: string, readText: ReadText): string | Fault {
  try {
    return readText(path)
  } catch (error) {
    const problem = `expected a readable file, but ${error instanceof Error ? error.message : String(error)}`
    return { ...setting, value: JSON.stringify(path), problem }
  }
}
