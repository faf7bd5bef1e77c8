import { describe, expect, it } from 'vitest'
import { compareWalk, isExact } from './exactness.ts'

const EXACT = { missing: 0, duplicates: 0, unexpected: 0, outOfOrder: 0 }

describe('the comparison of a walk', () => {
  it.each([
    ['every row once, newest first', [1, 2, 3], [3, 2, 1], EXACT],
    ['nothing of nothing', [], [], EXACT],
    ['a row that was left out', [1, 2, 3], [3, 1], { ...EXACT, missing: 1 }],
    ['a row that came twice', [1, 2, 3], [3, 2, 2, 1], { ...EXACT, duplicates: 1, outOfOrder: 1 }],
    ['a row that came later', [1, 2], [3, 2, 1], { ...EXACT, unexpected: 1 }],
    ['rows in another order', [1, 2, 3], [3, 1, 2], { ...EXACT, outOfOrder: 1 }],
  ])('SEARCH-Q8: %s', (_, expected, walked, result) => {
    expect(compareWalk(expected, walked)).toEqual(result)
    expect(isExact(compareWalk(expected, walked))).toBe(result === EXACT)
  })
})
