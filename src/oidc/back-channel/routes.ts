/** The frame of the back channel: methods, CORS and errors are the same at every address (OIDC-X1, OIDC-D10). */

import type { Hono } from 'hono'
import type { Log } from '../../domain/ports/log.ts'
import type { OidcContext, OidcEnv } from '../provider.ts'
import { isUnavailable, OAuthError, renderOAuthError } from './oauth-error.ts'

type Handler = (context: OidcContext) => Promise<Response>

/** Only the literal `*`, never with credentials: these addresses read no cookies (OIDC-V22). */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'WWW-Authenticate, Retry-After',
} as const

export interface Address {
  readonly path: string
  readonly methods: Readonly<Partial<Record<'GET' | 'POST' | 'PUT' | 'DELETE', Handler>>>
  readonly cors: boolean
}

/** Answers every method of an address: ours, HEAD, OPTIONS, and 405 with `Allow` for the rest. */
export function mount(app: Hono<OidcEnv>, log: Log, { path, methods, cors }: Address): void {
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
