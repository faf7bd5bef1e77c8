import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { fixedText, isoTime } from './iso-time.ts'

it('isoTime writes RFC 3339 in UTC with milliseconds, whatever time it wrote before', () => {
  const anyTime = fc.date({ noInvalidDate: true }).map((date) => date.getTime())
  forAll(fc.array(anyTime, { maxLength: 20 }), (times) => {
    for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString())
  })
})

it.each([undefined, 1.9, -0.1, -2.475e-321, 86_399_999.99])('isoTime writes %s as Date does', (time) => {
  expect(isoTime(time)).toBe(time === undefined ? undefined : new Date(time).toISOString())
})

it('isoTime throws for what is no time', () => {
  expect(() => isoTime(Number.NaN)).toThrow(RangeError)
})

it('writes digits into a text of fixed width, from its start or its end, and leaves the rest', () => {
  const text = fixedText('0000-00-ffffffff')
  text.decimal(0, 42, 4)
  text.decimal(-11, 7, 2)
  text.hex(8, 0xfedc_ba98, 8)
  expect(text.toString()).toBe('0042-07-fedcba98')
  text.hex(0, 0, 4)
  expect(text.toString()).toBe('0000-07-fedcba98')
})
