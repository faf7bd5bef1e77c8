import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { httpDate } from './outcome.ts'

const NOW = Date.UTC(2026, 7, 1, 12)
const at = (...parts: [number, number, number, number?, number?, number?]): number => Date.UTC(...parts)

const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'] as const
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const

function written(instant: number) {
  const date = new Date(instant)
  const day = DAYS[date.getUTCDay()] ?? ''
  const month = MONTHS[date.getUTCMonth()] ?? ''
  const two = String(date.getUTCDate()).padStart(2, '0')
  const time = date.toISOString().slice(11, 19)
  const year = String(date.getUTCFullYear())
  return {
    imf: date.toUTCString(),
    rfc850: `${day}, ${two}-${month}-${year.slice(2)} ${time} GMT`,
    asctime: `${day.slice(0, 3)} ${month} ${two.replace(/^0/, ' ')} ${time} ${year}`,
  }
}

it.each([
  ['Sun, 06 Nov 1994 08:49:37 GMT', at(1994, 10, 6, 8, 49, 37)],
  ['Sunday, 06-Nov-94 08:49:37 GMT', at(1994, 10, 6, 8, 49, 37)],
  ['Sun Nov  6 08:49:37 1994', at(1994, 10, 6, 8, 49, 37)],
  ['Wed Nov 16 08:49:37 1994', at(1994, 10, 16, 8, 49, 37)],
  ['Saturday, 01-Aug-26 12:01:00 GMT', at(2026, 7, 1, 12, 1)],
  ['Thu, 29 Feb 2024 00:00:00 GMT', at(2024, 1, 29)],
  ['Thursday, 29-Feb-24 00:00:00 GMT', at(2024, 1, 29)],
])('HOOK-R8: %j is read', (text, instant) => {
  expect(httpDate(text)).toBe(instant)
})

it.each([
  '',
  'soon',
  '0',
  '2026-08-01T12:01:00Z',
  'Sat, 1 Aug 2026 12:01:00 GMT',
  'Sat, 01 Aug 2026 12:01:00 UTC',
  'Sat, 01 Aug 2026 12:01:00 +0000',
  'Sat, 01 Aug 2026 12:01:00',
  'Sat, 01 Aug 26 12:01:00 GMT',
  'Sat 01 Aug 2026 12:01:00 GMT',
  'sat, 01 aug 2026 12:01:00 gmt',
  'Xyz, 01 Aug 2026 12:01:00 GMT',
  'Sat, 01 Xyz 2026 12:01:00 GMT',
  'Sat, 00 Aug 2026 12:01:00 GMT',
  'Sat, 32 Aug 2026 12:01:00 GMT',
  'Sat, 01 Aug 2026 24:00:00 GMT',
  'Sat, 01 Aug 2026 12:60:00 GMT',
  'Sat, 01 Aug 2026 12:01:61 GMT',
  'Sat, 01 Aug 2026  12:01:00 GMT',
  'Sat, 01 Aug 2026 12:01:00 GMT, 30',
  'Sat, 01-Aug-26 12:01:00 GMT',
  'Saturday, 01-Aug-2026 12:01:00 GMT',
  'Saturday, 1-Aug-26 12:01:00 GMT',
  'Saturday, 01 Aug 26 12:01:00 GMT',
  'Sat Aug 1 12:01:00 2026',
  'Sat Aug 01 12:01:00 2026 GMT',
  'Sat Aug  0 12:01:00 2026',
  'Saturday Aug  1 12:01:00 2026',
])('HOOK-R8: %j is no date', (text) => {
  expect(httpDate(text)).toBeUndefined()
})

it('HOOK-R8: any instant of the coming years is read alike in all three forms', () => {
  forAll(fc.integer({ min: 0, max: 23 * 365 * 86_400 }), (seconds) => {
    const instant = NOW + seconds * 1000
    const { imf, rfc850, asctime } = written(instant)
    expect([imf, rfc850, asctime].map((text) => httpDate(text))).toEqual([instant, instant, instant])
  })
})

it('HOOK-R8: nothing makes it throw', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[A-Z][a-z]+,? [\dA-Za-z -]* \d\d:\d\d:\d\d( GMT)?$/))
  forAll(text, (one) => {
    const instant = httpDate(one)
    expect(instant === undefined || Number.isSafeInteger(instant)).toBe(true)
  })
})
