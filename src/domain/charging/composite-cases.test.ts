/** Composite schedules as stations in the field make them: stacked purposes, recurring and relative schedules, gaps. */
import { expect, it } from 'vitest'
import { periods, steps } from '../../../test/support/steps.ts'
import { type CompositeQuery, compositeSchedule } from './composite.ts'
import type { ChargingProfile, PlacedProfile, ProfileSchedule } from './profile.ts'

/** A Monday. */
const MONDAY = Date.parse('2026-03-02T00:00:00Z')
const MINUTE = 60
const HOUR = 3600
const DAY = 24 * HOUR
const at = (seconds: number): number => MONDAY + seconds * 1000

type Given = Partial<ChargingProfile> & Partial<Pick<ProfileSchedule, 'unit' | 'startAt' | 'durationSeconds'>>

let ids = 0
function given(evseId: number, text: string, more: Given = {}): PlacedProfile {
  const { unit = 'A', startAt, durationSeconds, ...rest } = more
  const schedules = [{ unit, startAt, durationSeconds, periods: periods(text) }]
  return {
    evseId,
    profile: { id: ++ids, purpose: 'TxDefaultProfile', kind: 'Absolute', stackLevel: 0, ...rest, schedules },
  }
}
const daily = { kind: 'Recurring', recurrency: 'Daily' } as const
const weekly = { kind: 'Recurring', recurrency: 'Weekly' } as const
const ofCharge = { purpose: 'TxProfile', transactionId: 'T' } as const
const ofStation = { purpose: 'ChargingStationMaxProfile' } as const
const outside = { purpose: 'ChargingStationExternalConstraints' } as const
/** Eight to six. */
const office = { ...daily, startAt: at(8 * HOUR), durationSeconds: 10 * HOUR }

interface Case {
  readonly profiles: readonly PlacedProfile[]
  /** From which second of that Monday, and for how many. */
  readonly during: readonly [from: number, seconds: number]
  readonly begun?: number
  readonly query?: Partial<CompositeQuery>
  readonly expected: string
}

const cases: Readonly<Record<string, Case>> = {
  'a daily schedule with a duration: nothing in the night, and again the next morning': {
    profiles: [given(1, '0:16', office)],
    during: [17 * HOUR, 16 * HOUR],
    expected: '0:16 1h:- 15h:16',
  },
  'a daily schedule that begins tomorrow by its date holds today as well': {
    profiles: [given(1, '0:16', { ...office, startAt: at(DAY + 8 * HOUR) })],
    during: [9 * HOUR, HOUR],
    expected: '0:16',
  },
  'a daily schedule across midnight': {
    profiles: [given(1, '0:32 4h:10', { ...daily, startAt: at(22 * HOUR), durationSeconds: 8 * HOUR })],
    during: [DAY + HOUR, 6 * HOUR],
    expected: '0:32 1h:10 5h:-',
  },
  'a duration of more than a day does not reach into the next one': {
    profiles: [given(1, '0:6 23h:20', { ...daily, startAt: at(0), durationSeconds: 30 * HOUR })],
    during: [22 * HOUR, 4 * HOUR],
    expected: '0:6 1h:20 2h:6',
  },
  'a weekly schedule, asked in the middle of the week': {
    profiles: [given(1, '0:8 5d:32', { ...weekly, startAt: at(-21 * DAY) })],
    during: [4 * DAY + 20 * HOUR, 3 * DAY],
    expected: '0:8 4h:32 2d+4h:8',
  },
  'the weekend above every day': {
    profiles: [
      given(1, '0:10', { ...daily, startAt: at(0) }),
      given(1, '0:25', { ...weekly, startAt: at(-2 * DAY), durationSeconds: 2 * DAY, stackLevel: 1 }),
    ],
    during: [4 * DAY, 4 * DAY],
    expected: '0:10 1d:25 3d:10',
  },
  'what recurs ends with its validity': {
    profiles: [
      given(1, '0:16', { ...office, validTo: at(12 * HOUR) }),
      given(1, '0:7', { startAt: at(0), stackLevel: 0 }),
    ],
    during: [11 * HOUR, 2 * HOUR],
    expected: '0:7',
  },
  'a higher one that recurs, until its validity ends': {
    profiles: [
      given(1, '0:7', { startAt: at(0) }),
      given(1, '0:16', { ...office, validTo: at(12 * HOUR), stackLevel: 3 }),
    ],
    during: [11 * HOUR, 2 * HOUR],
    expected: '0:16 1h:7',
  },
  'validity cuts off the begin, and periods still count from the start of the schedule': {
    profiles: [given(1, '0:30 10m:20 20m:10', { startAt: at(0), validFrom: at(15 * MINUTE) })],
    during: [0, HOUR],
    expected: '0:- 15m:20 20m:10',
  },
  'a period behind the end of its schedule says nothing': {
    profiles: [given(1, '0:16 30m:8', { startAt: at(0), durationSeconds: 20 * MINUTE })],
    during: [0, HOUR],
    expected: '0:16 20m:-',
  },
  'three stack levels, each with a gap': {
    profiles: [
      given(1, '0:6', { startAt: at(0) }),
      given(1, '0:12', { startAt: at(10 * MINUTE), durationSeconds: 40 * MINUTE, stackLevel: 1 }),
      given(1, '0:24', { startAt: at(20 * MINUTE), durationSeconds: 10 * MINUTE, stackLevel: 2 }),
    ],
    during: [0, HOUR],
    expected: '0:6 10m:12 20m:24 30m:12 50m:6',
  },
  'a charge of its own, over it: a lower level of the charge, then what holds for every charge': {
    profiles: [
      given(1, '0:10', { startAt: at(0) }),
      given(1, '0:20', { ...ofCharge, startAt: at(0), durationSeconds: 40 * MINUTE }),
      given(1, '0:28', { ...ofCharge, startAt: at(0), durationSeconds: 20 * MINUTE, stackLevel: 1 }),
    ],
    during: [0, HOUR],
    expected: '0:28 20m:20 40m:10',
  },
  'relative to a charge that began before, and over by now': {
    profiles: [
      given(1, '0:9', { startAt: at(0) }),
      given(1, '0:32 10m:16', { ...ofCharge, kind: 'Relative', durationSeconds: 30 * MINUTE }),
    ],
    during: [HOUR, HOUR],
    begun: HOUR - 5 * MINUTE,
    expected: '0:32 5m:16 25m:9',
  },
  'absolute without a begin: it begins with the charge': {
    profiles: [given(1, '0:16 15m:8', { durationSeconds: HOUR })],
    during: [HOUR, HOUR],
    begun: HOUR - 10 * MINUTE,
    expected: '0:16 5m:8 50m:-',
  },
  'one maximum over a day, five steps of every charge and five of this one': {
    profiles: [
      given(0, '0:10', { ...ofStation, startAt: at(0), durationSeconds: DAY + 4 }),
      given(1, '0:6 60:10 120:8 180:15 260:8', { startAt: at(0), durationSeconds: 304 }),
      given(1, '0:8 50:11 140:16 200:6 240:12', { ...ofCharge, startAt: at(0), durationSeconds: 264 }),
    ],
    during: [0, 400],
    expected: '0:8 50:10 200:6 240:10 264:8 304:10',
  },
  'the smaller of two that change by turns': {
    profiles: [
      given(0, '0:20 10m:8 30m:25', { ...ofStation, startAt: at(0) }),
      given(0, '0:12 20m:16', { ...outside, startAt: at(0) }),
      given(1, '0:32', { ...ofCharge, startAt: at(0) }),
    ],
    during: [0, HOUR],
    expected: '0:12 10m:8 30m:16',
  },
  'a default of the whole station at a higher level stands above that of the EVSE': {
    profiles: [
      given(0, '0:11', { startAt: at(0), stackLevel: 2 }),
      given(1, '0:22', { startAt: at(0), stackLevel: 1 }),
    ],
    during: [0, HOUR],
    expected: '0:11',
  },
  'watts of the station and amperes of one phase': {
    profiles: [
      given(0, '0:11040', { ...ofStation, unit: 'W', startAt: at(0) }),
      given(1, '0:20/1', { startAt: at(0) }),
    ],
    during: [0, HOUR],
    query: { unit: 'A' },
    expected: '0:16',
  },
  'the same in watts: one phase of 20 A is the least': {
    profiles: [
      given(0, '0:11040', { ...ofStation, unit: 'W', startAt: at(0) }),
      given(1, '0:20/1', { startAt: at(0) }),
    ],
    during: [0, HOUR],
    query: { unit: 'W' },
    expected: '0:4600',
  },
  'a limit of 0 is a limit': {
    profiles: [given(1, '0:0 10m:16', { ...ofCharge, startAt: at(0) }), given(1, '0:32', { startAt: at(0) })],
    during: [0, HOUR],
    expected: '0:0 10m:16',
  },
}

// CHARGING-P1: the composite schedule of the field
it.each(Object.entries(cases))('%s', (_, { profiles, during: [from, seconds], begun = 0, query, expected }) => {
  const found = compositeSchedule({
    profiles,
    evseId: 1,
    charge: { transactionId: 'T', startedAt: at(begun) },
    from: at(from),
    durationSeconds: seconds,
    unit: 'A',
    voltage: 230,
    phases: 3,
    ...query,
  })
  const changes = found.filter(({ limit }, index) => index === 0 || limit !== found[index - 1]?.limit)
  expect(changes.map(({ startSeconds, limit }) => ({ startSeconds, limit }))).toEqual(steps(expected))
})
