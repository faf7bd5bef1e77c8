/** RFC 9728: tells a client that was answered 401 which authorisation server gives tokens for this API (OIDC-U6). */
import { z } from '@hono/zod-openapi'
import { json as described } from '../../application/schemas/common.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { fixedDocument } from '../../web/fixed-document.ts'
import type { Api } from '../api-parts.ts'

const WELL_KNOWN = '/.well-known/oauth-protected-resource'

/** RFC 9728 §3.1: the well-known part goes between host and path of the resource's address. */
export function protectedResourceUrl(baseUrl: string): string {
  const { origin, pathname } = new URL(baseUrl)
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`
}

export function addProtectedResource({ endpoints, settings: { baseUrl } }: Api): void {
  const metadata = {
    resource: baseUrl,
    authorization_servers: [`${baseUrl}/1/oauth/service`],
    scopes_supported: API_SCOPE_NAMES,
    bearer_methods_supported: ['header'],
  }
  const headers = { 'content-type': 'application/json', 'cache-control': 'public, max-age=300' }
  const document = fixedDocument(() => JSON.stringify(metadata), headers)
  endpoints.add({
    method: 'get',
    path: new URL(protectedResourceUrl(baseUrl)).pathname,
    operationId: 'protectedResource',
    tag: 'Operations',
    summary: 'Get the protected resource metadata (RFC 9728)',
    responses: { 200: described(z.looseObject({ resource: z.string() }), 'Metadata') },
    handle: ({ context }) => document(context.req),
  })
}
