/** /2/grants: who may see and change which grant (OIDC-C9). Three kinds of callers, one set of rules. */

import { z } from '@hono/zod-openapi'
import type { Hono } from 'hono'
import type { Principal } from '../../http/access/principal.ts'
import { notFound, Problem, renderProblem } from '../../http/problem.ts'
import { requireAcceptable } from '../../http/requests/media.ts'
import { readJson } from '../../http/requests/request-body.ts'
import { validate, validateQuery } from '../../http/requests/validation.ts'
import type { Grant } from '../../ports/storage-oidc.ts'
import { cameFromHere, csrfToken } from '../../web/csrf.ts'
import { equalHashes } from '../../web/mac.ts'
import { isUnavailable } from '../back-channel/oauth-error.ts'
import type { Visitor } from '../login/visitor.ts'
import { addressOf, type OidcContext, type OidcEnv, type Provider } from '../provider.ts'
import { newId } from '../secrets.ts'
import { changeSelection, revokeGrant } from './change.ts'
import { checkedSelection } from './charge-points.ts'
import { ChangeGrantSchema, grantQuery } from './schemas.ts'

/** An account's key, an application with its token, or a user at the dashboard (cookie, same origin only). */
type Caller =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'visitor'; readonly visitor: Visitor }

const CSRF_ACTION = 'grants api'
const NO_PARAMETERS = z.strictObject({})

export function mountGrants(app: Hono<OidcEnv>, provider: Provider): void {
  const { reads } = provider
  const list = async (context: OidcContext): Promise<Response> => {
    const caller = await callerOf(provider, context)
    const grants = await visibleGrants(provider, caller, context)
    const body = { data: await Promise.all(grants.map((grant) => grantJson(provider, grant))), meta: {} }
    return Response.json(body, { headers: headersFor(provider, context, caller) })
  }
  const get = async (context: OidcContext): Promise<Response> => {
    const caller = await callerOf(provider, context)
    const grant = await visibleGrant(provider, caller, context)
    return Response.json(await grantJson(provider, grant), { headers: headersFor(provider, context, caller) })
  }
  const patch = async (context: OidcContext): Promise<Response> => {
    const caller = await callerOf(provider, context)
    if (caller.kind === 'principal' && caller.principal.kind === 'token') {
      throw new Problem(403, 'user_required', 'An application cannot change what is shared with it: the user does.')
    }
    requireCsrf(provider, context, caller)
    const grant = await visibleGrant(provider, caller, context)
    const { evseControllers: wanted } = validate(ChangeGrantSchema, await readJson(context.req.raw))
    const selection = await checkedSelection(reads, grant.accountId, wanted)
    if (selection === undefined) {
      throw new Problem(400, 'invalid_value', 'evseControllers names a charge point that is not the account’s.', {
        errors: [
          { pointer: '/evseControllers', code: 'invalid_value', message: 'must name charge points of the account' },
        ],
      })
    }
    if (!(await changeSelection(provider, grant, selection, addressOf(provider, context)))) throw notFound('grant')
    return Response.json(await grantJson(provider, { ...grant, chargePoints: selection, updatedAt: provider.now() }), {
      headers: headersFor(provider, context, caller),
    })
  }
  const remove = async (context: OidcContext): Promise<Response> => {
    const caller = await callerOf(provider, context)
    requireCsrf(provider, context, caller)
    await revokeGrant(provider, await visibleGrant(provider, caller, context), addressOf(provider, context))
    return new Response(null, { status: 204, headers: headersFor(provider, context, caller) })
  }
  mountMethods(app, provider, '/2/grants', { GET: list })
  mountMethods(app, provider, '/2/grants/:grantId', { GET: get, PATCH: patch, DELETE: remove })
}

type Methods = Readonly<Record<string, (context: OidcContext) => Promise<Response>>>

function mountMethods(app: Hono<OidcEnv>, provider: Provider, path: string, methods: Methods): void {
  const allow = [...Object.keys(methods), 'HEAD', 'OPTIONS'].sort().join(', ')
  app.all(path, async (context) => {
    const { method } = context.req
    if (method === 'OPTIONS') return new Response(null, { status: 204, headers: { allow } })
    const handle = methods[method === 'HEAD' ? 'GET' : method]
    try {
      if (!handle)
        throw new Problem(405, 'method_not_allowed', `${method} is not offered here, but ${allow}.`, {
          headers: { allow },
        })
      requireAcceptable(context.req.header('accept'), ['application/json'])
      return await handle(context)
    } catch (error) {
      // The API in front has named the request in X-Request-Id; the problem names the same.
      const requestId = context.get('requestId') ?? newId(provider.random)
      return renderProblem(problemOf(provider, error), requestId, provider.config.baseUrl)
    }
  })
}

function problemOf({ log }: Provider, error: unknown): Problem {
  if (error instanceof Problem) return error
  log.error({ error: error instanceof Error ? error.message : String(error) }, 'a request for grants failed')
  return isUnavailable(error)
    ? new Problem(503, 'storage_unavailable', 'The database cannot be used at the moment; try again later.')
    : new Problem(500, 'internal_error', 'The server failed; its log says why.')
}

async function callerOf(provider: Provider, context: OidcContext): Promise<Caller> {
  if (context.req.header('authorization') === undefined && cameFromHere(context, provider)) {
    const visitor = await provider.findVisitor(context)
    if (visitor) return { kind: 'visitor', visitor }
  }
  const { authentication, rateLimits } = provider
  const principal = await authentication.authenticate(context.req.raw).catch((error: unknown) => {
    if (error instanceof Problem) rateLimits?.spendAnonymous(addressOf(provider, context))
    throw error
  })
  rateLimits?.spend('api', principal, 1)
  return { kind: 'principal', principal }
}

async function visibleGrants({ reads }: Provider, caller: Caller, context: OidcContext): Promise<readonly Grant[]> {
  const query = validateQuery(grantQuery, context.req.queries())
  if (caller.kind === 'visitor') {
    const { accountId, id: userId } = caller.visitor.user
    return reads.listGrants({ accountId, userId })
  }
  const { principal } = caller
  if (principal.kind === 'token') {
    const own = await reads.findGrant(principal.grantId)
    return own ? [own] : []
  }
  const { userId, clientId } = query
  return reads.listGrants({
    accountId: principal.accountId,
    ...(userId !== undefined && { userId }),
    ...(clientId !== undefined && { clientId }),
  })
}

async function visibleGrant({ reads }: Provider, caller: Caller, context: OidcContext): Promise<Grant> {
  validateQuery(NO_PARAMETERS, context.req.queries())
  const grant = await reads.findGrant(context.req.param('grantId') ?? '')
  if (!grant || grant.revokedAt !== undefined || !isVisible(caller, grant)) throw notFound('grant')
  return grant
}

function isVisible(caller: Caller, grant: Grant): boolean {
  if (caller.kind === 'visitor') return grant.userId === caller.visitor.user.id
  const { principal } = caller
  return principal.kind === 'token' ? grant.id === principal.grantId : grant.accountId === principal.accountId
}

/** The browser sends the cookie with any request; the header it sends only for scripts of our own origin. */
function requireCsrf(provider: Provider, context: OidcContext, caller: Caller): void {
  if (caller.kind !== 'visitor') return
  const expected = csrfToken(context, provider, caller.visitor, CSRF_ACTION)
  if (!equalHashes(expected, context.req.header('x-csrf-token') ?? '')) {
    throw new Problem(403, 'csrf_token_required', 'Send the X-CSRF-Token that a GET of this address answers with.')
  }
}

function headersFor(provider: Provider, context: OidcContext, caller: Caller): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    ...(caller.kind === 'visitor' && { 'x-csrf-token': csrfToken(context, provider, caller.visitor, CSRF_ACTION) }),
  }
}

async function grantJson({ reads }: Provider, grant: Grant): Promise<Readonly<Record<string, unknown>>> {
  const client = await reads.findClient(grant.clientId)
  const time = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString()
  return {
    id: grant.id,
    userId: grant.userId,
    clientId: grant.clientId,
    ...(client && { clientName: client.name }),
    scopes: grant.scopes,
    ...(grant.chargePoints !== undefined && { evseControllers: grant.chargePoints }),
    createdAt: time(grant.createdAt),
    updatedAt: time(grant.updatedAt),
    ...(grant.lastUsedAt !== undefined && { lastUsedAt: time(grant.lastUsedAt) }),
    ...(grant.lastIp !== undefined && { lastIp: grant.lastIp }),
  }
}
