/** A small e-mobility service provider: the other side of OCPI for tests, and for a developer who tries roaming. */
import { randomUUID } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { isoTime } from '../../src/domain/iso-time.ts'
import { OCPI_VERSIONS, type OcpiVersion } from '../../src/domain/partners/records.ts'
import { isObject } from '../../src/ocpp/translate/payload.ts'
import { findQuirks } from '../quirks/apply.ts'
import { keepObject, refusal } from './objects.ts'
import { PARTNER_QUIRKS, type PartnerQuirks } from './quirks.ts'
import {
  type Answer,
  createClient,
  type Json,
  objectOf,
  objectsOf,
  type Received,
  type Reply,
  startServer,
} from './wire.ts'

/** All are optional: without any, a partner waits for the other side to register with its `tokenA`. */
export interface PartnerOptions {
  /** Default: the highest that both sides have. */
  readonly ocpi?: OcpiVersion | undefined
  /** Default: NL-SIM. */
  readonly party?: { readonly country_code: string; readonly party_id: string }
  /** Members of our credentials in place of the usual ones, such as the `roles` of a platform, or `hub_party_id`. */
  readonly credentials?: Json
  /** Names of `PARTNER_QUIRKS`. */
  readonly quirks?: readonly string[]
  /** What an answer of the quirk `slow` takes; default: 6000. */
  readonly slowMs?: number
  /** Default: a card and an app's token. Members that a token leaves out are filled in. */
  readonly tokens?: readonly Json[]
  /** Another answer than the usual one to a request. */
  readonly respond?: (request: Received) => Reply | undefined | Promise<Reply | undefined>
}

export type SentCommand = Awaited<ReturnType<Partner['command']>>
/** What `createPartner` makes. */
export type Partner = Awaited<ReturnType<typeof createPartner>>

const SLOW_MS = 6_000
const WAIT_SECONDS = 60
const LIMIT = 100
/** Of the quirk `answers-10-mb`. */
const PADDING = 11_000_000
const EARLIEST = '2020-01-01T00:00:00Z'
const RECEIVED = ['locations', 'tariffs', 'sessions', 'cdrs']
const SENT = ['credentials', 'tokens', 'commands', 'chargingprofiles']
const WRONG_METHOD = refusal(405, 2000, 'this method is not for this address')

/**
 * Listens when it resolves. What asks, pulls or registers rejects with a sentence where the other side refuses.
 *
 * @example
 * const other = await createPartner({ party: { country_code: 'DE', party_id: 'ABC' } })
 * const partner = await createPartner({ ocpi: '2.2.1', quirks: ['trailing-slashes'] })
 * await partner.register(other.versionsUrl, other.tokenA)
 * console.log(partner.version(), other.received('credentials').length)
 * await Promise.all([partner.close(), other.close()])
 */
export async function createPartner(options: PartnerOptions = {}) {
  const { party = { country_code: 'NL', party_id: 'SIM' }, slowMs = SLOW_MS } = options
  const quirks: PartnerQuirks = new Set(findQuirks(options.quirks ?? [], PARTNER_QUIRKS).map(({ name }) => name))
  const offered = options.ocpi ? [options.ocpi] : OCPI_VERSIONS
  const slash = quirks.has('trailing-slashes') ? '/' : ''
  const tokenA = randomUUID()
  /** Ours, newest first. */
  let accepted: readonly string[] = [tokenA]
  let theirToken = ''
  let peer: Json | undefined
  let version: OcpiVersion | undefined
  let endpoints: readonly Json[] = []
  const requests: Received[] = []
  const coming = new EventEmitter()
  const stores = Object.fromEntries(RECEIVED.map((module) => [module, new Map<string, Json>()]))
  const tokens = new Map<string, Json>()

  const time = (): string => isoTime(Date.now()).replace('Z', quirks.has('offset-times') ? '+00:00' : 'Z')
  const keepToken = (token: Json): Json => {
    const contract = `${party.country_code}-${party.party_id}-C00000001`
    const usual = { type: 'RFID', contract_id: contract, issuer: 'Simulated provider', valid: true }
    const whole = { ...party, ...usual, whitelist: 'ALLOWED_OFFLINE', last_updated: time(), ...token }
    tokens.set(String(token.uid), whole)
    return whole
  }
  for (const token of options.tokens ?? [{ uid: 'SIM-CARD-1' }, { uid: 'SIM-APP-1', type: 'APP_USER' }])
    keepToken(token)

  const client = createClient((url): Readonly<Record<string, string>> => {
    const given = quirks.has('line-feed-token') ? `${theirToken}\n` : theirToken
    const authorization = `Token ${quirks.has('plain-token') ? theirToken : Buffer.from(given).toString('base64')}`
    const [to] = objectsOf(peer?.roles)
    // Requests of the registration are to a platform and not to a party.
    if (!to || /\/(credentials|versions|\d\.\d(\.\d)?)\/?$/.test(new URL(url).pathname)) return { authorization }
    return {
      authorization,
      'ocpi-from-country-code': party.country_code,
      'ocpi-from-party-id': party.party_id,
      'ocpi-to-country-code': String(to.country_code),
      'ocpi-to-party-id': String(to.party_id),
    }
  })
  const server = await startServer(async (request) => {
    const given = request.headers.authorization?.replace(/^Token /i, '') ?? ''
    const used = [Buffer.from(given, 'base64').toString().trimEnd(), given].find((one) => accepted.includes(one))
    if (used === undefined) return refusal(401, 2001, 'the token is not known')
    // One that was used ends the older ones.
    accepted = accepted.slice(0, accepted.indexOf(used) + 1)
    requests.push(request)
    const reply = await replyWithQuirks(request, used)
    coming.emit('request')
    return reply
  }, time)
  const { base } = server

  async function replyWithQuirks(request: Received, used: string): Promise<Reply> {
    const { module, method, url } = request
    const usual = async (): Promise<Reply> => (await options.respond?.(request)) ?? replyTo(request, used)
    if (module === '' || module === 'credentials') return usual()
    if (quirks.has('slow')) await pause(slowMs)
    if (quirks.has('redirects') && url.pathname.startsWith('/ocpi'))
      return { status: 307, headers: { location: `/moved${url.pathname}${url.search}` } }
    if (quirks.has('no-patch') && method === 'PATCH') return WRONG_METHOD
    if (quirks.has('refuses-pushes') && method !== 'GET' && module !== 'tokens')
      return refusal(200, 2000, 'could not be processed')
    const { headers, ...reply } = await usual()
    if (quirks.has('answers-10-mb')) return { ...reply, message: 'x'.repeat(PADDING) }
    if (quirks.has('cdr-address-in-body') && headers?.location) return { ...reply, data: { url: headers.location } }
    return { ...reply, ...(headers && { headers }) }
  }

  async function replyTo(request: Received, used: string): Promise<Reply> {
    const { version: asked, module, method, path, body } = request
    const address = `${base}/${asked}`
    if (method !== 'GET' && path.length === 0 && ['', 'tokens'].includes(module)) return WRONG_METHOD
    if (asked === 'versions') return { data: offered.map((one) => ({ version: one, url: `${base}/${one}${slash}` })) }
    if (module === '') {
      const endpoint = (identifier: string, role: string) => ({
        identifier,
        role,
        url: `${address}/${identifier}${slash}`,
      })
      const all = [...RECEIVED.map((one) => endpoint(one, 'RECEIVER')), ...SENT.map((one) => endpoint(one, 'SENDER'))]
      return { data: { version: asked, endpoints: all } }
    }
    if (module === 'credentials') return replyToCredentials(request, used)
    if (module === 'tokens') return path[1] === 'authorize' ? authorization(request) : tokenPage(request)
    if (SENT.includes(module)) return {}
    const store = stores[module]
    if (!store) return refusal(404, 2000, `there is no module ${module}`)
    if (module === 'cdrs' && method === 'POST') {
      const { country_code: country, party_id: id, id: cdrId } = objectOf(body)
      const owned = [country, id, cdrId].map(String)
      const kept = keepObject(store, { ...request, method: 'PUT', path: owned })
      return { ...kept, headers: { location: [`${address}/cdrs`, ...owned].join('/') } }
    }
    return path.length === 0 ? WRONG_METHOD : keepObject(store, request)
  }

  function tokenPage({ url: { searchParams: query, pathname } }: Received): Reply {
    const [from, to] = [query.get('date_from') ?? '', query.get('date_to') ?? '~']
    const all = [...tokens.values()].filter(({ last_updated: at }) => String(at) >= from && String(at) < to)
    const offset = Number(query.get('offset') ?? 0)
    const limit = Math.min(LIMIT, Number(query.get('limit') ?? LIMIT))
    const end = offset + limit
    const next = new URLSearchParams({ ...Object.fromEntries(query), offset: String(end), limit: String(limit) })
    const link = end < all.length && { link: `<${new URL(pathname, base).href}?${next}>; rel="next"` }
    const headers = { 'x-total-count': String(all.length), 'x-limit': String(limit), ...link }
    return { data: all.slice(offset, end), headers }
  }

  function authorization({ path: [uid = ''], body }: Received): Reply {
    const token = tokens.get(uid)
    if (!token) return refusal(404, 2004, `the token ${uid} is not known`)
    if (token.valid !== true) return { data: { allowed: 'BLOCKED', token } }
    const location = isObject(body) && quirks.has('leaves-evse-out') ? { ...body, evse_uids: [] } : body
    return { data: { allowed: 'ALLOWED', token, location, authorization_reference: randomUUID() } }
  }

  async function replyToCredentials({ method, body }: Received, used: string): Promise<Reply> {
    if (method === 'GET') return { data: credentials(used) }
    if ((method === 'POST') === (peer !== undefined)) return WRONG_METHOD
    if (method === 'DELETE') {
      peer = undefined
      accepted = []
      return {}
    }
    const previous = theirToken
    const given = objectOf(body)
    theirToken = String(given.token)
    try {
      await discover(String(given.url))
    } catch (error) {
      theirToken = previous
      return refusal(200, 3001, (error as Error).message)
    }
    peer = given
    return { data: credentials(freshToken()) }
  }

  const freshToken = (): string => {
    const token = randomUUID()
    accepted = [token, ...accepted]
    return token
  }
  const credentials = (token: string): Json => {
    const roles = [{ ...party, role: 'EMSP', business_details: { name: 'Simulated provider' } }]
    return { token, url: `${base}/versions${slash}`, roles, ...options.credentials }
  }
  const discover = async (url: string): Promise<void> => {
    const theirs = objectsOf((await client.ask('GET', url)).data)
    const common = offered.filter((one) => theirs.some((entry) => entry.version === one)).at(-1)
    const names = theirs.map((one) => String(one.version)).join(', ') || 'none'
    if (!common) throw new Error(`no common version: ${url} has ${names}, this partner ${offered.join(', ')}`)
    const entry = theirs.find((one) => one.version === common)
    endpoints = objectsOf(objectOf((await client.ask('GET', String(entry?.url))).data).endpoints)
    version = common
  }
  /** An address of the other side. */
  const endpoint = (module: string, role?: 'SENDER' | 'RECEIVER'): string => {
    const found = endpoints.find((one) => one.identifier === module && (role ?? one.role) === one.role)
    if (!found) throw new Error(`the other side names no address for ${module}${role ? ` as ${role}` : ''}`)
    return String(found.url).replace(/\/$/, '')
  }
  const exchange = async (method: 'POST' | 'PUT'): Promise<void> => {
    const { data } = await client.ask(method, endpoint('credentials'), credentials(freshToken()))
    peer = objectOf(data)
    theirToken = String(peer.token)
  }

  /** What `find` finds as requests come; undefined after so many seconds. */
  const until = async <T>(find: () => T | undefined, seconds = WAIT_SECONDS): Promise<T | undefined> => {
    const signal = AbortSignal.timeout(seconds * 1000)
    for (;;) {
      const found = find()
      if (found !== undefined || signal.aborted) return found
      await once(coming, 'request', { signal }).catch(() => undefined)
    }
  }
  /** Any command, with a `response_url`. `response` is what was said to it at once, such as ACCEPTED. */
  const command = async (name: string, body: Json) => {
    const id = randomUUID()
    const whole = { response_url: `${base}/${version}/commands/${name}/${id}`, ...body }
    const answer = await client.call('POST', `${endpoint('commands', 'RECEIVER')}/${name}`, whole)
    return { id, answer, response: objectOf(answer.data).result }
  }

  return {
    /** For the other side, to register with us, with `tokenA`. */
    versionsUrl: `${base}/versions${slash}`,
    tokenA,
    tokens: tokens as ReadonlyMap<string, Json>,
    client,
    /** The credentials of the other side. */
    peer: () => peer,
    version: () => version,
    endpoint,
    async register(url: string, token: string): Promise<void> {
      theirToken = token
      await discover(url)
      await exchange('POST')
    },
    rotate: () => exchange('PUT'),
    /** The requests that came, those that a quirk refused included; `module` is `cdrs`, `commands`, …. */
    received: (module?: string, method?: string): readonly Received[] =>
      requests.filter((one) => (module ?? one.module) === one.module && (method ?? one.method) === one.method),
    /** The copies of what was pushed: `locations`, `tariffs`, `sessions`, `cdrs`. */
    objects: (module: string): readonly Json[] => [...(stores[module]?.values() ?? [])],
    /** All pages. */
    async pull(module: string, query?: Readonly<Record<string, string>>): Promise<readonly Json[]> {
      const objects: Json[] = []
      const first = new URLSearchParams({ limit: String(LIMIT), date_from: EARLIEST, ...query })
      let next: string | undefined = `${endpoint(module, 'SENDER')}?${first}`
      while (next !== undefined) {
        const { data, headers }: Answer = await client.ask('GET', next)
        objects.push(...objectsOf(data))
        next = /<([^<>]+)>\s*;\s*rel="?next"?/i.exec(headers.get('link') ?? '')?.[1]
      }
      return objects
    },
    pushToken(token: Json): Promise<Answer> {
      const whole = keepToken(token)
      const path = [whole.country_code, whole.party_id, whole.uid].map((part) => encodeURIComponent(String(part)))
      const address = [endpoint('tokens', 'RECEIVER'), ...path].join('/')
      return client.call('PUT', `${address}?type=${String(whole.type)}`, whole)
    },
    /** With the token of the app, where `body` names no other. */
    start: (body: Json) =>
      command('START_SESSION', {
        token: [...tokens.values()].find(({ type }) => type === 'APP_USER'),
        ...body,
        ...(quirks.has('no-evse') && { evse_uid: '#NA', connector_id: '#NA' }),
      }),
    stop: (sessionId: string) => command('STOP_SESSION', { session_id: sessionId }),
    command,
    /** What the charge point said to a command; undefined after so many seconds. */
    async resultOf({ id }: { readonly id: string }, seconds?: number): Promise<unknown> {
      return objectOf((await until(() => requests.find(({ path }) => path.at(-1) === id), seconds))?.body).result
    },
    until,
    close: () => server.close(),
  }
}
