/**
 * Everybody's nonsense at every address of the description: always an answer, never a fault of ours, always a problem.
 */
import { connect } from 'node:net'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { houseOfFile, type Json } from './house.ts'

const house = await houseOfFile()
const { paths } = (await (await fetch(`${house.url}/openapi.json`)).json()) as { paths: Json }
const addresses: readonly string[] = Object.keys(paths)

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'HEAD', 'PROPFIND']

/** Ids from people who look for a way in, and ids that exist. */
const segment = fc.oneof(
  fc.string({ maxLength: 60 }).map(encodeURIComponent),
  fc.constantFrom(
    '%E0%A4%A',
    '%00',
    '%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    "'%20OR%201=1--",
    '01890a5d-ac96-774b-bcce-b302099a8057',
    'FUZZED',
    '%F0%9F%92%A9',
    'a'.repeat(3000),
    '-1',
    '9223372036854775808',
    '__proto__',
    'search',
  ),
)

const member = fc.oneof(
  fc.constantFrom(
    ...`id evseControllerId method request from to limit cursor status connectorId evseId transactionId
  externalReference idToken password name wait ttl where __proto__ format url`.split(/\s+/),
  ),
  fc.string({ maxLength: 10 }),
)
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom(
    'FUZZED',
    'GetConfiguration',
    '2026-01-01T00:00:00Z',
    1e308,
    -1,
    0,
    2 ** 53,
    '\u0000',
    null,
    {},
    [],
    'csv',
    { $eq: null },
    { $in: [] },
    { $gt: {} },
    { $exists: 'x' },
  ),
)
const body = fc.oneof(
  fc.array(fc.tuple(member, value), { maxLength: 6 }).map((members) => JSON.stringify(Object.fromEntries(members))),
  fc.json(),
  fc.string(),
  fc.constantFrom(
    '',
    '{',
    '[[[',
    '{"a":1,"a":2}',
    '['.repeat(500),
    'null',
    '\ufeff{}',
    `{"id":"${'x'.repeat(70_000)}"}`,
  ),
)
const header = fc.tuple(
  fc.constantFrom(
    ...`content-type accept if-none-match idempotency-key origin accept-language range x-forwarded-for
  x-request-id cookie authorization prefer content-encoding access-control-request-method`.split(/\s+/),
  ),
  fc.oneof(
    fc.constantFrom(
      'application/json',
      'text/csv',
      '*/*',
      'null',
      '"x"',
      'Bearer pwk_x',
      'Basic Og==',
      'gzip',
      'https://x',
    ),
    fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 80 }),
  ),
)
const query = fc.array(
  fc.tuple(member, fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('1', '-1', '1e9', ''))),
  { maxLength: 3 },
)

const request = fc.record({
  address: fc.nat(),
  method: fc.constantFrom(...METHODS),
  segments: fc.array(segment, { minLength: 4, maxLength: 4 }),
  headers: fc.array(header, { maxLength: 4 }),
  signedIn: fc.boolean(),
  json: fc.boolean(),
  query,
  body,
})

it('API-E1, API-E2: any request is answered below 500, and with a problem whenever it is refused', async () => {
  await house.request('POST', '/2/evse-controllers', { id: 'FUZZED' })
  await fc.assert(
    fc.asyncProperty(request, async (one) => {
      const address = addresses[one.address % addresses.length] ?? '/'
      let parameter = 0
      const path = address.replaceAll(/\{\w+\}/g, () => one.segments[parameter++ % one.segments.length] ?? 'x')
      const search = one.query.length > 0 ? `?${new URLSearchParams(one.query as [string, string][])}` : ''
      const hasBody = !['GET', 'HEAD', 'OPTIONS'].includes(one.method)
      const response = await fetch(`${house.url}${path}${search}`, {
        method: one.method,
        redirect: 'manual',
        headers: {
          ...(one.json && { 'content-type': 'application/json' }),
          ...Object.fromEntries(one.headers),
          ...(one.signedIn && { authorization: `Bearer ${house.credential}` }),
        },
        ...(hasBody && { body: one.body }),
      })
      const text = await response.text()
      expect(response.status, text).toBeLessThan(500)
      if (response.status >= 400 && one.method !== 'HEAD') expectProblem(address, response, text)
    }),
    { numRuns: 700, endOnFailure: true },
  )
})

it('API-E1: bytes that are no HTTP end their own connection at most', async () => {
  for (const bytes of [
    'GET / HTTP/9.9\r\n\r\n',
    'GET /\u0000 HTTP/1.1\r\nHost: x\r\n\r\n',
    `GET /healthz HTTP/1.1\r\nHost: x\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
    'POST /2/id-tokens HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    'POST /2/id-tokens HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n',
    'GET http://elsewhere.example/healthz HTTP/1.1\r\nHost: \r\n\r\n',
    'GET //elsewhere.example/%2e%2e HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
    '\r\n\r\n\r\n',
  ]) {
    const status = await firstStatus(bytes)
    expect(status === undefined || status < 500 || status === 505, `${bytes.slice(0, 40)}: ${status}`).toBe(true)
  }
  expect((await fetch(`${house.url}/readyz`)).status).toBe(200)
})

it('API-E2: no answer depends on the Host header, and none carries a stack', async () => {
  const answer = await raw('GET /nothing HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n')
  expect(answer).not.toContain('evil.example')
  expect(answer).not.toMatch(/\bat .*\.(ts|js):/)
})

/** OAuth endpoints have the error bodies of their own standards; everything else is a problem (API-E1). */
function expectProblem(address: string, response: Response, text: string): void {
  if (address.startsWith('/1/oauth/') || address.startsWith('/dashboard')) return
  expect(response.headers.get('content-type'), `${response.status} ${response.url}`).toContain(
    'application/problem+json',
  )
  const requestId = response.headers.get('x-request-id')
  expect(requestId).toBeTruthy()
  expect(JSON.parse(text)).toMatchObject({
    status: response.status,
    instance: `urn:request:${requestId}`,
    code: expect.any(String),
    detail: expect.any(String),
  })
}

function raw(bytes: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(house.port, '127.0.0.1', () => socket.end(bytes, 'latin1'))
    let answer = ''
    socket.on('data', (chunk) => {
      answer += chunk.toString('latin1')
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

async function firstStatus(bytes: string): Promise<number | undefined> {
  const status = /^HTTP\/1\.1 (\d+)/.exec(await raw(bytes))?.[1]
  return status === undefined ? undefined : Number(status)
}
