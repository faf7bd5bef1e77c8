/** Browser applications may call the API from any origin (OIDC-X1): it never reads cookies, so nothing is lent. */
import type { MiddlewareHandler } from 'hono'
import { type ApiEnv, setHeaders } from '../endpoint.ts'

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

export const crossOrigin: MiddlewareHandler<ApiEnv> = async (context, next) => {
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
