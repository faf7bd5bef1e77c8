/**
 * What clients of the world do on the way to an endpoint: offer HTTP/2, speak HTTP/1.0, or send what is no HTTP at all.
 */
import { connect, type Socket } from 'node:net'
import { describe, expect, it } from 'vitest'
import { houseOfFile, until } from './house.ts'

const house = await houseOfFile()

const ANSWER = 'HTTP/1.1 '

/** Sends each text when the one before is answered, and gives what comes back until the connection ends. */
function exchange(...texts: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket: Socket = connect(house.port, '127.0.0.1', () => {
      socket.write(texts[0] ?? '')
    })
    let sent = 1
    socket.on('data', (bytes) => {
      answer += bytes.toString('latin1')
      const next = texts[sent]
      if (next === undefined || answer.split(ANSWER).length <= sent) return
      sent++
      socket.write(next)
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(answer))
  })
}

/** As Java's HTTP client begins every request over plain HTTP. */
const OFFER = 'Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAEAAEAAAAIAAAABAAMAAABk\r\n'
const request = (line: string, headers: string, body = ''): string =>
  `${line} HTTP/1.1\r\nHost: localhost\r\n${headers}\r\n${body}`
const statuses = (answer: string): readonly number[] =>
  answer
    .split(ANSWER)
    .slice(1)
    .map((part) => Number.parseInt(part, 10))
const problemIn = (answer: string): unknown => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4))

describe('HTTP clients', () => {
  it('RFC 9110 §7.8: an offer of h2c is ignored and the request answered', async () => {
    const answer = await exchange(request('GET /healthz', OFFER), request('GET /healthz', 'Connection: close\r\n'))
    expect(statuses(answer)).toEqual([200, 200])
  })

  it('RFC 9110 §7.8: a body behind the offer arrives, and so do many on one connection', async () => {
    const authorization = `Authorization: Bearer ${house.credential}\r\nContent-Type: application/json\r\n`
    const body = (id: string): string => JSON.stringify({ id })
    const posts = Array.from({ length: 15 }, (_, index) => {
      const text = body(`H2C-${index}`)
      return request('POST /2/evse-controllers', `${OFFER}${authorization}Content-Length: ${text.length}\r\n`, text)
    })
    const last = request(
      'GET /2/evse-controllers/H2C-14',
      `${authorization}Connection: Upgrade, close\r\nUpgrade: h2c\r\n`,
    )
    const answer = await exchange(...posts, last)
    expect(statuses(answer)).toEqual([...posts.map(() => 201), 200])
  })

  it('RFC 9110 §7.8: a body that comes later than the headers arrives as well', async () => {
    const headers = [
      'Connection: Upgrade, close',
      'Upgrade: h2c',
      `Authorization: Bearer ${house.credential}`,
      'Content-Type: application/json',
      'Expect: 100-continue',
      'Content-Length: 13',
    ]
    const head = request('POST /2/evse-controllers', `${headers.join('\r\n')}\r\n`)
    expect(statuses(await exchange(head, '{"id":"LATE"}'))).toEqual([100, 201])
  })

  it('RFC 9110 §10.1.1, API-E1: an expectation that nobody knows is left unmet, and the request answered', async () => {
    const headers = 'Expect: miracles\r\nConnection: close\r\n'
    expect(statuses(await exchange(request('GET /healthz', headers)))).toEqual([200])
    const refused = await exchange(request('GET /2/sessions', headers))
    expect(refused).toMatch(/x-request-id: \w+/i)
    expect(problemIn(refused)).toMatchObject({ status: 401, code: 'unauthorized' })
  })

  it('OCPP-T2: below /ocpp/ an offer of another protocol is still refused', async () => {
    expect(statuses(await exchange(request('GET /ocpp/CP1', OFFER)))).toEqual([400])
  })

  it('API-A3: health checks by HTTP/1.0 without Host are answered', async () => {
    expect(statuses(await exchange('GET /healthz HTTP/1.0\r\n\r\n'))).toEqual([200])
  })

  it.each([
    ['headers of 20 KB', request('GET /2/sessions', `X-Long: ${'x'.repeat(20_000)}\r\n`), 431, 'headers_too_large'],
    ['an address of 20 KB', request(`GET /2/sessions?x=${'x'.repeat(20_000)}`, ''), 431, 'headers_too_large'],
    ['what is no HTTP', 'HELLO\r\n\r\n', 400, 'malformed_request'],
    [
      'two lengths of one body',
      request('POST /2/sessions', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n'),
      400,
      'malformed_request',
    ],
    [
      'a chunk without a length',
      request('POST /2/tariffs', 'Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n', 'zz\r\n{}\r\n'),
      400,
      'malformed_request',
    ],
    [
      'two hosts',
      request('GET /healthz', 'Host: elsewhere.example\r\nConnection: close\r\n'),
      400,
      'malformed_request',
    ],
    [
      'a Host with a space',
      'GET /healthz HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n',
      400,
      'malformed_request',
    ],
  ])('API-E1: %s is answered a problem', async (_name, text, status, code) => {
    const answer = await exchange(text)
    expect(statuses(answer)).toEqual([status])
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    expect(answer).toMatch(/x-request-id: [0-9a-f]{24}/i)
    const body = /transfer-encoding: chunked/i.test(answer) ? undefined : problemIn(answer)
    expect(body).toMatchObject({ status, code })
  })

  it('API-E1: nothing is written into an answer that is under way', async () => {
    const waiting = request('GET /2/events?wait=5', `Authorization: Bearer ${house.credential}\r\n`)
    expect(await exchange(`${waiting}HELLO\r\n\r\n`)).toBe('')
  })

  it('RFC 9112 §9.5: idle connections are kept longer than proxies keep theirs, so that no request meets a closing one', async () => {
    const answer = await fetch(`${house.url}/healthz`)
    expect(answer.headers.get('keep-alive')).toBe('timeout=75')
  })
})

describe('a body that breaks off', () => {
  const ADDRESSES = [
    ['/2/tariffs', 'application/json'],
    ['/1/oauth/service/token', 'application/x-www-form-urlencoded'],
    ['/1/oauth/service/register', 'application/json'],
    ['/1/oauth/service/userinfo', 'application/x-www-form-urlencoded'],
    ['/dashboard/login', 'application/x-www-form-urlencoded'],
  ] as const

  it.each(ADDRESSES)(
    'API-E1, OIDC-B5: to %s is the client’s fault: no 500 is counted and no error logged',
    async (path, type) => {
      const before = await requestsTo(path)
      const headers = `Authorization: Bearer ${house.credential}\r\nContent-Type: ${type}\r\nContent-Length: 50\r\n`
      const socket = connect(house.port, '127.0.0.1')
      socket.write(request(`POST ${path}`, headers, '{'))
      await new Promise((resolve) => socket.write('"', resolve))
      socket.destroy()
      await until(async () => (await requestsTo(path)).length > before.length)
      expect((await requestsTo(path)).filter((line) => line.includes('status="5'))).toEqual([])
      expect(house.errors).toEqual([])
    },
  )

  const requestsTo = async (path: string): Promise<readonly string[]> =>
    (await (await fetch(`${house.url}/metrics`)).text())
      .split('\n')
      .filter((line) => line.startsWith('pilotwire_http_request_duration_seconds_count{method="POST"'))
      .filter((line) => line.includes(`route="${path}"`))

  it('RFC 9112 §9.3.2: pipelined requests are answered in their order, bodies included', async () => {
    const authorization = `Authorization: Bearer ${house.credential}\r\nContent-Type: application/json\r\n`
    const body = JSON.stringify({ id: 'PIPELINED' })
    const answer = await exchange(
      request('POST /2/evse-controllers', `${authorization}Content-Length: ${body.length}\r\n`, body) +
        request('GET /2/evse-controllers/PIPELINED', authorization) +
        request('GET /healthz', '') +
        request('GET /2/evse-controllers/NOBODY', `${authorization}Connection: close\r\n`),
    )
    expect(statuses(answer)).toEqual([201, 200, 200, 404])
  })

  it('RFC 9112 §9.3.2: who pipelines thousands is answered some at most, and loses the connection', async () => {
    const socket = connect(house.port, '127.0.0.1').on('error', () => undefined)
    const ended = new Promise((resolve) => socket.once('close', resolve))
    let answers = ''
    socket.on('data', (bytes) => {
      answers += bytes.toString('latin1')
    })
    socket.write(request('GET /healthz', '').repeat(5000))
    await ended
    expect(statuses(answers).length).toBeLessThan(200)
    expect((await fetch(`${house.url}/healthz`)).status).toBe(200)
  })
})
