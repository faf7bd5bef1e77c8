import { createHash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context, MiddlewareHandler } from 'hono'
import { getPath } from 'hono/utils/url'
import { auditedCore, auditedWrites } from '../application/audit/auditing.ts'
import { createWebhookOrders } from '../application/webhooks/subscribing.ts'
import { createCursors } from '../domain/message-log/cursor.ts'
import type { Reads, Writes } from '../domain/ports/storage.ts'
import type { KeptAnswer } from '../domain/records/unversioned.ts'
import { RESOURCES } from '../domain/resources/all-resources.ts'
import { type SealedBox, sealedBox } from '../secrets/sealed-box.ts'
import { type FixedDocument, fixedDocument } from '../web/fixed-document.ts'
import { createAuthentication } from './access/authenticate.ts'
import type { Api, ApiContext } from './api-parts.ts'
import { addDeclared } from './declared.ts'
import { describeApi, describeShared } from './docs/description.ts'
import { docsDocument } from './docs/docs-document.ts'
import { type ApiApp, type ApiEnv, createEndpoints, createExports, setHeaders } from './endpoint.ts'
import { createMetrics } from './metrics/metrics.ts'
import { basePathOf, createApiPath } from './requests/base-path.ts'
import { type Answered, createIdempotency, type KeptAnswers } from './requests/idempotency.ts'
import { createRateLimits, ratesOf } from './requests/rate-limit.ts'
import { cursorFaults } from './resource.ts'
import { Problem, renderProblem } from './respond.ts'
import { addChargePoints } from './routes/charge-points.ts'
import { addCommands } from './routes/commands.ts'
import { addNodes, addOperations, addProtectedResource, protectedResourceUrl } from './routes/health-and-metrics.ts'
import { addIdTokens } from './routes/id-tokens.ts'
import { addSearchV1, v1Lifecycle } from './routes/search-v1.ts'
import { addSearchV2 } from './routes/search-v2.ts'
import { addSessions, addSettlements, addTimeline } from './routes/sessions.ts'
import { addAccount, addAudit, addUsers } from './routes/users.ts'
import { refusalOf } from './search.ts'
import { addEvents } from './webhooks/events.ts'
import { addDeliveries, addSubscriptions } from './webhooks/subscriptions.ts'

export function createApi(given: ApiContext): ApiApp {
  const parts: ApiContext = {
    ...given,
    writes: auditedWrites(given.writes),
    core: auditedCore(given.core, given.writes),
  }
  const { settings, now, log } = parts
  const apiPath = createApiPath(settings)
  const app: ApiApp = new OpenAPIHono<ApiEnv>({ getPath: (request) => apiPath(getPath(request)) })
  const metrics = createMetrics(parts)
  const rateLimits = createRateLimits(parts.limits, ratesOf(settings))
  const authentication = createAuthentication({
    ...parts,
    resourceMetadataUrl: protectedResourceUrl(settings.baseUrl),
  })
  const answers = keptAnswers(parts.reads, parts.writes, sealedBox(settings.secretKey, 'keptAnswers', parts.random))
  const cursors = createCursors(settings.secretKey)
  const endpoints = createEndpoints(app, {
    authentication,
    rateLimits,
    idempotency: createIdempotency(parts.limits, now, answers),
    auditing: parts,
    cursorFaults: (cursor, pointer) => cursorFaults({ cursors, now }, cursor, pointer),
    addressOf: ({ env }) =>
      env?.incoming && 'headers' in env.incoming
        ? parts.clientOrigin?.(env.incoming as IncomingMessage).address
        : undefined,
  })
  const api: Api = {
    ...parts,
    searchLog: parts.searchLog ?? (() => parts.reads),
    webhookOrders: parts.webhookOrders ?? createWebhookOrders(parts),
    endpoints,
    cursors,
    rateLimits,
    metrics,
  }

  app.use(everyRequest(api))
  app.use(crossOrigin)
  app.use('/1/evse-controllers/*', v1Lifecycle(api))
  app.onError((error, context) => renderProblem(problemOf(error, context, log), requestIdOf(context), settings.baseUrl))
  app.notFound((context) => {
    const allow = allowedMethods(context.req.path, endpoints)
    if (context.req.method === 'OPTIONS' && allow) return new Response(null, { status: 204, headers: { allow } })
    return renderProblem(missing(context, allow), requestIdOf(context), settings.baseUrl)
  })

  addSessions(api)
  addChargePoints(api)
  addCommands(api)
  addSearchV2(api, createExports(parts.limits, now))
  addSearchV1(api)
  addIdTokens(api)
  addUsers(api)
  addAudit(api)
  addSubscriptions(api)
  addDeliveries(api)
  addEvents(api)
  for (const one of RESOURCES) addDeclared(api, one)
  addAccount(api)
  addSettlements(api)
  addTimeline(api)
  for (const add of parts.extraEndpoints ?? []) add(api)
  addOperations(api)
  addNodes(api)
  addProtectedResource(api)
  addDescription(api, app)
  return app
}

function everyRequest({ random, now, metrics, settings, stopping }: Api): MiddlewareHandler<ApiEnv> {
  const always = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    ...(settings.baseUrl.startsWith('https:') && { 'strict-transport-security': 'max-age=31536000' }),
  }
  const basePath = basePathOf(settings.baseUrl)
  return async (context, next) => {
    const start = now()
    const requestId = random(12).toString('hex')
    context.set('requestId', requestId)
    context.set('headers', { ...always, 'x-request-id': requestId })
    await next()
    for (const [name, value] of Object.entries(context.get('headers'))) {
      if (!context.res.headers.has(name)) context.res.headers.set(name, value)
    }
    // Kept alive, the connection would hold up the stop until it is given up.
    if (stopping?.aborted) context.res.headers.set('connection', 'close')
    const location = context.res.headers.get('location')
    // What was made has its address below the base path too; redirects come from pages that know theirs.
    if (location?.startsWith('/') && context.res.ok) context.res.headers.set('location', basePath + location)
    metrics.observeRequest(context.req.method, routeOf(context), context.res.status, (now() - start) / 1000)
  }
}

/** The pattern and not the path: ids would make a time series each. */
function routeOf(context: Context<ApiEnv>): string {
  const route = context.req.matchedRoutes.map(({ path }) => path).findLast((path) => !path.includes('*'))
  return context.res.status === 404 || route === undefined ? 'other' : route
}

function requestIdOf(context: Context<ApiEnv>): string {
  return context.get('requestId') ?? 'unknown'
}

/** What went wrong, as the caller may know it; faults of ours are logged with their stack, which stays here. */
function problemOf(error: Error, context: Context<ApiEnv>, log: Api['log']): Problem {
  const refusal = error instanceof Problem ? error : refusalOf(error)
  if (refusal) return refusal
  const { method, path } = context.req
  const fields = { requestId: requestIdOf(context), method, path, error: error.stack ?? String(error) }
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string' && /^(storage_|THREAD_ENDED)/.test(code)) {
    log.error(fields, 'the database refused')
    return new Problem(503, 'storage_unavailable', 'The database cannot be used at the moment; try again later.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  }
  log.error(fields, 'a request failed')
  return new Problem(500, 'internal_error', 'The server failed; its log has the request id.', { cause: error })
}

function allowedMethods(path: string, endpoints: Api['endpoints']): string | undefined {
  const methods = endpoints.allowed(path)
  if (methods.length === 0) return undefined
  return [...new Set([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].sort().join(', ')
}

/** 405 where the path exists with other methods (API-E1). */
function missing(context: Context<ApiEnv>, allow: string | undefined): Problem {
  if (allow === undefined) return new Problem(404, 'not_found', 'There is nothing at this address.')
  const detail = `${context.req.method} is not offered here, but ${allow}.`
  return new Problem(405, 'method_not_allowed', detail, { headers: { allow } })
}

function addDescription(api: Api, app: ApiApp): void {
  const { baseUrl } = api.settings
  describeShared(app, `${baseUrl}/1/oauth/service`)
  const openApi = fixedDocument(() => JSON.stringify(describeApi(app, baseUrl)), {
    'content-type': 'application/json',
    'cache-control': CACHED,
  })
  let docs: FixedDocument | undefined
  api.endpoints.addPage('/openapi.json', ({ req }) => openApi(req))
  api.endpoints.addPage('/docs', ({ req }) => {
    docs ??= docsDocument(api, { 'cache-control': CACHED })
    return docs(req)
  })
}

/** Only a new version of the program changes what is described. */
const CACHED = 'public, max-age=300'

/** Browser applications may call the API from any origin (OIDC-X1): it never reads cookies, so nothing is lent. */
const METHODS = 'GET, HEAD, POST, PATCH, PUT, DELETE'
/** X-Requested-With comes from libraries, MCP-Protocol-Version from assistants, with every request (OIDC-X5). */
const REQUEST_HEADERS =
  'authorization, content-type, idempotency-key, if-none-match, x-requested-with, mcp-protocol-version'
const EXPOSED =
  'WWW-Authenticate, Retry-After, RateLimit, RateLimit-Policy, ETag, Location, Link, Deprecation, Sunset, X-Request-Id, Idempotent-Replayed, Content-Disposition'

/** Which paths other origins may call; `/2/grants` also takes the dashboard's cookie (OIDC-C9) and stays closed. */
function isOpenToOrigins(path: string): boolean {
  return (
    /^\/(1\/evse-controllers|2|sessions|openapi\.json|\.well-known\/oauth-protected-resource)(\/|$)/.test(path) &&
    !/^\/2\/grants(\/|$)/.test(path)
  )
}

const crossOrigin: MiddlewareHandler<ApiEnv> = async (context, next) => {
  if (!isOpenToOrigins(context.req.path)) return next()
  setHeaders(context, { 'access-control-allow-origin': '*', 'access-control-expose-headers': EXPOSED })
  if (context.req.method !== 'OPTIONS' || context.req.header('access-control-request-method') === undefined)
    return next()
  return new Response(null, {
    status: 204,
    headers: {
      'access-control-allow-methods': METHODS,
      'access-control-allow-headers': REQUEST_HEADERS,
      'access-control-max-age': '7200',
    },
  })
}

/** Answers under an Idempotency-Key that a restart does not forget (HOOK-S5): sealed, because one may show a secret. */
export function keptAnswers(
  reads: Pick<Reads, 'getRecord'>,
  writes: Pick<Writes, 'putRecords'>,
  box: SealedBox,
): KeptAnswers {
  const hashed = (name: string): string => createHash('sha256').update(name).digest('base64url')
  const opened = ({ sealed, name }: KeptAnswer): string => {
    const text = box.open(sealed, name)
    if (text !== undefined) return text
    // To carry it out once more would be the very thing that the key is there to prevent.
    throw new Problem(
      422,
      'idempotency_key_reused',
      'The first answer under this Idempotency-Key was sealed with a secret key that is lost: look whether its order was carried out, then take a new one.',
    )
  }
  return {
    async find(name) {
      const kept = await reads.getRecord('kept_answers', { name: hashed(name) })
      return kept && (JSON.parse(opened(kept)) as Answered)
    },
    async keep(name, answered) {
      const hash = hashed(name)
      const sealed = box.seal(JSON.stringify(answered), hash)
      await writes.putRecords('kept_answers', [{ name: hash, at: answered.at, sealed }])
    },
  }
}
