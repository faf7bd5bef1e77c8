import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { valueTicks } from './chart.tsx'

describe('the scale of a chart', () => {
  it.each([
    [0, [0, 0.5]],
    [11, [0, 5, 10, 15]],
    [7.276, [0, 2, 4, 6, 8]],
    [0.04, [0, 0.01, 0.02, 0.03, 0.04]],
    [350, [0, 100, 200, 300, 400]],
  ])('of %d', (most, ticks) => expect(valueTicks(most)).toEqual(ticks))

  it('reaches over every value with few steps', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (most) => {
        const ticks = valueTicks(most)
        expect(ticks.length).toBeLessThanOrEqual(6)
        expect(ticks.length).toBeGreaterThanOrEqual(2)
        expect(ticks.at(-1)).toBeGreaterThanOrEqual(most * (1 - 1e-5))
      }),
    )
  })
})
