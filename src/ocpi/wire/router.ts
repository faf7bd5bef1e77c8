/**
 * The addresses of OCPI (OCPI-A1, OCPI-A7): authenticated, within its rate, found, read, handled, kept. HTTP says
 * transport only; what is wrong with JSON at a known address from a partner that may is said by `status_code`.
 */
import type { HttpBindings } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { createRateLimits, type RateLimits } from '../../api/requests/rate-limit.ts'
import { readJson } from '../../api/requests/request-body.ts'
import { Problem } from '../../api/respond.ts'
import { isRecent } from '../../domain/due.ts'
import { grouped } from '../../domain/grouped.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { used } from '../../domain/partners/credentials.ts'
import { OCPI_VERSIONS, type OcpiVersion, type Partner } from '../../domain/partners/records.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import { changePartner } from '../partners/change.ts'
import { readAuthorization } from '../partners/credentials-object.ts'
import type { ExchangeLog } from '../partners/exchanges.ts'
import type { OcpiAnswer, OcpiContext, OcpiModule, OcpiRequest, OcpiRoute } from './module.ts'
import { MODULES } from './modules.ts'

export interface OcpiEnv {
  readonly Bindings: Partial<HttpBindings>
}
type OcpiHttp = Context<OcpiEnv>

export interface RouterContext extends OcpiContext {
  readonly exchanges: ExchangeLog
  readonly limits: Limits
  /** Of requests a minute, for each partner and for each address without a valid token; 0 = no limit. */
  readonly perMinute: number
  readonly addressOf: (http: OcpiHttp) => string | undefined
}

/** What stands at an address; nothing: 404. */
interface Target {
  readonly version?: OcpiVersion
  readonly module?: OcpiModule
  readonly routes: readonly Pick<OcpiRoute, 'method' | 'handle'>[]
}

const MAX_BODY = 1024 * 1024
const CLIENT_ERROR = 2000
const SERVER_ERROR = 3000
/** How exactly the last contact is known. */
const CONTACT_MS = 60_000

export function ocpiRoutes(context: RouterContext): Hono<OcpiEnv> {
  const app = new Hono<OcpiEnv>()
  const inside = new Hono<OcpiEnv>({ strict: false })
  const rateLimits = createRateLimits(context.limits, { v1: 0, v2: 0, api: context.perMinute })
  const add = (path: string, target: Target) =>
    inside.all(path, (http) => answerRequest(context, rateLimits, http, target))
  const shows = (data: unknown): Target['routes'] => [{ method: 'GET', handle: () => ({ data }) }]
  const root = `${context.settings.baseUrl}/ocpi`
  const versions = OCPI_VERSIONS.map((version) => ({ version, url: `${root}/${version}` }))
  add('/ocpi/versions', { routes: shows(versions) })
  for (const { version, url } of versions) {
    const endpoints = MODULES.map(({ identifier, role }) => ({ identifier, role, url: `${url}/${identifier}` }))
    add(`/ocpi/${version}`, { version, routes: shows({ version, endpoints }) })
    for (const module of MODULES) {
      for (const [path, routes] of grouped(module.routes, (route) => route.path)) {
        const address = `/ocpi/${version}/${module.identifier}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`
        add(address, { version, module, routes })
      }
    }
  }
  add('*', { routes: [] })
  for (const below of ['versions', ...OCPI_VERSIONS]) {
    app.all(`/ocpi/${below}/*`, ({ req, env }) => inside.fetch(req.raw, env))
  }
  return app
}

/** An answer with the status of HTTP that it is sent with. */
type Sent = Omit<OcpiAnswer, 'http'> & { readonly http: number }

type Caller = Pick<OcpiRequest, 'partner' | 'token'>

async function answerRequest(
  context: RouterContext,
  rateLimits: RateLimits,
  http: OcpiHttp,
  target: Target,
): Promise<Response> {
  const { now, log, exchanges } = context
  const at = now()
  const { method, path } = http.req
  const { search, searchParams: query } = new URL(http.req.url)
  let partner: Partner | undefined
  let body: unknown
  const carryOut = async (): Promise<Sent> => {
    const named = await callerOf(context, http.req.header('authorization'))
    partner = named?.partner
    const caller = named && (await admit(context, named, isProof(target, method)))
    if (!caller) {
      const address = context.addressOf(http)
      if (address !== undefined) await rateLimits.spendAnonymous(address)
      return { http: 401, code: CLIENT_ERROR, message: refusalOf(named?.partner) }
    }
    const { accountId, partnerId } = caller.partner
    await rateLimits.spend('api', { kind: 'credential', accountId: `ocpi ${partnerId}`, credentialId: partnerId }, 1)
    const party = await context.reads.getRecord('ocpi_parties', { accountId })
    if (!party) return { http: 200, code: SERVER_ERROR, message: 'The operator has not said which party it is.' }
    if (method !== 'GET' && method !== 'DELETE') {
      body = await readJson(http.req.raw, { maxBytes: MAX_BODY, anyType: true })
    }
    const route = target.routes.find((one) => one.method === method)
    if (!route) return notOffered(target)
    const { version = '2.2.1' } = target
    const below = path.slice(`/ocpi/${version}`.length)
    const params = http.req.param()
    const answer = await route.handle({ ...caller, context, version, party, path: below, params, query, body })
    return { ...answer, http: answer.http ?? 200 }
  }
  const sent = await carryOut().catch((error: unknown): Sent => {
    if (error instanceof Problem) {
      return { http: error.status, code: CLIENT_ERROR, message: error.message, headers: error.headers }
    }
    log.error({ method, path, error: error instanceof Error ? error.stack : String(error) }, 'an OCPI request failed')
    return { http: 500, code: SERVER_ERROR, message: 'The server failed; try again later.' }
  })
  const { code = 1000 } = sent
  const text = JSON.stringify({
    data: sent.data,
    status_code: code,
    status_message: sent.message,
    timestamp: isoTime(now()),
  })
  // A flood over its rate is not kept: each request would be a row.
  if (partner && sent.http !== 429) {
    exchanges.note(partner, {
      at,
      direction: 'in',
      method,
      url: `${path}${search}`,
      status: sent.http,
      statusCode: code,
      body,
      response: text,
      durationMs: Math.max(0, now() - at),
      attempt: 1,
    })
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'no-store' }
  return new Response(text, { status: sent.http, headers: { ...headers, ...echoed(target, http), ...sent.headers } })
}

/** Reading our versions proves nothing about a token that was offered: the partner may refuse it after that. */
function isProof({ module }: Target, method: string): boolean {
  return module !== undefined && !(module.isConfiguration && method === 'GET')
}

async function callerOf({ reads }: OcpiContext, authorization: string | undefined): Promise<Caller | undefined> {
  const token = readAuthorization(authorization)
  if (!token) return undefined
  const [partner] = await reads.listRecords('partners', { where: { partnerId: token.partnerId }, limit: 1 })
  return partner && { partner, token }
}

/** The token is used: older ones end (OCPI-A1). Undefined: it is not valid. */
async function admit(context: OcpiContext, { partner, token }: Caller, isProof: boolean): Promise<Caller | undefined> {
  const at = context.now()
  const afterUse = (known: Partner): Partner | undefined => {
    const tokenHashes = known.state === 'suspended' ? undefined : used(known.tokenHashes, token.hash, at, isProof)
    if (!tokenHashes) return undefined
    const isKnown = known.lastContactAt !== undefined && isRecent(known.lastContactAt, at, CONTACT_MS)
    return isKnown && tokenHashes === known.tokenHashes ? known : { ...known, tokenHashes, lastContactAt: at }
  }
  const after = afterUse(partner)
  const admitted = after && after !== partner ? await changePartner(context, partner, afterUse) : after
  return admitted && { partner: admitted, token }
}

function refusalOf(partner: Partner | undefined): string {
  if (!partner) return 'Send `Authorization: Token` with the credentials token in base64; this one is not known.'
  if (partner.state === 'removed') return 'The credentials were withdrawn: ask the operator for a new invitation.'
  if (partner.state === 'suspended') return 'The operator has suspended this partner.'
  return 'The token was replaced by a newer one that was used: send that one.'
}

function notOffered({ routes }: Target): Sent {
  if (routes.length === 0) {
    return { http: 404, code: CLIENT_ERROR, message: 'Nothing is here: the details of the version list all modules.' }
  }
  const allow = [...new Set(routes.map(({ method }) => method))].sort().join(', ')
  return { http: 405, code: CLIENT_ERROR, message: `Here is offered: ${allow}.`, headers: { allow } }
}

const ROUTING = ['country-code', 'party-id'].flatMap((what) => [
  [`ocpi-to-${what}`, `ocpi-from-${what}`],
  [`ocpi-from-${what}`, `ocpi-to-${what}`],
])
const MAX_HEADER = 200

/** What came from a party goes to it, and the other way round. None at versions, credentials, HubClientInfo. */
function echoed({ module }: Target, { req }: OcpiHttp): Readonly<Record<string, string>> {
  const ids = ['x-request-id', 'x-correlation-id'].map((name) => [name, name])
  const found: Record<string, string> = {}
  for (const [name = '', from = ''] of [...ids, ...(module && !module.isConfiguration ? ROUTING : [])]) {
    const value = req.header(from)
    if (value !== undefined && value.length <= MAX_HEADER) found[name] = value
  }
  return found
}
