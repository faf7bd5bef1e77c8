import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { checkCredential, createCredential, parseCredential } from './credentials.ts'

const now = Date.UTC(2026, 7, 1)
const make = (expiresAt?: number) =>
  createCredential(randomBytes, { accountId: 'a1', name: 'billing', createdAt: now, expiresAt })

it('OIDC-U7: the text is pwk_<id>_<secret><checksum>, its id has no underscore and only its hash is in the row', () => {
  const { text, credential } = make()
  expect(text).toMatch(/^pwk_[0-9a-z]{16}_[A-Za-z0-9_-]{43}[0-9A-Za-z]{6}$/)
  expect(parseCredential(text)).toEqual({ id: credential.id })
  expect(JSON.stringify(credential)).not.toContain(text.slice(21))
  expect(credential.secretHash).toMatch(/^[0-9a-f]{64}$/)
})

it('OIDC-U7: a changed character is noticed by the checksum, before any look-up', () => {
  const { text } = make()
  forAll(fc.integer({ min: 4, max: text.length - 1 }), fc.constantFrom(...'abcXYZ019_-'), (at, letter) => {
    fc.pre(text[at] !== letter)
    expect(parseCredential(text.slice(0, at) + letter + text.slice(at + 1))).toBeUndefined()
  })
})

it('OIDC-U7: what is no credential is refused without a fault', () => {
  forAll(fc.string(), (text) => parseCredential(text) === undefined)
  for (const text of ['', 'pwk_', 'pwk__', `pwk_${'a'.repeat(100_000)}`, 'pwa_x', '__proto__']) {
    expect(parseCredential(text)).toBeUndefined()
  }
})

it('OIDC-U7: valid, wrong, expired and revoked are told apart only with the right secret', () => {
  const { text, credential } = make(now + 1000)
  expect(checkCredential(text, credential, now)).toBe('valid')
  expect(checkCredential(text, credential, now + 1000)).toBe('expired')
  expect(checkCredential(text, { ...credential, revokedAt: now }, now)).toBe('revoked')
  expect(checkCredential(make().text, { ...credential, revokedAt: now }, now)).toBe('wrong')
  expect(checkCredential(text, { ...credential, secretHash: 'broken' }, now)).toBe('wrong')
})
