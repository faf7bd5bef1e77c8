/** Bytes from people who mean harm, or from firmware that does not know better: the endpoint outlives all of them. */
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { basic, exchange, PASSWORD, startEndpoint, upgradeRequest } from '../../test/support/sockets/ocpp-endpoint.ts'

const running = await startEndpoint()
afterAll(() => running.stop())

/** Writes the bytes and waits until the server ends the connection, or half-closes when it does not. */
function offer(bytes: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(running.port, '127.0.0.1', () => socket.end(bytes))
    socket.on('data', () => undefined)
    socket.on('error', () => undefined)
    socket.on('close', () => resolve())
  })
}

async function stillServes(): Promise<void> {
  expect(await exchange(running.port, upgradeRequest('/ocpp/CP1'))).toMatch(/^HTTP\/1.1 101 /)
}

it('OCPP-T2, OCPP-DR2: arbitrary targets and headers never end the process', async () => {
  const visible = fc.string({ unit: fc.integer({ min: 0x21, max: 0xff }).map((code) => String.fromCharCode(code)) })
  await fc.assert(
    fc.asyncProperty(visible, visible, visible, async (target, authorization, protocol) => {
      const headers = { Authorization: `Basic ${authorization}`, 'Sec-WebSocket-Protocol': protocol }
      await offer(Buffer.from(upgradeRequest(`/ocpp/${target}`, headers), 'latin1'))
    }),
    { numRuns: 60 },
  )
  await stillServes()
})

it('OCPP-RP10: arbitrary bytes after the handshake end their own connection at most', async () => {
  const handshake = Buffer.from(upgradeRequest('/ocpp/CP1'))
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
      await offer(Buffer.concat([handshake, bytes]))
    }),
    { numRuns: 60 },
  )
  await stillServes()
  await expect.poll(() => running.endpoint.connectionCount()).toBe(0)
  expect(running.core.openConnections.size).toBe(0)
})

it('OCPP-AU1: repeated and enormous credentials are refused', async () => {
  const repeated = upgradeRequest('/ocpp/CP1', { Authorization: `${basic('CP2', PASSWORD)}\r\nAuthorization: x` })
  expect(await exchange(running.port, repeated)).toMatch(/^HTTP\/1.1 401 /)
  const enormous = upgradeRequest('/ocpp/CP1', { Authorization: `Basic ${'A'.repeat(100_000)}` })
  await offer(enormous)
  await stillServes()
})

it('clients that leave at any moment of the handshake leave nothing behind', async () => {
  const request = upgradeRequest('/ocpp/CP1')
  for (let length = 0; length < request.length; length += 25) await offer(request.slice(0, length))
  await stillServes()
  await expect.poll(() => running.endpoint.connectionCount()).toBe(0)
})
