/** Environment -> Settings, with every fault in one pass. Reads only files that the environment names. */

import { readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readCertificates } from '../domain/x509/pem.ts'
import type { Config, Settings } from './config.ts'
import { databasePath, isPostgres } from './database-path.ts'
import { afirPushFaults, type ReadText, tlsFaults } from './pem-files.ts'
import { readOrCreateSecretKey } from './secret-key.ts'
import { ConfigurationError, type Fault } from './setting.ts'
import { isLoopbackHost, isLoopbackUrl } from './setting-kinds.ts'
import { type AnySetting, clientVariables, settingRows } from './settings.ts'
import { suggestion } from './suggest.ts'

/** Variables by name, as `process.env` has them. */
export type Environment = Readonly<Record<string, string | undefined>>

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
function crossChecks(settings: Settings, origins: Origins, readText: (path: string) => string): Checks {
  return {
    faults: [
      ...plainHttp(settings),
      ...sharedKey(settings),
      ...dashboardPath(settings),
      ...tlsFaults(settings, readText),
      ...tokenOf('PILOTWIRE_REGISTRATION', settings.registration, settings.registrationToken),
      ...tokenOf('PILOTWIRE_AFIR', settings.afir, settings.afirToken),
      ...afirPushFaults(settings, readText),
      ...certificateHook(settings),
      ...vatHook(settings),
      ...clientAuthorities(settings, readText),
      ...singleSignOn(settings),
    ],
    warnings: [...exposedDevelopment(settings, origins)],
  }
}

/** A key in a file of one machine would be another one on the next node. */
function sharedKey({ databaseUrl, secretKey }: Settings): Fault[] {
  if (!isPostgres(databaseUrl) || secretKey !== undefined) return []
  return [
    {
      name: 'PILOTWIRE_SECRET_KEY',
      problem:
        'expected 32 bytes in base64, the same for every node, because PILOTWIRE_DATABASE_URL is a PostgreSQL server',
      example: 'the output of: openssl rand -base64 32',
    },
  ]
}

/** CERT-C21 */
function certificateHook({ certificateProvider, certificateHookUrl, certificateHookSecret }: Settings): Fault[] {
  if (certificateProvider !== 'http') return []
  const problem = 'expected, because PILOTWIRE_CERTIFICATE_PROVIDER is http'
  return [
    ...(certificateHookUrl === undefined
      ? [{ name: 'PILOTWIRE_CERTIFICATE_HOOK_URL', problem, example: 'https://pki.example.com/sign' }]
      : []),
    ...(certificateHookSecret === undefined
      ? [{ name: 'PILOTWIRE_CERTIFICATE_HOOK_SECRET', problem, example: 'a long secret that only both sides know' }]
      : []),
  ]
}

/** OCPP21-C8 */
function vatHook({ vatHookUrl, vatHookSecret }: Settings): Fault[] {
  if (vatHookUrl === undefined || vatHookSecret !== undefined) return []
  const problem = 'expected, because PILOTWIRE_VAT_HOOK_URL is set'
  return [{ name: 'PILOTWIRE_VAT_HOOK_SECRET', problem, example: 'a long secret that only both sides know' }]
}

/** CERT-C11: a file that cannot be used would refuse every charge point, for no visible reason. */
function clientAuthorities({ clientCaFile }: Settings, readText: (path: string) => string): Fault[] {
  if (clientCaFile === undefined) return []
  const fault = (problem: string): Fault[] => [
    {
      name: 'PILOTWIRE_CLIENT_CA_FILE',
      value: JSON.stringify(clientCaFile),
      problem,
      example: '/etc/pilotwire/client-ca.pem',
    },
  ]
  try {
    return readCertificates(readText(clientCaFile)) ? [] : fault('expected certificates in PEM')
  } catch (error) {
    return fault(`expected a readable file, but ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** ADMIN-K1: half a set-up signs no user in, and no set-up without passwords locks everyone out. */
function singleSignOn(settings: Settings): Fault[] {
  const { ssoIssuer, ssoClientId, ssoClientSecret, ssoRoles = [], passwordSignIn, allowHttp } = settings
  const issuer = { name: 'PILOTWIRE_SSO_ISSUER', example: 'https://login.example.com/realms/company' }
  if (ssoIssuer === undefined) {
    const other = [
      ...(ssoClientId === undefined ? [] : ['PILOTWIRE_SSO_CLIENT_ID is set']),
      ...(ssoClientSecret === undefined ? [] : ['PILOTWIRE_SSO_CLIENT_SECRET is set']),
      ...(ssoRoles.length === 0 ? [] : ['PILOTWIRE_SSO_ROLES is set']),
      ...(passwordSignIn === 'on' ? [] : ['PILOTWIRE_PASSWORD_SIGN_IN is break-glass']),
    ]
    return other.slice(0, 1).map((reason) => ({ ...issuer, problem: `expected, because ${reason}` }))
  }
  const problem = 'expected, because PILOTWIRE_SSO_ISSUER is set'
  return [
    ...(ssoIssuer.startsWith('http:') && !allowHttp && !isLoopbackUrl(ssoIssuer)
      ? [{ ...issuer, value: JSON.stringify(ssoIssuer), problem: 'expected https, because tokens cross the network' }]
      : []),
    ...(ssoClientId === undefined ? [{ name: 'PILOTWIRE_SSO_CLIENT_ID', problem, example: 'pilotwire' }] : []),
    ...(ssoRoles.length === 0
      ? [{ name: 'PILOTWIRE_SSO_ROLES', problem, example: 'charging-admins=administrator,staff=viewer' }]
      : []),
  ]
}

/** OIDC-X3: passwords and tokens do not cross a network unencrypted unless the operator allows it. */
function plainHttp({ baseUrl, dashboardUrl, allowHttp }: Settings): Fault[] {
  const addresses = [
    { name: 'PILOTWIRE_BASE_URL', url: baseUrl, example: 'https://charging.example.com' },
    { name: 'PILOTWIRE_DASHBOARD_URL', url: dashboardUrl, example: 'https://charging.example.com/dashboard' },
  ]
  if (allowHttp) return []
  return addresses
    .filter(({ url }) => url.startsWith('http:') && !isLoopbackUrl(url))
    .slice(0, 1)
    .map(({ name, url, example }) => ({
      name,
      value: JSON.stringify(url),
      problem:
        'expected https, because plain http would carry passwords and tokens unencrypted (PILOTWIRE_ALLOW_HTTP=true allows it)',
      example,
    }))
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
  return [
    {
      name: 'PILOTWIRE_DASHBOARD_URL',
      value: JSON.stringify(dashboardUrl),
      problem: 'expected a path of its own (or none), because the API answers at this one',
      example: `${baseUrl}/dashboard`,
    },
  ]
}

/** A kind that is `token` and its token belong together. */
function tokenOf(name: string, kind: string, token: string | undefined): Fault[] {
  if ((kind === 'token') === (token !== undefined)) return []
  return kind === 'token'
    ? [
        {
          name: `${name}_TOKEN`,
          problem: `expected a token of at least 16 characters, because ${name} is "token"`,
          example: 'the output of: openssl rand -hex 24',
        },
      ]
    : [
        {
          name,
          value: JSON.stringify(kind),
          problem: `expected token, because ${name}_TOKEN is set`,
          example: 'token',
        },
      ]
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

/** @returns nothing without such a file @throws a sentence when it cannot be read, or has a line that sets nothing */
export function readEnvFile(path: string, readText: ReadText): Environment {
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {}
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`${path} cannot be read (${reason}): make it a file that this user may read, or remove it.`)
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
