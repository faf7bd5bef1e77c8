import { connect } from 'node:net'
import { afterEach, expect, it, vi } from 'vitest'
import { WebSocket } from 'ws'
import { type ManualClock, manualClock } from '../../test/support/clock.ts'
import type { RunningEndpoint } from '../../test/support/sockets/ocpp-endpoint.ts'
import {
  basic,
  exchange,
  PASSWORD,
  registered,
  startEndpoint,
  upgradeRequest,
} from '../../test/support/sockets/ocpp-endpoint.ts'

let running: RunningEndpoint

afterEach(() => running.stop())

async function start(...parameters: Parameters<typeof startEndpoint>): Promise<RunningEndpoint> {
  running = await startEndpoint(...parameters)
  return running
}

interface Client {
  readonly socket: WebSocket
  readonly received: string[]
  readonly closed: Promise<{ code: number; reason: string }>
}

async function client(options: WebSocket.ClientOptions = {}, identity = 'CP1'): Promise<Client> {
  const headers = { authorization: basic(identity, PASSWORD) }
  const socket = new WebSocket(`${running.url}${identity}`, ['ocpp1.6'], { headers, ...options })
  const received: string[] = []
  socket.on('message', (frame) => received.push(frame.toString()))
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    socket.on('close', (code, reason) => resolve({ code, reason: reason.toString() }))
  })
  socket.on('error', () => undefined)
  await new Promise((resolve) => socket.once('open', resolve))
  return { socket, received, closed }
}

const advancedUntil = (clock: ManualClock, stepMs: number, isDone: () => boolean) =>
  vi.waitUntil(
    () => {
      clock.advance(stepMs)
      return isDone()
    },
    { timeout: 60_000 },
  )

const call = (id: number, size = 0): string => `[2,"${id}","DataTransfer",{"x":"${'x'.repeat(size)}"}]`

it('OCPP-RP1: binary frames are read as text, empty ones are a sign of life', async () => {
  const { core } = await start()
  const { socket, received } = await client()
  socket.send('')
  socket.send('  ')
  socket.send(Buffer.from(call(1)))
  await expect.poll(() => received.length).toBe(1)
  expect(core.submitted.map(({ text }) => text)).toEqual([call(1)])
  expect(core.alives).toEqual([1, 1])
})

it('OCPP-RP1, OCPP-DR4: text in another character set is read, with marks where it cannot be', async () => {
  const { core } = await start()
  const { socket, received } = await client()
  const [before = '', after = ''] = call(1, 1).split('"x":"x"')
  // "充电桩" as GBK has it.
  const gbk = Buffer.from([0xb3, 0xe4, 0xb5, 0xe7, 0xd7, 0xae])
  socket.send(Buffer.concat([Buffer.from(`${before}"x":"`), gbk, Buffer.from(`"${after}`)]), { binary: false })
  await expect.poll(() => received.length).toBe(1)
  // The first one says that it was none of the charge point's own.
  expect(core.submitted[0]?.text).toMatch(/^\uFFFD.*\uFFFD/)
  expect(JSON.parse(received[0] ?? '')).toMatchObject([3, '1', {}])
})

it('OCPP-RP5: frames reach the core in the order they came', async () => {
  const { core } = await start()
  const { socket, received } = await client()
  for (let id = 0; id < 50; id++) socket.send(call(id))
  await expect.poll(() => received.length).toBe(50)
  expect(core.submitted.map(({ text }) => text)).toEqual(Array.from({ length: 50 }, (_, id) => call(id)))
})

it('OCPP-SZ1: a frame over the limit closes with 1009, one below it passes', async () => {
  await start({ maxFrameBytes: 10_000 })
  const { socket, received, closed } = await client()
  socket.send(call(1, 9000))
  await expect.poll(() => received.length).toBe(1)
  socket.send(call(2, 20_000))
  expect((await closed).code).toBe(1009)
  await expect.poll(() => running.endpoint.connectionCount()).toBe(0)
  expect(running.warnings).toEqual(['connection failed'])
})

it('OCPP-SZ1, OCPP-SZ2: the limit holds for what a compressed frame unfolds to', async () => {
  await start({ maxFrameBytes: 10_000 })
  const { socket, received, closed } = await client({ perMessageDeflate: { threshold: 0 } })
  socket.send(call(1, 9000))
  await expect.poll(() => received.length).toBe(1)
  expect(received[0]).toContain('x'.repeat(9000))
  socket.send(call(2, 1_000_000))
  expect((await closed).code).toBe(1009)
})

it('OCPP-CN3: pings go into silence, and two missed pongs end the connection', async () => {
  const clock = manualClock(0)
  const { core, endpoint } = await start({ clock })
  const { socket, closed } = await client({ autoPong: false })
  let pings = 0
  socket.on('ping', () => pings++)
  clock.advance(30_000)
  clock.advance(30_000)
  await expect.poll(() => pings).toBe(2)
  expect(endpoint.connectionCount()).toBe(1)
  clock.advance(30_000)
  expect((await closed).code).toBe(1006)
  await expect.poll(() => core.closedConnections.length).toBe(1)
})

it('OCPP-CN3: a charge point flagged as one without pongs stays, one beside it does not', async () => {
  const clock = manualClock(0)
  const { core, endpoint } = await start({ clock, withoutPong: ['CP1'] })
  core.chargePoints.set('CP2', registered('CP2'))
  const flagged = await client({ autoPong: false })
  const other = await client({ autoPong: false }, 'CP2')
  for (let round = 0; round < 20; round++) clock.advance(30_000)
  expect((await other.closed).code).toBe(1006)
  expect(endpoint.connectionCount()).toBe(1)
  flagged.socket.send(call(1))
  await expect.poll(() => flagged.received.length).toBe(1)
})

it('OCPP-CN3: traffic puts the ping off, and a pong is a sign of life', async () => {
  const clock = manualClock(0)
  const { core, endpoint } = await start({ clock })
  const { socket, received } = await client()
  let pings = 0
  socket.on('ping', () => pings++)
  clock.advance(20_000)
  socket.send(call(1))
  await expect.poll(() => received.length).toBe(1)
  clock.advance(29_000)
  socket.send(call(2))
  await expect.poll(() => received.length).toBe(2)
  expect(pings).toBe(0)
  for (let round = 1; round <= 5; round++) {
    clock.advance(30_000)
    await expect.poll(() => core.alives.length).toBe(round)
  }
  expect(pings).toBe(5)
  expect(endpoint.connectionCount()).toBe(1)
})

it('OCPP-CN3: a clock that is put back by hours does not put the next ping off for hours', async () => {
  const timers = manualClock(10 * 3_600_000)
  let putBackMs = 0
  await start({ clock: { now: () => timers.now() - putBackMs, monotonic: timers.monotonic, after: timers.after } })
  const { socket } = await client()
  let pings = 0
  socket.on('ping', () => pings++)
  timers.advance(20_000)
  putBackMs = 5 * 3_600_000
  timers.advance(10_000)
  timers.advance(30_000)
  await expect.poll(() => pings).toBe(1)
})

it('OCPP-CN3: pings of the client are answered and count as a sign of life', async () => {
  const { core } = await start()
  const { socket } = await client()
  const pong = new Promise((resolve) => socket.once('pong', resolve))
  socket.ping()
  await pong
  expect(core.alives).toEqual([1])
})

it('OCPP-CN1: each connection has its own number, and the old one ends without touching the new', async () => {
  const { core, endpoint } = await start()
  const old = await client()
  const fresh = await client()
  endpoint.events.close(1, 1000, 'replaced')
  expect(await old.closed).toEqual({ code: 1000, reason: 'replaced' })
  await expect.poll(() => core.closedConnections.length).toBe(1)
  expect([...core.openConnections]).toEqual([[2, 'CP1']])
  fresh.socket.send(call(1))
  await expect.poll(() => fresh.received.length).toBe(1)
})

it('OCPP-CN1: a peer that does not answer the close frame is ended after two seconds', async () => {
  const clock = manualClock(0)
  const { core, endpoint, port } = await start({ clock })
  const socket = connect(port, '127.0.0.1', () => socket.write(upgradeRequest('/ocpp/CP1')))
  socket.on('data', () => undefined)
  await expect.poll(() => core.openConnections.size).toBe(1)
  endpoint.events.close(1, 1000, 'replaced')
  clock.advance(1999)
  expect(core.closedConnections).toEqual([])
  clock.advance(1)
  await expect.poll(() => core.closedConnections.length).toBe(1)
  socket.destroy()
})

it('reasons of any length and unknown connections are harmless', async () => {
  const { endpoint } = await start()
  const { closed } = await client()
  endpoint.events.send(99, call(1))
  endpoint.events.close(99, 1000, 'nobody')
  endpoint.events.close(1, 1008, 'ü'.repeat(200))
  endpoint.events.close(1, 1008, 'again')
  endpoint.events.send(1, call(1))
  expect(await closed).toEqual({ code: 1008, reason: 'ü'.repeat(61) })
})

it('OCPP-CN6: a planned stop refuses newcomers, reads no further, says 1012 and waits for every socket', async () => {
  const { core, endpoint, port } = await start()
  const clients = await Promise.all([client(), client(), client()])
  endpoint.stopAccepting()
  expect(await exchange(port, upgradeRequest('/ocpp/CP1'))).toMatch(/^HTTP\/1.1 503 .*Retry-After: 5\r\n/s)
  clients[0]?.socket.send(call(1))
  await endpoint.close()
  expect(endpoint.connectionCount()).toBe(0)
  for (const { closed } of clients) expect(await closed).toEqual({ code: 1012, reason: 'the server restarts' })
  // Unanswered: the charge point sends it again after the restart.
  expect(core.submitted).toEqual([])
  expect(core.closedConnections.toSorted()).toEqual([1, 2, 3])
  await endpoint.close()
})

it('OCPP-CN6: answers still leave after reading has stopped', async () => {
  const { core, endpoint } = await start()
  core.holding = true
  const { socket, received } = await client()
  socket.send(call(1))
  await expect.poll(() => core.submitted.length).toBe(1)
  endpoint.stopAccepting()
  core.answerAll()
  await expect.poll(() => received.length).toBe(1)
})

it('OCPP-CN6: dead peers do not hold the stop up', async () => {
  const clock = manualClock(0)
  const { core, endpoint, port } = await start({ clock })
  const sockets = [1, 2, 3].map(() => {
    const socket = connect(port, '127.0.0.1', () => socket.write(upgradeRequest('/ocpp/CP1')))
    return socket.on('error', () => undefined)
  })
  await expect.poll(() => core.openConnections.size).toBe(3)
  const stopped = endpoint.close()
  clock.advance(5000)
  await stopped
  for (const socket of sockets) socket.destroy()
})

it('OCPP-CN7: a flooding sender is not read further, and nothing of it is dropped', async () => {
  const { core } = await start()
  core.holding = true
  // Answers as large as the calls would be too many unread ones before this thread lets its client read.
  core.answerTo = () => '{}'
  const { socket, received } = await client({ perMessageDeflate: false })
  const count = 400
  for (let id = 0; id < count; id++) socket.send(call(id, 20_000))
  await expect.poll(() => core.submitted.length).toBeGreaterThan(10)
  expect(core.submitted.length).toBeLessThanOrEqual(13)
  core.answerAll()
  await expect.poll(() => received.length).toBe(count)
  expect(core.submitted.map(({ text }) => text)).toEqual(Array.from({ length: count }, (_, id) => call(id, 20_000)))
})

it('OCPP-RP12: of messages of a megabyte one at a time is under way, and compressed ones are no exception', async () => {
  const { core } = await start()
  core.holding = true
  // What two of them take on the wire is less than what the socket reads in one go.
  const { socket } = await client({ perMessageDeflate: { threshold: 0 } })
  const texts = Array.from({ length: 12 }, (_, id) => call(id, 1_000_000))
  for (const text of texts) socket.send(text)
  for (let answered = 1; answered <= 12; answered++) {
    await expect.poll(() => core.submitted.length).toBe(answered)
    core.doneNext()
  }
  expect(core.submitted.map(({ text }) => text === texts.shift())).not.toContain(false)
})

it('OCPP-CN7: a charge point that says much and leaves is heard to the end', async () => {
  const { core } = await start()
  core.holding = true
  const { socket, closed } = await client()
  for (let id = 0; id < 200; id++) socket.send(call(id))
  socket.close(1000)
  await expect.poll(() => core.submitted.length).toBe(64)
  core.answerAll()
  await expect.poll(() => core.submitted.length).toBe(200)
  await closed
  await expect.poll(() => core.closedConnections.length).toBe(1)
})

it('OCPP-CN7: missing answers delay a flooding sender, and never strand it', async () => {
  const clock = manualClock(0)
  const { core } = await start({ clock })
  core.holding = true
  const { socket } = await client({ perMessageDeflate: false })
  for (let id = 0; id < 400; id++) socket.send(call(id, 20_000))
  await expect.poll(() => core.submitted.length).toBeGreaterThan(10)
  await advancedUntil(clock, 10_000, () => core.submitted.length === 400)
})

it.each([
  ['unreadable texts', 'x'.repeat(20_000)],
  ['answers to nobody', `[3,"nobody",{"x":"${'x'.repeat(20_000)}"}]`],
  ['messages of an unknown type', `[9,"1",{"x":"${'x'.repeat(20_000)}"}]`],
])('OCPP-CN7: a flood of %s is not read further either, and nothing of it is dropped', async (_, text) => {
  const clock = manualClock(0)
  const { core } = await start({ clock })
  core.holding = true
  const { socket } = await client({ perMessageDeflate: false })
  for (let count = 0; count < 1000; count++) socket.send(text)
  await expect.poll(() => core.submitted.length).toBeGreaterThan(10)
  const pong = new Promise((resolve) => socket.once('pong', resolve))
  socket.ping()
  expect(core.submitted.length).toBeLessThan(300)
  await advancedUntil(clock, 10_000, () => core.submitted.length === 1000)
  await pong
})

it('OCPP-CN7: a flood of empty texts is told to the core as often as it says something new', async () => {
  const clock = manualClock(0)
  const { core } = await start({ clock })
  const { socket, received } = await client({ perMessageDeflate: false })
  for (let count = 0; count < 100_000; count++) socket.send('')
  socket.send(call(1))
  await advancedUntil(clock, 1000, () => received.length === 1)
  expect(core.alives.length).toBeLessThan(20_000)
})

it('OCPP-CN7: who does not read its answers is closed before they fill the memory', async () => {
  const clock = manualClock(0)
  const { core, endpoint, port } = await start({ clock })
  const socket = connect(port, '127.0.0.1', () => socket.write(upgradeRequest('/ocpp/CP1')))
  socket.pause()
  socket.on('error', () => undefined)
  await expect.poll(() => core.openConnections.size).toBe(1)
  const answer = `[3,"1",{"x":"${'x'.repeat(500_000)}"}]`
  for (let count = 0; count < 40; count++) endpoint.events.send(1, answer)
  clock.advance(2000)
  await expect.poll(() => core.closedConnections.length).toBe(1)
  socket.destroy()
})
