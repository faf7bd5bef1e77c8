import { expect, it } from 'vitest'
import { isSlow, withAttempt } from './lanes.ts'

const after = (...durations: readonly number[]): number | undefined =>
  durations.reduce<number | undefined>((answerMs, durationMs) => withAttempt(answerMs, durationMs), undefined)
const times = (count: number, durationMs: number): number[] => Array.from({ length: count }, () => durationMs)

it.each([
  ['nothing yet', [], false],
  ['one attempt that timed out', [15_000], true],
  ['four that timed out', times(4, 15_000), true],
  ['four answers after five seconds', times(4, 5000), true],
  ['one answer after five seconds', [5000], false],
  ['a thousand quick answers', times(1000, 20), false],
  ['one hiccup of ten seconds among quick answers', [...times(50, 20), 10_000], false],
  ['any number of answers within two seconds', times(1000, 2000), false],
  ['a timeout and six quick answers', [15_000, ...times(6, 20)], false],
  ['timeouts and ten quick answers', [...times(50, 15_000), ...times(10, 20)], false],
  ['timeouts and one quick answer', [...times(50, 15_000), 20], true],
])('HOOK-F1: %s', (_, durations, slow) => {
  expect(isSlow(after(...durations))).toBe(slow)
})

it('HOOK-F7: a time that ran backwards counts as none', () => {
  expect(withAttempt(1000, -3_600_000)).toBe(750)
})
