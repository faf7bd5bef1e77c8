/** A server that is killed between a signature and CertificateSigned (CERT-C1). */
import { X509Certificate } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type HouseProcess, type Json, spawnHouse, until } from './house.ts'
import { booted16, booted201 } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

// A process of its own, twice; on a busy machine each takes seconds.

let house: HouseProcess
beforeEach(async () => {
  house = await spawnHouse({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
})
afterEach(() => house.close())

it.each([
  ['ocpp1.6', booted16],
  ['ocpp2.0.1', booted201],
] as const)('CERT-C1: %s: what was signed before a kill is sent after it, once', async (_, booted) => {
  const keys = await testKeys()
  const options = { answer: { status: 'Accepted' } }
  const before = await booted(house.ocppUrl, 'CP1', options)
  expect(await before.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })).toEqual({ status: 'Accepted' })
  await before.close()
  const requests = async () => (await house.request('GET', '/2/certificate-requests')).body.data as readonly Json[]
  await house.kill()
  await house.startAgain()
  const [pending] = await requests()
  expect(pending).toMatchObject({ evseControllerId: 'CP1', state: 'pending' })
  const chain = await testCertificate(await testAuthority(), keys, { commonName: 'CP1' })
  expect((await house.request('PUT', `/2/certificate-requests/${pending?.id}`, { chain })).status).toBe(200)
  await house.kill()
  await house.startAgain()
  expect(await requests()).toMatchObject([{ id: pending?.id, state: 'signed' }])
  const after = await booted(house.ocppUrl, 'CP1', options)
  await until(() => after.requests('CertificateSigned').length > 0)
  const { certificateChain } = after.requests('CertificateSigned')[0] ?? {}
  expect(new X509Certificate(String(certificateChain)).subject).toContain('CN=CP1')
  await after.close()
  const again = await booted(house.ocppUrl, 'CP1', options)
  await again.ask('Heartbeat', {})
  expect([after.requests('CertificateSigned').length, again.requests('CertificateSigned').length]).toEqual([1, 0])
})
