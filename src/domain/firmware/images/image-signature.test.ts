import { constants, createSign } from 'node:crypto'
import { expect, it } from 'vitest'
import { CERTIFICATES } from '../../../../test/support/sockets/tls.ts'
import { certificateFault, isSignatureOf, signatureFault } from '../images.ts'

const { rsa, first: ec } = CERTIFICATES
const content = Buffer.from('an image of some firmware')
async function* pieces(): AsyncGenerator<Uint8Array> {
  yield content.subarray(0, 7)
  yield content.subarray(7)
}
const IN_TIME = Date.parse('2027-01-01')

// FIRMWARE-I2: the signature of an image
const signed = (key: string, options: object = {}): string =>
  createSign('sha256')
    .update(content)
    .sign({ key, ...options }, 'base64')
const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 }

it.each([
  ['RSA-PSS', rsa.cert, signed(rsa.key, pss), true],
  ['PKCS #1 v1.5', rsa.cert, signed(rsa.key), true],
  ['ECDSA', ec.cert, signed(ec.key), true],
  ['of another key', ec.cert, signed(CERTIFICATES.second.key), false],
  ['of another kind of key', ec.cert, signed(rsa.key), false],
  ['of no kind', rsa.cert, 'AAAA', false],
])('%s', async (_, certificate, signature, is) => {
  expect(await isSignatureOf(pieces(), certificate, signature)).toBe(is)
})

it.each([
  [rsa.cert, IN_TIME, undefined],
  [rsa.cert, Date.parse('2020-01-01'), 'is not valid yet'],
  [rsa.cert, Date.parse('2200-01-01'), 'has expired'],
  [`${rsa.cert}\n${rsa.key}`, IN_TIME, 'holds a private key: send certificates alone, and make a new key'],
  ['hello', IN_TIME, 'must be a certificate in PEM'],
  ['x'.repeat(5501), IN_TIME, 'may have at most 5500 characters'],
])('the certificate %#', (certificate, now, fault) => {
  expect(certificateFault(certificate, now)).toBe(fault)
})

it.each([
  ['AAAA', undefined],
  ['not base64!', 'must be base64'],
  ['A'.repeat(804), 'may have at most 800 characters'],
])('the text %#', (signature, fault) => {
  expect(signatureFault(signature)).toBe(fault)
})
