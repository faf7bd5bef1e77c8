import { expect, it } from 'vitest'
import { isGivenUp, judge, retryAfterMs, retryDelayMs } from './outcome.ts'

const PLAN = [5, 30, 120, 600, 1800, 3600, 10_800, 21_600, 43_200, 86_400, 86_400]
const NOW = Date.UTC(2026, 7, 1, 12)
const DAY = 86_400_000

it('HOOK-R4: 12 attempts over 70 h 42 m 35 s, each delay within 20 % of the plan, in milliseconds', () => {
  expect(PLAN.reduce((sum, seconds) => sum + seconds)).toBe(70 * 3600 + 42 * 60 + 35)
  for (const random of [() => 0, () => 0.5, () => 0.999999]) {
    PLAN.forEach((seconds, index) => {
      const delay = retryDelayMs(PLAN, index + 1, random) ?? 0
      expect(delay).toBeGreaterThanOrEqual(seconds * 800)
      expect(delay).toBeLessThanOrEqual(seconds * 1200)
    })
  }
  expect(retryDelayMs(PLAN, 12, () => 0.5)).toBeUndefined()
})

it('HOOK-R4: a thousand retries of one outage spread; no second holds more than a tenth', () => {
  const buckets = new Map<number, number>()
  for (let index = 0; index < 1000; index++) {
    const second = Math.floor((retryDelayMs(PLAN, 3, Math.random) ?? 0) / 1000)
    buckets.set(second, (buckets.get(second) ?? 0) + 1)
  }
  expect(Math.max(...buckets.values())).toBeLessThanOrEqual(100)
})

it.each([
  ['30', 30_000],
  ['0', undefined],
  ['-5', undefined],
  ['1e9', undefined],
  ['1000000000', DAY],
  ['99999999999999999999', DAY],
  ['soon', undefined],
  ['', undefined],
  ['Sat, 01 Aug 2026 12:01:00 GMT', 60_000],
  ['Sat, 01 Aug 2026 11:00:00 GMT', undefined],
  ['Saturday, 01-Aug-26 12:01:00 GMT', 60_000],
  ['Saturday, 01-Aug-26 11:00:00 GMT', undefined],
  ['Sunday, 06-Nov-94 08:49:37 GMT', undefined],
  ['Sat Aug  1 12:01:00 2026', 60_000],
  ['Mon Aug 31 12:01:00 2026', DAY],
  ['Sat, 01 Aug 2026 12:61:00 GMT', undefined],
  ['2026-08-01T12:01:00Z', undefined],
  [undefined, undefined],
])('HOOK-R2: Retry-After %j', (header, wait) => {
  expect(retryAfterMs(header, NOW)).toBe(wait)
})

const judged = (status: number | undefined, retryAfter?: string, attempt = 1) =>
  judge({ status, retryAfter }, attempt, PLAN, NOW, () => 0.5)

it('HOOK-R1: 200 to 299 is success, everything else is not', () => {
  for (const status of [200, 204, 299]) expect(judged(status)).toEqual({ state: 'succeeded' })
  for (const status of [199, 300, 302, 400, 401, 404, 500, undefined]) {
    expect(judged(status)).toEqual({ state: 'pending', delayMs: 5000 })
  }
})

it('HOOK-R2: 410 ends the subscription, a longer Retry-After of 429 and 503 pauses it', () => {
  expect(judged(410)).toEqual({ state: 'gone' })
  for (const status of [429, 503]) {
    expect(judged(status, '60')).toEqual({ state: 'pending', delayMs: 60_000, pauseMs: 60_000 })
    expect(judged(status, '2')).toEqual({ state: 'pending', delayMs: 5000 })
  }
  expect(judged(500, '60')).toEqual({ state: 'pending', delayMs: 5000 })
})

it('HOOK-R4: after the last attempt the delivery has failed', () => {
  expect(judged(500, undefined, 11)).toMatchObject({ state: 'pending' })
  expect(judged(500, undefined, 12)).toEqual({ state: 'failed' })
})

it('HOOK-R2: Retry-After of the last attempt pauses the subscription too: with a schedule of none it is the only one', () => {
  expect(judged(429, '60', 12)).toEqual({ state: 'failed', pauseMs: 60_000 })
})

it('HOOK-R5: five days and twenty attempts without a success, both', () => {
  expect(isGivenUp(NOW - 5 * DAY, 20, NOW)).toBe(true)
  expect(isGivenUp(NOW - 5 * DAY + 1, 20, NOW)).toBe(false)
  expect(isGivenUp(NOW - 9 * DAY, 19, NOW)).toBe(false)
  expect(isGivenUp(undefined, 99, NOW)).toBe(false)
})
