import { expect, it } from 'vitest'
import { sentTime } from './payload.ts'

it.each([
  [0, '1970-01-01T00:00:00.000Z'],
  [Date.parse('0000-01-01T00:00:00.000Z'), '0000-01-01T00:00:00.000Z'],
  [Date.parse('9999-12-31T23:59:59.999Z'), '9999-12-31T23:59:59.999Z'],
  [undefined, undefined],
  [Number.NaN, undefined],
])('writes %s as %s', (ms, text) => {
  expect(sentTime(ms)).toBe(text)
})

it('OCPP-RP13: an expiry before the year 0 or after 9999 left with a sign and six digits, which no schema takes', () => {
  expect(sentTime(Date.parse('0000-01-01T00:00:00+00:01'))).toBeUndefined()
  expect(sentTime(253_402_300_800_000)).toBeUndefined()
})
