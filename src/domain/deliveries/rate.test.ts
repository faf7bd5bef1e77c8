import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { allowance, putBack, type RateSpent, spend } from './lanes.ts'

it('HOOK-S6: never more than allowed in any 60 seconds, whenever attempts want to begin', () => {
  forAll(
    fc.integer({ min: 1, max: 20 }),
    fc.integer({ min: 0, max: 4999 }),
    fc.array(fc.tuple(fc.nat(30_000), fc.nat(30)), { maxLength: 60 }),
    (rate, start, wishes) => {
      const begun: number[] = []
      let spent: RateSpent = []
      let now = start
      for (const [pause, desired] of wishes) {
        now += pause
        for (let count = Math.min(desired, allowance(rate, spent, now)); count > 0; count--) {
          spent = spend(spent, now)
          begun.push(now)
        }
        expect(spent.length).toBeLessThanOrEqual(13)
      }
      for (const at of begun)
        expect(begun.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(rate)
    },
  )
})

it('HOOK-S6: a clock that was set back does not stop deliveries for as long as it was wrong', () => {
  expect(allowance(1, spend([], 3_600_000), 0)).toBe(1)
})

it.each([1, 4999, 5000, 7300, 3_600_000])('HOOK-F7, HOOK-S6: nor if the clock is put back by %i ms', (backMs) => {
  const rate = 3
  const begun: number[] = []
  let spent: RateSpent = []
  for (let elapsed = 0; elapsed < 400_000; elapsed += 1300) {
    const now = 10_000_000 + elapsed - (elapsed > 130_000 ? backMs : 0)
    if (elapsed > 130_000 && elapsed - 1300 <= 130_000) spent = putBack(spent, backMs, now)
    if (allowance(rate, spent, now) === 0) continue
    spent = spend(spent, now)
    begun.push(elapsed)
  }
  expect(begun.length).toBeGreaterThan(15)
  for (const at of begun)
    expect(begun.filter((other) => other >= at && other < at + 60_000).length).toBeLessThanOrEqual(rate)
})

it('HOOK-S6: a rate that became smaller leaves nothing, not less than nothing', () => {
  expect(allowance(1, spend(spend([], 0), 0), 0)).toBe(0)
})
