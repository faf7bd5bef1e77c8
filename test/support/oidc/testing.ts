/** For tests: the provider on a real port over a real database, and browsers in it. */

import { randomBytes } from 'node:crypto'
import { afterAll } from 'vitest'
import { createApi } from '../../../src/api/api.ts'
import { hashPassword } from '../../../src/domain/accounts/password.ts'
import type { CoreStore, Reads, Writes } from '../../../src/domain/ports/storage.ts'
import type { Client } from '../../../src/domain/ports/storage-oidc.ts'
import type { User } from '../../../src/domain/ports/storage-records.ts'
import { limitsInMemory } from '../../../src/limits/limits.ts'
import { newClient } from '../../../src/oidc/clients.ts'
import { createOidc, type Oidc } from '../../../src/oidc/create-oidc.ts'
import { passwordMark } from '../../../src/oidc/login/visitor.ts'
import { hashOf } from '../../../src/oidc/oidc-secrets.ts'
import type { OidcConfig, OidcDependencies } from '../../../src/oidc/provider.ts'
import { systemClock } from '../../../src/server/system.ts'
import { listening } from '../../listening.ts'
import { recordingCore } from '../api/testing.ts'
import { openStore, temporaryDatabase } from '../storage/testing.ts'
import { Browser } from './browser.ts'

export const PASSWORD = 'correct horse battery'
export const REDIRECT_URI = 'https://app.example.com/cb'

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
  /** A viewer. */
  readonly bob: User
  /** A member. */
  readonly mia: User
  /** An operator. */
  readonly otto: User
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

/** Of a whole test file: closed behind it. */
export async function placeOfTest(...options: Parameters<typeof openPlace>): Promise<Place> {
  const place = await openPlace(...options)
  afterAll(() => place.close())
  return place
}

export async function openPlace(
  change: Partial<OidcConfig> = {},
  verifyPassword?: (password: string, stored: string | undefined) => Promise<boolean>,
  pages?: (place: Pick<OidcDependencies, 'reads' | 'writes' | 'now' | 'connectivity'>) => OidcDependencies['pages'],
): Promise<Place> {
  const database = temporaryDatabase()
  const store = openStore(database.path)
  // A clock that ran by itself would let short lifetimes end on a busy machine.
  let time = Date.now()
  const now = (): number => time
  let fetch: Parameters<typeof listening>[0] = () => new Response(null, { status: 503 })
  const { server, url: baseUrl } = await listening((...args) => fetch(...args))
  const config: OidcConfig = {
    baseUrl,
    dashboardUrl: `${baseUrl}/dashboard`,
    timeZone: 'UTC',
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
    allowHttp: false,
    ssoRoleClaim: 'roles',
    passwordSignIn: 'on',
    ...change,
  }
  const logged: string[] = []
  const log = (fields: object, message: string): void => void logged.push(JSON.stringify({ ...fields, message }))
  const logs = { info: log, warn: log, error: log }
  const clientOrigin: OidcDependencies['clientOrigin'] = ({ socket, headers }) => ({
    address: String(headers['x-test-address'] ?? socket.remoteAddress),
  })
  const connectivity: OidcDependencies['connectivity'] = async (ids) =>
    ids.map((chargePointId) => ({ chargePointId, online: chargePointId === 'CP1' }))
  const ownPages = pages?.({ reads: store.reads, writes: store.writes, now, connectivity })
  const limits = limitsInMemory(now)
  const oidc = createOidc({
    reads: store.reads,
    writes: store.writes,
    config,
    now,
    random: randomBytes,
    limits,
    log: logs,
    clientOrigin,
    connectivity,
    pages: ownPages,
    verifyPassword,
  })
  const app = createApi({
    reads: store.reads,
    writes: store.writes,
    core: recordingCore(store).core,
    settings: { ...config, rateV1: 0, rateV2: 0, rateApi: 0, voltage: 230 },
    ...systemClock,
    now,
    random: randomBytes,
    limits,
    salt: 1n,
    verifyAccessToken: oidc.verifyAccessToken,
    clientOrigin,
    extraEndpoints: [oidc.addGrants],
    log: logs,
  })
  app.route('/', oidc.routes)
  fetch = app.fetch

  const { writes } = store
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
  const addClient: Place['addClient'] = async (requested) => {
    const { client, secret = '' } = newClient(
      {
        accountId: 'A',
        name: 'Fleet App',
        kind: 'confidential',
        applicationType: 'web',
        redirectUris: [REDIRECT_URI],
        ...requested,
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
    reads: store.reads,
    writes,
    core: store.core,
    databasePath: database.path,
    config,
    logged,
    advance(ms) {
      time += ms
    },
    now,
    ada: await addUser('ada', 'A', 'administrator'),
    bob: await addUser('bob', 'A', 'viewer'),
    mia: await addUser('mia', 'A', 'member'),
    otto: await addUser('otto', 'A', 'operator'),
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
      const mark = passwordMark((await store.reads.findUser(user.id)) ?? user)
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
      store.close()
      database.remove()
    },
  }
}
