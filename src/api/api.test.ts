import { once } from 'node:events'
import { connect } from 'node:net'
import { z } from '@hono/zod-openapi'
import { expect, it } from 'vitest'
import { apiOfTest, session, startApi, type TestResponse } from '../../test/support/api/testing.ts'
import { StorageError } from '../storage/storage-error.ts'

const SEARCH = '/2/evse-controllers/CP1/commands/search'
const FROM = '2026-08-01T00:00:00Z'
const api = await apiOfTest()
await api.addSession(session('s1'))

const codeOf = async (answer: Pick<TestResponse, 'status' | 'json'>) => [answer.status, (await answer.json()).code]

it('API-E1: a problem has type, title, status, detail, instance and code', async () => {
  const answer = await api.call('GET', '/sessions/none')
  const requestId = answer.headers.get('x-request-id')
  expect(answer.headers.get('content-type')).toBe('application/problem+json')
  expect(await answer.json()).toEqual({
    type: 'http://localhost:8080/docs#problem-not_found',
    title: 'Not found',
    status: 404,
    detail: 'There is no such session.',
    instance: `urn:request:${requestId}`,
    code: 'not_found',
  })
})

it('API-E1: every type leads to a place in the documentation', async () => {
  const docs = await (await fetch(`${api.url}/docs`)).text()
  for (const code of ['not_found', 'cursor_mismatch', 'rate_limited', 'v1_unsupported', 'internal_error']) {
    expect(docs).toContain(`id="problem-${code}"`)
  }
})

it.each([
  '/',
  '/nope',
  '/2',
  '/2/evse-controllers/CP1/commands/search/x',
  '/3/sessions',
  '/sessions',
  '/%E0%A4%A',
  '/sessions/a/b',
])('API-E1: %s is 404, without authentication', async (path) => {
  expect(await codeOf(await api.call('GET', path, undefined, { authorization: '' }))).toEqual([404, 'not_found'])
})

it.each([
  ['GET', SEARCH, 'OPTIONS, POST'],
  ['DELETE', SEARCH, 'OPTIONS, POST'],
  ['PUT', '/2/sessions', 'GET, HEAD, OPTIONS, POST'],
  ['POST', '/sessions/s1', 'GET, HEAD, OPTIONS'],
  ['PUT', '/2/evse-controllers/CP1', 'DELETE, GET, HEAD, OPTIONS, PATCH'],
  ['POST', '/healthz', 'GET, HEAD, OPTIONS'],
  ['POST', '/2/evse-controllers/CP1/commands/methods', 'GET, HEAD, OPTIONS'],
])('API-E1: %s %s is 405 with Allow: %s', async (method, path, allow) => {
  const answer = await api.call(method, path, method === 'GET' ? undefined : {})
  expect(answer.headers.get('allow')).toBe(allow)
  expect(await codeOf(answer)).toEqual([405, 'method_not_allowed'])
})

it.each([
  ['text/html', 406],
  ['application/xml, text/*', 406],
  ['application/json;q=0, text/html', 406],
  ['*/*;q=0', 406],
  ['application/json', 200],
  ['application/*', 200],
  ['text/html, */*;q=0.1', 200],
  ['APPLICATION/JSON ; q=0.5', 200],
])('API-E1: Accept: %s is %i', async (accept, status) => {
  expect((await api.call('GET', '/sessions/s1', undefined, { accept })).status).toBe(status)
})

it('API-E1: an export is acceptable as text/csv', async () => {
  const csv = await api.call('POST', SEARCH, { from: FROM, format: 'csv' }, { accept: 'text/csv' })
  expect(csv.status).toBe(200)
})

it.each([
  ['text/plain', '{}'],
  ['application/x-www-form-urlencoded', 'from=x'],
  ['application/json; charset=iso-8859-1', '{}'],
  ['application/json; version=1; charset=utf-16', '{}'],
  ['application/jsonp', '{}'],
  ['', '{}'],
])('API-E1: a body of type %j is 415', async (type, body) => {
  expect(await codeOf(await api.call('POST', SEARCH, body, { 'content-type': type }))).toEqual([
    415,
    'unsupported_media_type',
  ])
})

it('API-E1: a packed body is 415, and the answer says that none may be', async () => {
  const answer = await api.call('POST', SEARCH, `{"from":"${FROM}"}`, { 'content-encoding': 'gzip' })
  expect(answer.headers.get('accept-encoding')).toBe('identity')
  expect(await codeOf(answer)).toEqual([415, 'unsupported_media_type'])
  expect((await api.call('POST', SEARCH, { from: FROM }, { 'content-encoding': 'identity' })).status).toBe(200)
})

it.each([
  'application/json;charset=UTF-8',
  'application/json ; charset="utf-8"',
  'application/json; charset=utf8',
  'application/json; odata=verbose',
  'application/json;version=1;charset=us-ascii',
  'application/json;',
  'application/merge-patch+json',
])('API-E1, RFC 8259 §11: %s is JSON', async (type) => {
  const body = JSON.stringify({ from: FROM })
  expect((await api.call('POST', SEARCH, body, { 'content-type': type })).status).toBe(200)
})

it('API-B5: 64 KiB are read, one byte more is 413, announced or not', async () => {
  const padded = (length: number) => {
    const body = `{"from":"${FROM}"}`
    return body + ' '.repeat(length - body.length)
  }
  expect((await api.call('POST', SEARCH, padded(64 * 1024))).status).toBe(200)
  expect(await codeOf(await api.call('POST', SEARCH, padded(64 * 1024 + 1)))).toEqual([413, 'body_too_large'])
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => undefined)
  socket.write(
    `POST ${SEARCH} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${api.credential}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`,
  )
  for (let i = 0; i < 9; i++) socket.write(`2000\r\n${' '.repeat(0x2000)}\r\n`)
  const [answer] = (await once(socket, 'data')) as [Buffer]
  expect(answer.toString()).toMatch(/^HTTP\/1.1 413 /)
  socket.destroy()
})

it.each(['{', '', '{"from":}', 'NaN', "{'from':1}", '\uFEFF{', '{"a":1}{"b":2}'])('API-E1: %j is 400', async (body) => {
  expect((await api.call('POST', SEARCH, body)).status).toBe(400)
})

it.each(['null', '[]', '5', '"x"', 'true'])('API-E1: the body %s is no object: 400', async (body) => {
  expect(await codeOf(await api.call('POST', SEARCH, body))).toEqual([400, 'invalid_type'])
})

it('OIDC-U9: a body of an open quote and escaped ones is refused for what it is', async () => {
  for (const body of [`"${'\\"'.repeat(32_760)}`, `"${'\\"'.repeat(200)}`, `{"a":"${'\\"'.repeat(200)}`]) {
    expect(await codeOf(await api.call('POST', SEARCH, body))).toEqual([400, 'malformed_json'])
  }
  const quoted = { from: '2026-08-01T00:00:00Z', method: ['"[{'.repeat(30), '\\"[['.repeat(20)] }
  expect((await api.call('POST', SEARCH, quoted)).status).toBe(200)
})

it('OIDC-U9: a body of seven thousand wrong members is answered with the first thousand', async () => {
  const members = Array.from({ length: 7000 }, (_, index) => [index.toString(36), 0])
  const answer = await api.call('POST', SEARCH, Object.fromEntries(members))
  const { errors, detail } = await answer.json<{ errors: unknown[]; detail: string }>()
  expect([answer.status, errors.length]).toEqual([400, 1000])
  expect(detail).toMatch(/There are 700\d faults in all\.$/)
  expect(detail.length).toBeLessThan(2000)
})

it('API-E1: bytes that are no UTF-8 and bodies nested without end are 400', async () => {
  const headers = { authorization: `Bearer ${api.credential}`, 'content-type': 'application/json' }
  const latin1 = await fetch(api.url + SEARCH, {
    method: 'POST',
    headers,
    body: Buffer.from('{"from":"\xe9"}', 'latin1'),
  })
  expect([latin1.status, await latin1.text()]).toEqual([400, expect.stringContaining('"malformed_json"')])
  const deep = '['.repeat(30_000) + ']'.repeat(30_000)
  expect(await codeOf(await api.call('POST', SEARCH, deep))).toEqual([400, 'too_deep'])
  const unclosed = '{"a":'.repeat(12_000)
  expect(await codeOf(await api.call('POST', SEARCH, unclosed))).toEqual([400, 'too_deep'])
  const brackets = JSON.stringify({ from: FROM, transactionId: '[[[[[[['.repeat(5) })
  expect((await api.call('POST', SEARCH, brackets)).status).toBe(200)
})

it.each(['"\\ud800"', '"a\\uDFFFb"', '"\\ud83d\\ud83d\\ude00"', '"\\ude00\\ud83d"'])(
  'API-E1: half a character, %s, is 400: no text of the database and no address can hold it',
  async (text) => {
    for (const body of [`{"id":${text}}`, `{"id":"A","groupId":${text}}`, `{"id":"A",${text}:1}`, `{"id":[${text}]}`]) {
      expect(await codeOf(await api.call('POST', '/2/id-tokens', body))).toEqual([400, 'malformed_json'])
    }
  },
)

it.each([
  ['"\\ud83d\\ude00"', '😀'],
  ['"\\\\ud800"', '\\ud800'],
])('API-E1: %s is a whole text', async (text, id) => {
  expect(await (await api.call('POST', '/2/id-tokens', `{"id":${text}}`)).json()).toMatchObject({ id })
})

it('API-E1: an uncaught fault is 500 without its stack, which the log has', async () => {
  const server = await startApi({
    reads: (reads) => ({ ...reads, findSession: () => Promise.reject(new Error('secret detail')) }),
  })
  const answer = await server.call('GET', '/sessions/s1')
  const text = await answer.text()
  expect([answer.status, JSON.parse(text).code]).toEqual([500, 'internal_error'])
  expect(text).not.toMatch(/secret detail|\.ts/)
  expect(server.logged).toMatchObject([
    {
      level: 'error',
      fields: { requestId: answer.headers.get('x-request-id'), error: expect.stringContaining('.ts') },
    },
  ])
  await server.close()
})

it('API-E1: a database that cannot be used is 503 with Retry-After', async () => {
  const full = new StorageError('storage_full', 'the disk is full', undefined)
  const server = await startApi({ writes: (writes) => ({ ...writes, createIdToken: () => Promise.reject(full) }) })
  const answer = await server.call('POST', '/2/id-tokens', { id: 'A' })
  expect(answer.headers.get('retry-after')).toBe('5')
  expect(await codeOf(answer)).toEqual([503, 'storage_unavailable'])
  await server.close()
})

it('API-E1: no credential appears in answers or in the log', async () => {
  const answer = await api.call('GET', '/sessions/none')
  expect(JSON.stringify([await answer.text(), [...answer.headers], api.logged])).not.toContain('pwk_')
})

it.each(['%E0%A4%A', '%00', '..%2f..%2fetc', '%F0%9F%94%8C', '__proto__', 'x'.repeat(8000)])(
  'SEARCH-Q1: hostile addresses: a charge point %s is unknown, not a fault',
  async (id) => {
    expect((await api.call('POST', SEARCH.replace('CP1', id), { from: FROM })).status).toBe(404)
    expect((await api.call('GET', `/sessions/${id}`)).status).toBe(404)
    expect((await api.call('GET', `/2/id-tokens/${id}`)).status).toBe(404)
  },
)

it('HOOK-S5, COST-L2: endpoints of other rooms: are guarded and described like those here; a required Idempotency-Key is asked for', async () => {
  let effects = 0
  const server = await startApi({
    parts: {
      extraEndpoints: [
        ({ endpoints }) =>
          endpoints.add({
            method: 'post',
            path: '/2/effects/{effect}',
            operationId: 'settleSession',
            tag: 'Test',
            summary: 'Something that must happen once',
            params: z.object({ effect: z.string() }),
            body: z.strictObject({ cost: z.number() }),
            idempotent: 'required',
            responses: { 201: { description: 'Done', content: { 'application/json': { schema: z.object({}) } } } },
            handle: async ({ params, body }) =>
              Response.json({ effect: params.effect, cost: body.cost, n: ++effects }, { status: 201 }),
          }),
      ],
    },
  })
  expect((await server.call('POST', '/2/effects/e', { cost: 1 }, { authorization: '' })).status).toBe(401)
  expect((await server.call('POST', '/2/effects/e', { price: 1 }, { 'idempotency-key': 'a' })).status).toBe(400)
  expect(await codeOf(await server.call('POST', '/2/effects/e', { cost: 1 }))).toEqual([400, 'invalid_idempotency_key'])
  const once = await server.call('POST', '/2/effects/e', { cost: 1 }, { 'idempotency-key': 'a' })
  const twice = await server.call('POST', '/2/effects/e', { cost: 1 }, { 'idempotency-key': 'a' })
  expect([once.status, await once.json(), await twice.json()]).toEqual([201, expect.anything(), expect.anything()])
  expect(effects).toBe(1)
  expect((await server.call('GET', '/2/effects/e')).headers.get('allow')).toBe('OPTIONS, POST')
  await server.close()
})

it('API-E1: X-Request-Id always, a new one each time', async () => {
  const ids = new Set<string | null>()
  for (const path of ['/healthz', '/docs', '/openapi.json', '/nope', '/sessions/none']) {
    ids.add((await fetch(api.url + path)).headers.get('x-request-id'))
  }
  expect(ids.size).toBe(5)
  expect(ids).not.toContain(null)
})

it.each(['/docs', '/openapi.json', '/.well-known/oauth-protected-resource'])(
  'OIDC-U9: %s is the same bytes for everybody, under a strong ETag that is answered 304',
  async (path) => {
    const first = await fetch(api.url + path)
    const etag = first.headers.get('etag') ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(await (await fetch(api.url + path)).text()).toBe(await first.text())
    const again = await fetch(api.url + path, { headers: { 'if-none-match': etag } })
    expect([again.status, await again.text(), again.headers.get('etag')]).toEqual([304, '', etag])
    const whole = await fetch(api.url + path, { headers: { 'accept-encoding': 'identity' } })
    expect([whole.headers.get('content-encoding'), whole.headers.get('x-request-id')?.length]).toEqual([null, 24])
  },
)

it('OIDC-X1: any origin may call the API, which never reads cookies', async () => {
  const preflight = await fetch(api.url + SEARCH, {
    method: 'OPTIONS',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  expect([preflight.status, await preflight.text()]).toEqual([204, ''])
  expect(preflight.headers.get('access-control-allow-origin')).toBe('*')
  expect(preflight.headers.get('access-control-allow-methods')).toContain('POST')
  const allowed = preflight.headers.get('access-control-allow-headers')
  expect(allowed).toContain('authorization, content-type')
  expect(allowed).toContain('x-requested-with, mcp-protocol-version') // OIDC-X5
  expect(preflight.headers.get('access-control-max-age')).toBe('7200')
  for (const answer of [
    await api.call('POST', SEARCH, { from: FROM }),
    await api.call('GET', '/sessions/none'),
    await api.call('GET', '/sessions/s1', undefined, { authorization: '' }),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe('*')
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
    expect(answer.headers.get('access-control-expose-headers')).toMatch(/WWW-Authenticate, Retry-After/)
  }
  for (const path of ['/healthz', '/metrics', '/2/grants', '/2/grants/g1']) {
    expect((await fetch(api.url + path)).headers.get('access-control-allow-origin')).toBeNull()
  }
})

it('OIDC-X3: HSTS where the base URL is https', async () => {
  const server = await startApi({ settings: { baseUrl: 'https://charging.example.com/api' } })
  const answer = await fetch(`${server.url}/sessions/x`)
  expect(answer.headers.get('strict-transport-security')).toBe('max-age=31536000')
  expect(answer.headers.get('www-authenticate')).toContain(
    'resource_metadata="https://charging.example.com/.well-known/oauth-protected-resource/api"',
  )
  await server.close()
})

it('API-A4: HEAD answers like GET, OPTIONS names the methods', async () => {
  const headers = { authorization: `Bearer ${api.credential}` }
  const head = await fetch(`${api.url}/sessions/s1`, { method: 'HEAD', headers })
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, 'W/"1"', ''])
  const options = await fetch(`${api.url}/healthz`, { method: 'OPTIONS' })
  expect([options.status, options.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS'])
})

it('API-A1: addresses in answers come from the base URL, never from the Host header', async () => {
  const { hostname, port } = new URL(api.url)
  const socket = connect(Number(port), hostname)
  socket.write(
    'POST /1/evse-controllers/CP1/commands/search HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
  )
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(socket, 'close')
  const text = Buffer.concat(chunks).toString()
  expect(text).toContain('http://localhost:8080/2/evse-controllers/CP1/commands/search')
  expect(text).not.toContain('evil')
})
