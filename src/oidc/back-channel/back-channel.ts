/** The addresses that applications call from their servers: everything below the issuer (OIDC-D5). */

import type { Hono } from 'hono'
import type { Log } from '../../domain/ports/core.ts'
import { discoveryResponse, jwksResponse, metadataPaths } from '../discovery.ts'
import type { OidcContext, OidcEnv, Provider } from '../provider.ts'
import { managementEndpoints, registerEndpoint } from '../registration/endpoint.ts'
import { tokenEndpoint } from '../token/endpoint.ts'
import { introspectEndpoint, revokeEndpoint } from '../token/introspect.ts'
import { userinfoEndpoint } from '../userinfo.ts'
import { isUnavailable, OAuthError, renderOAuthError } from './oauth-error.ts'

export function mountBackChannel(app: Hono<OidcEnv>, provider: Provider): void {
  const { issuer, config, keys, log } = provider
  const root = new URL(issuer).pathname
  const document = discoveryResponse(config)
  for (const path of metadataPaths(issuer)) {
    mount(app, log, { path, cors: true, methods: { GET: ({ req }) => document(req) } })
  }
  mount(app, log, {
    path: `${root}/.well-known/jwks.json`,
    cors: true,
    methods: { GET: async ({ req }) => jwksResponse(await keys.publicKeys(), req.header('if-none-match')) },
  })
  mount(app, log, { path: `${root}/token`, cors: true, methods: { POST: tokenEndpoint(provider) } })
  const userinfo = userinfoEndpoint(provider)
  mount(app, log, { path: `${root}/userinfo`, cors: true, methods: { GET: userinfo, POST: userinfo } })
  mount(app, log, { path: `${root}/revoke`, cors: true, methods: { POST: revokeEndpoint(provider) } })
  mount(app, log, { path: `${root}/introspect`, cors: false, methods: { POST: introspectEndpoint(provider) } })
  if (config.registration === 'off') return
  mount(app, log, { path: `${root}/register`, cors: true, methods: { POST: registerEndpoint(provider) } })
  mount(app, log, { path: `${root}/register/:clientId`, cors: true, methods: managementEndpoints(provider) })
}

/** The frame of the back channel: methods, CORS and errors are the same at every address (OIDC-X1, OIDC-D10). */
type Handler = (context: OidcContext) => Promise<Response>

/** Only the literal `*`, never with credentials: these addresses read no cookies (OIDC-V22). */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
} as const

interface Address {
  readonly path: string
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>>
  readonly cors: boolean
}

/** Answers every method of an address: ours, HEAD, OPTIONS, and 405 with `Allow` for the rest. */
function mount(app: Hono<OidcEnv>, log: Log, { path, methods, cors }: Address): void {
  const allowed = Object.keys(methods).join(', ')
  app.all(path, async (context) => {
    const method = context.req.method === 'HEAD' ? 'GET' : context.req.method
    if (method === 'OPTIONS') return preflight(allowed, cors)
    const handler = methods[method as keyof typeof methods]
    const response = handler
      ? await handler(context).catch((error: unknown) => renderFault(error, log))
      : renderOAuthError(new OAuthError(405, 'invalid_request', `use ${allowed}`, { headers: { allow: allowed } }))
    if (cors) for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value)
    response.headers.set('x-content-type-options', 'nosniff')
    return context.req.method === 'HEAD' ? new Response(null, response) : response
  })
}

function preflight(allowed: string, cors: boolean): Response {
  const headers = cors
    ? {
        ...CORS,
        'access-control-allow-methods': allowed,
        'access-control-allow-headers': 'authorization, content-type, x-requested-with, mcp-protocol-version',
        'access-control-max-age': '7200',
      }
    : {}
  return new Response(null, { status: 204, headers: { allow: allowed, ...headers } })
}

function renderFault(error: unknown, log: Log): Response {
  if (error instanceof OAuthError) {
    if (error.cause !== undefined) log.info({ error: error.error, cause: error.cause }, error.message)
    return renderOAuthError(error)
  }
  const detail = error instanceof Error ? error.message : String(error)
  log.error({ error: detail }, 'an OAuth request failed')
  return isUnavailable(error)
    ? renderOAuthError(
        new OAuthError(503, 'temporarily_unavailable', 'try again in a moment', { headers: { 'retry-after': '5' } }),
      )
    : renderOAuthError(new OAuthError(500, 'server_error', 'the server failed; the log says why'))
}
