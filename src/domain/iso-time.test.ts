import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime } from './iso-time.ts'

describe('isoTime', () => {
  it('writes RFC 3339 in UTC with milliseconds, whatever time it wrote before', () => {
    const anyTime = fc.date({ noInvalidDate: true }).map((date) => date.getTime())
    fc.assert(
      fc.property(fc.array(anyTime, { maxLength: 20 }), (times) => {
        for (const time of times) expect(isoTime(time)).toBe(new Date(time).toISOString())
      }),
    )
  })

  it.each([undefined, 1.9, -0.1, -2.475e-321, 86_399_999.99])('writes %s as Date does', (time) => {
    expect(isoTime(time)).toBe(time === undefined ? undefined : new Date(time).toISOString())
  })

  it('throws for what is no time', () => {
    expect(() => isoTime(Number.NaN)).toThrow(RangeError)
  })
})
