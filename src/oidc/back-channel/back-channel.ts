/** The addresses that applications call from their servers: everything below the issuer (OIDC-D5). */
import type { Hono } from 'hono'
import { discoveryResponse, jwksResponse, metadataPaths } from '../discovery.ts'
import type { OidcEnv, Provider } from '../provider.ts'
import { managementEndpoints, registerEndpoint } from '../registration/endpoint.ts'
import { tokenEndpoint } from '../token/endpoint.ts'
import { introspectEndpoint } from '../token/introspect.ts'
import { revokeEndpoint } from '../token/revoke.ts'
import { userinfoEndpoint } from '../userinfo.ts'
import { mount } from './routes.ts'

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
