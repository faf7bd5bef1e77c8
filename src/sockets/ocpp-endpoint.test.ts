import { connect } from 'node:net'
import { RPCClient } from 'ocpp-rpc'
import { afterEach, expect, it } from 'vitest'
import type { RunningEndpoint } from '../../test/support/sockets/ocpp-endpoint.ts'
import {
  basic,
  exchange,
  PASSWORD,
  registered,
  SECRET_KEY,
  startEndpoint,
  textFrame,
  upgradeRequest,
} from '../../test/support/sockets/ocpp-endpoint.ts'
import { hashPassword } from '../ocpp/credentials.ts'

let running: RunningEndpoint

afterEach(() => running.stop())

async function start(...parameters: Parameters<typeof startEndpoint>): Promise<RunningEndpoint> {
  running = await startEndpoint(...parameters)
  return running
}

const statusOf = (answer: string): number => Number(answer.split(' ')[1])

it('OCPP-T1, OCPP-T5: a charge point connects under its decoded identity and speaks', async () => {
  const { core, url } = await start()
  for (const identity of ['RDAM 123', 'a/b', 'with:colon']) {
    core.chargePoints.set(identity, registered(identity))
    const options = { identity, password: PASSWORD, protocols: ['ocpp1.6', 'ocpp2.0.1'], reconnect: false }
    // The type asks for every option; the client itself has defaults.
    const client = new RPCClient({ ...options, endpoint: url.slice(0, -1) } as ConstructorParameters<
      typeof RPCClient
    >[0])
    await client.connect()
    expect(client.protocol).toBe('ocpp1.6')
    expect(await client.call('Heartbeat', { sent: identity })).toEqual({ sent: identity })
    await client.close()
  }
  expect(core.requests.map((request) => request.identity)).toEqual(['RDAM 123', 'a/b', 'with:colon'])
})

it.each([
  ['/ocpp/%E0%A4%A', 400],
  ['/ocpp/%00', 400],
  ['/ocpp/', 404],
  ['/ocpp', 404],
  ['/ocpp/a/b', 404],
  ['/other', 404],
])('OCPP-T2: an upgrade of %s is answered %i and the next one is served', async (target, status) => {
  const { core, port } = await start()
  expect(statusOf(await exchange(port, upgradeRequest(target)))).toBe(status)
  expect(core.requests).toEqual([])
  expect(statusOf(await exchange(port, upgradeRequest('/ocpp/CP1')))).toBe(101)
})

it.each(['http://127.0.0.1/ocpp/CP1', 'WS://127.0.0.1:80/ocpp/CP1?x', '/ocpp//CP1'])(
  'OCPP-T1, RFC 6455 §4.1: the whole address, or a slash too many, names the charge point, too: %s',
  async (target) => {
    const { core, port } = await start()
    expect(statusOf(await exchange(port, upgradeRequest(target)))).toBe(101)
    expect(core.requests).toMatchObject([{ identity: 'CP1' }])
  },
)

it.each([
  '',
  'permessage-deflate;;',
  'permessage-deflate; foo=1',
  'permessage-deflate; server_max_window_bits=7',
  'permessage-deflate; client_max_window_bits; client_max_window_bits',
  'x-webkit-deflate-frame',
])('OCPP-SZ2, RFC 7692 §5.1: the offer %j is declined, not refused', async (offer) => {
  const { port } = await start()
  const answer = await exchange(port, upgradeRequest('/ocpp/CP1', { 'Sec-WebSocket-Extensions': offer }))
  expect(statusOf(answer)).toBe(101)
  expect(answer).not.toContain('Sec-WebSocket-Extensions')
})

it('OCPP-SZ2, RFC 7692 §5.1: of several offers the first that can be taken is', async () => {
  const { port } = await start()
  const offer = 'permessage-deflate; foo=1, permessage-deflate; client_max_window_bits="10"'
  const answer = await exchange(port, upgradeRequest('/ocpp/CP1', { 'Sec-WebSocket-Extensions': offer }))
  expect(answer).toMatch(/Sec-WebSocket-Extensions: permessage-deflate;.*client_max_window_bits=10/)
})

it.each(['ocpp1.6,', ', ocpp1.6', 'ocpp1.6, ocpp1.6', 'ocpp1.5 ,,\tocpp1.6'])(
  'OCPP-T5: the offer %j was taken by the admission, which may register somebody for it, and refused after it',
  async (offer) => {
    const { port } = await start()
    const answer = await exchange(port, upgradeRequest('/ocpp/CP1', { 'Sec-WebSocket-Protocol': offer }))
    expect(statusOf(answer)).toBe(101)
    expect(answer).toContain('Sec-WebSocket-Protocol: ocpp1.6\r\n')
  },
)

it('OCPP-AU3: a password of arbitrary bytes passes', async () => {
  const { core, port } = await start()
  const bytes = Buffer.from('ff00fe3a80c3280102030405060708090a0b0c0d', 'hex')
  const passwordHash = hashPassword(bytes.toString('hex'), SECRET_KEY, Buffer.alloc(16, 5))
  core.chargePoints.set('CP2', registered('CP2', { passwordHash }))
  const answer = await exchange(port, upgradeRequest('/ocpp/CP2', { Authorization: basic('CP2', bytes) }))
  expect(statusOf(answer)).toBe(101)
})

it('OCPP-TL3: profile 2 passes behind a trusted proxy that says https, and nowhere else', async () => {
  const trusting = await start({ trustedProxies: ['127.0.0.0/8'] })
  trusting.core.chargePoints.set('CP1', registered('CP1', { securityProfile: 2 }))
  const forwarded = upgradeRequest('/ocpp/CP1', { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': '192.0.2.1' })
  expect(statusOf(await exchange(trusting.port, forwarded))).toBe(101)
  expect(trusting.core.requests).toMatchObject([{ remoteAddress: '192.0.2.1', secure: true }])
  expect(statusOf(await exchange(trusting.port, upgradeRequest('/ocpp/CP1')))).toBe(403)
  await trusting.stop()
  const wary = await start()
  wary.core.chargePoints.set('CP1', registered('CP1', { securityProfile: 2 }))
  expect(statusOf(await exchange(wary.port, forwarded))).toBe(403)
  expect(wary.core.requests).toMatchObject([{ remoteAddress: '127.0.0.1', secure: false }])
})

it.each([
  ['a foreign upgrade', { Upgrade: 'h2c' }],
  ['no key', { 'Sec-WebSocket-Key': undefined }],
  ['a short key', { 'Sec-WebSocket-Key': 'abc' }],
  ['an old version', { 'Sec-WebSocket-Version': '7' }],
])('OCPP-DR2: %s is answered 400 before anything is looked up', async (_, headers) => {
  const { core, port } = await start()
  const answer = await exchange(port, upgradeRequest('/ocpp/CP1', headers))
  expect(statusOf(answer)).toBe(400)
  // RFC 6455 §4.4: a client that speaks several versions tries another one.
  expect(answer).toContain('\r\nSec-WebSocket-Version: 13, 8\r\n')
  expect(core.requests).toEqual([])
})

it('OCPP-CN5: above the limit the answer is 503 with a random time to come back', async () => {
  const { core, port } = await start({ random: () => 0.5, upgrades: { concurrent: 1, waiting: 0 } })
  let go = (): void => undefined
  core.beforeAdmission = () => new Promise((resolve) => (go = resolve))
  const first = exchange(port, upgradeRequest('/ocpp/CP1'))
  await expect.poll(() => core.requests.length).toBe(1)
  const second = await exchange(port, upgradeRequest('/ocpp/CP1'))
  expect(statusOf(second)).toBe(503)
  expect(second).toContain('Retry-After: 33\r\n')
  go()
  expect(statusOf(await first)).toBe(101)
})

it('OCPP-CN5: a core that cannot decide is a 503, not a crash', async () => {
  const { core, port } = await start()
  core.beforeAdmission = () => Promise.reject(new Error('the thread has ended'))
  const answer = await exchange(port, upgradeRequest('/ocpp/CP1'))
  expect(statusOf(answer)).toBe(503)
  expect(answer).toContain('Retry-After: 5\r\n')
})

it('a client that leaves during its admission leaves nothing behind', async () => {
  const { core, endpoint, port } = await start()
  let go = (): void => undefined
  core.beforeAdmission = () => new Promise((resolve) => (go = resolve))
  const socket = connect(port, '127.0.0.1', () => socket.write(upgradeRequest('/ocpp/CP1')))
  await expect.poll(() => core.requests.length).toBe(1)
  socket.resetAndDestroy()
  await new Promise((resolve) => socket.once('close', resolve))
  go()
  core.beforeAdmission = () => Promise.resolve()
  expect(statusOf(await exchange(port, upgradeRequest('/ocpp/CP1')))).toBe(101)
  await expect.poll(() => endpoint.connectionCount()).toBe(0)
})

it('OCPP-CN8: a frame that comes in the same packet as the upgrade is not lost', async () => {
  const { core, port } = await start()
  const early = textFrame('[2,"1","Heartbeat",{}]')
  await exchange(port, Buffer.concat([Buffer.from(upgradeRequest('/ocpp/CP1')), early]))
  await expect.poll(() => core.submitted.length).toBe(1)
  expect(core.submitted).toEqual([{ connection: 1, text: '[2,"1","Heartbeat",{}]' }])
})

it('OCPP-SZ2: compression keeps no context in either direction', async () => {
  const { port } = await start()
  const offer = { 'Sec-WebSocket-Extensions': 'permessage-deflate; client_max_window_bits' }
  const answer = await exchange(port, upgradeRequest('/ocpp/CP1', offer))
  expect(answer).toMatch(/permessage-deflate;.*server_no_context_takeover/)
  expect(answer).toMatch(/permessage-deflate;.*client_no_context_takeover/)
})

it('leaves plain HTTP requests to the server', async () => {
  const { port } = await start()
  const answer = await fetch(`http://127.0.0.1:${port}/ocpp/CP1`)
  expect(await answer.text()).toBe('page')
})
