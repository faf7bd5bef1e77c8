/** For tests: the provider on a real port over a real database, a browser with cookies, and an application. */
import { createHash, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { hashPassword } from '../accounts/password.ts'
import type { Client, Grant } from '../storage/oidc-store.ts'
import { openSqliteReader } from '../storage/sqlite/reader.ts'
import { temporaryDatabase } from '../storage/sqlite/testing.ts'
import { openSqlite } from '../storage/sqlite/writer.ts'
import type { CoreStore, Reads, User, Writes } from '../storage/store.ts'
import { newClient } from './clients.ts'
import { createOidc, type Oidc } from './create-oidc.ts'
import type { OidcConfig, OidcEnv, OidcParts } from './provider.ts'
import { hashOf } from './secrets.ts'

export const PASSWORD = 'correct horse battery'
export const REDIRECT_URI = 'https://app.example.com/cb'
const SCOPES = 'openid offline_access sessions:read'

/** Hashing once is enough for all users of all tests. */
const passwordHash = hashPassword(PASSWORD, randomBytes)

export interface Place {
  readonly baseUrl: string
  readonly issuer: string
  readonly oidc: Oidc
  readonly reads: Reads
  readonly writes: Writes
  /** What charge points cause is committed here. */
  readonly core: CoreStore
  readonly databasePath: string
  readonly config: OidcConfig
  readonly logged: string[]
  /** Moves the clock forward. */
  readonly advance: (ms: number) => void
  readonly now: () => number
  readonly ada: User
  readonly bob: User
  /** Another account's user. */
  readonly eve: User
  /** Confidential, redirects to REDIRECT_URI, all scopes. */
  readonly web: Client & { readonly secret: string }
  /** Public, same address. */
  readonly spa: Client
  readonly native: Client
  readonly addClient: (
    change: Partial<Parameters<typeof newClient>[0]>,
  ) => Promise<Client & { readonly secret: string }>
  /** A browser in which nobody is signed in. */
  readonly browser: (headers?: Record<string, string>) => Browser
  /** A browser in which the user is signed in, without the price of a password hash. */
  readonly signedIn: (user: User) => Promise<Browser>
  readonly close: () => Promise<void>
}

export async function openPlace(
  change: Partial<OidcConfig> = {},
  verifyPassword?: (password: string, stored: string | undefined) => Promise<boolean>,
  pages?: (place: Pick<OidcParts, 'reads' | 'writes' | 'now' | 'connectivity'>) => OidcParts['pages'],
): Promise<Place> {
  const database = temporaryDatabase()
  const writer = openSqlite(database.path)
  const reader = openSqliteReader(database.path)
  let offset = 0
  const now = (): number => Date.now() + offset
  const app = new Hono<OidcEnv>()
  const listener = getRequestListener(app.fetch)
  const server = createServer((request, response) => void listener(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const config: OidcConfig = {
    baseUrl,
    dashboardUrl: `${baseUrl}/dashboard`,
    secretKey: randomBytes(32),
    registration: 'open',
    registrationRate: 0,
    oauthBasic: false,
    oauthConfirmNative: false,
    oauthRevokeEndsGrant: false,
    accessTokenTtlSeconds: 3600,
    refreshTokenTtlSeconds: 30 * 86_400,
    codeTtlSeconds: 60,
    idTokenTtlSeconds: 3600,
    interactionTtlSeconds: 1800,
    refreshGraceSeconds: 0,
    ...change,
  }
  const logged: string[] = []
  const log = (fields: object, message: string): void => void logged.push(JSON.stringify({ ...fields, message }))
  const connectivity: OidcParts['connectivity'] = async (ids) =>
    ids.map((chargePointId) => ({ chargePointId, online: chargePointId === 'CP1' }))
  const ownPages = pages?.({ reads: reader, writes: writer.writes, now, connectivity })
  const oidc = createOidc({
    reads: reader,
    writes: writer.writes,
    config,
    now,
    random: randomBytes,
    log: { info: log, warn: log, error: log },
    clientOrigin: ({ socket, headers }) => ({
      address: String(headers['x-test-address'] ?? socket.remoteAddress),
    }),
    connectivity,
    ...(ownPages && { pages: ownPages }),
    ...(verifyPassword && { verifyPassword }),
  })
  app.route('/', oidc.routes)

  const { writes } = writer
  const hash = await passwordHash
  const addUser = async (id: string, accountId: string, role: User['role']): Promise<User> => {
    const user: User = {
      id,
      accountId,
      email: `${id}@example.com`,
      name: `The ${id}`,
      role,
      passwordHash: hash,
      createdAt: now(),
    }
    await writes.createUser(user)
    return user
  }
  for (const id of ['A', 'B']) await writes.createAccount({ id, name: `Account ${id}`, createdAt: now() })
  for (const [accountId, id] of [
    ['A', 'CP1'],
    ['A', 'CP2'],
    ['B', 'CPB'],
  ] as const) {
    await writes.createChargePoint({
      id,
      accountId,
      securityProfile: 0,
      registrationStatus: 'Accepted',
      createdAt: now(),
      ...(id === 'CP1' && { name: 'Depot North' }),
    })
  }
  const addClient: Place['addClient'] = async (wanted) => {
    const { client, secret = '' } = newClient(
      {
        accountId: 'A',
        name: 'Fleet App',
        kind: 'confidential',
        applicationType: 'web',
        redirectUris: [REDIRECT_URI],
        ...wanted,
      },
      now(),
      randomBytes,
    )
    await writes.createClient(client)
    return { ...client, secret }
  }
  return {
    baseUrl,
    issuer: `${baseUrl}/1/oauth/service`,
    oidc,
    reads: reader,
    writes,
    core: writer.core,
    databasePath: database.path,
    config,
    logged,
    advance(ms) {
      offset += ms
    },
    now,
    ada: await addUser('ada', 'A', 'administrator'),
    bob: await addUser('bob', 'A', 'member'),
    eve: await addUser('eve', 'B', 'administrator'),
    web: await addClient({ postLogoutRedirectUris: ['https://app.example.com/bye'] }),
    spa: await addClient({ kind: 'public', name: 'Browser App' }),
    native: await addClient({
      kind: 'public',
      applicationType: 'native',
      name: 'Desktop',
      redirectUris: ['http://127.0.0.1/cb'],
    }),
    addClient,
    browser: (headers) => new Browser(baseUrl, headers),
    async signedIn(user) {
      const browser = new Browser(baseUrl)
      const cookie = randomBytes(32).toString('base64url')
      const session = { userId: user.id, authenticatedAt: now(), createdAt: now(), lastSeenAt: now() }
      const mark = hashOf(user.passwordHash).slice(0, 16)
      const rest = { passwordMark: mark, ip: '127.0.0.1', userAgent: 'test' }
      await writes.createLoginSession({
        idHash: hashOf(cookie),
        sid: randomBytes(8).toString('hex'),
        ...session,
        ...rest,
      })
      browser.cookies.set('pilotwire_sid', cookie)
      return browser
    },
    async close() {
      await new Promise((resolve) => {
        server.close(resolve)
        server.closeAllConnections()
      })
      reader.close()
      writer.close()
      database.remove()
    },
  }
}

/** Follows nothing by itself, keeps cookies, and sends forms as a browser would. */
export class Browser {
  readonly cookies = new Map<string, string>()
  private readonly baseUrl: string
  private readonly headers: Record<string, string>

  constructor(baseUrl: string, headers: Record<string, string> = {}) {
    this.baseUrl = baseUrl
    this.headers = headers
  }

  async get(address: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.send(address, { headers })
  }

  async post(
    address: string,
    fields: Record<string, string> | URLSearchParams,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const own = { origin: this.baseUrl, 'sec-fetch-site': 'same-origin', ...headers }
    return this.send(address, { method: 'POST', body: new URLSearchParams(fields), headers: own })
  }

  async send(address: string, init: RequestInit): Promise<Response> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(new URL(address, this.baseUrl), {
      ...init,
      redirect: 'manual',
      headers: { ...this.headers, ...(init.headers as Record<string, string>), ...(cookie && { cookie }) },
    })
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';')
      const [name = '', value = ''] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]
      if (value === '' || /max-age=0/i.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return response
  }
}

/** One authorization by an application: its verifier, state, and the address to open. */
export interface Start {
  readonly url: string
  readonly params: URLSearchParams
  readonly verifier: string
  readonly state: string
}

export function startOf(place: Place, clientId: string, change: Record<string, string | undefined> = {}): Start {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(8).toString('hex')
  const all = {
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    scope: SCOPES,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...change,
  }
  const params = new URLSearchParams(
    Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )
  return { url: `${place.config.dashboardUrl}/oauth/authorize?${params}`, params, verifier, state }
}

export function locationOf(response: Response): URL {
  return new URL(response.headers.get('location') ?? 'none:')
}

/** The value of a hidden field, as often as forms have it. */
export function fieldsOf(html: string, name: string): string[] {
  return [...html.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, 'g'))].map((match) => match[1] ?? '')
}

export function formPath(html: string, ending: string): string {
  const match = [...html.matchAll(/action="([^"]*)"/g)]
    .map((found) => found[1] ?? '')
    .find((path) => path.endsWith(ending))
  if (match === undefined) throw new Error(`There is no form that ends in ${ending}: ${html.slice(0, 2000)}`)
  return match
}

/** The CSRF token of the form with that action. */
export function csrfOf(html: string, ending: string): string {
  const form = html.split('<form').find((part) => part.includes(`action="${formPath(html, ending)}"`)) ?? ''
  return fieldsOf(form, 'csrf')[0] ?? ''
}

/** Opens the request and goes to the page that it leads to. */
export async function openPage(
  browser: Browser,
  url: string,
): Promise<{ response: Response; html: string; path: string }> {
  const first = await browser.get(url)
  const path = first.headers.get('location') ?? ''
  const response = await browser.get(path)
  return { response, html: await response.text(), path }
}

/** The user says yes, unless nobody asks; the answer is the redirect to the application. */
export async function consent(
  browser: Browser,
  url: string,
  choice: { scopes?: readonly string[]; share?: string; chargePoints?: readonly string[] } = {},
): Promise<Response> {
  const first = await browser.get(url)
  const path = first.headers.get('location') ?? ''
  if (!path.startsWith('/')) return first
  const html = await (await browser.get(path)).text()
  const { scopes = fieldsOf(html, 'scope'), share = 'all', chargePoints = [] } = choice
  const fields = new URLSearchParams([
    ['csrf', csrfOf(html, '/consent')],
    ['decision', 'approve'],
    ['share', share],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
    ...chargePoints.map((id): [string, string] => ['chargePoint', id]),
  ])
  return browser.post(`${path}/consent`, fields)
}

export async function signIn(browser: Browser, url: string, email: string, password = PASSWORD): Promise<Response> {
  const { html, path } = await openPage(browser, url)
  return browser.post(`${path}/login`, { csrf: csrfOf(html, '/login'), email, password })
}

export interface Tokens {
  readonly access_token: string
  readonly refresh_token?: string
  readonly id_token?: string
  readonly scope: string
  readonly expires_in: number
  readonly token_type: string
  readonly error?: string
  readonly error_description?: string
}

export function postToken(
  place: Place,
  fields: Record<string, string | undefined>,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(`${place.issuer}/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(
      Object.entries(fields).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  })
}

export function exchangeFields(
  client: { id: string; secret?: string },
  code: string,
  start: Start,
): Record<string, string | undefined> {
  return {
    grant_type: 'authorization_code',
    code,
    redirect_uri: start.params.get('redirect_uri') ?? '',
    code_verifier: start.verifier,
    client_id: client.id,
    client_secret: client.secret || undefined,
  }
}

/** The whole way: authorize, consent, exchange. */
export async function obtainTokens(
  place: Place,
  client: { id: string; secret?: string },
  user: User = place.ada,
  change: Record<string, string | undefined> = {},
  choice: Parameters<typeof consent>[2] = {},
): Promise<{
  readonly tokens: Tokens
  readonly code: string
  readonly start: Start
  readonly browser: Browser
  readonly grant: Grant
}> {
  const browser = await place.signedIn(user)
  const start = startOf(place, client.id, change)
  const answer = await consent(browser, start.url, choice)
  const code = locationOf(answer).searchParams.get('code') ?? ''
  const response = await postToken(place, exchangeFields(client, code, start))
  const tokens = (await response.json()) as Tokens
  const grant = await place.reads.findActiveGrant(user.id, client.id)
  if (!grant) throw new Error(`No grant was made: ${JSON.stringify(tokens)}`)
  return { tokens, code, start, browser, grant }
}

export function userinfo(place: Place, accessToken: string): Promise<Response> {
  return fetch(`${place.issuer}/userinfo`, { headers: { authorization: `Bearer ${accessToken}` } })
}

export function refresh(
  place: Place,
  client: { id: string; secret?: string },
  token: string | undefined,
  change: Record<string, string> = {},
): Promise<Response> {
  const fields = {
    grant_type: 'refresh_token',
    refresh_token: token,
    client_id: client.id,
    client_secret: client.secret || undefined,
  }
  return postToken(place, { ...fields, ...change })
}
