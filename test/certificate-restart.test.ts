/** A server that is killed between a signature and CertificateSigned (CERT-C1). */
import { X509Certificate } from 'node:crypto'
import { expect } from 'vitest'
import { acrossRestarts } from './restarts.ts'
import { booted16, booted201 } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

const it = acrossRestarts('SIGKILL', { PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })

for (const [name, booted] of [
  ['ocpp1.6', booted16],
  ['ocpp2.0.1', booted201],
] as const) {
  it(`CERT-C1: ${name}: what was signed before a kill is sent after it, once`, async function* (house) {
    const id = `CP-${name}`
    const keys = await testKeys()
    const options = { answer: { status: 'Accepted' } }
    const before = await booted(house.ocppUrl, id, options)
    expect(await before.ask('SignCertificate', { csr: await testCsr(keys, id) })).toEqual({ status: 'Accepted' })
    await before.close()
    const requests = async () =>
      (await house.list('/2/certificate-requests')).filter(({ evseControllerId }) => evseControllerId === id)
    yield
    const [pending] = await requests()
    expect(pending).toMatchObject({ evseControllerId: id, state: 'pending' })
    const chain = await testCertificate(await testAuthority(), keys, { commonName: id })
    expect((await house.request('PUT', `/2/certificate-requests/${pending?.id}`, { chain })).status).toBe(200)
    yield
    expect(await requests()).toMatchObject([{ id: pending?.id, state: 'signed' }])
    const after = await booted(house.ocppUrl, id, options)
    const { certificateChain } = await after.asked('CertificateSigned')
    expect(new X509Certificate(String(certificateChain)).subject).toContain(`CN=${id}`)
    await after.close()
    const again = await booted(house.ocppUrl, id, options)
    await again.ask('Heartbeat', {})
    expect([after.requests('CertificateSigned').length, again.requests('CertificateSigned').length]).toEqual([1, 0])
  })
}
