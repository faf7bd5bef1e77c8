import * as http from 'node:http'
import { expect, it } from 'vitest'
import { openPlace, placeOfTest } from '../../test/support/oidc/testing.ts'
import { discoveryDocument, metadataPaths } from './discovery.ts'

const place = await placeOfTest()
const discovery = (): string => `${place.issuer}/.well-known/openid-configuration`
const BASE = {
  baseUrl: 'https://c.example',
  dashboardUrl: 'https://c.example/dashboard',
  registration: 'off',
  oauthBasic: false,
} as const

it('OIDC-D1, OIDC-D2, OIDC-D5, OIDC-K2: the document of the seed', async () => {
  const response = await fetch(discovery())
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toContain('application/json')
  expect(await response.json()).toMatchObject({
    issuer: `${place.baseUrl}/1/oauth/service`,
    authorization_endpoint: `${place.baseUrl}/dashboard/oauth/authorize`,
    token_endpoint: `${place.issuer}/token`,
    userinfo_endpoint: `${place.issuer}/userinfo`,
    jwks_uri: `${place.issuer}/.well-known/jwks.json`,
    response_types_supported: ['code'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
  })
})

it('OIDC-D3: scopes, algorithms, and that request objects are not supported', () =>
  expect(discoveryDocument(BASE)).toMatchObject({
    scopes_supported: [
      'openid',
      'offline_access',
      'profile',
      'email',
      'sessions:read',
      'chargers:read',
      'webhooks:manage',
      'chargers:control',
      'chargers:configure',
      'chargers:firmware',
      'chargers:certificates',
    ],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    response_modes_supported: ['query'],
    prompt_values_supported: ['none', 'login', 'consent'],
    authorization_response_iss_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    claims_parameter_supported: false,
    revocation_endpoint: 'https://c.example/1/oauth/service/revoke',
    introspection_endpoint: 'https://c.example/1/oauth/service/introspect',
    revocation_endpoint_auth_methods_supported: ['client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_post'],
    end_session_endpoint: 'https://c.example/dashboard/oauth/logout',
  }))

it('OIDC-D4, OIDC-G1: registration_endpoint is there iff registration is enabled; off: POST is 404', async () => {
  expect(discoveryDocument({ ...BASE, registration: 'open' })).toHaveProperty('registration_endpoint')
  expect(discoveryDocument({ ...BASE, registration: 'token' })).toHaveProperty('registration_endpoint')
  expect(discoveryDocument(BASE)).not.toHaveProperty('registration_endpoint')
  const closed = await openPlace({ registration: 'off' })
  expect((await fetch(`${closed.issuer}/register`, { method: 'POST', body: '{}' })).status).toBe(404)
  await closed.close()
})

it('OIDC-D6: the same document where RFC 8414 looks; a path of the base URL stands before /1/', async () => {
  const response = await fetch(`${place.baseUrl}/.well-known/oauth-authorization-server/1/oauth/service`)
  expect(await response.json()).toEqual(await (await fetch(discovery())).json())
  expect(metadataPaths('https://c.example/base/1/oauth/service')).toEqual([
    '/base/1/oauth/service/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/base/1/oauth/service',
  ])
})

it('OIDC-D7: the key set shows public members only, may be cached, and has an ETag', async () => {
  const response = await fetch(`${place.issuer}/.well-known/jwks.json`)
  const { keys } = (await response.json()) as { keys: Record<string, unknown>[] }
  for (const key of keys) expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use'])
  expect(keys[0]).toMatchObject({ kty: 'RSA', use: 'sig', alg: 'RS256' })
  expect(Buffer.from(String(keys[0]?.n), 'base64url').length).toBeGreaterThanOrEqual(256)
  expect(response.headers.get('cache-control')).toBe('public, max-age=300')
  expect(response.headers.get('access-control-allow-origin')).toBe('*')
  const etag = response.headers.get('etag') ?? ''
  const again = await fetch(`${place.issuer}/.well-known/jwks.json`, { headers: { 'if-none-match': `W/${etag}` } })
  expect(again.status).toBe(304)
})

it('OIDC-D10: HEAD and OPTIONS are answered, POST is 405 with Allow', async () => {
  const head = await fetch(discovery(), { method: 'HEAD' })
  expect([head.status, await head.text()]).toEqual([200, ''])
  expect((await fetch(discovery(), { method: 'OPTIONS' })).status).toBe(204)
  const post = await fetch(discovery(), { method: 'POST' })
  expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET'])
})

it('OIDC-K2, OIDC-V18: the Host header changes nothing', async () => {
  const { port } = new URL(place.baseUrl)
  const text = await new Promise<string>((resolve, reject) => {
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' }
    http
      .get(
        { host: '127.0.0.1', port, path: '/1/oauth/service/.well-known/openid-configuration', headers },
        (response) => {
          let body = ''
          response.on('data', (part) => (body += part))
          response.on('end', () => resolve(body))
        },
      )
      .on('error', reject)
  })
  expect(text).not.toContain('evil')
  expect((JSON.parse(text) as { issuer: string }).issuer).toBe(place.issuer)
})

it('OIDC-K8: client_secret_basic is listed where the setting allows it', () =>
  expect(discoveryDocument({ ...BASE, oauthBasic: true })).toMatchObject({
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic', 'none'],
  }))

it.each(['.well-known/openid-configuration', '.well-known/jwks.json', 'token', 'userinfo', 'revoke', 'register'])(
  'OIDC-X1, OIDC-X5, OIDC-V22: %s is open to every origin, without credentials, and never reflects one',
  async (path) => {
    for (const origin of ['https://app.example.com', 'null']) {
      const preflight = await fetch(`${place.issuer}/${path}`, {
        method: 'OPTIONS',
        headers: { origin, 'access-control-request-method': 'POST' },
      })
      expect(preflight.status).toBe(204)
      expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
      expect(preflight.headers.get('access-control-allow-headers')).toBe(
        'authorization, content-type, x-requested-with, mcp-protocol-version',
      )
      expect(preflight.headers.get('access-control-max-age')).toBe('7200')
      expect(preflight.headers.has('access-control-allow-credentials')).toBe(false)
    }
    const response = await fetch(`${place.issuer}/${path}`, { headers: { origin: 'https://app.example.com' } })
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
    expect(response.headers.get('access-control-expose-headers')).toBe('WWW-Authenticate, Retry-After')
  },
)

it.each([
  '/1/oauth/service/introspect',
  '/dashboard/oauth/authorize',
  '/dashboard/login',
  '/dashboard/oauth/logout',
  '/2/grants',
])('OIDC-X1: %s has no CORS headers', async (path) => {
  for (const method of ['GET', 'OPTIONS', 'POST']) {
    const response = await fetch(place.baseUrl + path, { method, headers: { origin: 'https://app.example.com' } })
    expect(response.headers.has('access-control-allow-origin')).toBe(false)
  }
})
