/** /2/grants in `/openapi.json`. Its requests are answered here and not by the API's steps: a cookie may ask, too. */
import type { Access } from '../../http/access/access.ts'
import { needsScope } from '../../http/access/access.ts'
import type { Api } from '../../http/parts.ts'
import { json } from '../../http/schemas/common.ts'
import { ChangeGrantSchema, GrantListSchema, GrantSchema, grantParams, grantQuery } from './schemas.ts'

const TAG = 'Grants'
/** Any token of the grant. */
const ACCESS: Access = needsScope()

/** @example createApi({ …, extraEndpoints: [describeGrants] }) */
export function describeGrants({ endpoints }: Pick<Api, 'endpoints'>): void {
  endpoints.describe({
    method: 'get',
    path: '/2/grants',
    operationId: 'listGrants',
    tag: TAG,
    summary: 'Which applications act for which users',
    description: 'An API credential sees all of its account, an access token its own.',
    access: ACCESS,
    query: grantQuery,
    responses: { 200: json(GrantListSchema, 'The grants') },
  })
  endpoints.describe({
    method: 'get',
    path: '/2/grants/{grantId}',
    operationId: 'getGrant',
    tag: TAG,
    summary: 'One grant',
    access: ACCESS,
    params: grantParams,
    responses: { 200: json(GrantSchema, 'The grant') },
  })
  endpoints.describe({
    method: 'patch',
    path: '/2/grants/{grantId}',
    operationId: 'changeGrant',
    tag: TAG,
    summary: 'Change which charge points are shared',
    description: 'Acts on the next request of the application. Not for the application itself.',
    access: { kind: 'credential' },
    params: grantParams,
    body: ChangeGrantSchema,
    responses: { 200: json(GrantSchema, 'The grant') },
  })
  endpoints.describe({
    method: 'delete',
    path: '/2/grants/{grantId}',
    operationId: 'revokeGrant',
    tag: TAG,
    summary: 'Disconnect an application',
    description: 'Ends its tokens and webhooks at once.',
    access: ACCESS,
    params: grantParams,
    responses: { 204: { description: 'Revoked' } },
  })
}
