import { expect, it } from 'vitest'
import { refill, secondsUntil } from './token-bucket.ts'

it('API-E2: a bucket starts full, refills evenly and never overflows', () => {
  expect(refill(undefined, 300, 0)).toEqual({ level: 300, at: 0 })
  expect(refill({ level: 0, at: 0 }, 300, 1000).level).toBe(5)
  expect(refill({ level: 299, at: 0 }, 300, 60_000).level).toBe(300)
  expect(refill({ level: 3, at: 5000 }, 300, 1000).level).toBe(3)
  expect(secondsUntil({ level: 0, at: 0 }, 1, 300)).toBe(1)
  expect(secondsUntil({ level: 0, at: 0 }, 10, 60)).toBe(10)
  expect(secondsUntil({ level: 20, at: 0 }, 10, 60)).toBe(0)
})
