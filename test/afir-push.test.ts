/** What a national access point is sent by the whole server: over TLS, with a certificate that it asks for. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TLSSocket } from 'node:tls'
import { afterAll, expect, it } from 'vitest'
import { x509Library } from '../src/domain/x509/library.ts'
import { spawnHouse, until } from './house.ts'
import { PLACE, saysStatus } from './public-place.ts'
import { BOOT_16, connectStation, type Station } from './station.ts'
import { testAuthority, testCertificate, testKeys, testOddCertificate } from './support/domain/x509/testing.ts'

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-push-'))
const file = (name: string): string => join(folder, name)
const authority = await testAuthority()
const [ofReceiver, own] = [await testKeys(), await testKeys()]
const address = new (x509Library().SubjectAlternativeNameExtension)([{ type: 'ip', value: '127.0.0.1' }])
const cert = await testOddCertificate(authority, ofReceiver, { commonName: 'access point', extensions: [address] })
writeFileSync(file('ca.pem'), authority.certificate)
writeFileSync(file('own.crt'), await testCertificate(authority, own, { commonName: 'operator' }))
writeFileSync(file('own.key'), own.privateKey)

/** Requests as they came, and what they are answered from now on. */
const received: { readonly by: string; readonly token: unknown; readonly body: string; readonly status: number }[] = []
let answer = 202
const server = createServer({ cert, key: ofReceiver.privateKey, ca: authority.certificate, requestCert: true })
server.on('request', (request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    const by = (request.socket as TLSSocket).getPeerCertificate().subject.CN
    const token = request.headers.authorization
    received.push({ by: [by].flat().join(), token, body: Buffer.concat(chunks).toString(), status: answer })
    response.writeHead(answer).end('So says the access point.')
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

const house = await spawnHouse({
  NODE_EXTRA_CA_CERTS: file('ca.pem'),
  PILOTWIRE_AFIR_PUSH_URL: `https://127.0.0.1:${(server.address() as AddressInfo).port}/publication?id=1`,
  PILOTWIRE_AFIR_PUSH_TOKEN: 'known-there',
  PILOTWIRE_AFIR_PUSH_CERT_FILE: file('own.crt'),
  PILOTWIRE_AFIR_PUSH_KEY_FILE: file('own.key'),
  PILOTWIRE_WEBHOOK_SCHEDULE: '1',
})
let station: Station
afterAll(async () => {
  await station.close()
  await house.close()
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true })
})

async function boot(): Promise<void> {
  station = await connectStation(house.ocppUrl, 'CP', 'ocpp1.6', { respond: () => ({ status: 'Accepted' }) })
  await station.ask('BootNotification', BOOT_16)
}
const say = (status: string) => saysStatus(station, status)

/** The newest request that was answered so, as the words that count. */
function newest(status: number): readonly string[] {
  const { body = '' } = received.findLast((one) => one.status === status) ?? {}
  const protocol = /"codedExchangeProtocol":\{"value":"(\w+)"\}/.exec(body)?.[1] ?? 'none'
  return [protocol, ...[...body.matchAll(/"status":\{"value":"(\w+)"\}/g)].map(([, value = '']) => value)]
}
const untilSent = (status: number, ...words: readonly string[]) => until(() => newest(status).join() === words.join())

it('AFIR-A2: a whole status first, then what changes, with the certificate and the token', async () => {
  await boot()
  await say('Available')
  expect((await house.request('PUT', '/2/locations/north', PLACE)).status).toBe(201)
  await untilSent(202, 'snapshotPush', 'available')
  await say('Preparing')
  await untilSent(202, 'deltaPush', 'blocked')
  expect(new Set(received.map(({ by, token }) => `${by}, ${token}`))).toEqual(new Set(['operator, Bearer known-there']))
})

it('AFIR-A2: what is refused is sent again', async () => {
  answer = 503
  await say('Faulted')
  await untilSent(503, 'deltaPush', 'outOfOrder')
  expect(newest(202)).toEqual(['deltaPush', 'blocked'])
  answer = 202
  await untilSent(202, 'deltaPush', 'outOfOrder')
})

it('AFIR-A2: after a kill the access point is sent what it had not taken', async () => {
  answer = 500
  await say('Available')
  await untilSent(500, 'deltaPush', 'available')
  await house.kill()
  answer = 202
  await house.startAgain()
  await untilSent(202, 'deltaPush', 'available')
})

it('AFIR-A2: a location that is public no longer is sent as removed, and whole once it is public again', async () => {
  await house.request('PATCH', '/2/locations/north', { publish: false })
  await untilSent(202, 'deltaPush', 'removed')
  await house.request('PATCH', '/2/locations/north', { publish: true })
  await until(() => newest(202)[1] !== 'removed')
  expect(newest(202)[0]).toBe('deltaPush')
  expect(newest(202)).toHaveLength(2)
})
