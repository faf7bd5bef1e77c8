import { expect, it } from 'vitest'
import { happenedAt } from './draft.ts'

const HOUR = 3_600_000
const NOW = Date.UTC(2026, 7, 1, 10)
const said = (occurredAt: number) => ({ occurredAt, receivedAt: NOW, original: 'said' })

it.each([
  ['now', said(NOW - 50), 0, NOW - 50],
  ['an hour ago', said(NOW - HOUR), 0, NOW - HOUR],
  ['now, by a clock that is an hour behind', said(NOW - HOUR), -HOUR, NOW],
  ['now, by a clock that was ahead until a moment ago', said(NOW), HOUR, NOW],
  ['now, by a clock that was behind until a moment ago', said(NOW), -HOUR, NOW],
  ['tomorrow, by a clock that nobody knows', said(NOW + 20 * HOUR), 0, NOW],
  ['no time', { occurredAt: NOW, receivedAt: NOW }, HOUR, NOW],
  ['a time that was replaced', { ...said(NOW), repaired: true as const }, HOUR, NOW],
])('SESSION-T1: what a station dates %s', (_, at, clockAheadMs, expected) => {
  expect(happenedAt(at, { clockAheadMs })).toBe(expected)
})
