import { expect, it } from 'vitest'
import { isDue, isRecent } from './due.ts'

const NOW = 1_000_000

it.each([
  [NOW, true],
  [NOW - 9, true],
  [NOW - 10, false],
  [NOW + 1, false],
  [Number.NEGATIVE_INFINITY, false],
])('%i is within the last ten milliseconds: %s', (at, expected) => {
  expect(isRecent(at, NOW, 10)).toBe(expected)
})

it.each([
  [NOW - 1, true],
  [NOW, true],
  [NOW + 1, false],
  [NOW + 10, false],
  [NOW + 11, true],
])('what waits for ten milliseconds at most, until %i, is due: %s', (dueAt, expected) => {
  expect(isDue(dueAt, NOW, 10)).toBe(expected)
})
