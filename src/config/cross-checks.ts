/** Rules between settings: each one is sound alone, the pair is not. */
import type { Settings } from '../config.ts'
import { isLoopbackHost, isLoopbackUrl } from './loopback.ts'
import type { Fault } from './setting.ts'

export interface Checks {
  readonly faults: readonly Fault[]
  readonly warnings: readonly string[]
}

type Origins = Partial<Readonly<Record<keyof Settings, string>>>

export function crossChecks(settings: Settings, origins: Origins, readText: (path: string) => string): Checks {
  return {
    faults: [
      ...plainHttp(settings),
      ...dashboardPath(settings),
      ...tlsPair(settings),
      ...tlsFiles(settings, readText),
      ...registration(settings),
    ],
    warnings: [...exposedDevelopment(settings, origins)],
  }
}

/** oidc.md X3: passwords and tokens do not cross a network unencrypted unless somebody says so. */
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

/** What other addresses of the server begin with, below the base URL (contract 2). */
const TAKEN = ['1', '2', 'ocpp', 'sessions', '.well-known']

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

function tlsPair({ tlsCertFiles, tlsKeyFiles }: Settings): Fault[] {
  if (tlsCertFiles?.length === tlsKeyFiles?.length) return []
  const missing = (tlsCertFiles?.length ?? 0) < (tlsKeyFiles?.length ?? 0) ? 'CERT' : 'KEY'
  return [
    {
      name: `PILOTWIRE_TLS_${missing}_FILE`,
      problem: 'expected together with its other half: TLS needs each certificate and its key',
      example: `/etc/pilotwire/tls.${missing === 'CERT' ? 'crt' : 'key'}`,
    },
  ]
}

function tlsFiles({ tlsCertFiles = [], tlsKeyFiles = [] }: Settings, readText: (path: string) => string): Fault[] {
  const files = [
    ...tlsCertFiles.map((path) => ({ name: 'PILOTWIRE_TLS_CERT_FILE', path, example: '/etc/pilotwire/tls.crt' })),
    ...tlsKeyFiles.map((path) => ({ name: 'PILOTWIRE_TLS_KEY_FILE', path, example: '/etc/pilotwire/tls.key' })),
  ]
  return files.flatMap(({ name, path, example }) => {
    try {
      if (readText(path).includes('-----BEGIN ')) return []
      return [{ name, value: JSON.stringify(path), problem: 'expected a PEM file (-----BEGIN …)', example }]
    } catch (error) {
      const problem = `expected a readable file, but ${error instanceof Error ? error.message : String(error)}`
      return [{ name, value: JSON.stringify(path), problem, example }]
    }
  })
}

function registration({ registration: kind, registrationToken }: Settings): Fault[] {
  if ((kind === 'token') === (registrationToken !== undefined)) return []
  return kind === 'token'
    ? [
        {
          name: 'PILOTWIRE_REGISTRATION_TOKEN',
          problem: 'expected a token of at least 16 characters, because PILOTWIRE_REGISTRATION is "token"',
          example: 'the output of: openssl rand -hex 24',
        },
      ]
    : [
        {
          name: 'PILOTWIRE_REGISTRATION',
          value: JSON.stringify(kind),
          problem: 'expected token, because PILOTWIRE_REGISTRATION_TOKEN is set',
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
    `${exposed.join(' and ')} in development mode: whoever reaches this address can register charge points, id tokens and OAuth clients. Set PILOTWIRE_MODE=production unless that is meant.`,
  ]
}
