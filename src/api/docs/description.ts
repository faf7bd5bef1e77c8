import { ProblemSchema } from '../../application/schemas/common.ts'
import { deliveryHeaders, EVENT_SCHEMAS, type EventSchemas } from '../../application/schemas/webhooks.ts'
import { namesOf } from '../../domain/event-declaration.ts'
import { EVENTS } from '../../domain/events/registry.ts'
import type { ApiApp } from '../endpoint.ts'

const OVERVIEW = `Times are RFC 3339 in UTC with milliseconds. What is not known is absent, never null. Lists are {"data", "meta"} and have meta.nextCursor while more remains. Errors are application/problem+json (RFC 9457) with a stable code. Every answer carries X-Request-Id.`

const TAGS: Readonly<Record<string, string>> = {
  Sessions: 'Charging sessions: read, started, stopped, settled.',
  'EVSE controllers': 'Charge points. The id of one is its OCPP identity.',
  Commands: 'OCPP messages: the log of all that crossed the wire, and new ones to charge points.',
  'Id tokens': 'RFID cards and their kin.',
  Webhooks: `Subscriptions to ${namesOf(EVENTS).join(', ')}, what was delivered, and the same events to fetch.`,
  Certificates: 'With which charge points prove who they are: requests, authorities, roots that are installed.',
  Alerts: 'Alert rules, and the alerts they raise.',
  'Charging limits': 'What charge points and EVSEs may draw, and the proof that they keep to it.',
  Tariffs: 'What a session costs, excluding VAT.',
  'Device model': 'What charge points report of themselves.',
  Account: 'Settings of the account.',
  Users: 'People who sign in, and what their roles let them do.',
  'Audit log': 'Who did what, from where, and what became of it.',
  Grants: 'Which applications act for which users.',
  Operations: 'For those who run the server.',
}

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
  registry.registerComponent('securitySchemes', 'webhookSignature', {
    type: 'apiKey',
    in: 'header',
    name: 'Webhook-Signature',
    description: 'Hex HMAC-SHA256 of `<Webhook-Timestamp>.<raw body>`, keyed with the secret of the webhook.',
  })
  describeHeadersAndProblems(registry)
  describeEvents(app, EVENT_SCHEMAS)
}

/** One webhook of the description per event type (HOOK-E1). */
export function describeEvents(app: Pick<ApiApp, 'openAPIRegistry'>, { envelopes }: EventSchemas): void {
  for (const { declaration, schema } of envelopes) {
    const { type, documentation } = declaration
    app.openAPIRegistry.registerWebhook({
      method: 'post',
      path: type,
      security: [{ webhookSignature: [] }],
      operationId: operationIdOf(type),
      tags: ['Webhooks'],
      summary: documentation.summary,
      description: `${documentation.description} ${EVERY_EVENT}`,
      request: {
        headers: deliveryHeaders(type),
        body: { required: true, content: { 'application/json': { schema } } },
      },
      responses: { '2XX': { description: 'Received' } },
    })
  }
}

const EVERY_EVENT =
  'At least once, not strictly in order: deduplicate by id, order by time. Answer 2xx within 15 seconds.'

function operationIdOf(type: string): string {
  return type.replaceAll(/[.-](\w)/g, (_, letter: string) => letter.toUpperCase())
}

export function describeApi(app: ApiApp, baseUrl: string): ApiDocument {
  return app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Pilotwire',
      version: '2',
      description: OVERVIEW,
      license: { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: baseUrl }],
    tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
  })
}

const HEADERS: Readonly<Record<string, readonly [description: string, example: string]>> = {
  'X-Request-Id': ['Names this request in the log of the server.', '5f3c2a9e0b7d4c1a8e6f2b3d'],
  Location: ['Where it is found: a path of this server.', '/2/webhooks/wh_5f3c2a'],
  ETag: ['The version of the session, for If-None-Match.', 'W/"7"'],
  'RateLimit-Policy': ['Requests (q) in so many seconds (w). Absent where no limit is set.', '"search";q=300;w=60'],
  RateLimit: ['Requests left (r), and seconds until all are there again (t).', '"search";r=299;t=12'],
  'Retry-After': ['Seconds to wait.', '12'],
  'Idempotent-Replayed': ['`true` on the answer of an earlier request with this Idempotency-Key.', 'true'],
  'WWW-Authenticate': [
    'What is missing (RFC 6750), and where tokens come from (RFC 9728).',
    'Bearer realm="pilotwire"',
  ],
  Deprecation: ['Since when, in Unix seconds (RFC 9745).', '@1785456000'],
  Sunset: ['When it ends (RFC 8594).', 'Wed, 31 Mar 2027 00:00:00 GMT'],
  Link: ['The successor, and what to read about it.', '</2/…>; rel="successor-version"'],
}

const PROBLEMS: Readonly<Record<string, readonly [description: string, headers: readonly string[]]>> = {
  InvalidRequest: ['The request is not valid; `errors` names each fault by its place.', []],
  Unauthorized: ['No valid API credential or access token.', ['WWW-Authenticate']],
  Forbidden: ['The scope is missing, or an API credential is needed.', ['WWW-Authenticate']],
  NotFound: ['Unknown, or not yours.', []],
  Conflict: ['Not possible as things stand; see `code`.', []],
  Gone: ['Not there any more; see `code`.', []],
  Unprocessable: ['Understood and refused; see `code`.', []],
  TooManyRequests: ['Too many requests.', ['Retry-After', 'RateLimit-Policy', 'RateLimit']],
  Problem: ['A problem (RFC 9457); `code` says which.', []],
}

function describeHeadersAndProblems(registry: ApiApp['openAPIRegistry']): void {
  for (const [name, [description, example]] of Object.entries(HEADERS)) {
    registry.registerComponent('headers', name, { description, schema: { type: 'string' }, example })
  }
  for (const [name, [description, headers]] of Object.entries(PROBLEMS)) {
    registry.registerComponent('responses', name, {
      description,
      headers: named(['X-Request-Id', ...headers]),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    })
  }
}

function named(headers: readonly string[]): Readonly<Record<string, { readonly $ref: string }>> {
  return Object.fromEntries(headers.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
