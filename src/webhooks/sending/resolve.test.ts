import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { createResolve } from './resolve.ts'

const A = 1
const AAAA = 28
const SHORT = { timeout: 500, tries: 1 }
const open: Socket[] = []
afterEach(() => {
  for (const socket of open.splice(0)) socket.close()
})

/**
 * Answers for the name `both.test` with two addresses, for `known.test` with one, for `silent…` never, else: no such
 * name.
 */
async function nameServer(): Promise<{ readonly address: string; readonly asked: string[] }> {
  const socket = createSocket('udp4')
  const asked: string[] = []
  open.push(socket)
  socket.on('message', (query, { port, address }) => {
    const { name, type, question } = questionOf(query)
    asked.push(name)
    if (name.startsWith('silent')) return
    const records = [
      ...(type === A && /^(both|known)\.test$/.test(name) ? [record(A, [192, 0, 2, 7])] : []),
      ...(type === AAAA && name === 'both.test' ? [record(AAAA, [0x20, 1, 0xd, 0xb8, ...Array(11).fill(0), 1])] : []),
    ]
    const code = /^(both|known)\.test$/.test(name) ? 0 : 3
    const head = Buffer.from([...query.subarray(0, 2), 0x81, 0x80 | code, 0, 1, 0, records.length, 0, 0, 0, 0])
    socket.send(Buffer.concat([head, question, ...records]), port, address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { address: `127.0.0.1:${(socket.address() as AddressInfo).port}`, asked }
}

/** RFC 1035 §4.1.2: labels, each behind its length, then type and class. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number; readonly question: Buffer } {
  const labels: string[] = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.subarray(at + 1, at + 1 + length).toString())
    at += 1 + length
  }
  return {
    name: labels.join('.').toLowerCase(),
    type: query.readUInt16BE(at + 1),
    question: query.subarray(12, at + 5),
  }
}

/** Its name is the one that was asked for (a pointer to offset 12); it may not be kept. */
function record(type: number, address: readonly number[]): Buffer {
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length, ...address])
}

const noSystem = async (hostname: string): Promise<readonly string[]> => {
  throw new Error(`${hostname} is unknown`)
}

it('HOOK-F1: names whose servers are silent keep no other name waiting', async () => {
  const server = await nameServer()
  const resolve = createResolve({ servers: [server.address], system: noSystem, ...SHORT, timeout: 2000 })
  const silent = Array.from({ length: 8 }, (_, number) => resolve(`silent${number}.test`))
  const anyOfThem = Promise.race(silent.map((one) => one.catch(() => 'gave up')))
  expect(await Promise.race([resolve('known.test'), anyOfThem])).toEqual(['192.0.2.7'])
  await Promise.allSettled(silent)
})

it('HOOK-F1: a silent name is given up, and the system is not asked for it', async () => {
  const server = await nameServer()
  const resolve = createResolve({ servers: [server.address], system: async () => ['127.0.0.1'], ...SHORT })
  await expect(resolve('silent.test')).rejects.toThrow('the DNS does not answer for silent.test')
})

it('HOOK-X2: every address counts, of both families', async () => {
  const server = await nameServer()
  const addresses = await createResolve({ servers: [server.address], system: noSystem })('both.test')
  expect(addresses).toEqual(['192.0.2.7', '2001:db8::1'])
})

it.each(['localhost', 'receiver', 'app.localhost'])('%s is a local name: the DNS is not asked', async (name) => {
  const server = await nameServer()
  expect(await createResolve({ servers: [server.address], system: async () => ['127.0.0.1'] })(name)).toEqual([
    '127.0.0.1',
  ])
  expect(server.asked).toEqual([])
})

it('what the DNS does not know is looked up by the system: the hosts file, search domains', async () => {
  const server = await nameServer()
  expect(await createResolve({ servers: [server.address], system: async () => ['10.0.0.9'] })('hooks.depot')).toEqual([
    '10.0.0.9',
  ])
  await expect(createResolve({ servers: [server.address], system: noSystem })('hooks.depot')).rejects.toThrow(
    'hooks.depot is unknown',
  )
})

it('the hosts file comes before the DNS, as everywhere on a machine', async () => {
  const server = await nameServer()
  const folder = await mkdtemp(join(tmpdir(), 'pilotwire-hosts-'))
  const hostsFile = join(folder, 'hosts')
  await writeFile(hostsFile, '127.0.0.1\tlocalhost\n# moved\n10.0.0.9 other.test Known.test # depot\n')
  const resolve = createResolve({ servers: [server.address], system: async () => ['10.0.0.9'], hostsFile })
  expect(await resolve('known.test')).toEqual(['10.0.0.9'])
  expect(await resolve('both.test')).toContain('192.0.2.7')
  await rm(folder, { recursive: true })
  expect(await resolve('known.test')).toEqual(['192.0.2.7'])
})
