/** /2/grants: who may see and change which grant (OIDC-C9). Three kinds of callers, one set of rules. */

import type { Context } from 'hono'
import { actorOf } from '../../api/access/audit.ts'
import type { Api } from '../../api/api-parts.ts'
import type { Admits, ApiEnv } from '../../api/endpoint.ts'
import { notFound, Problem } from '../../api/problem.ts'
import { json } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Grant } from '../../domain/ports/storage-oidc.ts'
import { pageContextOf } from '../../web/site.ts'
import { addressOf, type Provider } from '../provider.ts'
import { type Caller, callerOf, headersFor, isVisible } from './caller.ts'
import { type ChangedBy, changeSelection, revokeGrant } from './change-grant.ts'
import { checkedSelection } from './charge-points.ts'
import { ChangeGrantSchema, GrantListSchema, GrantSchema, grantParams, grantQuery } from './schemas.ts'

const TAG = 'Grants'

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

  return ({ endpoints }) => {
    endpoints.add({
      method: 'get',
      path: '/2/grants',
      operationId: 'listGrants',
      tag: TAG,
      summary: 'List grants',
      description: 'An API credential sees all of its account, an access token its own.',
      admits,
      query: grantQuery,
      responses: { 200: json(GrantListSchema, 'The grants') },
      async handle({ principal: caller, query, context }) {
        const grants = await grantsOf(provider, caller, query)
        const data = await Promise.all(grants.map((grant) => grantJson(provider, grant)))
        return shown(context, caller, { data, meta: {} })
      },
    })
    endpoints.add({
      method: 'get',
      path: '/2/grants/{grantId}',
      operationId: 'getGrant',
      tag: TAG,
      summary: 'Get a grant',
      admits,
      params: grantParams,
      responses: { 200: json(GrantSchema, 'The grant') },
      async handle({ principal: caller, params, context }) {
        return shown(context, caller, await grantJson(provider, await visible(caller, params.grantId)))
      },
    })
    endpoints.add({
      method: 'patch',
      path: '/2/grants/{grantId}',
      operationId: 'changeGrant',
      audit: false,
      tag: TAG,
      summary: 'Change the charge points that a grant shares',
      description:
        'Acts on the next request of the application. What it ordered of charge points that are left out ends, as with a grant that is revoked. Not for the application itself.',
      admits,
      params: grantParams,
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
      method: 'delete',
      path: '/2/grants/{grantId}',
      operationId: 'revokeGrant',
      audit: false,
      tag: TAG,
      summary: 'Revoke a grant, which disconnects its application',
      description:
        'Ends its tokens and webhooks at once, and what it ordered: firmware campaigns, configurations, monitors, and commands, logs, reports and higher security profiles that wait for a charge point. What a person has taken over, by starting or resuming a campaign or by putting a configuration or monitors again, stays.',
      admits,
      params: grantParams,
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
  return {
    id: grant.id,
    userId: grant.userId,
    clientId: grant.clientId,
    clientName: client?.name,
    scopes: grant.scopes,
    evseControllers: grant.chargePoints,
    createdAt: isoTime(grant.createdAt),
    updatedAt: isoTime(grant.updatedAt),
    lastUsedAt: isoTime(grant.lastUsedAt),
    lastIp: grant.lastIp,
  }
}
