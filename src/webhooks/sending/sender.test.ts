import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, expect, it, onTestFinished } from 'vitest'
import { CERTIFICATES } from '../../../test/support/sockets/tls.ts'
import { answer, type Receiver, startReceiver } from '../../../test/support/webhooks/receiver.ts'
import { systemClock } from '../../server/system.ts'
import { createSender, type Resolve, type Sender, type SenderSettings } from './sender.ts'

const open: { close(): Promise<void> }[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((thing) => thing.close()))
})

async function receiver(...args: Parameters<typeof startReceiver>): Promise<Receiver> {
  const started = await startReceiver(...args)
  open.push(started)
  return started
}

function sender(settings: Partial<SenderSettings> = {}, resolve: Resolve = async () => ['127.0.0.1']): Sender {
  const made = createSender(
    { allowPrivate: ['127.0.0.0/8'], connectTimeoutMs: 60_000, totalTimeoutMs: 60_000, ...settings },
    systemClock,
    resolve,
  )
  open.push(made)
  return made
}

const never = new AbortController().signal
const post = (url: string) => ({ subscriptionId: 'wh_1', url, headers: { 'webhook-attempt': '1' }, body: '{"a":"ü"}' })

it('HOOK-R1: success is a status of 200 to 299; the body arrives byte for byte', async () => {
  const hook = await receiver(answer(200))
  expect(await sender().send(post(`${hook.url}?x=1`), never)).toMatchObject({ status: 200, answer: '' })
  expect(hook.received[0]).toMatchObject({ method: 'POST', path: '/hook?x=1', body: '{"a":"ü"}' })
})

it('HOOK-R1: a body that broke off while it was made ended the process; the attempt fails', async () => {
  const hook = await receiver(answer(200))
  const body = function* () {
    yield Buffer.from('begun')
    throw new Error('no more of it')
  }
  expect(await sender().send({ ...post(hook.url), body }, never)).toMatchObject({ error: 'connection_lost' })
})

it('HOOK-R1: at most 16 KiB of an answer are read, and megabytes undo no success', async () => {
  const hook = await receiver((response) => {
    response.writeHead(200)
    response.end(Buffer.alloc(5_000_000, 'x'))
  })
  const result = await sender().send(post(hook.url), never)
  expect(result.status).toBe(200)
  expect(result.answer).toHaveLength(16 * 1024)
  expect(result.error).toBeUndefined()
})

it('HOOK-R1, HOOK-R3: a dripping answer ends with the total timeout and stays a success', async () => {
  const hook = await receiver((response) => {
    response.writeHead(200)
    const drip = setInterval(() => response.write('x'), 30)
    response.on('close', () => clearInterval(drip))
  })
  const result = await sender({ totalTimeoutMs: 2000 }).send(post(hook.url), never)
  expect(result).toMatchObject({ status: 200 })
})

it('HOOK-R3: a receiver that never answers is a timeout, by the wall clock', async () => {
  const hook = await receiver(() => undefined)
  const result = await sender({ totalTimeoutMs: 200 }).send(post(hook.url), never)
  expect(result).toMatchObject({ error: 'timeout' })
  expect(result.status).toBeUndefined()
})

it('HOOK-R2: a redirect is not followed; its Location is kept', async () => {
  const target = await receiver()
  const hook = await receiver(answer(302, { location: target.url }))
  expect(await sender().send(post(hook.url), never)).toMatchObject({
    status: 302,
    error: 'redirect',
    location: target.url,
  })
  expect(target.received).toHaveLength(0)
})

it('HOOK-R2: Retry-After comes back for the decision', async () => {
  const hook = await receiver(answer(429, { 'retry-after': '7' }))
  expect(await sender().send(post(hook.url), never)).toMatchObject({ status: 429, error: 'status', retryAfter: '7' })
})

it('a receiver that closes early, or is not there, is a failure with its reason', async () => {
  const hook = await receiver((response) => response.socket?.destroy())
  expect(await sender().send(post(hook.url), never)).toMatchObject({ error: 'connection_lost' })
  await hook.close()
  open.splice(open.indexOf(hook), 1)
  expect(await sender().send(post(hook.url), never)).toMatchObject({ error: 'connect_failed' })
})

it.each([
  ['no HTTP', 'hello\r\n\r\n'],
  ['TLS', Buffer.from('15030100020246', 'hex')],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde'],
  ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(100_000)}\r\n\r\n`],
])('HOOK-S1: an answer that is %s is no failure to connect', async (_, answered) => {
  const hook = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => socket.end(answered))
  })
  hook.listen(0, '127.0.0.1')
  await once(hook, 'listening')
  open.push({ close: async () => void hook.close() })
  const { port } = hook.address() as AddressInfo
  expect(await sender().send(post(`http://127.0.0.1:${port}/`), never)).toMatchObject({ error: 'malformed_answer' })
})

it('HOOK-X1, HOOK-X2: literals are judged without a resolver, in every spelling', async () => {
  const hook = await receiver()
  const port = new URL(hook.url).port
  const guarded = sender({ allowPrivate: [] }, async () => {
    throw new Error('asked')
  })
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]', '[::1]', '0']) {
    expect(await guarded.send(post(`https://${host}:${port}/`), never)).toMatchObject({ error: 'address_refused' })
  }
  expect(hook.received).toHaveLength(0)
})

it('HOOK-X2: one public and one private answer is refused, and so is a name that changes its answer', async () => {
  const hook = await receiver()
  const url = `http://hook.example:${new URL(hook.url).port}/`
  const mixed = sender({}, async () => ['127.0.0.1', '10.0.0.1'])
  expect(await mixed.send(post(url), never)).toMatchObject({ error: 'address_refused' })
  const answers = [['127.0.0.1'], ['10.0.0.1']]
  const rebinding = sender({}, async () => answers.shift() ?? [])
  expect(await rebinding.send(post(url), never)).toMatchObject({ status: 204 })
  expect(await rebinding.send(post(url), never)).toMatchObject({ error: 'address_refused' })
  expect(hook.received).toHaveLength(1)
})

it('HOOK-X2: the connection goes to what was checked, the Host header names the receiver', async () => {
  const hook = await receiver()
  const port = new URL(hook.url).port
  expect(await sender().send(post(`http://hook.example:${port}/`), never)).toMatchObject({ status: 204 })
  expect(hook.received[0]?.headers.host).toBe(`hook.example:${port}`)
})

it.each([
  ['100 Continue', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ['103 Early Hints, twice', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(2)],
])('RFC 9110 §15.2: a receiver that sends %s unasked is understood', async (_, before) => {
  const hook = createServer((socket) => {
    socket.once('data', () => socket.end(`${before}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`))
  })
  hook.listen(0, '127.0.0.1')
  await once(hook, 'listening')
  open.push({ close: async () => void hook.close() })
  const { port } = hook.address() as AddressInfo
  expect(await sender().send(post(`http://127.0.0.1:${port}/`), never)).toMatchObject({ status: 200, answer: 'ok' })
})

it('AFIR-A2: a certificate of ours is shown to the receiver, and a body is made while it is sent', async () => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  onTestFinished(() => {
    delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  })
  const { first, second } = CERTIFICATES
  const seen: unknown[] = []
  const server = createTlsServer({ ...first, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const shown = (request.socket as TLSSocket).getPeerCertificate() as { readonly subject?: { readonly CN: string } }
      seen.push([shown.subject?.CN, Buffer.concat(chunks).toString()])
      response.end()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  open.push({ close: async () => void server.close() })
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const body = () => ['a', 'ü'].map((text) => Buffer.from(text))
  expect(await sender().send({ ...post(url), body, certificate: second }, never)).toMatchObject({ status: 200 })
  expect(seen).toEqual([['second.example', 'aü']])
})

it('HOOK-S1: a receiver that speaks no TLS where https is expected is a failure of TLS', async () => {
  const hook = await receiver()
  expect(await sender().send(post(hook.url.replace('http:', 'https:')), never)).toMatchObject({ error: 'tls_failed' })
})

it('HOOK-R3: a receiver that accepts and never shakes hands is given up after the time for connecting', async () => {
  const hook = createServer((socket) => socket.on('error', () => undefined))
  hook.listen(0, '127.0.0.1')
  await once(hook, 'listening')
  open.push({ close: async () => void hook.close() })
  const { port } = hook.address() as AddressInfo
  const impatient = sender({ connectTimeoutMs: 50, totalTimeoutMs: 10_000 })
  expect(await impatient.send(post(`https://127.0.0.1:${port}/`), never)).toMatchObject({ error: 'connect_failed' })
})

it('a name that does not resolve, or not in time, is a failure with its reason', async () => {
  const failing = sender({}, async () => Promise.reject(new Error('ENOTFOUND')))
  expect(await failing.send(post('https://nowhere.example/'), never)).toMatchObject({ error: 'name_not_resolved' })
  const slow = sender({ totalTimeoutMs: 100 }, () => new Promise(() => undefined))
  expect(await slow.send(post('https://nowhere.example/'), never)).toMatchObject({ error: 'timeout' })
})

it('HOOK-F4: an idle connection that the peer closed costs no attempt', async () => {
  const hook = await receiver()
  const sockets: { destroy(): void }[] = []
  hook.respond = (response, _, request) => {
    sockets.push(request.socket)
    // The second request on a kept connection dies unanswered, as when both sides cross.
    if (sockets.length === 2) request.socket.destroy()
    else response.writeHead(204).end()
  }
  const keeping = sender()
  expect(await keeping.send(post(hook.url), never)).toMatchObject({ status: 204 })
  expect(await keeping.send(post(hook.url), never)).toMatchObject({ status: 204 })
  expect(hook.received).toHaveLength(3)
  expect(sockets[0]).toBe(sockets[1])
  expect(sockets[2]).not.toBe(sockets[1])
})

it('HOOK-X5: connections of one subscription are not shared with another', async () => {
  const hook = await receiver()
  const sockets = new Set<unknown>()
  hook.respond = (response, _, request) => {
    sockets.add(request.socket)
    response.writeHead(204).end()
  }
  const keeping = sender()
  await keeping.send(post(hook.url), never)
  await keeping.send({ ...post(hook.url), subscriptionId: 'wh_2' }, never)
  expect(sockets.size).toBe(2)
})

it('HOOK-X5: HTTP_PROXY is ignored', async () => {
  const proxy = await receiver()
  process.env.HTTP_PROXY = proxy.url
  try {
    const hook = await receiver()
    expect(await sender().send(post(hook.url), never)).toMatchObject({ status: 204 })
    expect(proxy.received).toHaveLength(0)
  } finally {
    delete process.env.HTTP_PROXY
  }
})

it('HOOK-F4: an interrupted attempt says so', async () => {
  const hook = await receiver(() => undefined)
  const stop = new AbortController()
  const sending = sender().send(post(hook.url), stop.signal)
  stop.abort()
  expect(await sending).toMatchObject({ error: 'interrupted' })
})
