/** Who signs a charge point's request, and what the certificate then looks like: real sockets, real keys. */

import { X509Certificate } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
import { x509Library } from '../src/domain/x509/library.ts'
import { sign } from '../src/webhooks/sending/signature.ts'
import { certificateSigned, certified, connected, house, PASSWORD, usesCertificates } from './certified.ts'
import { type Json, until } from './house.ts'
import { booted16, booted201 } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

const x509 = x509Library()

usesCertificates()

describe('who signs', () => {
  it('CERT-C3: a type that is named is named again', async () => {
    const at = await house()
    const extra = { certificateType: 'V2GCertificate' }
    const { sent } = await certified(at, 'CP1', 'ocpp2.0.1', { keys: await testKeys(), extra })
    expect(sent).toMatchObject(extra)
  })

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

  it('CERT-C10: a chain is no longer than the device model says, and one that cannot be cut is a fault', async () => {
    const at = await house({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
    const authority = await testAuthority()
    const keys = await testKeys()
    const station = await connected(booted201(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
    const made = await testCertificate(authority, keys, { commonName: 'CP1' })
    const report = (value: number, seqNo: number) =>
      station.ask('NotifyReport', {
        requestId: 1,
        seqNo,
        generatedAt: '2026-11-21T12:00:00Z',
        reportData: [
          {
            component: { name: 'SecurityCtrlr' },
            variable: { name: 'MaxCertificateChainSize' },
            variableAttribute: [{ value: String(value), mutability: 'ReadOnly' }],
          },
        ],
      })
    const known = async (value: number) => {
      const path = `/2/evse-controllers/CP1/variables?variable=MaxCertificateChainSize&value=${value}`
      return ((await at.request('GET', path)).body.data as readonly Json[]).length > 0
    }
    await report(100, 0)
    await until(() => known(100))
    await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
    const [{ id } = { id: '' }] = (await at.request('GET', '/2/certificate-requests')).body.data as { id: string }[]
    const chain = `${made}\n${authority.certificate}`
    const refusal = await at.request('PUT', `/2/certificate-requests/${id}`, { chain })
    expect(refusal.status).toBe(400)
    expect(refusal.text).toContain('longer than the 100 characters')
    await report(made.length + 10, 1)
    await until(() => known(made.length + 10))
    expect((await at.request('PUT', `/2/certificate-requests/${id}`, { chain })).status).toBe(200)
    expect(await certificateSigned(station)).toEqual({ certificateChain: `${made.trim()}\n` })
  })

  it('CERT-C22: by hand, with a chain that fits the request or a refusal', async () => {
    const at = await house({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
    const authority = await testAuthority()
    const keys = await testKeys()
    const station = await connected(booted16(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
    const other = await connected(booted16(at.ocppUrl, 'CP2', { answer: { status: 'Accepted' } }))
    await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
    await other.ask('SignCertificate', { csr: await testCsr(await testKeys(), 'CP2') })
    const { body } = await at.request('GET', '/2/certificate-requests')
    const requests = body.data as readonly { id: string; csr: string }[]
    expect(requests).toHaveLength(2)
    const wrong = await testCertificate(authority, await testKeys(), { commonName: 'CP1' })
    const right = await testCertificate(authority, keys, { commonName: 'CP1' })
    const statuses: number[] = []
    for (const { id } of requests) {
      expect((await at.request('PUT', `/2/certificate-requests/${id}`, { chain: wrong })).status).toBe(400)
      statuses.push((await at.request('PUT', `/2/certificate-requests/${id}`, { chain: right })).status)
    }
    expect(statuses.sort()).toEqual([200, 400])
    expect(await certificateSigned(station)).toEqual({ certificateChain: `${right.trim()}\n` })
    const pending = ((await at.request('GET', '/2/certificate-requests')).body.data as readonly Json[]).find(
      ({ state }) => state === 'pending',
    )
    const refusal = await at.request('PUT', `/2/certificate-requests/${pending?.id}`, { rejected: 'not ours' })
    expect(refusal.body).toMatchObject({ state: 'rejected', reason: 'not ours' })
    expect((await at.request('PUT', `/2/certificate-requests/${pending?.id}`, { rejected: 'x' })).status).toBe(409)
    expect((await at.request('PUT', '/2/certificate-requests/none', { rejected: 'x' })).status).toBe(404)
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
})
