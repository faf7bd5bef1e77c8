import { expect, it } from 'vitest'
import { nextChange, rateAt } from './profile.ts'
import { at, profile, steps, T0 } from './testing.ts'

const during = (seconds: number, startedAt?: number) => ({
  at: T0 + seconds * 1000,
  connectorId: 1,
  ...(startedAt !== undefined && { transaction: { startedAt: T0 + startedAt * 1000 } }),
})

const two = steps([0, 16], [600, 10])
const cases: [string, Parameters<typeof profile>[0], ReturnType<typeof during>, number | undefined][] = [
  ['absolute, before its start', { startAt: at(60), periods: two }, during(59), undefined],
  ['absolute, at its start', { startAt: at(60), periods: two }, during(60), 16],
  ['absolute, a moment before the second period', { startAt: at(0), periods: two }, during(599), 16],
  ['absolute, in the second period', { startAt: at(0), periods: two }, during(600), 10],
  ['the last period has no end of its own', { startAt: at(0), periods: two }, during(1e6), 10],
  ['at the end of its duration', { startAt: at(0), periods: two, durationSeconds: 900 }, during(900), undefined],
  ['relative, from the start of the charge', { kind: 'Relative', periods: two }, during(700, 200), 16],
  ['relative, later in the charge', { kind: 'Relative', periods: two }, during(800, 200), 10],
  ['relative, without a charge', { kind: 'Relative', periods: two }, during(800), undefined],
  ['absolute without a start counts from the charge', { periods: two }, during(700, 200), 16],
  ['daily, on its first day', { ...daily(), startAt: at(0), periods: two }, during(60), 16],
  ['daily, a day later', { ...daily(), startAt: at(0), periods: two }, during(86_400 + 600), 10],
  ['daily, before its first day', { ...daily(), startAt: at(3600), periods: two }, during(0), undefined],
  ['daily, between two durations', { ...daily(), startAt: at(0), durationSeconds: 900 }, during(1_000), undefined],
  ['daily, the next duration', { ...daily(), startAt: at(0), durationSeconds: 900 }, during(86_400 + 10), 16],
  ['weekly, a day later', { ...weekly(), startAt: at(0), durationSeconds: 900 }, during(86_400), undefined],
  ['weekly, a week later', { ...weekly(), startAt: at(0), durationSeconds: 900 }, during(7 * 86_400), 16],
  ['before it is valid', { startAt: at(0), validFrom: at(10) }, during(9), undefined],
  ['as long as it is valid', { startAt: at(0), validFrom: at(10), validTo: at(20) }, during(19), 16],
  ['when it is no longer valid', { startAt: at(0), validTo: at(20) }, during(20), undefined],
  ['of the station, without a start', { purpose: 'ChargePointMaxProfile', kind: 'Relative' }, during(0), 16],
]
it.each(cases)('SIM-A17: %s', (_name, given, moment, limit) => {
  expect(rateAt(profile(given), moment)?.limit).toBe(limit)
})

function daily() {
  return { kind: 'Recurring', recurrency: 'Daily' } as const
}
function weekly() {
  return { kind: 'Recurring', recurrency: 'Weekly' } as const
}

it.each<[string, Parameters<typeof profile>[0], number, number | undefined]>([
  ['its start', { startAt: at(60) }, 0, 60],
  ['its next period', { startAt: at(0), periods: two }, 30, 600],
  ['the end of its duration', { startAt: at(0), durationSeconds: 900 }, 30, 900],
  ['the end of its validity', { startAt: at(0), validTo: at(50), durationSeconds: 900 }, 30, 50],
  ['the next day', { ...daily(), startAt: at(0), durationSeconds: 900 }, 900, 86_400],
  ['the end of a day’s duration', { ...daily(), startAt: at(0), durationSeconds: 900 }, 86_400, 87_300],
  ['nothing any more', { startAt: at(0), periods: two }, 600, undefined],
])('SIM-A17: the next change is %s', (_name, given, now, next) => {
  const instant = nextChange(profile(given), during(now))
  expect(instant === undefined ? undefined : (instant - T0) / 1000).toBe(next)
})
