/** Who signs a charge point's request, and what the certificate then looks like: real sockets, real keys. */

import { X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { x509Library } from '../src/domain/x509/library.ts'
import { sign } from '../src/webhooks/sending/signature.ts'
import { certificateSigned, certified, connected, house, PASSWORD, usesCertificates } from './certified.ts'
import { type Json, until } from './house.ts'
import { booted16 } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

const x509 = x509Library()

usesCertificates()

it('CERT-C8: authorities are public, and what was revoked stands on their list', async () => {
  const at = await house()
  const { sent } = await certified(at, 'CP1', 'ocpp1.6', { keys: await testKeys() })
  const { body } = await at.request('GET', '/2/certificate-authorities')
  const authorities = body.data as readonly Json[]
  expect(authorities).toMatchObject([{ keyType: 'EC' }, { keyType: 'RSA' }])
  const pem = await (await fetch(`${at.url}/certificates/stations-ec.pem`)).text()
  const leaf = new X509Certificate(String(sent.certificateChain))
  expect(leaf.checkIssued(new X509Certificate(pem))).toBe(true)
  const fingerprint = leaf.fingerprint256.replaceAll(':', '').toLowerCase()
  await at.request('DELETE', `/2/evse-controllers/CP1/certificates/${fingerprint}`)
  const list = new x509.X509Crl(await (await fetch(`${at.url}/certificates/stations-ec.crl`)).arrayBuffer())
  expect(list.entries.map(({ serialNumber }) => serialNumber)).toEqual([leaf.serialNumber.toLowerCase()])
  expect(await list.verify({ publicKey: new x509.X509Certificate(pem) })).toBe(true)
  expect((await fetch(`${at.url}/certificates/nobody.pem`)).status).toBe(404)
})

it('CERT-C21: a service is asked with a signature, three times where it is broken, and never again', async () => {
  const asked: { readonly body: Json; readonly signature: unknown; readonly expected: string }[] = []
  let answer = (_: Json, response: ServerResponse): void => void response.writeHead(503).end()
  const hook: Server = createServer((request: IncomingMessage, response) => {
    let text = ''
    request.on('data', (part) => {
      text += String(part)
    })
    request.on('end', () => {
      const body = JSON.parse(text) as Json
      const expected = sign(PASSWORD, Number(request.headers['webhook-timestamp']), text)
      asked.push({ body, signature: request.headers['webhook-signature'], expected })
      answer(body, response)
    })
  })
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/sign`
  try {
    const at = await house({
      PILOTWIRE_CERTIFICATE_PROVIDER: 'http',
      PILOTWIRE_CERTIFICATE_HOOK_URL: url,
      PILOTWIRE_CERTIFICATE_HOOK_SECRET: PASSWORD,
    })
    const station = await connected(booted16(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
    const csr = await testCsr(await testKeys(), 'CP1')
    await station.ask('SignCertificate', { csr })
    await until(async () =>
      JSON.stringify((await at.request('GET', '/2/certificate-requests')).body).includes('failed'),
    )
    expect(asked).toHaveLength(3)
    for (const { signature, expected, body } of asked) {
      expect(signature).toBe(expected)
      expect(body).toMatchObject({
        chargePointId: 'CP1',
        csr: expect.stringContaining(csr),
        type: 'ChargingStationCertificate',
      })
    }
    expect(await station.ask('SignCertificate', { csr })).toEqual({ status: 'Rejected' })
    const authority = await testAuthority()
    const keys = await testKeys()
    const made = await testCertificate(authority, keys, { commonName: 'CP1' })
    answer = (_, response) => response.end(JSON.stringify({ chain: `${authority.certificate}\n${made}` }))
    await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
    const { certificateChain } = await certificateSigned(station)
    expect(String(certificateChain).indexOf(made.trim())).toBe(0)
    expect(asked).toHaveLength(4)
  } finally {
    hook.closeAllConnections()
    await new Promise((resolve) => hook.close(resolve))
  }
})
