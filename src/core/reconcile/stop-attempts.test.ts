import { expect, it } from 'vitest'
import { pauseAfter, StopAttempts } from './stop-attempts.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND

it.each([
  ['timeout', [10, 20, 40, 80], 3600],
  ['dropped', [0, 10, 20, 40], 3600],
  ['rejected', [60, 120, 240, 480], 3600],
  ['accepted', [300, 600, 1200, 2400], 3600],
] as const)('SESSION-S10, OCPP-RP9: after %s they grow, and have an end', (outcome, seconds, longest) => {
  expect([1, 2, 3, 4].map((times) => pauseAfter(outcome, times) / SECOND)).toEqual(seconds)
  expect(pauseAfter(outcome, 1000)).toBe(longest * SECOND)
})

it('SESSION-S10: counts what came out alike; who took it is not asked again at once, everybody else is', () => {
  const attempts = new StopAttempts()
  attempts.settled('timeout', 0)
  attempts.settled('timeout', 0)
  expect(attempts.notBefore).toBe(20 * SECOND)
  attempts.reconnected()
  expect(attempts.notBefore).toBe(0)
  attempts.settled('rejected', 0)
  attempts.reconnected()
  expect(attempts.notBefore).toBe(MINUTE)
  attempts.askedAgain()
  expect(attempts.notBefore).toBe(0)
  attempts.settled('accepted', 0)
  attempts.askedAgain()
  expect(attempts.notBefore).toBe(5 * MINUTE)
})
