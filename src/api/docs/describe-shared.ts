import type { ApiApp } from '../endpoint.ts'

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

export function describeHeadersAndProblems(registry: ApiApp['openAPIRegistry']): void {
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
