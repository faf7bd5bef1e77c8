import { randomBytes } from 'node:crypto'
import { Secret, TOTP, URI } from 'otpauth'
import { expect, it } from 'vitest'
import { authenticatorAddress, newRecoveryCodes, newSharedSecret, recoveryHash, stepOf } from './second-factor.ts'

/** The secret of the table in RFC 6238. */
const SECRET = Secret.fromLatin1('12345678901234567890').base32
const codeAt = (step: number): string => new TOTP({ secret: SECRET }).generate({ timestamp: step * 30_000 })

it.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('ADMIN-F1: RFC 6238 appendix B: at second %i the code is %s', (second, code) => {
  expect(stepOf(SECRET, code, second * 1000)).toBe(Math.floor(second / 30))
})

it('ADMIN-F1: one step before and one after count, two do not; blanks are nothing', () => {
  const now = 1_111_111_111_000
  const step = Math.floor(now / 30_000)
  for (const off of [-1, 0, 1]) expect(stepOf(SECRET, codeAt(step + off), now)).toBe(step + off)
  for (const off of [-2, 2]) expect(stepOf(SECRET, codeAt(step + off), now)).toBeUndefined()
  expect(stepOf(SECRET, ' 050 471 ', now)).toBe(step)
  for (const text of ['', '5047', '0504711', '٠٥٠٤٧١', '-50471', '0x50471', '50471.'])
    expect(stepOf(SECRET, text, now)).toBeUndefined()
})

it('ADMIN-F1: an authenticator reads 160 bits, SHA-1, six digits and 30 seconds', () => {
  const secret = newSharedSecret(randomBytes)
  expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  const read = URI.parse(authenticatorAddress(secret, 'ada@example.com'))
  expect(read).toMatchObject({
    issuer: 'Pilotwire',
    label: 'ada@example.com',
    algorithm: 'SHA1',
    digits: 6,
    period: 30,
    secret: { base32: secret },
  })
})

it('ADMIN-F1: ten recovery codes, known again however they are typed', () => {
  const codes = newRecoveryCodes(randomBytes)
  expect(new Set(codes).size).toBe(10)
  for (const code of codes) {
    expect(code).toMatch(/^[a-z2-7]{4}(-[a-z2-7]{4}){3}$/)
    expect(recoveryHash(` ${code.toUpperCase().replaceAll('-', ' ')} `)).toBe(recoveryHash(code))
  }
})
