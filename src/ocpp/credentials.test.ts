import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { fitsPasswordRule, generatePassword, hashPassword, matchPassword, readBasicPassword } from './credentials.ts'

const key = Buffer.alloc(32, 7)
const salt = Buffer.alloc(16, 9)
const basic = (text: string | Buffer): string => `Basic ${Buffer.from(text as string).toString('base64')}`

it.each([
  ['no header', undefined],
  ['an empty header', ''],
  ['another scheme', 'Bearer abc'],
  ['not base64', 'Basic !!!!'],
  ['nothing behind the scheme', 'Basic '],
  ['no colon', basic('CP1')],
  ['another user', basic('CP2:0123456789123456')],
  ['the user in another case', basic('cp1:0123456789123456')],
  ['an empty password', basic('CP1:')],
  ['an empty user', basic(':0123456789123456')],
])('OCPP-AU1: %s gives no password', (_, header) => {
  expect(readBasicPassword(header, 'CP1')).toBeUndefined()
})

it.each([
  ['CP1', 'pass:word', basic('CP1:pass:word')],
  ['a:b', 'secret', basic('a:b:secret')],
  ['Säule', 'schlüssel', basic('Säule:schlüssel')],
  ['CP1', 'secret', basic('CP1:secret').replace('Basic', 'bAsIc')],
  ['CP1', 'secret1', basic('CP1:secret1').replaceAll('=', '')],
])('OCPP-AU3: the header of %s is split behind the known identity: %s', (identity, password, header) => {
  expect(readBasicPassword(header, identity)?.toString()).toBe(password)
})

it('OCPP-AU3: bytes that are no UTF-8 survive', () => {
  const password = Buffer.from([0xff, 0xfe, 0x00, 0x3a, 0x80])
  expect(readBasicPassword(basic(Buffer.concat([Buffer.from('CP1:'), password])), 'CP1')).toEqual(password)
})

it('never throws', () => {
  forAll(fc.string(), fc.string(), (header, id) => readBasicPassword(`Basic ${header}`, id) !== null)
})

function fits(presented: Uint8Array, hashes: string, secretKey: Uint8Array): boolean {
  return matchPassword(presented, hashes, secretKey) !== undefined
}

it('OCPP-AU2: the hash is salted and keyed', () => {
  const hash = hashPassword('0123456789123456', key, salt)
  expect(hash).toMatch(/^v1\$[\w-]{22}\$[\w-]{43}$/)
  expect(hashPassword('0123456789123456', key, Buffer.alloc(16, 1))).not.toBe(hash)
  expect(fits(Buffer.from('0123456789123456'), hash, key)).toBe(true)
  expect(fits(Buffer.from('0123456789123457'), hash, key)).toBe(false)
  expect(fits(Buffer.from('0123456789123456'), hash, Buffer.alloc(32, 8))).toBe(false)
})

it('OCPP-AU3: a hexadecimal key is accepted as text in any case and as bytes', () => {
  const bytes = Buffer.from('00ff80C3280123456789abcdefABCDEF01234567', 'hex')
  const hash = hashPassword(bytes.toString('hex').toUpperCase(), key, salt)
  expect(fits(bytes, hash, key)).toBe(true)
  expect(fits(Buffer.from(bytes.toString('hex')), hash, key)).toBe(true)
  expect(fits(Buffer.from(bytes.toString('hex').toUpperCase()), hash, key)).toBe(true)
  expect(fits(bytes.subarray(0, 19), hash, key)).toBe(false)
})

it('OCPP-AU3: other passwords keep their case', () => {
  const hash = hashPassword('Correct-Horse-Battery', key, salt)
  expect(fits(Buffer.from('correct-horse-battery'), hash, key)).toBe(false)
})

it('OCPP-AU6: while a change is in doubt either password fits, and the hash that fitted is known', () => {
  const old = hashPassword('old-password-0001', key, salt)
  const fresh = hashPassword('new-password-0001', key, randomBytes(16))
  const both = `${fresh} ${old}`
  expect(matchPassword(Buffer.from('old-password-0001'), both, key)).toBe(old)
  expect(matchPassword(Buffer.from('new-password-0001'), both, key)).toBe(fresh)
  expect(matchPassword(Buffer.from('another-password'), both, key)).toBeUndefined()
})

it.each(['', ' ', 'v1', 'v1$$', 'v2$AAAA$AAAA', '$', 'v1$!!$!!'])('an unreadable hash (%s) fits nothing', (hash) => {
  expect(fits(Buffer.from(''), hash, key)).toBe(false)
  expect(fits(Buffer.from('0123456789123456'), hash, key)).toBe(false)
})

it('whatever was hashed is verified, whatever differs is not', () => {
  forAll(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (password, other) => {
    const hash = hashPassword(password, key, salt)
    expect(fits(Buffer.from(password), hash, key)).toBe(true)
    expect(fits(Buffer.from(other), hash, key)).toBe(Buffer.from(other).equals(Buffer.from(password)))
  })
})

it.each([
  ['0123456789123456', true],
  ['x'.repeat(40), true],
  ['x'.repeat(15), false],
  ['x'.repeat(41), false],
  ['ü'.repeat(16), true],
  ['0123456789\n123456', false],
])('OCPP-AU2: %j is allowed: %s', (password, allowed) => {
  expect(fitsPasswordRule(password)).toBe(allowed)
})

it('OCPP-AU2: generated passwords fit both versions', () => {
  const password = generatePassword(randomBytes)
  expect(password).toMatch(/^[0-9a-f]{40}$/)
  expect(fitsPasswordRule(password)).toBe(true)
  expect(generatePassword(randomBytes)).not.toBe(password)
})
