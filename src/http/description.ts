/** `/openapi.json`: the description of the API, made from the same schemas that validate it. */

import type { ApiApp } from './endpoint.ts'
import { ProblemSchema } from './schemas/common.ts'
import { deliveryHeaders, SessionEventSchema } from './schemas/webhooks.ts'

const OVERVIEW = `Times are RFC 3339 in UTC with milliseconds. What is not known is absent, never null. Lists are {"data", "meta"} and have meta.nextCursor while more remains. Errors are application/problem+json (RFC 9457) with a stable code. Every answer carries X-Request-Id.`

export type ApiDocument = ReturnType<ApiApp['getOpenAPI31Document']>

/** Call once, before the document is made. */
export function describeShared(app: ApiApp, issuer: string): void {
  const registry = app.openAPIRegistry
  registry.register('Problem', ProblemSchema)
  registry.registerComponent('securitySchemes', 'apiCredential', {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'pwk_…',
    description: 'An API credential of the account.',
  })
  registry.registerComponent('securitySchemes', 'oauth', {
    type: 'openIdConnect',
    openIdConnectUrl: `${issuer}/.well-known/openid-configuration`,
    description: 'An access token (pwa_…) that acts for the user who granted it.',
  })
  registry.registerWebhook({
    method: 'post',
    path: 'session.updated',
    operationId: 'sessionUpdated',
    tags: ['Webhooks'],
    summary: 'A session changed',
    description:
      'Sent when a session changes state, when it is settled or corrected, and when its figures change. At least once, not strictly in order: deduplicate by id, order by time. Answer 2xx within 15 seconds.',
    request: {
      headers: deliveryHeaders,
      body: { required: true, content: { 'application/json': { schema: SessionEventSchema } } },
    },
    responses: { '2XX': { description: 'Received' } },
  })
}

export function describeApi(app: ApiApp, baseUrl: string): ApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Pilotwire', version: '2', description: OVERVIEW },
    servers: [{ url: baseUrl }],
  })
}
