import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, it, vi } from 'vitest'
import { WebSocketServer } from 'ws'
import { manualClock } from '../../test/support/clock.ts'
import { createRandom } from '../random.ts'
import { createConnection } from './connection.ts'

it.each([
  ['answers them is kept', true],
  ['does not is left', false],
])('SIM-N7: pings go out as often as the setting says: a server that %s', async (_name, autoPong) => {
  const server = new WebSocketServer({ port: 0, autoPong, handleProtocols: () => 'ocpp1.6' })
  await once(server, 'listening')
  let pings = 0
  server.on('connection', (socket) => socket.on('ping', () => void pings++))
  const clock = manualClock(0)
  const closed = vi.fn()
  const seen = vi.fn()
  const connection = createConnection({
    protocol: 'ocpp1.6',
    access: () => ({ url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, usesPassword: false }),
    id: 'PINGS',
    strict: true,
    reconnect: false,
    callTimeoutMs: 1000,
    clock,
    random: createRandom(1),
    jitter: createRandom(2),
    answer: () => ({}),
    opened: () => undefined,
    closed,
    observer: { frame: seen },
    problem: () => undefined,
  })
  await connection.connect()
  connection.usePingInterval(5)
  clock.advance(4_999)
  expect(pings).toBe(0)
  clock.advance(1)
  await expect.poll(() => pings).toBe(1)
  // Whatever the server said to the ping was there before what it says now.
  const [socket] = server.clients
  socket?.send('[3,"nothing",{}]')
  await expect.poll(() => seen).toHaveBeenCalled()
  clock.advance(5_000)
  if (autoPong) await expect.poll(() => pings).toBe(2)
  else await expect.poll(() => closed).toHaveBeenCalled()
  expect(connection.online).toBe(autoPong)
  await connection.close()
  server.close()
})
