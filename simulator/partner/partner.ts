/** A small e-mobility service provider: the other side of OCPI for tests, and for a developer who tries roaming. */
import { randomUUID } from 'node:crypto'
import { findQuirks } from '../quirks/apply.ts'
import { type Answer, type Client, createClient, type Pulled } from './client.ts'
import { createObjectStore, notFound, OK, type Received, type Reply } from './objects.ts'
import { PARTNER_QUIRKS, type PartnerQuirks } from './quirks.ts'
import { createRegistration, type Registration } from './registration.ts'
import { shaped, startPartnerServer } from './server.ts'
import { isObject, type Json, OCPI_VERSIONS, type OcpiVersion, type Party, time, tokensOf } from './wire.ts'

/** All are optional: without any, a partner waits for the other side to register with its `tokenA`. */
export interface PartnerOptions {
  /** Default: the highest that both sides have. */
  readonly ocpi?: OcpiVersion | undefined
  /** Default: NL-SIM. */
  readonly party?: Party
  /** Members of our credentials in place of the usual ones, such as the `roles` of a platform, or `hub_party_id`. */
  readonly credentials?: Json
  readonly tokenA?: string
  /** Names of `PARTNER_QUIRKS`. */
  readonly quirks?: readonly string[]
  /** What an answer of the quirk `slow` takes; default: 6000. */
  readonly slowMs?: number
  /** Default: a card and an app's token. Members that a token leaves out are filled in. */
  readonly tokens?: readonly Json[]
  /** Another answer than the usual one to a request. */
  readonly respond?: (request: Received) => Reply | undefined | Promise<Reply | undefined>
  readonly host?: string
  readonly port?: number
  readonly now?: () => number
}

/** Without a token: that of the app. `responseUrl`: an address of this partner, if not given. */
export interface StartOptions {
  readonly locationId: string
  readonly evseUid?: string | undefined
  readonly connectorId?: string | undefined
  readonly token?: Json
  readonly responseUrl?: string
  readonly authorizationReference?: string
}

/** A command, and what was said to it at once: `ACCEPTED`, `REJECTED`, …, if anything. */
export interface SentCommand {
  readonly id: string
  readonly answer: Answer
  readonly response: string | undefined
}

/** What asks, pulls or registers rejects with a sentence where the other side refuses. */
export interface Partner extends Pick<Registration, 'peer' | 'version' | 'endpoint' | 'register' | 'rotate'> {
  /** For the other side, to register with us. */
  readonly versionsUrl: string
  readonly tokenA: string
  readonly tokens: () => readonly Json[]
  /** The requests that came, those that a quirk refused included, oldest first; `module` as in addresses: `cdrs`. */
  readonly received: (module?: string, method?: string) => readonly Received[]
  /** The copies of what was pushed: `locations`, `tariffs`, `sessions`, `cdrs`. */
  readonly objects: (module: string) => readonly Json[]
  readonly client: Client
  /** All pages of `locations`, `tariffs`, `sessions` or `cdrs`. */
  pull(module: string, query?: Readonly<Record<string, string>>): Promise<Pulled>
  pushToken(token: Json): Promise<Answer>
  patchToken(uid: string, change: Json): Promise<Answer>
  start(options: StartOptions): Promise<SentCommand>
  stop(sessionId: string): Promise<SentCommand>
  /** Any command; `response_url` is added where it is missing. */
  command(name: string, body: Json): Promise<SentCommand>
  /** What the charge point said to a command; undefined after so many seconds. */
  resultOf(command: SentCommand, seconds?: number): Promise<string | undefined>
  /** What `find` finds as requests come; undefined after so many seconds. */
  until<T>(find: () => T | undefined, seconds?: number): Promise<T | undefined>
  close(): Promise<void>
}

const DEFAULT_PARTY: Party = { countryCode: 'NL', partyId: 'SIM' }
const DEFAULT_WAIT_SECONDS = 60
const DEFAULT_LIMIT = 100
const DEFAULT_SLOW_MS = 6_000
const EARLIEST = '2020-01-01T00:00:00Z'
const RECEIVED = ['locations', 'tariffs', 'sessions', 'cdrs']
const ENDPOINTS = [
  ...RECEIVED.map((identifier) => ({ identifier, role: 'RECEIVER' })),
  ...['credentials', 'tokens', 'commands', 'chargingprofiles'].map((identifier) => ({ identifier, role: 'SENDER' })),
]

/**
 * Listens when it resolves.
 *
 * @example
 * const other = await createPartner({ party: { countryCode: 'DE', partyId: 'ABC' } })
 * const partner = await createPartner({ ocpi: '2.2.1', quirks: ['trailing-slashes'] })
 * await partner.register(other.versionsUrl, other.tokenA)
 * console.log(partner.version(), other.received('credentials').length)
 * await Promise.all([partner.close(), other.close()])
 */
export async function createPartner(options: PartnerOptions = {}): Promise<Partner> {
  const { party = DEFAULT_PARTY, tokenA = randomUUID(), now = Date.now } = options
  const quirks: PartnerQuirks = new Set(findQuirks(options.quirks ?? [], PARTNER_QUIRKS).map(({ name }) => name))
  const offered = options.ocpi ? [options.ocpi] : OCPI_VERSIONS
  const slash = quirks.has('trailing-slashes') ? '/' : ''
  const store = createObjectStore()
  const requests: Received[] = []
  const waiting = new Set<() => void>()
  const tokens = new Map<string, Json>()
  const keepToken = (token: Json): Json => {
    const whole = {
      country_code: party.countryCode,
      party_id: party.partyId,
      type: 'RFID',
      contract_id: `${party.countryCode}-${party.partyId}-C00000001`,
      issuer: 'Simulated provider',
      valid: true,
      whitelist: 'ALLOWED_OFFLINE',
      language: 'en',
      last_updated: time(now(), quirks),
      ...token,
    }
    tokens.set(String(token.uid), whole)
    return whole
  }
  for (const token of options.tokens ?? [{ uid: 'SIM-CARD-1' }, { uid: 'SIM-APP-1', type: 'APP_USER' }])
    keepToken(token)

  const registration = createRegistration({
    tokenA,
    offered,
    credentials: (token) => ({
      token,
      url: `${server.base}/versions${slash}`,
      roles: [
        {
          role: 'EMSP',
          business_details: { name: 'Simulated provider' },
          party_id: party.partyId,
          country_code: party.countryCode,
        },
      ],
      ...options.credentials,
    }),
    client: () => client,
  })
  const { endpoint, peerParty, theirToken, version } = registration
  const client = createClient({ quirks, token: theirToken, own: party, peer: peerParty })
  const server = await startPartnerServer({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    quirks,
    now,
    async handle(request) {
      const token = registration.admits(tokensOf(request.headers.authorization))
      if (token === undefined) return { status: 401, statusCode: 2001, message: 'the token is not known' }
      requests.push(request)
      const reply = await shaped(request, quirks, options.slowMs ?? DEFAULT_SLOW_MS, async () => {
        if (!request.isJson) return { status: 400, statusCode: 2001, message: 'the body is no JSON' }
        return (await options.respond?.(request)) ?? replyTo(request, token)
      })
      for (const wake of waiting) wake()
      return reply
    },
  })
  const { base } = server

  async function replyTo(request: Received, token: string): Promise<Reply> {
    const { version: asked, module, method, path, body } = request
    if (module === '' && method !== 'GET') return { status: 405, statusCode: 2000, message: 'there is only GET here' }
    if (asked === 'versions') {
      return { status: 200, data: offered.map((one) => ({ version: one, url: `${base}/${one}${slash}` })) }
    }
    if (!offered.some((one) => one === asked)) return notFound(2000, `version ${asked} is not here`)
    const address = `${base}/${asked}`
    if (module === '') {
      const endpoints = ENDPOINTS.map((one) => ({ ...one, url: `${address}/${one.identifier}${slash}` }))
      return { status: 200, data: { version: asked, endpoints } }
    }
    if (module === 'credentials') return registration.reply(request, token)
    if (module === 'tokens') return path[1] === 'authorize' ? authorization(request) : tokenPage(request, address)
    if (module === 'commands' || module === 'chargingprofiles') return OK
    if (!RECEIVED.includes(module)) return notFound(2000, `there is no module ${module}`)
    if (module === 'cdrs' && method === 'POST') {
      const { country_code: country, party_id: id, id: cdrId } = isObject(body) ? body : {}
      const owned = [country, id, cdrId].map(String)
      const kept = store.handle({ ...request, method: 'PUT', path: owned })
      return { ...kept, headers: { location: [`${address}/cdrs`, ...owned].join('/') } }
    }
    if (path.length === 0) return { status: 405, statusCode: 2000, message: 'the address of an object is missing' }
    return store.handle(request)
  }

  function tokenPage({ method, query }: Received, address: string): Reply {
    if (method !== 'GET') return { status: 405, statusCode: 2000, message: 'tokens are pulled with GET' }
    const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? '\uffff']
    const all = [...tokens.values()].filter(({ last_updated: at }) => String(at) >= from && String(at) < to)
    const offset = Number(query.get('offset') ?? 0)
    const limit = Math.min(DEFAULT_LIMIT, Number(query.get('limit') ?? DEFAULT_LIMIT))
    const end = offset + limit
    const next = new URLSearchParams({ ...Object.fromEntries(query), offset: String(end), limit: String(limit) })
    const headers = {
      'x-total-count': String(all.length),
      'x-limit': String(limit),
      ...(end < all.length && { link: `<${address}/tokens${slash}?${next}>; rel="next"` }),
    }
    return { status: 200, data: all.slice(offset, end), headers }
  }

  function authorization({ path: [uid = ''], body }: Received): Reply {
    const token = tokens.get(uid)
    if (!token) return notFound(2004, `the token ${uid} is not known`)
    const data = {
      allowed: token.valid === true ? 'ALLOWED' : 'BLOCKED',
      token,
      ...(isObject(body) && { location: quirks.has('leaves-evse-out') ? { ...body, evse_uids: [] } : body }),
      ...(token.valid === true && { authorization_reference: randomUUID() }),
    }
    return { status: 200, data }
  }

  const until: Partner['until'] = (find, seconds = DEFAULT_WAIT_SECONDS) =>
    new Promise((resolve) => {
      const end = (found: ReturnType<typeof find>): void => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(found)
      }
      const look = (): void => {
        const found = find()
        if (found !== undefined) end(found)
      }
      const timer = setTimeout(() => end(undefined), seconds * 1000)
      waiting.add(look)
      look()
    })

  const tokenUrl = ({ uid, type, country_code: country, party_id: id }: Json): string => {
    const address = [country, id, uid].map((part) => encodeURIComponent(String(part))).join('/')
    return `${endpoint('tokens', 'RECEIVER')}/${address}?type=${String(type)}`
  }

  const command: Partner['command'] = async (name, body) => {
    const id = randomUUID()
    const answer = await client.call('POST', `${endpoint('commands', 'RECEIVER')}/${name}`, {
      response_url: `${base}/${version()}/commands/${name}/${id}`,
      ...body,
    })
    const result = isObject(answer.data) ? answer.data.result : undefined
    return { id, answer, response: typeof result === 'string' ? result : undefined }
  }

  return {
    ...registration,
    versionsUrl: `${base}/versions${slash}`,
    tokenA,
    tokens: () => [...tokens.values()],
    received: (module, method) =>
      requests.filter((one) => (module ?? one.module) === one.module && (method ?? one.method) === one.method),
    objects: store.all,
    client,
    pull: (module, query) =>
      client.pull(endpoint(module, 'SENDER'), {
        limit: String(DEFAULT_LIMIT),
        ...(module === 'sessions' && { date_from: EARLIEST }),
        ...query,
      }),
    async pushToken(token) {
      const whole = keepToken(token)
      return client.call('PUT', tokenUrl(whole), whole)
    },
    async patchToken(uid, change) {
      const updated = { ...change, last_updated: time(now(), quirks) }
      return client.call('PATCH', tokenUrl(keepToken({ uid, ...tokens.get(uid), ...updated })), updated)
    },
    start: ({ locationId, evseUid, connectorId, token, responseUrl, authorizationReference }) =>
      command('START_SESSION', {
        token: token ?? [...tokens.values()].find(({ type }) => type === 'APP_USER'),
        location_id: locationId,
        ...(evseUid !== undefined && { evse_uid: evseUid }),
        ...(connectorId !== undefined && { connector_id: connectorId }),
        ...(quirks.has('no-evse') && { evse_uid: '#NA', connector_id: '#NA' }),
        ...(authorizationReference !== undefined && { authorization_reference: authorizationReference }),
        ...(responseUrl !== undefined && { response_url: responseUrl }),
      }),
    stop: (sessionId) => command('STOP_SESSION', { session_id: sessionId }),
    command,
    async resultOf({ id }, seconds) {
      const result = await until(() => requests.find(({ path }) => path.at(-1) === id), seconds)
      return isObject(result?.body) ? String(result.body.result) : undefined
    },
    until,
    close: () => server.close(),
  }
}
