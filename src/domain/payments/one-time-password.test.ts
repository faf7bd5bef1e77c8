import { expect, it } from 'vitest'
import { isPasswordAt, passwordOf } from './one-time-password.ts'

it.each([
  ['MySharedSecret', 59_000_000, 8, '5AViTp52'],
  ['MySharedSecret', 59_000_000, 1, '5'],
  ['MySharedSecret', 59_000_000, 0, ''],
])('OCPP21-C6: the one-time password of %s in interval %i, %i long', (secret, interval, length, expected) => {
  expect(passwordOf({ secret, length }, interval)).toBe(expected)
})

it('OCPP21-C6: one that is longer than its hash goes on at the begin of the hash', () => {
  const long = passwordOf({ secret: 'MySharedSecret', length: 40 }, 59_000_000)
  expect(long).toHaveLength(40)
  expect(long.slice(32)).toBe(long.slice(0, 8))
})

const PARAMETERS = { secret: 'Schlüssel', length: 10, validitySeconds: 60 }
const NOW = Date.UTC(2026, 7, 1, 10, 0, 59)

it.each([
  ['yesterday', -24 * 3600, false],
  ['two intervals ago', -120, false],
  ['the interval before', -60, true],
  ['now', 0, true],
  ['the interval after', 60, true],
  ['two intervals ahead', 120, false],
])('OCPP21-C6: a code of %s', (_, seconds, expected) => {
  const password = passwordOf(PARAMETERS, Math.floor((NOW / 1000 + seconds) / 60))
  expect(isPasswordAt(PARAMETERS, password, NOW)).toBe(expected)
})

it('OCPP21-C6: a code in other letters, of another secret or length', () => {
  const password = passwordOf(PARAMETERS, Math.floor(NOW / 60_000))
  expect(isPasswordAt(PARAMETERS, password.toLowerCase(), NOW)).toBe(false)
  expect(isPasswordAt({ ...PARAMETERS, secret: 'another' }, password, NOW)).toBe(false)
  expect(isPasswordAt({ ...PARAMETERS, length: 9 }, password, NOW)).toBe(false)
  expect(isPasswordAt(PARAMETERS, '', NOW)).toBe(false)
})
