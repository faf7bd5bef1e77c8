import { randomBytes } from 'node:crypto'
import { afterAll, expect, it } from 'vitest'
import { openPlace } from '../../test/support/oidc/testing.ts'
import { obtainTokens, type Tokens, userinfo } from '../../test/support/oidc/tokens.ts'
import { createCredential } from '../domain/accounts/credentials.ts'

const place = await openPlace()
const tokens = (await obtainTokens(place, place.web, place.ada, { scope: 'openid profile' })).tokens
afterAll(() => place.close())
const call = (init: RequestInit = {}, query = ''): Promise<Response> => fetch(`${place.issuer}/userinfo${query}`, init)

it('OIDC-U1: GET and POST with the header, POST with the form, give the same', async () => {
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  const bodies = await Promise.all([
    (await call({ headers })).json(),
    (await call({ headers, method: 'POST' })).json(),
    (await call({ method: 'POST', body: new URLSearchParams({ access_token: tokens.access_token }) })).json(),
  ])
  for (const body of bodies)
    expect(body).toEqual({
      sub: 'ada',
      name: 'The ada',
      preferred_username: 'ada',
      updated_at: expect.any(Number),
    })
})
it('OIDC-U5, OIDC-X2: without email scope no email; never cached', async () => {
  const response = await userinfo(place, tokens.access_token)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).not.toHaveProperty('email')
})
it('OIDC-U5: an e-mail address that the user did not share stands in no other claim', async () => {
  const text = await (await userinfo(place, tokens.access_token)).text()
  expect(text).not.toContain(place.ada.email)
  expect(text).not.toContain('@')
})
it('OIDC-U4, OIDC-U6: no token: 401 with a challenge without error code, and where to find the authorisation server', async () => {
  const response = await call()
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="[^"]+", resource_metadata="[^"]+"$/)
})
it.each([
  ['garbage', 'x'],
  ['an unknown token', `pwa_${'A'.repeat(43)}`],
  ['an ID token (OIDC-I4)', 'id'],
  ['a refresh token', 'pwr_x'],
])('OIDC-U4: %s -> 401 invalid_token', async (_name, text) => {
  const response = await userinfo(place, text === 'id' ? (tokens.id_token ?? '') : text)
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toContain('error="invalid_token"')
  expect(await response.json()).toMatchObject({ error: 'invalid_token' })
})
it('OIDC-V10: cut by n characters, one too many, other case -> 401', async () => {
  const { access_token: token } = tokens
  const swapped = token.replace(/[a-z]/g, (c) => c.toUpperCase())
  const mutated = [
    ...[1, 2, 8, 20, 40].map((n) => token.slice(0, -n)),
    `${token}A`,
    `${token}=`,
    swapped,
    token.toUpperCase(),
    ` ${token}x`,
  ]
  for (const text of mutated) expect((await userinfo(place, text)).status).toBe(401)
})
it('OIDC-U4: two ways at once -> 400', async () => {
  const response = await call({
    method: 'POST',
    headers: { authorization: `Bearer ${tokens.access_token}` },
    body: new URLSearchParams({ access_token: tokens.access_token }),
  })
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
  expect(response.headers.get('www-authenticate')).toMatch(/^Bearer .*error="invalid_request"/)
})
it('OIDC-A9, OIDC-U4: without openid -> 403 insufficient_scope', async () => {
  const { tokens: plain } = await obtainTokens(place, place.spa, place.ada, { scope: 'sessions:read' })
  const response = await userinfo(place, plain.access_token)
  expect(response.status).toBe(403)
  expect(response.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="openid"')
})
it('OIDC-U7: an API credential has no user -> 401', async () => {
  const { text, credential } = createCredential(randomBytes, { accountId: 'A', name: 'x', createdAt: place.now() })
  await place.writes.createCredential(credential)
  expect((await userinfo(place, text)).status).toBe(401)
})
it.each(['a\u0000b', 'x\r\ny', '\u00e4', 'x'.repeat(60_000)])('a hostile token is 401, never 5xx', async (text) => {
  expect((await call({ method: 'POST', body: new URLSearchParams({ access_token: text }) })).status).toBe(401)
})
