import { expect, it } from 'vitest'
import { minuteBudget } from './minute-budget.ts'

it('a clock that was hours ahead and is put right stops nobody until it has caught up', () => {
  let now = 36_000_000
  const spend = minuteBudget(() => now, 2, 'Too many.')
  spend('one')
  spend('one')
  expect(() => spend('one')).toThrow('Too many.')
  now = 0
  expect(() => spend('one')).toThrow('Too many.')
  now = 30_000
  spend('one')
})
