/** Environment -> Settings, with every fault in one pass. Reads only files that the environment names. */

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readCertificates } from '../domain/x509/pem.ts'
import { EXPECTED, pairFault } from './certificate-pair.ts'
import type { Config, Settings } from './config.ts'
import { databasePath, isPostgres } from './database-path.ts'
import { readOrCreateSecretKey } from './secret-key.ts'
import { ConfigurationError, type Fault } from './setting.ts'
import { isLoopbackHost, isLoopbackUrl } from './setting-kinds.ts'
import { type AnySetting, clientVariables, settingRows, settingsTable } from './settings.ts'
import { suggestion } from './suggest.ts'

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Reads a text file; throws when it cannot be read. */
export type ReadText = (path: string) => string

/** Where a value comes from; `file`: from the file that NAME_FILE names. */
export type Origin = 'default' | 'environment' | 'file'

/** What came of reading the environment: settings, or faults. */
export interface Reading {
  readonly settings?: Settings | undefined
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
  readonly origins: Partial<Readonly<Record<keyof Settings, Origin>>>
}

/** Never throws: faults are returned. @example readSettings({ PILOTWIRE_PORT: '9000' }, readTextFile).settings?.port */
export function readSettings(environment: Environment, readText: ReadText): Reading {
  const faults: Fault[] = []
  const values: Partial<Record<keyof Settings, unknown>> = {}
  const origins: Partial<Record<keyof Settings, Origin>> = {}
  for (const [member, setting] of settingRows) {
    const given = givenText(setting, environment, readText)
    if ('fault' in given) {
      faults.push(given.fault)
      continue
    }
    const value = given.text === undefined ? setting.default?.(values as Partial<Settings>) : setting.read(given.text)
    if (value !== undefined) {
      values[member] = value
      origins[member] = given.origin
    } else if (given.text !== undefined) {
      faults.push({
        name: setting.name,
        value: masked(setting, given.text),
        problem: `expected ${setting.expected}`,
        example: setting.example,
      })
    }
  }
  // The table has a row for each member (SettingsTable), and without faults each row gave a value of its type.
  const settings = values as Settings
  const checks = faults.length === 0 ? crossChecks(settings, origins, readText) : { faults: [], warnings: [] }
  faults.push(...checks.faults)
  return {
    ...(faults.length === 0 && { settings }),
    faults,
    warnings: [...unknownNames(environment), ...checks.warnings],
    origins,
  }
}

type Given = { readonly text?: string | undefined; readonly origin: Origin } | { readonly fault: Fault }

/** NAME, or the contents of the file that NAME_FILE names. Empty counts as not set, as compose files pass it on. */
function givenText(setting: AnySetting, environment: Environment, readText: ReadText): Given {
  const direct = environment[setting.name]?.trim() || undefined
  const path = namesFile(setting) ? undefined : environment[`${setting.name}_FILE`]?.trim() || undefined
  if (path === undefined) return direct === undefined ? { origin: 'default' } : { text: direct, origin: 'environment' }
  const fault = (problem: string): Given => ({
    fault: { name: `${setting.name}_FILE`, value: JSON.stringify(path), problem, example: '/run/secrets/pilotwire' },
  })
  if (direct !== undefined)
    return fault(`expected to be the only one, but ${setting.name} is set as well; keep one of the two`)
  try {
    const text = readText(path).trim()
    return text === '' ? fault('expected a file with the value in it, but this one is empty') : { text, origin: 'file' }
  } catch (error) {
    return fault(`expected a readable file, but ${reason(error)}`)
  }
}

/** PILOTWIRE_TLS_CERT_FILE names a file itself; it is not the file form of a PILOTWIRE_TLS_CERT. */
function namesFile(setting: AnySetting): boolean {
  return setting.name.endsWith('_FILE')
}

function masked(setting: AnySetting, text: string): string {
  // postgres://user:password@host, say: the log of a failed start must not show it.
  return setting.secret ? `hidden (${text.length} characters)` : JSON.stringify(text.replace(/\/\/.*@/s, '//(hidden)@'))
}

function reason(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

function unknownNames(environment: Environment): readonly string[] {
  const names = settingRows.map(([, setting]) => setting.name)
  const known = new Set([
    ...names,
    ...settingRows.filter(([, setting]) => !namesFile(setting)).map(([, setting]) => `${setting.name}_FILE`),
    ...clientVariables,
  ])
  return Object.keys(environment)
    .filter((name) => name.startsWith('PILOTWIRE_') && !known.has(name))
    .sort()
    .map((name) => {
      const near = suggestion(name, [...known])
      return `${name} is no setting and is ignored${near === undefined ? '; see: pilotwire config print' : `; did you mean ${near}?`}`
    })
}

/** From the disk, as UTF-8. */
export const readTextFile: ReadText = (path) => readFileSync(path, 'utf8')

/** @throws ConfigurationError with every fault at once */
export function loadConfig(
  environment: Environment,
  random: (bytes: number) => Buffer,
  readText: ReadText = readTextFile,
): { readonly config: Config; readonly warnings: readonly string[] } {
  const { settings, faults, warnings } = readSettings(environment, readText)
  if (!settings) throw new ConfigurationError(faults, warnings)
  const secretKey = settings.secretKey ?? readOrCreateSecretKey(databasePath(settings.databaseUrl), random)
  return { config: { ...settings, secretKey }, warnings }
}

/** What is wrong between settings: a fault stops the start, a warning does not. */
interface Checks {
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
}

type Origins = Partial<Readonly<Record<keyof Settings, string>>>

/** Looks at settings that were each read without a fault. @param readText reads the PEM files that they name */
function crossChecks(settings: Settings, origins: Origins, readText: ReadText): Checks {
  return {
    faults: [
      ...plainHttp(settings),
      ...sharedKey(settings),
      ...dashboardPath(settings),
      ...tlsFaults(settings, readText),
      ...tokenOf('registration', 'registrationToken', settings),
      ...tokenOf('afir', 'afirToken', settings),
      ...afirPushFaults(settings, readText),
      ...hooks(settings),
      ...clientAuthorities(settings, readText),
      ...singleSignOn(settings),
    ],
    warnings: [...exposedDevelopment(settings, origins)],
  }
}

/** @param example unless that of the setting will do */
function fault(member: keyof Settings, problem: string, value?: string, example?: string): Fault {
  const { name, example: usual } = settingsTable[member]
  return { name, value: value === undefined ? undefined : JSON.stringify(value), problem, example: example ?? usual }
}

/** A key in a file of one machine would be another one on the next node. */
function sharedKey({ databaseUrl, secretKey }: Settings): Fault[] {
  if (!isPostgres(databaseUrl) || secretKey !== undefined) return []
  const problem =
    'expected 32 bytes in base64, the same for every node, because PILOTWIRE_DATABASE_URL is a PostgreSQL server'
  return [fault('secretKey', problem)]
}

function required(settings: Settings, member: keyof Settings, why: string): Fault[] {
  return settings[member] === undefined ? [fault(member, `expected, because ${why}`)] : []
}

/** CERT-C21, OCPP21-C8 */
function hooks(settings: Settings): Fault[] {
  const byHttp = 'PILOTWIRE_CERTIFICATE_PROVIDER is http'
  return [
    ...(settings.certificateProvider === 'http'
      ? [...required(settings, 'certificateHookUrl', byHttp), ...required(settings, 'certificateHookSecret', byHttp)]
      : []),
    ...(settings.vatHookUrl === undefined ? [] : required(settings, 'vatHookSecret', 'PILOTWIRE_VAT_HOOK_URL is set')),
  ]
}

/** CERT-C11: a file that cannot be used would refuse every charge point, for no visible reason. */
function clientAuthorities({ clientCaFile }: Settings, readText: ReadText): Fault[] {
  if (clientCaFile === undefined) return []
  const text = contents('clientCaFile', clientCaFile, readText)
  if (typeof text !== 'string') return [text]
  return readCertificates(text) ? [] : [fault('clientCaFile', 'expected certificates in PEM', clientCaFile)]
}

/** ADMIN-K1: half a set-up signs no user in, and no set-up without passwords locks everyone out. */
function singleSignOn(settings: Settings): Fault[] {
  const { ssoIssuer, ssoClientId, ssoClientSecret, ssoRoles = [], passwordSignIn, allowHttp } = settings
  if (ssoIssuer === undefined) {
    const other = [
      ...(ssoClientId === undefined ? [] : ['PILOTWIRE_SSO_CLIENT_ID is set']),
      ...(ssoClientSecret === undefined ? [] : ['PILOTWIRE_SSO_CLIENT_SECRET is set']),
      ...(ssoRoles.length === 0 ? [] : ['PILOTWIRE_SSO_ROLES is set']),
      ...(passwordSignIn === 'on' ? [] : ['PILOTWIRE_PASSWORD_SIGN_IN is break-glass']),
    ]
    return other.slice(0, 1).map((reason) => fault('ssoIssuer', `expected, because ${reason}`))
  }
  const why = 'PILOTWIRE_SSO_ISSUER is set'
  return [
    ...(ssoIssuer.startsWith('http:') && !allowHttp && !isLoopbackUrl(ssoIssuer)
      ? [fault('ssoIssuer', 'expected https, because tokens cross the network', ssoIssuer)]
      : []),
    ...required(settings, 'ssoClientId', why),
    ...(ssoRoles.length === 0 ? [fault('ssoRoles', `expected, because ${why}`)] : []),
  ]
}

/** OIDC-X3: passwords and tokens do not cross a network unencrypted unless the operator allows it. */
function plainHttp(settings: Settings): Fault[] {
  if (settings.allowHttp) return []
  const problem =
    'expected https, because plain http would carry passwords and tokens unencrypted (PILOTWIRE_ALLOW_HTTP=true allows it)'
  return (['baseUrl', 'dashboardUrl'] as const)
    .filter((member) => settings[member].startsWith('http:') && !isLoopbackUrl(settings[member]))
    .slice(0, 1)
    .map((member) => fault(member, problem, settings[member]))
}

/** What other addresses of the server begin with, below the base URL (SERVER-A4). */
const TAKEN = ['1', '2', 'certificates', 'ocpp', 'sessions', '.well-known']

/** One process answers both: a dashboard in front of the API's addresses, or among them, would hide one of the two. */
function dashboardPath({ baseUrl, dashboardUrl }: Settings): Fault[] {
  const pathOf = (url: string): string => new URL(url).pathname.replace(/\/$/, '')
  const base = pathOf(baseUrl)
  const dashboard = `${pathOf(dashboardUrl)}/`
  const before = dashboard !== '/' && `${base}/`.startsWith(dashboard)
  // The API answers at the root, too, for proxies that cut the base path off.
  const among = TAKEN.some((taken) => [`/${taken}/`, `${base}/${taken}/`].some((path) => dashboard.startsWith(path)))
  if (!before && !among) return []
  const problem = 'expected a path of its own (or none), because the API answers at this one'
  return [fault('dashboardUrl', problem, dashboardUrl, `${baseUrl}/dashboard`)]
}

/** A kind that is `token` and its token belong together. */
function tokenOf(kind: 'registration' | 'afir', token: 'registrationToken' | 'afirToken', settings: Settings): Fault[] {
  const { name } = settingsTable[kind]
  if ((settings[kind] === 'token') === (settings[token] !== undefined)) return []
  return settings[kind] === 'token'
    ? [fault(token, `expected a token of at least 16 characters, because ${name} is "token"`)]
    : [fault(kind, `expected token, because ${name}_TOKEN is set`, settings[kind], 'token')]
}

function exposedDevelopment({ mode, host, baseUrl }: Settings, origins: Origins): string[] {
  if (mode !== 'development') return []
  const exposed = [
    ...(isLoopbackHost(host) ? [] : [`PILOTWIRE_HOST=${host}`]),
    ...(isLoopbackUrl(baseUrl) || origins.mode === 'default' ? [] : [`PILOTWIRE_BASE_URL=${baseUrl}`]),
  ]
  if (exposed.length === 0) return []
  return [
    `${exposed.join(' and ')} in development mode: any client that reaches this address can register charge points, id tokens and OAuth clients. Set PILOTWIRE_MODE=production unless that is meant.`,
  ]
}

/** Faults of TLS files: missing, unreadable, no pair (OCPP-TL1, OCPP-TL2). @param readText as in `readSettings` */
export function tlsFaults(
  { tlsCertFiles = [], tlsKeyFiles = [] }: Pick<Settings, 'tlsCertFiles' | 'tlsKeyFiles'>,
  readText: ReadText,
): readonly Fault[] {
  return pairFaults(['tlsCertFiles', tlsCertFiles], ['tlsKeyFiles', tlsKeyFiles], readText)
}

/** AFIR-A2: with what we are known to the access point. */
function afirPushFaults(settings: Settings, readText: ReadText): readonly Fault[] {
  const { afirPushUrl: url, afirPushToken: token, afirPushCertFile: cert, afirPushKeyFile: key } = settings
  if (url === undefined && (token ?? cert ?? key) !== undefined) {
    return [fault('afirPushUrl', 'expected, because what is sent to it is set')]
  }
  const listed = (path: string | undefined) => (path === undefined ? [] : [path])
  return pairFaults(['afirPushCertFile', listed(cert)], ['afirPushKeyFile', listed(key)], readText)
}

type Files = readonly [member: keyof Settings, paths: readonly string[]]

function pairFaults([cert, certPaths]: Files, [key, keyPaths]: Files, readText: ReadText): readonly Fault[] {
  const more = certPaths.length - keyPaths.length
  const problem = 'expected together with its other half: TLS needs each certificate and its key'
  if (more !== 0) return [fault(more > 0 ? key : cert, problem)]
  return certPaths.flatMap((certPath, index) => {
    const keyPath = keyPaths[index] ?? ''
    const [certText, keyText] = [contents(cert, certPath, readText), contents(key, keyPath, readText)]
    if (typeof certText !== 'string' || typeof keyText !== 'string') {
      return [certText, keyText].filter((each) => typeof each !== 'string')
    }
    const wrong = pairFault(certText, keyText)
    if (wrong === undefined) return []
    return [wrong === 'certificate' ? fault(cert, EXPECTED[wrong], certPath) : fault(key, EXPECTED[wrong], keyPath)]
  })
}

function contents(member: keyof Settings, path: string, readText: ReadText): string | Fault {
  try {
    return readText(path)
  } catch (error) {
    return fault(member, `expected a readable file, but ${reason(error)}`, path)
  }
}

/** @returns nothing without such a file @throws a sentence when it cannot be read, or has a line that sets nothing */
export function readEnvFile(path: string, readText: ReadText): Environment {
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    throw new Error(`${path} cannot be read (${reason(error)}): make it a file that this user may read, or remove it.`)
  }
  // Editors that put a byte order mark there would hide the first name.
  const settings = text.replace(/^\uFEFF/, '')
  const stray = strayLine(settings)
  if (stray !== undefined) {
    // Not what it says: it may be half of a secret.
    throw new Error(`${path}: line ${stray} sets nothing: write NAME=value, or # before it.`)
  }
  // Node 20 takes a line of spaces for a part of the next name.
  return Object.fromEntries(Object.entries(parseEnv(settings)).map(([name, value]) => [name.trim(), value]))
}

/** One entry: an empty line, a comment, or NAME= with a value that may be quoted and then go over several lines. */
const ENTRY =
  // eslint-disable-next-line regexp/no-super-linear-backtracking -- the operator's own file
  /[^\S\n]*(?:#[^\n]*|(?:export[^\S\n]+)?[^\s=#]+[^\S\n]*=[^\S\n]*(?:"[^"]*"|'[^']*'|`[^`]*`)?[^\n]*)?(?:\n|$)/y

/** Node 20 takes such a line for the beginning of the next name, whose setting is lost; later versions say nothing. */
function strayLine(settings: string): number | undefined {
  for (let at = 0; at < settings.length; at = ENTRY.lastIndex) {
    ENTRY.lastIndex = at
    if (!ENTRY.test(settings)) return settings.slice(0, at).split('\n').length
  }
  return undefined
}
