import { generateKeyPairSync } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testCsr, testKeys } from '../../../test/support/domain/x509/testing.ts'
import { forAll, forRuns } from '../../../test/support/property.ts'
import { readCsr } from './authority.ts'

it.each(['EC', 'RSA', 'RSA-PSS'] as const)('CERT-C4: one of an %s key that signed it is taken', async (kind) => {
  const pem = await testCsr(await testKeys(kind), 'SN, "1" #+ Ä')
  const reading = readCsr(pem)
  expect(reading).toMatchObject({ ok: true, csr: { kind: kind === 'EC' ? 'EC' : 'RSA', commonName: 'SN, "1" #+ Ä' } })
})

it('CERT-C5: however its text is written, it is the same request', async () => {
  const pem = await testCsr(await testKeys(), 'SN1')
  const spellings = [
    pem,
    pem.replaceAll('\n', '\r\n'),
    pem.replaceAll('\n', '\\n'),
    pem.replaceAll('\n', ''),
    pem.replaceAll('CERTIFICATE REQUEST', 'NEW CERTIFICATE REQUEST'),
    pem.replaceAll(/-----.*-----/g, ''),
  ]
  const readings = spellings.map(readCsr)
  expect(readings[0]).toMatchObject({ ok: true })
  for (const reading of readings) expect(reading).toEqual(readings[0])
})

it('CERT-C4: a foreign signature, a weak key and other kinds of keys are refused, each with its reason', async () => {
  const own = await testKeys()
  const foreign = await testCsr(own, 'SN1', await testKeys())
  const weak = await testCsr(await testKeys('RSA', 1024), 'SN1')
  expect(readCsr(foreign)).toEqual({ ok: false, reason: 'the signature is not that of its key' })
  expect(readCsr(weak)).toEqual({ ok: false, reason: 'the RSA key has 1024 bits and needs 2048' })
  expect(readCsr(await testCsr(await testKeys('Ed25519'), 'SN1'))).toMatchObject({ ok: false })
})

it.each([
  ['nothing', ''],
  ['words', 'please sign'],
  ['Base64 of no ASN.1', 'AAAA'],
  ['an empty PEM', '-----BEGIN CERTIFICATE REQUEST-----\n-----END CERTIFICATE REQUEST-----'],
  [
    'a private key',
    generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }),
  ],
  ['5,501 characters', 'A'.repeat(5501)],
  ['nested sequences', Buffer.alloc(3000, 0x30).toString('base64')],
])('CERT-C4: %s is refused', (_, text) => {
  expect(readCsr(String(text))).toMatchObject({ ok: false, reason: expect.any(String) })
})

it('CERT-C4: bytes behind its DER are refused: with them one request would be many', async () => {
  for (const kind of ['EC', 'RSA'] as const) {
    const body = (await testCsr(await testKeys(kind), 'SN1')).replaceAll(/-----.*-----|\s/g, '')
    const der = Buffer.from(body, 'base64')
    for (const tail of [Buffer.from([0]), Buffer.from('behind'), der]) {
      const reading = readCsr(Buffer.concat([der, tail]).toString('base64'))
      expect(reading).toEqual({ ok: false, reason: 'there are bytes behind the request' })
    }
  }
})

it('CERT-C4: no change of a byte is taken for a signed request, and none throws', async () => {
  const body = (await testCsr(await testKeys(), 'SN1')).replaceAll(/-----.*-----|\s/g, '')
  const der = Buffer.from(body, 'base64')
  forRuns(300)(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (index, change) => {
    const changed = Buffer.from(der)
    changed[index] = (changed[index] ?? 0) ^ change
    const reading = readCsr(changed.toString('base64'))
    // Only the form of the outer wrapping may differ.
    if (reading.ok) expect(reading.csr.commonName).toBe('SN1')
  })
  forAll(fc.uint8Array({ maxLength: 200 }), fc.nat(der.length), (noise, at) => {
    const spoiled = Buffer.concat([der.subarray(0, at), noise])
    expect(() => readCsr(spoiled.toString('base64'))).not.toThrow()
  })
})
