import { expect, it } from 'vitest'
import { limitsInMemory } from '../../limits/limits.ts'
import { minuteBudget } from './subscribing.ts'

it('a clock that was hours ahead and is put right stops nobody until it has caught up', async () => {
  let now = 36_000_000
  const spend = minuteBudget(
    limitsInMemory(() => now),
    'test',
    2,
    'Too many.',
  )
  const refused = { status: 429, code: 'rate_limited', detail: 'Too many.', retryAfterSeconds: 30 }
  expect([await spend('one'), await spend('one')]).toEqual([undefined, undefined])
  expect(await spend('one')).toMatchObject(refused)
  now = 0
  expect(await spend('one')).toMatchObject(refused)
  now = 30_000
  expect(await spend('one')).toBeUndefined()
})
