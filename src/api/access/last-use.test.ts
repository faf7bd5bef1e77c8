import { expect, it } from 'vitest'
import { createLastUse } from './authenticate.ts'

it('once a minute, counted from what is written already', () => {
  let now = 100_000
  const isDue = createLastUse(() => now)
  expect(isDue('new', undefined)).toBe(true)
  expect(isDue('known', 50_000)).toBe(false)
  now = 110_000
  expect(isDue('new', undefined)).toBe(false)
  expect(isDue('known', 50_000)).toBe(true)
  now = 160_000
  expect(isDue('new', undefined)).toBe(true)
})

it('also after a clock that was hours ahead was put right, and then once a minute again', () => {
  let now = 5 * 3_600_000
  const isDue = createLastUse(() => now)
  expect(isDue('one', undefined)).toBe(true)
  now = 1000
  expect(isDue('one', 5 * 3_600_000)).toBe(true)
  expect(isDue('one', 5 * 3_600_000)).toBe(false)
})

it('what is used by more than can be remembered is forgotten, the longest unused first', () => {
  const isDue = createLastUse(() => 0)
  for (let id = 0; id <= 10_000; id++) expect(isDue(String(id), undefined)).toBe(true)
  expect(isDue('10000', undefined)).toBe(false)
  expect(isDue('0', undefined)).toBe(true)
})
