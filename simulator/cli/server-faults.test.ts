/** What a server does to the simulator is said with what to do about it. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { run } from '../../src/server/cli/run.ts'
import { ChargePoint } from '../index.ts'
import { notAccepted } from '../model/registration.ts'

const ACCEPTED = { status: 'Accepted', interval: 300, currentTime: '2026-03-01T10:00:00.000Z' }
type Answer = (socket: WebSocket, id: string, method: string) => void
const result: (payload: object) => Answer = (payload) => (socket, id) => socket.send(JSON.stringify([3, id, payload]))
const refusal = (code?: string, text?: string): Answer => {
  return (socket, id) => socket.send(JSON.stringify([4, id, ...(code === undefined ? [] : [code, text, {}])]))
}
const afterBoot =
  (answer: Answer): Answer =>
  (socket, id, method) =>
    (method === 'BootNotification' ? result(ACCEPTED) : answer)(socket, id, method)

/** All that the command said, against a server that does so at once, and with each CALL. */
async function said(args: readonly string[], opened: (socket: WebSocket) => void, answer?: Answer): Promise<string> {
  const server = new WebSocketServer({ port: 0, handleProtocols: ([first]) => first ?? false })
  server.on('connection', (socket) => {
    opened(socket)
    socket.on('message', (data: Buffer) => {
      const [type, id, method] = JSON.parse(data.toString()) as [number, string, string]
      if (type === 2) answer?.(socket, id, method)
    })
  })
  const { port } = server.address() as { port: number }
  const lines: string[] = []
  const line = (text: string): void => void lines.push(text)
  const context = { environment: {}, out: line, note: line, now: Date.now, random: randomBytes, terminal: false }
  const code = await run(['simulate', '--url', `ws://127.0.0.1:${port}/ocpp`, ...args], context)
  server.close()
  expect(code).toBe(1)
  const text = lines.join('\n')
  expect(text).not.toMatch(/undefined|is it running/)
  return text
}
const nothing = (): void => undefined

it.each([
  [1008, 'unknown charge point', '1008 (policy violation): unknown charge point', '--id'],
  [1013, '', '1013 (try again later)', 'try again in a minute'],
  [1002, 'mask', '1002 (protocol error): mask', 'could not read the last message'],
  [1011, '', '1011 (internal error)', 'its log says why'],
  [4003, 'no contract', '4003: no contract', 'the server’s own'],
])(
  'SIM-B2: a server that closes at once with %i is named with code, reason and advice',
  async (code, reason, how, advice) => {
    const text = await said(['--speed', 'max'], (socket) => socket.close(code, reason))
    const error = text.split('\n').find((line) => line.startsWith('error: '))
    expect(error).toContain(`the server closed the connection with close code ${how}. `)
    expect(error).toContain(advice)
  },
)

it.each([
  ['without a code', (socket: WebSocket) => socket.close(), 'without a code. '],
  ['without a close frame', (socket: WebSocket) => socket.terminate(), 'was cut (1006). '],
])('SIM-B2: a connection that ends %s says so', async (_how, close, sentence) => {
  expect(await said(['--speed', 'max'], close)).toContain(`${sentence}The server, or a proxy`)
})

it('SIM-B2: a stay that is closed at once says why', async () => {
  const text = await said(['--stay', '--ocpp', '2.0.1'], (socket) => socket.close(1008, 'blocked'))
  expect(text).toContain('close code 1008 (policy violation): blocked. It refuses this charge point')
})

it.each([
  ['SecurityError', 'not for you', 'was answered SecurityError: not for you. ', 'check --id and --password'],
  ['NotImplemented', '', 'was answered NotImplemented. ', '--ocpp'],
  ['FormationViolation', 'seq', 'was answered FormationViolation: seq. ', 'what it expected'],
  [undefined, undefined, 'was answered with a CALLERROR without a code. ', 'its log says why'],
])('SIM-B2: a server that answers everything with %s is named with what to do', async (code, text, fact, advice) => {
  const lines = await said(['--speed', 'max'], nothing, refusal(code, text))
  expect(lines).toContain(`error: BootNotification ${fact}`)
  expect(lines).toContain(advice)
})

it('SIM-B2: transaction messages that a server refuses are named with its error, not with "is it running?"', async () => {
  const refused = afterBoot((socket, id, method) =>
    (/Transaction/.test(method) ? refusal('InternalError', 'no') : result({ idTagInfo: { status: 'Accepted' } }))(
      socket,
      id,
      method,
    ),
  )
  expect(await said(['--speed', 'max'], nothing, refused)).toMatch(
    /transaction messages of SIM-001 were not taken by the central system: \w+ was answered InternalError: no. The central/,
  )
})

it.each(['1.6', '2.0.1'])(
  'SIM-B2: a server that closes with 1008 after each message is not asked whether it runs (%s)',
  async (ocpp) => {
    const close = afterBoot((socket) => socket.close(1008, 'quota'))
    const text = await said(['--speed', 'max', '--ocpp', ocpp], nothing, close)
    expect(text).toMatch(/were not taken by the central system: .*close code 1008 \(policy violation\): quota/)
    expect(text).toMatch(/instead of an answer, last after \w+: .*quota. It refuses this charge point/)
  },
)

it.each([
  ['[]', 'sent [], which is no OCPP frame'],
  ['', 'sent an empty frame, which is no OCPP frame'],
  ['{"a":1}', 'sent {"a":1}, which'],
  ['[9,"x"]', 'sent [9,"x"], which'],
  [`"${'x'.repeat(99)}"`, 'x…, which'],
  ['[2,"id"]', ''],
])('SIM-B2: a frame %s is shown as it came, with what was expected', async (frame, sentence) => {
  const opened = (socket: WebSocket): void => void socket.once('message', () => socket.send(frame))
  expect(await said(['--speed', 'max'], opened, (socket) => socket.close())).toContain(sentence)
})

it('SIM-B2: a BootNotification that is answered without a status is not one to approve', () => {
  expect(notAccepted('A', 'no status')).toContain('BootNotification of A with no status: expected Accepted, Pending')
  expect(notAccepted('A', 'Pending')).toContain('approve it there')
})

it('SIM-B2: --ui names the port that is taken', async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const text = await said(['--ui', String(port)], nothing)
  blocker.close()
  expect(text).toContain(`port ${port} is taken by another program: name another one with --ui PORT`)
})

it.each([
  ['nothing', undefined, 'url is missing: expected the OCPP address'],
  ['no url', { id: 'A' }, 'url is missing'],
  ['a url that is none', { url: 'localhost', id: 'A' }, 'url is "localhost"'],
  ['a URL object', { url: new URL('ws://localhost/ocpp'), id: 'A' }, 'as a string'],
  ['no id', { url: 'ws://localhost/ocpp' }, 'id is missing'],
  ['an empty id', { url: 'ws://localhost/ocpp', id: '' }, 'id is ""'],
  ['another version', { url: 'ws://localhost/ocpp', id: 'A', ocpp: '1.5' }, 'ocpp is "1.5": expected "1.6" or "2.0.1"'],
])('SIM-B2: ChargePoint.connect with %s says what is missing', async (_name, options, sentence) => {
  await expect(ChargePoint.connect(options as never)).rejects.toThrow(sentence)
})
