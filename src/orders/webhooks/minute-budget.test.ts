import { expect, it } from 'vitest'
import { minuteBudget } from './minute-budget.ts'

it('a clock that was hours ahead and is put right stops nobody until it has caught up', () => {
  let now = 36_000_000
  const spend = minuteBudget(() => now, 2, 'Too many.')
  const refused = { status: 429, code: 'rate_limited', detail: 'Too many.', retryAfterSeconds: 30 }
  expect([spend('one'), spend('one')]).toEqual([undefined, undefined])
  expect(spend('one')).toMatchObject(refused)
  now = 0
  expect(spend('one')).toMatchObject(refused)
  now = 30_000
  expect(spend('one')).toBeUndefined()
})
