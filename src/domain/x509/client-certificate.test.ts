import { X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import {
  testAuthority,
  testCertificate,
  testCsr,
  testKeys,
  testOddCertificate,
} from '../../../test/support/domain/x509/testing.ts'
import { checkClientCertificate, type Expected } from './client-certificate.ts'
import { x509Library } from './library.ts'
import { readSignedChain } from './signed-chain.ts'

const x509 = x509Library()

const constraints = (ca: boolean) => new x509.BasicConstraintsExtension(ca, undefined, true)
const usage = (name: 'digitalSignature' | 'keyCertSign') => new x509.KeyUsagesExtension(x509.KeyUsageFlags[name], true)
const serversOnly = new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth])

const DAY = 24 * 3600_000

const authority = await testAuthority()
const keys = await testKeys()
const pem = await testCertificate(authority, keys, { commonName: 'CP-SN1', organization: 'Test' })

function check(shown: readonly string[], change: Partial<Expected> = {}) {
  const trusted = [new X509Certificate(authority.certificate)]
  return checkClientCertificate(shown, {
    trusted,
    organization: 'Test',
    serialNumber: 'SN1',
    now: Date.now(),
    ...change,
  })
}

it('CERT-C6: one that we made passes every check, in PEM and in DER', () => {
  const leaf = new X509Certificate(pem)
  const result = check([pem])
  expect(result).toMatchObject({ ok: true, certificate: { commonName: 'CP-SN1' } })
  expect(check([leaf.raw.toString('base64')])).toEqual(result)
  expect(leaf.ca).toBe(false)
  expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2'])
  expect(Date.parse(leaf.validFrom)).toBeLessThanOrEqual(Date.now() - 3600_000)
  expect(leaf.checkIssued(new X509Certificate(authority.certificate))).toBe(true)
})

it('CERT-C11: an authority that is not trusted, an authority itself, and no certificate at all are refused', async () => {
  const other = await testAuthority('EC', 'Test CA')
  const forged = await testCertificate(other, keys, { commonName: 'CP-SN1' })
  expect(check([forged])).toMatchObject({ ok: false, reason: expect.stringContaining('no authority') })
  expect(check([forged, other.certificate])).toMatchObject({ ok: false })
  expect(check([authority.certificate])).toMatchObject({ ok: false, reason: 'it is that of an authority' })
  expect(check([])).toMatchObject({ ok: false })
  expect(check(['x'])).toMatchObject({ ok: false, reason: 'it cannot be read' })
  expect(check(Array(9).fill(pem))).toMatchObject({ ok: false })
})

it('CERT-C12: another organization is refused', () => {
  expect(check([pem], { organization: 'Other' })).toMatchObject({ ok: false })
})

it.each([
  ['contains', 'SN1', true],
  ['contains', 'SN2', false],
  ['exact', 'SN1', false],
  ['exact', 'CP-SN1', true],
  ['off', 'SN2', true],
  ['exact', undefined, true],
] as const)('CERT-C13: %s with the serial number %s: %s', (subjectCheck, serialNumber, ok) => {
  expect(check([pem], { subjectCheck, serialNumber })).toMatchObject({ ok })
})

it('CERT-C14: a weak key is refused', async () => {
  const weak = await testKeys('RSA', 1024)
  const shown = await testCertificate(authority, weak, { commonName: 'CP-SN1' })
  expect(check([shown])).toEqual({ ok: false, reason: 'the RSA key has 1024 bits and needs 2048' })
})

it('CERT-C15: an expired one is refused, unless its charge point may use it to get a new one', () => {
  const now = Date.now() + 400 * DAY
  expect(check([pem], { now })).toEqual({ ok: false, reason: 'it has expired', isExpired: true })
  expect(check([pem], { now, acceptExpired: true })).toMatchObject({ ok: true, certificate: { isExpired: true } })
  expect(check([pem], { now: Date.now() - DAY })).toMatchObject({ ok: false })
})

it('CERT-C9: is put in order, the leaf first, and fits its key', async () => {
  const csr = await testCsr(keys, 'SN1')
  const reading = readSignedChain(`${authority.certificate}\n${pem}`, csr, { now: Date.now() })
  expect(reading.ok && reading.signed.chain.indexOf(pem.trim())).toBe(0)
  expect(readSignedChain(pem, await testCsr(await testKeys(), 'SN1'), { now: Date.now() })).toMatchObject({
    ok: false,
  })
  expect(readSignedChain('no', csr, { now: Date.now() })).toMatchObject({ ok: false })
  const foreign = (await testAuthority()).certificate
  expect(readSignedChain(`${pem}\n${foreign}`, csr, { now: Date.now() })).toMatchObject({ ok: false })
})

it.each([
  ['CA:true alone', [constraints(true)], 'of an authority'],
  ['CA:true with the key usage of a leaf', [constraints(true), usage('digitalSignature')], 'of an authority'],
  ['a key usage that signs certificates', [usage('keyCertSign')], 'of an authority'],
  ['a use that is no login', [constraints(false), serversOnly], 'not one for clients'],
] as const)('CERT-C9: %s is refused, whoever signed it, and is no login', async (_, extensions, reason) => {
  const odd = await testOddCertificate(authority, keys, { commonName: 'CP-SN1', extensions })
  const reading = readSignedChain(odd, await testCsr(keys, 'SN1'), { now: Date.now() })
  expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
  expect(check([odd])).toMatchObject({ ok: false, reason: expect.stringContaining(reason) })
})

it('CERT-C9: an authority of the key of the request is refused as the issuer of its certificate as well', async () => {
  const extensions = [constraints(true), usage('keyCertSign')]
  const between = await testOddCertificate(authority, keys, { commonName: 'Between', extensions })
  const { signingKey, algorithm } = { signingKey: keys.keys.privateKey, algorithm: authority.algorithm }
  const issuer = { certificate: between, signingKey, algorithm }
  const leaf = await testCertificate(issuer, keys, { commonName: 'CP-SN1' })
  const reading = readSignedChain(`${leaf}\n${between}`, await testCsr(keys, 'SN1'), { now: Date.now() })
  expect(reading).toMatchObject({ ok: false, reason: expect.stringContaining('several certificates') })
})

it('CERT-C9: for a vehicle it may be one for servers', async () => {
  const odd = await testOddCertificate(authority, keys, { commonName: 'CP-SN1', extensions: [serversOnly] })
  const use = { now: Date.now(), type: 'V2GCertificate' } as const
  expect(readSignedChain(odd, await testCsr(keys, 'SN1'), use)).toMatchObject({ ok: true })
})

it('CERT-C9: an expired root and a private key are refused by their names', async () => {
  const old = await testAuthority('EC', 'Old CA', Date.now() - 21 * 365 * DAY)
  const within = { notBefore: Date.now() - DAY, notAfter: Date.now() + DAY }
  const leaf = await testOddCertificate(old, keys, { commonName: 'CP-SN1', extensions: [], ...within })
  const csr = await testCsr(keys, 'SN1')
  const expired = readSignedChain(`${leaf}\n${old.certificate}`, csr, { now: Date.now() })
  expect(expired).toMatchObject({ ok: false, reason: expect.stringContaining('has expired: ') })
  const withKey = readSignedChain(`${pem}\n${keys.privateKey}`, csr, { now: Date.now() })
  expect(withKey).toMatchObject({ ok: false, reason: expect.stringContaining('private key') })
  const early = { notBefore: Date.now() + DAY, notAfter: Date.now() + 2 * DAY }
  const later = await testOddCertificate(authority, keys, { commonName: 'CP-SN1', extensions: [], ...early })
  expect(readSignedChain(later, csr, { now: Date.now() })).toMatchObject({
    ok: false,
    reason: 'the certificate is not valid yet',
  })
})

it('CERT-C10: the root is left out where the charge point takes no more', async () => {
  const csr = await testCsr(keys, 'SN1')
  const both = `${pem}\n${authority.certificate}`
  const reading = readSignedChain(both, csr, { now: Date.now(), longest: pem.length + 10 })
  expect(reading).toMatchObject({ ok: true, signed: { chain: `${pem.trim()}\n` } })
  expect(readSignedChain(both, csr, { now: Date.now(), longest: 100 })).toMatchObject({ ok: false })
})
