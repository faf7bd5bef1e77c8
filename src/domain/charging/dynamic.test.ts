import { expect, it, test } from 'vitest'
import { type CapStep, isFresh, leaseOf } from './caps.ts'
import { dynamicEnd, isSameButLimit, renewed } from './dynamic.ts'
import { formsOf, scheduleIn } from './forms.ts'
import type { ChargingProfile, ProfileSchedule } from './profile.ts'
import type { StoredProfile } from './records.ts'
import { storedProfile } from './rows.ts'

const NOW = 10_000_000
const given = { seconds: 600, isTaken: false }
const steps = (...of: readonly (readonly [at: number, limit: number])[]): readonly CapStep[] =>
  of.map(([at, limit]) => ({ at, limit }))

it.each([
  ['what falls to less is one', steps([0, 16], [NOW + 600_000, 8]), { ...given, endsAt: NOW + 600_000 }],
  ['what changes twice is none', steps([0, 16], [NOW + 60_000, 10], [NOW + 600_000, 8]), undefined],
  ['what rises is none', steps([0, 8], [NOW + 600_000, 16]), undefined],
  ['what stays is none', steps([0, 16]), undefined],
  ['what has not begun is none', steps([NOW + 1, 16], [NOW + 600_000, 8]), undefined],
  ['what is over is none', steps([0, 16], [NOW - 1, 8]), undefined],
])('OCPP21-C1: of steps %s', (_, of, lease) => {
  expect(leaseOf(of, given, NOW)).toEqual(lease)
  expect(leaseOf(of, undefined, NOW)).toBeUndefined()
})

it.each([
  [0, false, true],
  [30_000, false, true],
  [30_001, false, false],
  [0, true, false],
])('OCPP21-C1: a lease given %i ms ago, taken before: %s, is sent for its whole duration: %s', (age, isTaken, isSo) => {
  expect(isFresh({ seconds: 600, isTaken, endsAt: NOW + 600_000 - age }, NOW)).toBe(isSo)
})

const lease = { ...given, endsAt: NOW + 600_000 }
const desired = { purpose: 'TxProfile', steps: steps([0, 16], [NOW + 600_000, 8]), lease } as const

test('OCPP21-C1: a Dynamic form comes before the one with times, where the station has such profiles', () => {
  const names = (abilities: Parameters<typeof formsOf>[1], of: Parameters<typeof formsOf>[0] = desired) =>
    formsOf(of, abilities, []).map(({ name }) => name)
  expect(names({ units: ['A'], dynamic: true })).toEqual(['TxProfile/A/dynamic', 'TxProfile/A'])
  expect(names({ units: ['A'], dynamic: false })).toEqual(['TxProfile/A'])
  expect(names({ units: ['A'], dynamic: true }, { ...desired, lease: undefined })).toEqual(['TxProfile/A'])
  const paused = { ...desired, steps: steps([0, 16], [NOW + 600_000, 0]) }
  expect(names({ units: ['A'], dynamic: true }, paused)).toEqual([
    'TxProfile/A/dynamic/0',
    'TxProfile/A/0',
    'TxProfile/A/dynamic/6',
    'TxProfile/A/6',
  ])
})

test('OCPP21-C1: its schedule has one period and a duration, also in watts', () => {
  const supply = { voltage: 230, phases: 3 }
  const form = { name: 'TxProfile/W/dynamic', unit: 'W', pauseAmps: 0, isDynamic: true } as const
  const periods = [{ startSeconds: 0, limit: 11_040, phases: undefined }]
  expect(scheduleIn(form, desired, supply, 6, NOW)).toEqual({
    schedule: { unit: 'W', startAt: NOW, durationSeconds: 600, periods },
  })
})

const schedule: ProfileSchedule = {
  unit: 'A',
  startAt: NOW,
  durationSeconds: 600,
  periods: [{ startSeconds: 0, limit: 16 }],
}
const profile: ChargingProfile = {
  id: 7,
  purpose: 'TxProfile',
  kind: 'Dynamic',
  stackLevel: 1,
  transactionId: 'T',
  schedules: [schedule],
}
const row = (more: Partial<StoredProfile> = {}, of = profile): StoredProfile => ({
  ...storedProfile(of, {
    chargePointId: 'S',
    source: 'desired',
    evseId: 1,
    owner: 'pilotwire',
    state: 'accepted',
    attempts: 0,
    updatedAt: NOW,
  }),
  ...more,
})
const scheduled = (more: Partial<ProfileSchedule>): ChargingProfile => ({
  ...profile,
  schedules: [{ ...schedule, ...more }],
})

it.each<[string, StoredProfile | undefined, ChargingProfile, boolean]>([
  ['the same', row(), profile, true],
  ['another limit, later', row(), scheduled({ startAt: NOW + 1, periods: [{ startSeconds: 0, limit: 6 }] }), true],
  ['another duration', row(), scheduled({ durationSeconds: 60 }), false],
  ['another unit', row(), scheduled({ unit: 'W' }), false],
  ['another stack level', row(), { ...profile, stackLevel: 2 }, false],
  ['another charge', row(), { ...profile, transactionId: 'U' }, false],
  ['one with times', row(), { ...profile, kind: 'Absolute' }, false],
  ['it had times', row({}, { ...profile, kind: 'Absolute' }), profile, false],
  ['it may be lost', row({ state: 'stale' }), profile, false],
  ['there is none', undefined, profile, false],
])('OCPP21-C1: an update is enough: %s', (_, held, next, isSo) => {
  expect(isSameButLimit(held, next)).toBe(isSo)
})

test('OCPP21-C1: its end follows from when it was taken', () => {
  expect(dynamicEnd(row())).toBe(NOW + 600_000)
  expect(dynamicEnd({ profile: renewed(profile, NOW + 5) })).toBe(NOW + 600_005)
  expect(dynamicEnd({ profile: { ...profile, kind: 'Absolute' } })).toBeUndefined()
  expect(dynamicEnd({ profile: scheduled({ durationSeconds: undefined }) })).toBeUndefined()
  const absolute: ChargingProfile = { ...profile, kind: 'Absolute' }
  expect(renewed(absolute, NOW + 5)).toBe(absolute)
})
