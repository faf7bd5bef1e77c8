import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { logIdAt } from './log-id.ts'
import { freezeWindow, readBounds } from './search.ts'

const day = Date.UTC(2026, 7, 1)

it('SEARCH-Q3: from is inclusive, to exclusive, both in milliseconds', () => {
  expect(readBounds('2026-08-01T00:00:00Z', '2026-08-01T00:00:01Z')).toEqual({
    ok: true,
    value: { fromMs: day, toMs: day + 1000 },
  })
  expect(readBounds('2026-08-01T00:00:00.0001Z', undefined)).toEqual({ ok: true, value: { fromMs: day + 1 } })
})

it.each([
  ['2026-08-01T00:00:00Z', '2026-08-01T00:00:00Z', '/to', 'invalid_window'],
  ['2026-08-01T00:00:01Z', '2026-08-01T00:00:00Z', '/to', 'invalid_window'],
  ['2026-08-01T00:00:00Z', '2026-08-01T01:00:00+01:00', '/to', 'invalid_window'],
  ['2026-08-01', undefined, '/from', 'invalid_time'],
  ['2026-08-01T00:00:00Z', 'tomorrow', '/to', 'invalid_time'],
])('SEARCH-Q3: from %s to %s is refused at %s', (from, to, pointer, code) => {
  expect(readBounds(from, to)).toMatchObject({ ok: false, faults: [{ pointer, code }] })
})

it('SEARCH-Q3: the end is the newest row that exists, or the sent end when that is earlier', () => {
  const greatest = logIdAt(day) + 7
  expect(freezeWindow({ fromMs: day - 5 }, greatest)).toEqual({ fromId: logIdAt(day - 5), toId: greatest + 1 })
  expect(freezeWindow({ fromMs: 0, toMs: day - 1 }, greatest)).toEqual({ fromId: 0, toId: logIdAt(day - 1) })
  expect(freezeWindow({ fromMs: day, toMs: day + 9e9 }, greatest).toId).toBe(greatest + 1)
})

it('SEARCH-Q3: a window in the future holds nothing, and a frozen one never grows', () => {
  forAll(fc.nat(), fc.nat(), fc.nat(), (greatest, later, from) => {
    const frozen = freezeWindow({ fromMs: from }, greatest)
    expect(frozen.toId).toBeLessThanOrEqual(greatest + later + 1)
    expect(freezeWindow({ fromMs: day + 1e12 }, greatest).fromId).toBeGreaterThan(greatest)
  })
})
