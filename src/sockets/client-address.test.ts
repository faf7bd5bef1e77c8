import { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { expect, it } from 'vitest'
import { createClientOrigin } from './client-address.ts'

const from = (remoteAddress: string, headers: Record<string, string>, socket = new Socket()) => ({
  socket: Object.defineProperty(socket, 'remoteAddress', { value: remoteAddress }),
  headers,
})

const read = createClientOrigin(['10.0.0.0/8', '::1', '2001:db8::/32'])

it('OCPP-TL3: headers of anybody but a trusted proxy are ignored', () => {
  const forged = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }
  expect(read(from('198.51.100.7', forged))).toEqual({ address: '198.51.100.7', secure: false })
  expect(createClientOrigin([])(from('127.0.0.1', forged))).toEqual({ address: '127.0.0.1', secure: false })
})

it.each([
  ['10.1.2.3', '192.0.2.1', '192.0.2.1'],
  ['::ffff:10.1.2.3', '192.0.2.1', '192.0.2.1'],
  ['::1', '192.0.2.1', '192.0.2.1'],
  ['10.1.2.3', '203.0.113.9, 192.0.2.1', '192.0.2.1'],
  ['10.1.2.3', '203.0.113.9, 192.0.2.1, 10.9.9.9', '192.0.2.1'],
  ['10.1.2.3', '10.9.9.9', '10.9.9.9'],
  ['10.1.2.3', '192.0.2.1:4711', '192.0.2.1'],
  ['10.1.2.3', '[2001:db9::1]:4711', '2001:db9::1'],
  ['10.1.2.3', 'unknown', '10.1.2.3'],
  ['10.1.2.3', '', '10.1.2.3'],
])('OCPP-TL3: the peer %s forwards for %s: the client is %s', (peer, forwarded, address) => {
  expect(read(from(peer, { 'x-forwarded-for': forwarded })).address).toBe(address)
})

it.each([
  ['https', true],
  ['wss', true],
  ['HTTPS', true],
  ['http', false],
  ['https, http', false],
])('OCPP-TL3: X-Forwarded-Proto %s of a trusted proxy means encrypted: %s', (protocol, secure) => {
  expect(read(from('10.1.2.3', { 'x-forwarded-proto': protocol })).secure).toBe(secure)
})

it('OCPP-TL1: our own TLS socket is encrypted', () => {
  expect(read(from('198.51.100.7', {}, new TLSSocket(new Socket()))).secure).toBe(true)
  expect(read(from('10.1.2.3', {}, new TLSSocket(new Socket()))).secure).toBe(true)
})

it.each(['10.0.0.0/33', 'proxy.example', '10.0.0.0/x', '::1/129', ''])('refuses %j as a range', (entry) => {
  expect(() => createClientOrigin([entry])).toThrow('address range')
})
