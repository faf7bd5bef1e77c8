import { randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { startOf } from '../../../test/support/oidc/application.ts'
import { openPlace, type Place, placeOfTest } from '../../../test/support/oidc/testing.ts'
import { obtainTokens, userinfo } from '../../../test/support/oidc/tokens.ts'
import { limitsInMemory } from '../../limits/limits.ts'
import { createOidc } from '../create-oidc.ts'
import { readMetadata } from './endpoint.ts'

const GOOD = { redirect_uris: ['https://app.example.com/cb'], client_name: 'App' }
const place = await placeOfTest()

interface Registered {
  readonly client_id: string
  readonly registration_access_token: string
  readonly registration_client_uri: string
  readonly error?: string
  readonly application_type?: string
}
function register(body: unknown, headers: Record<string, string> = {}, at: Place = place): Promise<Response> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return fetch(`${at.issuer}/register`, {
    method: 'POST',
    body: text,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
const registered = async (body: unknown): Promise<Registered> => (await (await register(body)).json()) as Registered

it('OIDC-G2: 201, no-store, public, no secret, everything registered is echoed', async () => {
  const response = await register({
    ...GOOD,
    scope: 'openid sessions:read',
    client_uri: 'https://app.example.com',
    nonsense: 1,
    policy_uri: 'https://app.example.com/p',
  })
  expect(response.status).toBe(201)
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(await response.json()).toEqual({
    client_id: expect.any(String),
    client_id_issued_at: expect.any(Number),
    client_name: 'App',
    application_type: 'web',
    redirect_uris: GOOD.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'openid sessions:read',
    token_endpoint_auth_method: 'none',
    id_token_signed_response_alg: 'RS256',
    client_uri: 'https://app.example.com',
    policy_uri: 'https://app.example.com/p',
    registration_access_token: expect.any(String),
    registration_client_uri: expect.stringContaining(`${place.issuer}/register/`),
  })
})
it('OIDC-A4, OIDC-N7: loopback addresses make a native client whose port is free, without saying so', async () => {
  const client = await registered({ redirect_uris: ['http://127.0.0.1:1234/cb'] })
  expect(client.application_type).toBe('native')
  const { tokens } = await obtainTokens(place, { id: client.client_id }, place.ada, {
    redirect_uri: 'http://127.0.0.1:9999/cb',
  })
  expect((await userinfo(place, tokens.access_token)).status).toBe(200)
})
it.each([
  [{ redirect_uris: undefined }, 'invalid_redirect_uri'],
  [{ redirect_uris: [] }, 'invalid_redirect_uri'],
  [{ redirect_uris: 'https://a.example/cb' }, 'invalid_redirect_uri'],
  [{ redirect_uris: [1] }, 'invalid_redirect_uri'],
  [{ redirect_uris: [null] }, 'invalid_redirect_uri'],
  [{ redirect_uris: Array.from({ length: 11 }, (_, i) => `https://a.example/${i}`) }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a.example/#x'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['javascript:alert(1)'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['JaVaScRiPt:alert(1)'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['http://a.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://*.a.example/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['com.example.app:/cb'], application_type: 'web' }, 'invalid_redirect_uri'],
  [{ post_logout_redirect_uris: ['javascript:x'] }, 'invalid_client_metadata'],
  [{ token_endpoint_auth_method: 'client_secret_post' }, 'invalid_client_metadata'],
  [{ token_endpoint_auth_method: 'client_secret_basic' }, 'invalid_client_metadata'],
  [{ token_endpoint_auth_method: 'private_key_jwt' }, 'invalid_client_metadata'],
  [{ grant_types: ['client_credentials'] }, 'invalid_client_metadata'],
  [{ grant_types: ['implicit'] }, 'invalid_client_metadata'],
  [{ grant_types: ['refresh_token'] }, 'invalid_client_metadata'],
  [{ grant_types: [] }, 'invalid_client_metadata'],
  [{ grant_types: 'authorization_code' }, 'invalid_client_metadata'],
  [{ response_types: ['token'] }, 'invalid_client_metadata'],
  [{ scope: 'admin' }, 'invalid_client_metadata'],
  [{ scope: ['openid'] }, 'invalid_client_metadata'],
  [{ jwks_uri: 'https://a.example/jwks' }, 'invalid_client_metadata'],
  [{ sector_identifier_uri: 'https://a.example/s' }, 'invalid_client_metadata'],
  [{ request_uris: ['https://a.example/r'] }, 'invalid_client_metadata'],
  [{ id_token_signed_response_alg: 'none' }, 'invalid_client_metadata'],
  [{ id_token_signed_response_alg: 'HS256' }, 'invalid_client_metadata'],
  [{ application_type: 'service' }, 'invalid_client_metadata'],
  [{ client_name: 5 }, 'invalid_client_metadata'],
  [{ client_name: 'Pilotwire Support' }, 'invalid_client_metadata'],
  [{ client_name: 'P1l0t Wíre' }, 'invalid_client_metadata'],
  [{ client_name: 'Ｐｉｌｏｔｗｉｒｅ' }, 'invalid_client_metadata'],
  [{ client_name: '\u0420ilotwire' }, 'invalid_client_metadata'],
  [{ client_name: 'Ch\u0430rge App' }, 'invalid_client_metadata'],
  [{ redirect_uris: ['https://a;sandbox;x/cb'] }, 'invalid_redirect_uri'],
  [{ redirect_uris: ['https://a.example/cb;x'] }, 'invalid_redirect_uri'],
  [{ post_logout_redirect_uris: ["https://a.example/?x='y'"] }, 'invalid_client_metadata'],
  [{ logo_uri: 'javascript:alert(1)' }, 'invalid_client_metadata'],
  [{ client_uri: 'http://a.example' }, 'invalid_client_metadata'],
  [{ client_uri: 'http://localhost@a.example' }, 'invalid_client_metadata'],
  [{ client_uri: 'http://[' }, 'invalid_client_metadata'],
])('OIDC-G3, OIDC-G4, OIDC-G5, OIDC-I2, OIDC-V5: %j -> 400 %s', async (change, error) => {
  const response = await register({ ...GOOD, ...change })
  expect([response.status, ((await response.json()) as Registered).error]).toEqual([400, error])
})
it.each([null, ''])('OIDC-G5, OIDC-G7, RFC 7592 §2.2: a member that is %j counts as left out', async (empty) => {
  const optional = { scope: empty, jwks_uri: empty, logo_uri: empty, application_type: empty, grant_types: empty }
  const client = await registered({ ...GOOD, ...optional })
  expect(client).toMatchObject({ application_type: 'web', grant_types: ['authorization_code', 'refresh_token'] })
  expect((await register({ ...GOOD, redirect_uris: empty })).status).toBe(400)
})
it('OIDC-T1, OIDC-G5: who registers without refresh_token is given none, instead of one that is refused', async () => {
  const client = await registered({ ...GOOD, grant_types: ['authorization_code'] })
  const { tokens } = await obtainTokens(place, { id: client.client_id })
  expect(tokens.scope).toBe('openid sessions:read')
  expect(tokens.refresh_token).toBeUndefined()
})
it('OIDC-G4, OIDC-N7: an application under development names its own page at http://localhost', async () => {
  const page = { client_uri: 'http://localhost:3080' }
  expect(await registered({ redirect_uris: ['http://localhost:3080/cb'], ...page })).toMatchObject(page)
})
it.each(['', 'null', '[]', '"x"', '{', '1', '{"redirect_uris":{"length":1}}'])('OIDC-V25: %j -> 400', async (body) => {
  expect((await register(body)).status).toBe(400)
})
it('OIDC-G1, OIDC-V25: another media type 400, too much 413, GET 405', async () => {
  expect((await register(GOOD, { 'content-type': 'text/plain' })).status).toBe(400)
  expect((await register({ ...GOOD, x: 'x'.repeat(70_000) })).status).toBe(413)
  expect((await fetch(`${place.issuer}/register`)).status).toBe(405)
})
const deep = (levels: number): string => `{"x":${'['.repeat(levels)}${']'.repeat(levels)}}`
it.each([
  ['nested 65 levels deep', deep(64), /nested at most 64 levels/],
  ['nested as deep as fits', deep(30_000), /nested at most 64 levels/],
  ['half a surrogate pair', '{"client_name":"\\ud800"}', /surrogate/],
  ['bytes that are no UTF-8', new Uint8Array([0x7b, 0xff, 0x7d]), /UTF-8/],
])('OIDC-V25: a body with %s is refused like one of the API', async (_, body, sentence) => {
  const client = await registered(GOOD)
  const authorization = `Bearer ${client.registration_access_token}`
  for (const [method, url] of [
    ['POST', `${place.issuer}/register`],
    ['PUT', client.registration_client_uri],
  ] as const) {
    const headers = { 'content-type': 'application/json', authorization }
    const answer = await fetch(url, { method, headers, body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: 'invalid_client_metadata',
      error_description: expect.stringMatching(sentence),
    })
  }
})
it('OIDC-V25: 64 levels are not too deep', async () => {
  expect((await register(`${deep(63).slice(0, -1)},"redirect_uris":["https://a.example/cb"]}`)).status).toBe(201)
})
it('OIDC-G5, OIDC-V5, OIDC-V13: nothing that a client names is ever fetched', async () => {
  let hits = 0
  const listener = createServer((_, response) => {
    hits++
    response.end()
  })
  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}/x`
  for (const member of ['jwks_uri', 'sector_identifier_uri', 'logo_uri', 'client_uri', 'policy_uri', 'tos_uri'])
    await register({ ...GOOD, [member]: url })
  await register({ ...GOOD, request_uris: [url] })
  await place.browser().get(startOf(place, place.web.id, { request_uri: url }).url)
  await new Promise((resolve) => listener.close(resolve))
  expect(hits).toBe(0)
})
it('OIDC-G7: read, replace, delete with the registration token; deleting ends the grants', async () => {
  const client = await registered(GOOD)
  const headers = { authorization: `Bearer ${client.registration_access_token}`, 'content-type': 'application/json' }
  const manage = (method: string, body?: unknown, more = headers) =>
    fetch(client.registration_client_uri, {
      method,
      headers: more,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const read = (await (await manage('GET')).json()) as Record<string, unknown>
  expect(read).toMatchObject({ client_id: client.client_id, client_name: 'App' })
  expect((await manage('GET', undefined, { ...headers, authorization: 'Bearer x' })).status).toBe(401)
  expect((await manage('PUT', GOOD)).status).toBe(400)
  expect(
    await (await manage('PUT', { ...GOOD, client_id: client.client_id, client_name: 'Renamed' })).json(),
  ).toMatchObject({ client_name: 'Renamed' })
  for (const change of [
    { redirect_uris: ['ftp://x'] },
    { redirect_uris: ['https://a;sandbox;x/cb'] },
    { client_name: '\u0420ilotwire' },
  ]) {
    expect((await manage('PUT', { ...GOOD, client_id: client.client_id, ...change })).status).toBe(400)
  }
  const { tokens } = await obtainTokens(place, { id: client.client_id })
  expect((await manage('DELETE')).status).toBe(204)
  expect((await userinfo(place, tokens.access_token)).status).toBe(401)
  expect((await manage('GET')).status).toBe(401)
  const unknown = await fetch(`${place.issuer}/register/unknown`, { headers })
  expect(unknown.status).toBe(401)
})
it('OIDC-G7: reading and replacing answer with address and token of the registration (RFC 7592 §3)', async () => {
  const { client_id, registration_access_token, registration_client_uri } = await registered(GOOD)
  const headers = { authorization: `Bearer ${registration_access_token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...GOOD, client_id })
  for (const request of [{ headers }, { headers, method: 'PUT', body }]) {
    const answer = (await (await fetch(registration_client_uri, request)).json()) as Registered
    expect(answer).toMatchObject({ client_id, registration_access_token, registration_client_uri })
  }
})
it('OIDC-X3, OIDC-G7: the registration token is stored as a hash', async () => {
  const client = await registered(GOOD)
  expect(JSON.stringify(await place.reads.findClient(client.client_id))).not.toContain(client.registration_access_token)
})
it('OIDC-G1: with an initial token only', async () => {
  const guarded = await openPlace({ registration: 'token', registrationToken: 'a-very-long-initial-token' })
  for (const headers of [
    {},
    { authorization: 'Bearer wrong' },
    { authorization: 'Basic a-very-long-initial-token' },
  ] as Record<string, string>[]) {
    const response = await register(GOOD, headers, guarded)
    expect([response.status, ((await response.json()) as Registered).error]).toEqual([401, 'invalid_token'])
  }
  expect((await register(GOOD, { authorization: 'Bearer a-very-long-initial-token' }, guarded)).status).toBe(201)
  await guarded.close()
})
it('OIDC-G6, OIDC-V23: so many per hour and address, then 429', async () => {
  const limited = await openPlace({ registrationRate: 2 })
  // A developer who tried until it was right could not register for the rest of the hour.
  for (let tries = 0; tries < 5; tries++) {
    expect((await register({ ...GOOD, redirect_uris: [] }, {}, limited)).status).toBe(400)
  }
  expect((await register(GOOD, {}, limited)).status).toBe(201)
  expect((await register(GOOD, {}, limited)).status).toBe(201)
  const refused = await register(GOOD, {}, limited)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
  expect((await register(GOOD, { 'x-test-address': '10.1.1.1' }, limited)).status).toBe(201)
  await limited.close()
})
it.each([
  [9_999, 201],
  [10_000, 503],
])('OIDC-G6, OIDC-V23: behind %i that registered, one is answered %i', async (known, status) => {
  const reads = new Proxy(place.reads, {
    get: (target, name) => (name === 'countDynamicClients' ? async () => known : Reflect.get(target, name)),
  })
  const log = { info: () => {}, warn: () => {}, error: () => {} }
  const rest = { random: randomBytes, log, clientOrigin: () => ({ address: '' }), connectivity: async () => [] }
  const { routes } = createOidc({ ...place, ...rest, limits: limitsInMemory(place.now), reads })
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify(GOOD) }
  expect((await routes.request('/1/oauth/service/register', request)).status).toBe(status)
})
it('OIDC-G6: clients that nobody approved for 30 days are deleted, others stay', async () => {
  const own = await openPlace()
  const [unused, used] = [
    (await (await register(GOOD, {}, own)).json()) as Registered,
    (await (await register(GOOD, {}, own)).json()) as Registered,
  ]
  await obtainTokens(own, { id: used.client_id })
  own.advance(31 * 86_400_000)
  await register(GOOD, {}, own)
  expect(await own.reads.findClient(unused.client_id)).toBeUndefined()
  expect(await own.reads.findClient(used.client_id)).toBeDefined()
  await own.close()
})

it('metadata property: any JSON is answered, and never gives a dangerous address', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (value, uris) => {
      const body = typeof value === 'object' && value !== null ? { ...value, redirect_uris: uris } : value
      const result = readMetadata(body, [])
      if ('error' in result) expect(result.description.length).toBeGreaterThan(0)
      else for (const uri of result.redirectUris) expect(uri).toMatch(/^(https|http|[a-z0-9+-]+\.[a-z0-9+.-]+):/)
    }),
  )
})
