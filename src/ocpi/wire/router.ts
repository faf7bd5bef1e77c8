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
import { isoTime } from '../../domain/iso-time.ts'
import { used } from '../../domain/partners/credentials.ts'
import { OCPI_VERSIONS, type OcpiParty, type OcpiVersion, type Partner } from '../../domain/partners/records.ts'
import type { Limits } from '../../domain/ports/limits.ts'
import { changePartner } from '../partners/change.ts'
import { readAuthorization } from '../partners/credentials-object.ts'
import type { ExchangeLog } from '../partners/exchanges.ts'
import type { OcpiAnswer, OcpiContext, OcpiModule, OcpiRoute } from './module.ts'
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

const MAX_BODY = 1024 * 1024
const CLIENT_ERROR = 2000
const SERVER_ERROR = 3000
/** How exactly the last contact is known. */
const CONTACT_MS = 60_000

export function ocpiRoutes(context: RouterContext): Hono<OcpiEnv> {
  const app = new Hono<OcpiEnv>()
  const rateLimits = createRateLimits(context.limits, { v1: 0, v2: 0, api: context.perMinute })
  const answer = (http: OcpiHttp): Promise<Response> => answerRequest(context, rateLimits, http)
  for (const root of ['versions', ...OCPI_VERSIONS]) app.all(`/ocpi/${root}/*`, answer)
  return app
}

/** An answer with the status of HTTP that it is sent with. */
type Sent = Omit<OcpiAnswer, 'http'> & { readonly http: number }

interface Caller {
  readonly partner: Partner
  readonly token: { readonly hash: string; readonly text: string }
}

async function answerRequest(context: RouterContext, rateLimits: RateLimits, http: OcpiHttp): Promise<Response> {
  const { now, log, exchanges } = context
  const at = now()
  const { method, path } = http.req
  const target = targetOf(path)
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
    const { partnerId } = caller.partner
    await rateLimits.spend('api', { kind: 'credential', accountId: `ocpi ${partnerId}`, credentialId: partnerId }, 1)
    const { accountId } = caller.partner
    const party = await context.reads.getRecord('ocpi_parties', { accountId })
    if (!party) return { http: 200, code: SERVER_ERROR, message: 'The operator has not said which party it is.' }
    if (method !== 'GET' && method !== 'DELETE') {
      body = await readJson(http.req.raw, { maxBytes: MAX_BODY, anyType: true })
    }
    return handled(context, { ...caller, party, body, target, http })
  }
  const sent = await carryOut().catch((error: unknown): Sent => {
    if (error instanceof Problem) {
      return {
        http: error.status === 415 ? 400 : error.status,
        code: CLIENT_ERROR,
        message: error.message,
        headers: error.headers,
      }
    }
    log.error({ method, path, error: error instanceof Error ? error.stack : String(error) }, 'an OCPI request failed')
    return { http: 500, code: SERVER_ERROR, message: 'The server failed; try again later.' }
  })
  const text = JSON.stringify({
    ...(sent.data !== undefined && { data: sent.data }),
    status_code: sent.code ?? 1000,
    ...(sent.message !== undefined && { status_message: sent.message }),
    timestamp: isoTime(now()),
  })
  if (partner) {
    exchanges.note({
      accountId: partner.accountId,
      partnerId: partner.partnerId,
      at,
      direction: 'in',
      method,
      url: `${path}${new URL(http.req.url).search}`,
      status: sent.http,
      statusCode: sent.code ?? 1000,
      request: body === undefined ? undefined : JSON.stringify(body),
      response: text,
      durationMs: Math.max(0, now() - at),
      attempt: 1,
    })
  }
  return new Response(text, {
    status: sent.http,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      ...echoed(target, http),
      ...sent.headers,
    },
  })
}

type Target =
  | { readonly version: OcpiVersion; readonly below: string; readonly module: OcpiModule | undefined }
  | undefined

/** Undefined: the list of versions. */
function targetOf(path: string): Target {
  const [, , version, identifier] = path.split('/')
  if (version === 'versions' && !identifier) return undefined
  const below = path.slice(`/ocpi/${version}`.length).replace(/\/+$/, '')
  const module = MODULES.find((one) => one.identifier === identifier)
  return { version: version as OcpiVersion, below, module }
}

/** Reading our versions proves nothing about a token that was offered: the partner may refuse it after that. */
function isProof(target: Target, method: string): boolean {
  const module = target?.module
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
  if (!after) return undefined
  const admitted = after === partner ? partner : await changePartner(context, partner, afterUse)
  return admitted && { partner: admitted, token }
}

function refusalOf(partner: Partner | undefined): string {
  if (!partner) return 'Send `Authorization: Token` with the credentials token in base64; this one is not known.'
  if (partner.state === 'removed') return 'The credentials were withdrawn: ask the operator for a new invitation.'
  if (partner.state === 'suspended') return 'The operator has suspended this partner.'
  return 'The token was replaced by a newer one that was used: send that one.'
}

interface Admitted extends Caller {
  readonly party: OcpiParty
  readonly body: unknown
  readonly target: Target
  readonly http: OcpiHttp
}

async function handled(context: OcpiContext, { target, http, ...request }: Admitted): Promise<Sent> {
  const { baseUrl } = context.settings
  const { method } = http.req
  if (target === undefined || target.below === '') {
    if (method !== 'GET') return notAllowed(['GET'])
    const data = target ? detailsOf(baseUrl, target.version) : versionsOf(baseUrl)
    return { http: 200, data }
  }
  const { module, version, below } = target
  const path = below.slice(1 + (module?.identifier.length ?? 0))
  const matches = module?.routes.flatMap((route) => {
    const params = paramsIn(route, path)
    return params ? [{ route, params }] : []
  })
  if (!matches || matches.length === 0) {
    return {
      http: 404,
      code: CLIENT_ERROR,
      message: `There is nothing at ${below}: the details of the version list all modules.`,
    }
  }
  const match = matches.find(({ route }) => route.method === method)
  if (!match) return notAllowed(matches.map(({ route }) => route.method))
  const answer = await match.route.handle({
    ...request,
    context,
    version,
    path: below,
    params: match.params,
    query: new URL(http.req.url).searchParams,
  })
  return { ...answer, http: answer.http ?? 200 }
}

function notAllowed(methods: readonly string[]): Sent {
  const allow = [...new Set(methods)].sort().join(', ')
  return { http: 405, code: CLIENT_ERROR, message: `Here is offered: ${allow}.`, headers: { allow } }
}

function paramsIn({ path: pattern }: OcpiRoute, path: string): Readonly<Record<string, string>> | undefined {
  const names = pattern.split('/')
  const parts = path.split('/')
  if (names.length !== parts.length) return undefined
  const params: Record<string, string> = {}
  for (const [at, name] of names.entries()) {
    const part = decoded(parts[at] ?? '')
    const param = /^\{(\w+)\}$/.exec(name)?.[1]
    if (param === undefined ? part !== name : part === '') return undefined
    if (param !== undefined) params[param] = part
  }
  return params
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function versionsOf(baseUrl: string): readonly object[] {
  return OCPI_VERSIONS.map((version) => ({ version, url: `${baseUrl}/ocpi/${version}` }))
}

function detailsOf(baseUrl: string, version: OcpiVersion): object {
  const endpoints = MODULES.map(({ identifier, role }) => ({
    identifier,
    role,
    url: `${baseUrl}/ocpi/${version}/${identifier}`,
  }))
  return { version, endpoints }
}

const IDS = ['x-request-id', 'x-correlation-id']
const MAX_HEADER = 200

/** What came from a party goes to it, and the other way round. None at versions, credentials, HubClientInfo. */
function echoed(target: Target, { req }: OcpiHttp): Readonly<Record<string, string>> {
  const sides: readonly (readonly [string, string])[] =
    target?.module && !target.module.isConfiguration
      ? [
          ['to', 'from'],
          ['from', 'to'],
        ]
      : []
  const routing = sides.flatMap(([to, from]) =>
    ['country-code', 'party-id'].map((what) => [`ocpi-${to}-${what}`, req.header(`ocpi-${from}-${what}`)] as const),
  )
  return Object.fromEntries(
    [...IDS.map((name) => [name, req.header(name)] as const), ...routing].flatMap(([name, value]) =>
      value === undefined || value.length > MAX_HEADER ? [] : [[name, value]],
    ),
  )
}
