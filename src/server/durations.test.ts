import { expect, it } from 'vitest'
import { countDurations } from './durations.ts'

// SERVER-D1: durations in buckets
it('each is counted once, in the first bucket that is not below it', () => {
  const { observe, read } = countDurations()
  for (const seconds of [0.0005, 0.0006, 5, 6, 60]) observe(seconds)
  const { bounds, counts, sum } = read()
  expect(counts).toHaveLength(bounds.length + 1)
  expect([counts[0], counts[1], counts.at(-2), counts.at(-1)]).toEqual([1, 1, 1, 2])
  expect(sum).toBeCloseTo(71.0011)
})
