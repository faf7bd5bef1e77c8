import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { openPlace, placeOfTest } from '../../../test/support/oidc/testing.ts'
import { obtainTokens, refresh, userinfo } from '../../../test/support/oidc/tokens.ts'
import { createCredential } from '../../domain/accounts/credentials.ts'

const place = await placeOfTest()

type Who = { id: string; secret?: string }
function post(path: string, client: Who, fields: Record<string, string>): Promise<Response> {
  const secret: Record<string, string> = client.secret ? { client_secret: client.secret } : {}
  return fetch(`${place.issuer}/${path}`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: client.id, ...secret, ...fields }),
  })
}
const introspected = async (client: Who, token: string): Promise<Record<string, unknown>> =>
  (await (await post('introspect', client, { token })).json()) as Record<string, unknown>

it('OIDC-R1: a refresh token takes its access tokens with it; 200 with an empty body', async () => {
  const { tokens, grant } = await obtainTokens(place, place.web)
  const response = await post('revoke', place.web, { token: tokens.refresh_token ?? '', token_type_hint: 'nonsense' })
  expect([response.status, await response.text()]).toEqual([200, ''])
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
  expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(400)
  expect((await place.reads.findGrant(grant.id))?.revokedAt).toBeUndefined()
})
it('OIDC-R1: an access token goes alone', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  await post('revoke', place.web, { token: tokens.access_token })
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
  expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(200)
})
it('OIDC-R1, OIDC-V8: a public client can revoke', async () => {
  const { tokens } = await obtainTokens(place, place.spa)
  expect((await post('revoke', place.spa, { token: tokens.access_token })).status).toBe(200)
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
})
it('OIDC-R1: unknown and foreign tokens are 200 and nothing changes', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  expect((await post('revoke', place.spa, { token: 'pwa_unknown' })).status).toBe(200)
  expect((await post('revoke', place.spa, { token: tokens.refresh_token ?? '' })).status).toBe(200)
  expect((await post('revoke', place.spa, { token: tokens.access_token })).status).toBe(200)
  expect((await userinfo(place, tokens.access_token)).status).toBe(200)
  expect((await refresh(place, place.web, tokens.refresh_token)).status).toBe(200)
})
it('OIDC-R1: no token -> 400, wrong secret -> 401', async () => {
  expect((await post('revoke', place.web, {})).status).toBe(400)
  expect((await post('revoke', { id: place.web.id, secret: 'pws_x' }, { token: 'x' })).status).toBe(401)
})
it('OIDC-C9: by a setting the grant ends as well', async () => {
  const strict = await openPlace({ oauthRevokeEndsGrant: true })
  const { tokens, grant } = await obtainTokens(strict, strict.spa)
  await fetch(`${strict.issuer}/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: strict.spa.id, token: tokens.refresh_token ?? '' }),
  })
  expect((await strict.reads.findGrant(grant.id))?.revokedAt).toBeDefined()
  await strict.close()
})

it('OIDC-R2: introspection: one’s own token, without the user’s name', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  expect(await introspected(place.web, tokens.access_token)).toEqual({
    active: true,
    scope: 'openid offline_access sessions:read',
    client_id: place.web.id,
    sub: 'ada',
    exp: expect.any(Number),
    iat: expect.any(Number),
    iss: place.issuer,
    token_type: 'Bearer',
  })
  expect(await introspected(place.web, tokens.refresh_token ?? '')).toMatchObject({
    active: true,
    token_type: 'refresh_token',
  })
})
it('OIDC-R2: introspection: a public client -> 401', async () => {
  expect((await post('introspect', place.spa, { token: 'x' })).status).toBe(401)
})
it('OIDC-R2: introspection: another client’s token is not active, unless the client is a resource server', async () => {
  const { tokens } = await obtainTokens(place, place.spa)
  expect(await introspected(place.web, tokens.access_token)).toEqual({ active: false })
  const server = await place.addClient({ name: 'API', resourceServer: true })
  expect(await introspected(server, tokens.access_token)).toMatchObject({ active: true, client_id: place.spa.id })
})
it('OIDC-R2, OIDC-C8, OIDC-L6: introspection: never active for an unknown token, a revoked grant, a disabled client or user', async () => {
  const { tokens, grant } = await obtainTokens(place, place.spa)
  const server = await place.addClient({ name: 'API', resourceServer: true })
  expect(await introspected(server, 'pwa_x')).toEqual({ active: false })
  await place.writes.updateClient(place.spa.id, { disabledAt: place.now() })
  expect(await introspected(server, tokens.access_token)).toEqual({ active: false })
  expect(await introspected(server, tokens.refresh_token ?? '')).toEqual({ active: false })
  await place.writes.updateClient(place.spa.id, { disabledAt: null })
  expect(await introspected(server, tokens.access_token)).toMatchObject({ active: true })
  await place.writes.revokeGrant(grant.id, place.now())
  expect(await introspected(server, tokens.access_token)).toEqual({ active: false })
  const bob = await obtainTokens(place, place.spa, place.bob)
  await place.writes.updateUser('bob', { disabledAt: place.now() })
  expect(await introspected(server, bob.tokens.access_token)).toEqual({ active: false })
})
it('OIDC-U7: introspection: an API credential introspects as not active', async () => {
  const { text } = createCredential(randomBytes, { accountId: 'A', name: 'x', createdAt: 0 })
  expect(await introspected(place.web, text)).toEqual({ active: false })
})
it('OIDC-R2: introspection: no token -> 400; GET -> 405', async () => {
  expect((await post('introspect', place.web, {})).status).toBe(400)
  expect((await fetch(`${place.issuer}/introspect`)).status).toBe(405)
})
