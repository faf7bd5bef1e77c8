/** /2/grants: who may see and change which grant (OIDC-C9). Three kinds of callers, one set of rules. */

import { z } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Principal } from '../../api/access/access.ts'
import { actorOf } from '../../api/access/audit.ts'
import type { Api } from '../../api/api-parts.ts'
import type { Admits, ApiEnv } from '../../api/endpoint.ts'
import { notFound, Problem } from '../../api/respond.ts'
import { json, shown, time } from '../../application/schemas/common.ts'
import { SCOPES } from '../../domain/grants/scopes.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Grant, Selection } from '../../domain/ports/storage-oidc.ts'
import type { ChargePointView } from '../../domain/ports/storage-records.ts'
import { selectChargePoints } from '../../domain/selector.ts'
import { cameFromHere, csrfToken, isOwnToken } from '../../web/respond.tsx'
import { pageContextOf } from '../../web/site.ts'
import { addressOf, type OidcContext, type Provider, type Visitor } from '../provider.ts'
import type { Choice, ChooserProps } from '../views/chooser.tsx'
import { type ChangedBy, changeSelection, revokeGrant } from './change-grant.ts'

/** @example createApi({ …, extraEndpoints: [addGrants(provider)] }) */
export function addGrants(provider: Provider): (api: Pick<Api, 'endpoints'>) => void {
  const { reads } = provider
  const admits: Admits<Caller> = (context, byBearer) => callerOf(provider, pageContextOf(context), byBearer)
  const visible = async (caller: Caller, id: string): Promise<Grant> => {
    const grant = await reads.findGrant(id)
    if (!grant || grant.revokedAt !== undefined || !isVisible(caller, grant)) throw notFound('grant')
    return grant
  }
  const headers = (context: Context<ApiEnv>, caller: Caller): Readonly<Record<string, string>> =>
    headersFor(provider, pageContextOf(context), caller)
  const shown = (context: Context<ApiEnv>, caller: Caller, body: unknown): Response =>
    Response.json(body, { headers: headers(context, caller) })
  const changedBy = async (caller: Caller, context: Context<ApiEnv>): Promise<ChangedBy> => {
    const ip = addressOf(provider, pageContextOf(context))
    if (caller.kind === 'visitor') return { actor: caller.visitor.user.email, role: caller.visitor.user.role, ip }
    const { actor, role } = await actorOf(reads, caller.principal)
    return { actor, role, ip }
  }

  const all = { path: '/2/grants', tag: 'Grants', admits }
  const one = { ...all, path: `${all.path}/{grantId}`, params: grantParams }
  return ({ endpoints }) => {
    endpoints.add({
      ...all,
      method: 'get',
      operationId: 'listGrants',
      summary: 'List grants',
      description: 'An API credential sees all of its account, an access token its own.',
      query: grantQuery,
      responses: { 200: json(GrantListSchema, 'The grants') },
      async handle({ principal: caller, query, context }) {
        const grants = await grantsOf(provider, caller, query)
        const data = await Promise.all(grants.map((grant) => grantJson(provider, grant)))
        return shown(context, caller, { data, meta: {} })
      },
    })
    endpoints.add({
      ...one,
      method: 'get',
      operationId: 'getGrant',
      summary: 'Get a grant',
      responses: { 200: json(GrantSchema, 'The grant') },
      async handle({ principal: caller, params, context }) {
        return shown(context, caller, await grantJson(provider, await visible(caller, params.grantId)))
      },
    })
    endpoints.add({
      ...one,
      method: 'patch',
      operationId: 'changeGrant',
      audit: false,
      summary: 'Change the charge points that a grant shares',
      description:
        'Acts on the next request of the application. What it ordered of charge points that are left out ends, as with a grant that is revoked. Not for the application itself.',
      body: ChangeGrantSchema,
      responses: { 200: json(GrantSchema, 'The grant') },
      async handle({ principal: caller, params, body, context }) {
        const grant = await visible(caller, params.grantId)
        const selection = await checkedSelection(reads, grant.accountId, body.evseControllers)
        if (selection === undefined) {
          throw new Problem(400, 'invalid_value', 'evseControllers names a charge point that is not the account’s.', {
            errors: [
              { pointer: '/evseControllers', code: 'invalid_value', message: 'must name charge points of the account' },
            ],
          })
        }
        if (!(await changeSelection(provider, grant, selection, await changedBy(caller, context))))
          throw notFound('grant')
        const changed = { ...grant, chargePoints: selection, updatedAt: provider.now() }
        return shown(context, caller, await grantJson(provider, changed))
      },
    })
    endpoints.add({
      ...one,
      method: 'delete',
      operationId: 'revokeGrant',
      audit: false,
      summary: 'Revoke a grant, which disconnects its application',
      description:
        'Ends its tokens and webhooks at once, and what it ordered: firmware campaigns, configurations, monitors, and commands, logs, reports and higher security profiles that wait for a charge point. What a person has taken over, by starting or resuming a campaign or by putting a configuration or monitors again, stays.',
      responses: { 204: { description: 'Revoked' } },
      async handle({ principal: caller, params, context }) {
        await revokeGrant(provider, await visible(caller, params.grantId), await changedBy(caller, context))
        return new Response(null, { status: 204, headers: headers(context, caller) })
      },
    })
  }
}

async function grantsOf(
  { reads }: Provider,
  caller: Caller,
  { userId, clientId }: { readonly userId?: string | undefined; readonly clientId?: string | undefined },
): Promise<readonly Grant[]> {
  if (caller.kind === 'visitor') {
    const { accountId, id } = caller.visitor.user
    return reads.listGrants({ accountId, userId: id })
  }
  const { principal } = caller
  if (principal.kind === 'token') {
    const own = await reads.findGrant(principal.grantId)
    return own ? [own] : []
  }
  return reads.listGrants({ accountId: principal.accountId, userId, clientId })
}

async function grantJson({ reads }: Provider, grant: Grant): Promise<Readonly<Record<string, unknown>>> {
  const client = await reads.findClient(grant.clientId)
  return shown(GrantSchema, grant, { clientName: client?.name, evseControllers: grant.chargePoints })
}

/** Who asks about grants (OIDC-C9): an account's key, an application with its token, or a user at the dashboard. */
type Caller =
  | { readonly kind: 'principal'; readonly principal: Principal }
  | { readonly kind: 'visitor'; readonly visitor: Visitor }

const CSRF_ACTION = 'grants api'

/** The cookie counts only where the request comes from our own origin and carries no other credential. */
async function callerOf(provider: Provider, context: OidcContext, byBearer: () => Promise<Principal>): Promise<Caller> {
  if (context.req.header('authorization') === undefined && cameFromHere(context, provider)) {
    const visitor = await provider.findVisitor(context)
    if (visitor) {
      requireCsrf(provider, context, visitor)
      return { kind: 'visitor', visitor }
    }
  }
  return { kind: 'principal', principal: await byBearer() }
}

/** The browser sends the cookie with any request; the header it sends only for scripts of our own origin. */
function requireCsrf(provider: Provider, context: OidcContext, visitor: Visitor): void {
  if (['GET', 'HEAD'].includes(context.req.method)) return
  if (!isOwnToken(context, provider, visitor, CSRF_ACTION, context.req.header('x-csrf-token'))) {
    throw new Problem(403, 'csrf_token_required', 'Send the X-CSRF-Token that a GET of this address answers with.')
  }
}

function headersFor(provider: Provider, context: OidcContext, caller: Caller): Readonly<Record<string, string>> {
  return {
    'cache-control': 'no-store',
    ...(caller.kind === 'visitor' && { 'x-csrf-token': csrfToken(context, provider, caller.visitor, CSRF_ACTION) }),
  }
}

function isVisible(caller: Caller, grant: Grant): boolean {
  if (caller.kind === 'visitor') return grant.userId === caller.visitor.user.id
  const { principal } = caller
  return principal.kind === 'token' ? grant.id === principal.grantId : grant.accountId === principal.accountId
}

/** Bodies and parameters of /2/grants (OIDC-C9): they validate what comes in and describe it in `/openapi.json`. */
const evseControllers = z.union([z.literal('all'), z.array(z.string())]).openapi({
  description: 'The charge points that the user shares: all, also those added later, or the ones named.',
})

const GrantSchema = z
  .strictObject({
    id: z.string(),
    userId: z.string(),
    clientId: z.string(),
    clientName: z.string().optional(),
    scopes: z.array(z.string()).openapi({ example: SCOPES.slice(0, 2) }),
    evseControllers: evseControllers.optional(),
    createdAt: time(),
    updatedAt: time(),
    lastUsedAt: time().optional(),
    lastIp: z.string().optional(),
  })
  .openapi('Grant')

/** All of them: an account’s grants are as many as its users have connected applications. */
const GrantListSchema = z.object({ data: z.array(GrantSchema), meta: z.strictObject({}) }).openapi('GrantList')

const ChangeGrantSchema = z.strictObject({ evseControllers }).openapi('ChangeGrant')

const grantParams = z.object({ grantId: z.string() })

const grantQuery = z.strictObject({
  userId: z.string().optional().openapi({ description: 'Only this user’s. For API credentials.' }),
  clientId: z.string().optional().openapi({ description: 'Only this application’s. For API credentials.' }),
})

/** The charge points a user may share, and the selection that a form or the API sends (OIDC-C3). */
const PORTION = 50

/** The chooser as stored, or as the form was left for a search; charge points that are gone are no choices. */
export async function chooserOf(
  provider: Provider,
  accountId: string,
  shared: Selection,
  form?: URLSearchParams,
): Promise<Omit<ChooserProps, 'texts'>> {
  const choices = await choicesOf(provider, accountId)
  const selection = form ? selectionOf(form) : shared
  const ticked = new Set(form ? form.getAll('chargePoint') : selection === 'all' ? [] : selection)
  return {
    choices,
    all: selection === 'all',
    chosen: new Set(choices.map(({ id }) => id).filter((id) => ticked.has(id))),
    query: form?.get('query') ?? '',
  }
}

async function choicesOf({ reads, connectivity }: Provider, accountId: string): Promise<readonly Choice[]> {
  const chargePoints = (await selectChargePoints(reads, accountId, {})).filter(isShareable)
  const live = new Map(
    (await connectivity(chargePoints.map(({ id }) => id))).map((one) => [one.chargePointId, one.online]),
  )
  return chargePoints.map(({ id, name, connectors }) => ({
    id,
    name,
    online: live.get(id) === true,
    connectors: connectors
      .filter(({ connectorId }) => connectorId !== 0)
      .map(({ evseId, connectorId, status }) => ({
        id: evseId === undefined ? String(connectorId) : `${evseId}/${connectorId}`,
        status,
      })),
  }))
}

/** A charge point that connected unregistered cannot be shared until it is approved (OCPP-RP14). */
function isShareable({ registrationStatus }: Pick<ChargePointView, 'registrationStatus'>): boolean {
  return registrationStatus === 'Accepted'
}

/** Undefined when it names a charge point that is not the account's to share. */
export async function checkedSelection(
  reads: Pick<Reads, 'findChargePoint'>,
  accountId: string,
  requested: Selection,
): Promise<Selection | undefined> {
  if (requested === 'all') return 'all'
  const ids = [...new Set(requested)]
  // In portions: a form of thousands of made-up names ends with the first of them.
  for (let at = 0; at < ids.length; at += PORTION) {
    const found = await Promise.all(ids.slice(at, at + PORTION).map((id) => reads.findChargePoint(id)))
    if (!found.every((one) => one?.accountId === accountId && isShareable(one))) return undefined
  }
  return ids
}

export function selectionOf(form: URLSearchParams): Selection {
  return form.get('share') === 'all' ? 'all' : form.getAll('chargePoint')
}
