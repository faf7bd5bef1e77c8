import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { consent, locationOf, type Start, startOf } from '../../../test/support/oidc/application.ts'
import { openPlace, placeOfTest } from '../../../test/support/oidc/testing.ts'
import {
  exchangeFields,
  obtainTokens,
  postToken,
  refresh,
  type Tokens,
  userinfo,
} from '../../../test/support/oidc/tokens.ts'

const place = await placeOfTest()

type Fields = Record<string, string | undefined>

async function freshCode(client: { id: string }, change: Fields = {}): Promise<{ code: string; start: Start }> {
  const start = startOf(place, client.id, change)
  const answer = await consent(await place.signedIn(place.ada), `${start.url}&prompt=consent`)
  return { code: locationOf(answer).searchParams.get('code') ?? '', start }
}
async function attempt(
  client: { id: string; secret?: string },
  change: Fields = {},
): Promise<readonly [number, string | undefined]> {
  const { code, start } = await freshCode(client)
  const response = await postToken(place, { ...exchangeFields(client, code, start), ...change })
  return [response.status, ((await response.json()) as Tokens).error]
}
const raw = (init: RequestInit, query = ''): Promise<Response> =>
  fetch(`${place.issuer}/token${query}`, { method: 'POST', ...init })
const form = { 'content-type': 'application/x-www-form-urlencoded' }

it.each(['GET', 'PUT', 'DELETE', 'PATCH'])('OIDC-T10: %s is 405 with Allow: POST', async (method) => {
  const response = await raw({ method })
  expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
})

it.each([
  ['JSON', { body: '{"grant_type":"authorization_code"}', headers: { 'content-type': 'application/json' } }],
  ['multipart', { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  ['text', { body: 'grant_type=authorization_code', headers: { 'content-type': 'text/plain' } }],
  ['nothing', {}],
  ['an empty form', { body: '', headers: form }],
])('OIDC-T10: %s is 400 invalid_request', async (_name, init) => {
  const response = await raw(init)
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
})

it.each(['client_secret', 'code', 'code_verifier', 'refresh_token'])('OIDC-T10: %s in the URL: 400', async (name) => {
  const response = await raw({ body: 'grant_type=authorization_code', headers: form }, `?${name}=x`)
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
})

it('OIDC-T10, API-B5: a body over 64 KiB is 413', async () => {
  const response = await raw({ body: `code=${'x'.repeat(70_000)}`, headers: form })
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([413, 'invalid_request'])
})

it('OIDC-T10: any parameter twice is 400', async () => {
  const response = await raw({ body: 'grant_type=authorization_code&a=1&a=2', headers: form })
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
})

it('OIDC-T12: two ways of authentication at once are 400', async () => {
  const { code, start } = await freshCode(place.web)
  const authorization = `Basic ${Buffer.from(`${place.web.id}:${place.web.secret}`).toString('base64')}`
  const response = await postToken(place, exchangeFields(place.web, code, start), { authorization })
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
})

it.each([
  ['grant_type', 'invalid_request'],
  ['client_id', 'invalid_request'],
  ['code', 'invalid_request'],
  ['redirect_uri', 'invalid_request'],
  ['code_verifier', 'invalid_grant'],
])('OIDC-T11, OIDC-V1: without %s -> 400 %s', async (name, error) => {
  expect(await attempt(place.spa, { [name]: undefined })).toEqual([400, error])
  expect(await attempt(place.spa, { [name]: '' })).toEqual([400, error])
})

it('OIDC-T11: without code_verifier the answer says so', async () => {
  const { code, start } = await freshCode(place.spa)
  const response = await postToken(place, { ...exchangeFields(place.spa, code, start), code_verifier: undefined })
  expect(((await response.json()) as Tokens).error_description).toBe('code_verifier is required')
})

it.each([
  'password',
  'client_credentials',
  'implicit',
  'urn:ietf:params:oauth:grant-type:device_code',
  '__proto__',
  'toString',
])('OIDC-T11: grant_type=%s -> unsupported_grant_type', async (grantType) => {
  const response = await postToken(place, {
    grant_type: grantType,
    client_id: place.web.id,
    client_secret: place.web.secret,
  })
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'unsupported_grant_type'])
})

it('OIDC-T11: a known grant type the client is not registered for -> unauthorized_client', async () => {
  const client = await place.addClient({ kind: 'public' })
  await place.writes.updateClient(client.id, { grantTypes: ['authorization_code'] })
  const response = await refresh(place, client, 'pwr_x')
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'unauthorized_client'])
})

it.each([
  ['an unknown client', { client_id: 'nobody' }],
  ['a wrong secret', { client_secret: 'pws_wrong' }],
  ['no secret', { client_secret: undefined }],
  ['an empty secret', { client_secret: '' }],
  ['the word null', { client_secret: 'null' }],
])('OIDC-T12, OIDC-V9: confidential client with %s -> 401 invalid_client', async (_name, change) => {
  expect(await attempt(place.web, change)).toEqual([401, 'invalid_client'])
})

it('OIDC-T12: a secret from a public client -> 401', async () => {
  expect(await attempt(place.spa, { client_secret: 'pws_x' })).toEqual([401, 'invalid_client'])
})

it.each([
  ['beside a secret', 'web', {}, [400, 'invalid_request']],
  ['alone', 'web', { client_secret: undefined }, [401, 'invalid_client']],
  ['of a public client', 'spa', {}, [401, 'invalid_client']],
] as const)('OIDC-T12: a client_assertion %s is no other way to authenticate', async (_, who, change, expected) => {
  const assertion = {
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    client_assertion: 'eyJ',
  }
  expect(await attempt(place[who], { ...assertion, ...change })).toEqual(expected)
})

it('OIDC-T12, OIDC-L6: a disabled client -> 401', async () => {
  const client = await place.addClient({ kind: 'public' })
  await place.writes.updateClient(client.id, { disabledAt: place.now() })
  const response = await refresh(place, client, 'pwr_x')
  expect(response.status).toBe(401)
})

it('OIDC-K8: Basic is refused with a challenge and says what to use instead', async () => {
  const authorization = `Basic ${Buffer.from('a:b').toString('base64')}`
  const response = await postToken(place, { grant_type: 'authorization_code' }, { authorization })
  expect(response.status).toBe(401)
  expect(response.headers.get('www-authenticate')).toMatch(/^Basic /)
  expect(await response.json()).toMatchObject({
    error: 'invalid_client',
    error_description: expect.stringContaining('client_secret_post'),
  })
})

it.each(['Basic ***', 'Basic', 'basic YTpi-_', 'Basic YTpi YTpi'])(
  'OIDC-K8, OIDC-T12: %s is client_secret_basic as well, however malformed, and not overlooked beside other fields',
  async (authorization) => {
    const alone = await postToken(place, { grant_type: 'refresh_token', client_id: place.spa.id }, { authorization })
    expect([alone.status, alone.headers.get('www-authenticate')]).toEqual([401, expect.stringMatching(/^Basic /)])
    const secret = { client_id: place.web.id, client_secret: place.web.secret, refresh_token: 'pwr_x' }
    const twice = await postToken(place, { grant_type: 'refresh_token', ...secret }, { authorization })
    expect([twice.status, ((await twice.json()) as Tokens).error]).toEqual([400, 'invalid_request'])
  },
)

it('OIDC-K8: with the setting Basic works, form-encoded', async () => {
  const open = await openPlace({ oauthBasic: true })
  const start = startOf(open, open.web.id)
  const code = locationOf(await consent(await open.signedIn(open.ada), start.url)).searchParams.get('code') ?? ''
  const fields = { ...exchangeFields(open.web, code, start), client_id: undefined, client_secret: undefined }
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`${open.web.id}:${secret}`).toString('base64')}`,
  })
  expect((await postToken(open, fields, basic('wrong'))).status).toBe(401)
  expect((await postToken(open, fields, { authorization: 'Basic %%%' })).status).toBe(400)
  expect((await postToken(open, fields, basic(encodeURIComponent(open.web.secret)))).status).toBe(200)
  await open.close()
})

it.each([
  ['too short', 'a'.repeat(42)],
  ['too long', 'a'.repeat(129)],
  ['a wrong character', `${'a'.repeat(43)}!`],
  ['another one', randomBytes(32).toString('base64url')],
])('OIDC-T11: code_verifier %s -> 400 invalid_grant', async (_name, verifier) =>
  expect(await attempt(place.spa, { code_verifier: verifier })).toEqual([400, 'invalid_grant']),
)

it.each([
  ['an unknown code', { code: 'x'.repeat(43) }],
  ['another redirect_uri', { redirect_uri: 'https://app.example.com/cb2' }],
  ['another resource', { resource: 'https://other.example' }],
])('OIDC-T11, OIDC-K10: %s -> 400', async (_name, change) => {
  const [status] = await attempt(place.spa, change)
  expect(status).toBe(400)
})

it('OIDC-A18, OIDC-T11: an expired code -> invalid_grant', async () => {
  const { code, start } = await freshCode(place.spa)
  place.advance(60_000)
  const response = await postToken(place, exchangeFields(place.spa, code, start))
  expect([response.status, ((await response.json()) as Tokens).error]).toEqual([400, 'invalid_grant'])
})

it('OIDC-T11: the code of another client is refused, and stays good for its own', async () => {
  const { code, start } = await freshCode(place.spa)
  const thief = await place.addClient({ kind: 'public', name: 'Thief' })
  for (let i = 0; i < 6; i++) {
    const stolen = await postToken(place, { ...exchangeFields(place.spa, code, start), client_id: thief.id })
    expect([stolen.status, ((await stolen.json()) as Tokens).error]).toEqual([400, 'invalid_grant'])
  }
  expect((await postToken(place, exchangeFields(place.spa, code, start))).status).toBe(200)
})

it('OIDC-T11, OIDC-C8, OIDC-L6: the code of a revoked grant or a disabled user -> invalid_grant', async () => {
  const { code, start } = await freshCode(place.spa)
  const grant = await place.reads.findActiveGrant('ada', place.spa.id)
  await place.writes.revokeGrant(grant?.id ?? '', place.now())
  expect((await postToken(place, exchangeFields(place.spa, code, start))).status).toBe(400)
  const other = await freshCode(place.spa)
  await place.writes.updateUser('ada', { disabledAt: place.now() })
  expect((await postToken(place, exchangeFields(place.spa, other.code, other.start))).status).toBe(400)
  await place.writes.updateUser('ada', { disabledAt: undefined as never })
  await place.writes.updateUser('ada', { disabledAt: null as never })
})

it('OIDC-T2: a wrong verifier or redirect_uri does not burn the code', async () => {
  const { code, start } = await freshCode(place.spa)
  const fields = exchangeFields(place.spa, code, start)
  expect((await postToken(place, { ...fields, code_verifier: 'a'.repeat(43) })).status).toBe(400)
  expect((await postToken(place, { ...fields, redirect_uri: 'https://evil.example' })).status).toBe(400)
  expect((await postToken(place, fields)).status).toBe(200)
})

it('OIDC-T2: five failures do', async () => {
  const { code, start } = await freshCode(place.spa)
  const fields = exchangeFields(place.spa, code, start)
  for (let i = 0; i < 5; i++) await postToken(place, { ...fields, code_verifier: 'a'.repeat(43) })
  expect((await postToken(place, fields)).status).toBe(400)
})

it('OIDC-T3, OIDC-V12: a code used twice kills the tokens of its first use, the grant survives', async () => {
  const { tokens, code, start, grant } = await obtainTokens(place, place.spa)
  expect((await userinfo(place, tokens.access_token)).status).toBe(200)
  const replay = await postToken(place, exchangeFields(place.spa, code, start))
  expect([replay.status, ((await replay.json()) as Tokens).error]).toEqual([400, 'invalid_grant'])
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
  expect((await refresh(place, place.spa, tokens.refresh_token)).status).toBe(400)
  expect((await place.reads.findGrant(grant.id))?.revokedAt).toBeUndefined()
})

it('OIDC-T3, OIDC-K9: of 10 parallel exchanges exactly one answers 200, and its tokens die at once', async () => {
  const { code, start } = await freshCode(place.spa)
  const responses = await Promise.all(
    Array.from({ length: 10 }, () => postToken(place, exchangeFields(place.spa, code, start))),
  )
  const winners = responses.filter(({ status }) => status === 200)
  expect(winners).toHaveLength(1)
  const tokens = (await winners[0]?.json()) as Tokens
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
  expect(await place.reads.findActiveGrant('ada', place.spa.id)).toBeDefined()
})

it('OIDC-T1: JSON, no-store, nosniff; no refresh token without offline_access, no ID token without openid', async () => {
  const { code, start } = await freshCode(place.spa, { scope: 'sessions:read' })
  const response = await postToken(place, exchangeFields(place.spa, code, start))
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(response.headers.get('pragma')).toBe('no-cache')
  expect(response.headers.get('content-type')).toContain('application/json')
  const tokens = (await response.json()) as Tokens
  expect(Object.keys(tokens).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type'])
})

it('OIDC-K3: offline_access gives a refresh token without prompt=consent', async () => {
  const { tokens } = await obtainTokens(place, place.web)
  expect(tokens.refresh_token).toMatch(/^pwr_/)
})

it('OIDC-T4: the old secret goes on during a rotation, then ends', async () => {
  const client = await place.addClient({})
  const { newClientSecret } = await import('../clients.ts')
  const { secret, text } = newClientSecret(place.now(), randomBytes)
  await place.writes.addClientSecret(client.id, secret, place.now() + 86_400_000)
  const known = async (value: string): Promise<number> =>
    (
      await postToken(place, {
        grant_type: 'refresh_token',
        refresh_token: 'pwr_x',
        client_id: client.id,
        client_secret: value,
      })
    ).status
  expect([await known(client.secret), await known(text)]).toEqual([400, 400])
  place.advance(86_400_001)
  expect([await known(client.secret), await known(text)]).toEqual([401, 400])
})

it('OIDC-T4, OIDC-O1: a lifetime of one second ends after it', async () => {
  const brief = await openPlace({ accessTokenTtlSeconds: 1 })
  const { tokens } = await obtainTokens(brief, brief.spa)
  expect(tokens.expires_in).toBe(1)
  expect((await userinfo(brief, tokens.access_token)).status).toBe(200)
  brief.advance(1000)
  expect((await userinfo(brief, tokens.access_token)).status).toBe(401)
  await brief.close()
})

it('OIDC-T12: too many failures are 429 with Retry-After', async () => {
  const busy = await openPlace()
  let last = await fetch(`${busy.issuer}/token`, { method: 'POST' })
  for (let i = 0; i < 620 && last.status !== 429; i++) {
    const batch = await Promise.all(Array.from({ length: 40 }, () => fetch(`${busy.issuer}/token`, { method: 'POST' })))
    last = batch.at(-1) ?? last
  }
  expect(last.status).toBe(429)
  expect(Number(last.headers.get('retry-after'))).toBeGreaterThan(0)
  expect(await last.json()).toMatchObject({ error: 'temporarily_unavailable' })
  await busy.close()
})
