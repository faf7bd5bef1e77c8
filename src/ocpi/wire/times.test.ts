import { expect, test } from 'vitest'
import { parseOcpiTime } from './times.ts'

test.each<[string, number | undefined]>([
  ['2026-02-28T00:00:00Z', Date.UTC(2026, 1, 28)],
  ['2026-02-28T00:00:00', Date.UTC(2026, 1, 28)],
  ['2026-02-30T00:00:00Z', undefined],
  ['2026-02-28T24:00:00Z', undefined],
  ['2026-02-28T00:00:00+00:00', undefined],
  ['yesterday', undefined],
])('OCPI-A7: a day that is not in the calendar was read as one of the next month: %s', (text, time) => {
  expect(parseOcpiTime(text)).toBe(time)
})
