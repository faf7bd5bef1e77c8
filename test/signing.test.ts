/** What others may see of the authorities that sign the requests of charge points. */

import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { x509Library } from '../src/domain/x509/library.ts'
import { certified, house, usesCertificates } from './certified.ts'
import type { Json } from './house.ts'
import { testKeys } from './support/domain/x509/testing.ts'

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
