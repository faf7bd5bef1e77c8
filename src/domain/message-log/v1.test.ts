import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { readV1Window, unsupportedInV1 } from './v1.ts'

const now = Date.UTC(2026, 8, 1)
const t = '2026-08-01T00:00:00.500Z'
const ms = Date.parse(t)

it.each([
  [{}, { fromMs: now - 90 * 24 * 3600_000 }],
  [{ from: t }, { fromMs: ms }],
  [{ to: t }, { fromMs: 0, toMs: ms }],
  [
    { from: '2026-07-01T00:00:00Z', to: t },
    { fromMs: Date.UTC(2026, 6, 1), toMs: ms },
  ],
  [{ createdAt: { $gte: t } }, { fromMs: ms }],
  [{ createdAt: { $gt: t } }, { fromMs: ms + 1 }],
  [{ createdAt: { $lte: t } }, { fromMs: 0, toMs: ms + 1 }],
  [{ createdAt: { $lt: t } }, { fromMs: 0, toMs: ms }],
  [{ createdAt: { $lte: '2026-08-01T00:00:00.5009Z' } }, { fromMs: 0, toMs: ms + 1 }],
  [{ createdAt: { $gt: '2026-08-01T00:00:00.5009Z' } }, { fromMs: ms + 1 }],
  [{ createdAt: { $gte: '2026-08-01T00:00:00.5001Z' } }, { fromMs: ms + 1 }],
  [{ createdAt: { $lt: '2026-08-01T00:00:00.5001Z' } }, { fromMs: 0, toMs: ms + 1 }],
  [{ createdAt: { $gte: '2026-07-01T00:00:00Z', $gt: t, $lt: t, $lte: t } }, { fromMs: ms + 1, toMs: ms }],
])('SEARCH-V1: %j is the window %j', (dates, window) => {
  expect(readV1Window(dates, now)).toEqual({ ok: true, value: window })
})

it.each([
  [{ createdAt: { $gte: t }, from: t }, '/createdAt', 'conflicting_dates'],
  [{ createdAt: { $gte: t }, to: t }, '/createdAt', 'conflicting_dates'],
  [{ createdAt: {} }, '/createdAt', 'invalid_filter'],
  [{ createdAt: t }, '/createdAt', 'invalid_filter'],
  [{ createdAt: null }, '/createdAt', 'invalid_filter'],
  [{ createdAt: [t] }, '/createdAt', 'invalid_filter'],
  [{ createdAt: { $eq: t } }, '/createdAt/$eq', 'unknown_operator'],
  [{ createdAt: JSON.parse('{"__proto__":"x"}') }, '/createdAt/__proto__', 'unknown_operator'],
  [{ createdAt: { $gte: 5 } }, '/createdAt/$gte', 'invalid_time'],
  [{ createdAt: { $gte: '2026-08-01' } }, '/createdAt/$gte', 'invalid_time'],
  [{ from: t, to: t }, '/to', 'invalid_window'],
  [{ to: 'x' }, '/to', 'invalid_time'],
])('SEARCH-V1: %j is refused at %s', (dates, pointer, code) => {
  expect(readV1Window(dates, now)).toMatchObject({ ok: false, faults: [{ pointer, code }] })
})

it('SEARCH-V4: format, ids, status and sort are named one by one, with the way to v2', () => {
  expect(unsupportedInV1({ format: 'csv', ids: [], status: 'x', sort: {}, limit: 1 })).toEqual(
    ['format', 'ids', 'status', 'sort'].map((member) => ({
      pointer: `/${member}`,
      code: 'v1_unsupported',
      message: expect.stringContaining('POST /2/evse-controllers/{id}/commands/search'),
    })),
  )
  expect(unsupportedInV1({ limit: 1 })).toEqual([])
})

it('SEARCH-V1: the operators select the rows that they name, whatever the fraction', () => {
  const names = ['$gte', '$gt', '$lte', '$lt'] as const
  forAll(fc.constantFrom(...names), fc.nat(9999), fc.integer({ min: -3, max: 3 }), (operator, fraction, offset) => {
    const row = ms - (ms % 1000) + Math.floor(fraction / 10) + offset
    const bound = ms - (ms % 1000) + fraction / 10
    const text = `2026-08-01T00:00:00.${String(fraction).padStart(4, '0')}Z`
    const window = readV1Window({ createdAt: { [operator]: text } }, now)
    if (!window.ok) throw new Error(text)
    const { fromMs, toMs = Number.POSITIVE_INFINITY } = window.value
    const desired = { $gte: row >= bound, $gt: row > bound, $lte: row <= bound, $lt: row < bound }[operator]
    expect(row >= fromMs && row < toMs).toBe(desired)
  })
})
