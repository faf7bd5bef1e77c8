import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { parseInstant } from './search.ts'

const at = (text: string) => new Date(text).getTime()

it.each([
  ['2026-08-01T00:00:00Z', at('2026-08-01T00:00:00.000Z'), 0],
  ['2026-08-01T02:00:00+02:00', at('2026-08-01T00:00:00.000Z'), 0],
  ['2026-07-31T18:30:00-05:30', at('2026-08-01T00:00:00.000Z'), 0],
  ['2026-08-01t00:00:00.5z', at('2026-08-01T00:00:00.500Z'), 0],
  ['2026-08-01T00:00:00.123000Z', at('2026-08-01T00:00:00.123Z'), 0],
  ['2026-08-01T00:00:00.123001Z', at('2026-08-01T00:00:00.123Z'), 1],
  ['2026-08-01T00:00:00.9999Z', at('2026-08-01T00:00:00.999Z'), 1],
  ['2024-02-29T12:00:00Z', at('2024-02-29T12:00:00.000Z'), 0],
  ['0001-01-01T00:00:00Z', at('0001-01-01T00:00:00.000Z'), 0],
])('SEARCH-Q3: %s is understood, finer parts round up', (text, floorMs, up) => {
  expect(parseInstant(text)).toEqual({ floorMs, ceilMs: floorMs + up })
})

it.each([
  '2026-08-01',
  '2026-08-01T00:00:00',
  '2026-08-01 00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2025-02-29T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-08-00T00:00:00Z',
  '2026-08-01T24:00:00Z',
  '2026-08-01T23:59:60Z',
  '2026-08-01T00:00:00.Z',
  '2026-08-01T00:00:00+24:00',
  '+12026-08-01T00:00:00Z',
  '1785456000',
  ' 2026-08-01T00:00:00Z',
  '２０２６-08-01T00:00:00Z',
  '',
])('SEARCH-Q3: %j names no instant', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})

it('SEARCH-Q3: every time that JavaScript writes is read back', () => {
  forAll(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59.999Z'), noInvalidDate: true }), (date) => {
    expect(parseInstant(date.toISOString())?.floorMs).toBe(date.getTime())
  })
})

it('SEARCH-Q3: arbitrary text never throws', () => {
  forAll(fc.string(), (text) => parseInstant(text) === undefined)
})
