import fc from 'fast-check'
import { expect, test } from 'vitest'
import { forRuns } from '../../../test/support/property.ts'
import { periods, steps } from '../../../test/support/steps.ts'
import { type CompositePeriod, type CompositeQuery, compositeSchedule, limitAt } from './composite.ts'
import type { ChargingProfile, PlacedProfile, ProfileSchedule, RateUnit } from './profile.ts'

const NOON = Date.parse('2026-03-01T12:00:00Z')
const HOUR = 3600
const charge = { transactionId: 't1', startedAt: NOON - HOUR * 1000 }

function profile(
  text: string,
  more: Partial<ChargingProfile> & Partial<Omit<ProfileSchedule, 'id' | 'periods'>> = {},
): ChargingProfile {
  const { unit = 'A', startAt, durationSeconds, ...rest } = more
  return {
    id: 1,
    purpose: 'TxDefaultProfile',
    kind: 'Absolute',
    stackLevel: 0,
    ...rest,
    schedules: [{ unit, periods: periods(text), startAt, durationSeconds }],
  }
}

const on = (evseId: number, ...profiles: ChargingProfile[]): PlacedProfile[] =>
  profiles.map((each, at) => ({ evseId, profile: { ...each, id: evseId * 10 + at + 1 } }))

const ask = (profiles: readonly PlacedProfile[], more: Partial<CompositeQuery> = {}) =>
  compositeSchedule({
    profiles,
    evseId: 1,
    charge,
    from: NOON,
    durationSeconds: 2 * HOUR,
    unit: 'A',
    voltage: 230,
    phases: 3,
    ...more,
  }).map(({ startSeconds, limit }) => ({ startSeconds, limit }))

const tx = { purpose: 'TxProfile', transactionId: 't1' } as const
const max = { purpose: 'ChargingStationMaxProfile' } as const
const external = { purpose: 'ChargingStationExternalConstraints' } as const
test.each<[string, PlacedProfile[], Partial<CompositeQuery>, string]>([
  ['nothing is said', [], {}, '0:-'],
  ['one period', on(1, profile('0:16', { startAt: NOON })), {}, '0:16'],
  ['it begins later', on(1, profile('0:16', { startAt: NOON + 60_000 })), {}, '0:- 60:16'],
  ['a duration', on(1, profile('0:16 600:8', { startAt: NOON, durationSeconds: 900 })), {}, '0:16 600:8 900:-'],
  ['it began before', on(1, profile('0:16 600:8', { startAt: NOON - 300_000 })), {}, '0:16 300:8'],
  [
    'the highest stack level',
    on(1, profile('0:10', { stackLevel: 0, startAt: NOON }), profile('0:20', { stackLevel: 1, startAt: NOON })),
    {},
    '0:20',
  ],
  [
    'the lower stack level where the higher one says nothing',
    on(
      1,
      profile('0:10', { startAt: NOON }),
      profile('0:20', { stackLevel: 1, startAt: NOON + 60_000, durationSeconds: 60 }),
    ),
    {},
    '0:10 60:20 120:10',
  ],
  [
    'K08.FR.04: the smallest of the purposes',
    [...on(0, profile('0:12', { ...max, startAt: NOON })), ...on(1, profile('0:16 60:8', { startAt: NOON }))],
    {},
    '0:12 60:8',
  ],
  [
    'what others told the station is part of it',
    [...on(0, profile('0:7', { ...external, startAt: NOON })), ...on(1, profile('0:16', { startAt: NOON }))],
    {},
    '0:7',
  ],
  [
    'K01: of a charge instead of the default, also where it allows more',
    on(1, profile('0:8', { startAt: NOON }), profile('0:20', { ...tx, startAt: NOON, durationSeconds: 600 })),
    {},
    '0:20 600:8',
  ],
  ['of another charge', on(1, profile('0:8', { ...tx, transactionId: 't2', startAt: NOON })), {}, '0:-'],
  ['of a charge where none runs', on(1, profile('0:8', tx)), { charge: undefined }, '0:-'],
  ['K01.FR.31: relative to the charge', on(1, profile('0:16 1h+60:8', { kind: 'Relative' })), {}, '0:16 60:8'],
  [
    'relative, none runs: from now',
    on(1, profile('0:16 60:8', { kind: 'Relative' })),
    { charge: undefined },
    '0:16 60:8',
  ],
  [
    'every day',
    on(1, profile('0:16 1h:8', { kind: 'Recurring', recurrency: 'Daily', startAt: NOON - 5 * 86_400_000 })),
    { durationSeconds: 25 * HOUR },
    '0:16 1h:8 24h:16',
  ],
  [
    'every week, in its last hour',
    on(
      1,
      profile('0:16', {
        kind: 'Recurring',
        recurrency: 'Weekly',
        startAt: NOON - 7 * 86_400_000 - (HOUR / 2) * 1000,
        durationSeconds: HOUR,
      }),
    ),
    {},
    '0:16 30m:-',
  ],
  [
    'valid',
    on(1, profile('0:16', { startAt: NOON, validFrom: NOON + 60_000, validTo: NOON + 120_000 })),
    {},
    '0:- 60:16 120:-',
  ],
  ['of another EVSE', on(2, profile('0:16', { startAt: NOON })), {}, '0:-'],
  [
    'of the EVSE itself before that of all, at one stack level',
    [...on(1, profile('0:10', { startAt: NOON })), ...on(0, profile('0:16', { startAt: NOON }))],
    {},
    '0:10',
  ],
  [
    'the station alone: no profile of a charge counts',
    on(0, profile('0:10', { startAt: NOON }), profile('0:40', { ...max, startAt: NOON })),
    { evseId: 0 },
    '0:40',
  ],
  ['watts as amperes of three phases', on(1, profile('0:6900', { unit: 'W', startAt: NOON })), {}, '0:10'],
  ['watts as amperes of one phase', on(1, profile('0:2300/1', { unit: 'W', startAt: NOON })), {}, '0:10'],
  ['amperes as watts', on(1, profile('0:10/1', { startAt: NOON })), { unit: 'W' }, '0:2300'],
  [
    'OCPP21-C1: Dynamic: from its update for its duration, then what is below it',
    on(
      1,
      profile('0:8', { startAt: NOON }),
      profile('0:20', { ...tx, kind: 'Dynamic', startAt: NOON - 60_000, durationSeconds: 600 }),
    ),
    {},
    '0:20 540:8',
  ],
  [
    'OCPP21-C1: Dynamic of others: it may be updated at any time',
    on(1, profile('0:20', { kind: 'Dynamic', startAt: NOON - 900_000 })).map((one) => ({ ...one, source: 'EMS' })),
    {},
    '0:20',
  ],
  ['no schedule at all', on(1, { ...profile('0:0'), schedules: [] }), {}, '0:-'],
])('%s', (_, profiles, more, expected) => {
  expect(ask(profiles, more)).toEqual(steps(expected))
})

/** Second by second, each purpose by itself, everything looked at again: slow and obvious. */
function slowly(query: CompositeQuery): readonly (number | undefined)[] {
  return Array.from({ length: query.durationSeconds }, (_, second) => limitOf(query, query.from + second * 1000))
}

function limitOf(query: CompositeQuery, at: number): number | undefined {
  const { evseId: asked } = query
  const said = (purpose: ChargingProfile['purpose']): number | undefined => {
    const found = query.profiles
      .map(({ evseId, profile: { schedules, ...rest } }, order) => ({ evseId, order, schedule: schedules[0], ...rest }))
      .filter((each) => each.purpose === purpose)
      .filter(({ evseId }) => evseId === 0 || evseId === asked)
      .filter(
        ({ transactionId }) =>
          purpose !== 'TxProfile' || transactionId === undefined || transactionId === query.charge?.transactionId,
      )
      .filter(({ validFrom = 0, validTo = Number.MAX_VALUE }) => validFrom <= at && at < validTo)
      .flatMap(({ kind, recurrency, schedule, ...each }) => {
        if (!schedule) return []
        const began = query.charge?.startedAt ?? query.from
        let begin = kind === 'Relative' || schedule.startAt === undefined ? began : schedule.startAt
        if (kind === 'Recurring') {
          const step = recurrency === 'Weekly' ? 604_800_000 : 86_400_000
          while (begin > at) begin -= step
          while (begin + step <= at) begin += step
        }
        const seconds = (at - begin) / 1000
        if (seconds < 0 || seconds >= (schedule.durationSeconds ?? Number.MAX_VALUE)) return []
        const period = schedule.periods.filter(({ startSeconds }) => startSeconds <= seconds).at(-1)
        if (!period) return []
        const watts =
          schedule.unit === 'W'
            ? (period.limit ?? 0)
            : (period.limit ?? 0) * query.voltage * (period.phases ?? query.phases)
        const amps =
          schedule.unit === 'A'
            ? (period.limit ?? 0)
            : (period.limit ?? 0) / query.voltage / (period.phases ?? query.phases)
        return [{ ...each, limit: query.unit === 'W' ? watts : amps }]
      })
      .sort((a, b) => b.stackLevel - a.stackLevel || Number(b.evseId > 0) - Number(a.evseId > 0) || b.order - a.order)
    return found[0]?.limit
  }
  const ofCharge = query.charge && asked > 0 ? said('TxProfile') : undefined
  const ofAny = asked > 0 ? said('TxDefaultProfile') : undefined
  const all = [said('ChargingStationExternalConstraints'), said('ChargingStationMaxProfile'), ofCharge ?? ofAny]
  const limits = all.filter((limit) => limit !== undefined)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

const seconds = (min: number, max: number) => fc.integer({ min, max })
const instant = fc
  .tuple(fc.constantFrom(-7, -1, 0, 1), seconds(-90, 90))
  .map(([days, by]) => NOON + days * 86_400_000 + by * 1000)
const perhaps = <Of>(of: fc.Arbitrary<Of>) => fc.option(of, { nil: undefined })
const anyProfile: fc.Arbitrary<ChargingProfile> = fc.record({
  id: seconds(1, 99),
  purpose: fc.constantFrom(
    ...(['ChargingStationExternalConstraints', 'ChargingStationMaxProfile', 'TxDefaultProfile', 'TxProfile'] as const),
  ),
  kind: fc.constantFrom('Absolute', 'Recurring', 'Relative'),
  recurrency: perhaps(fc.constantFrom('Daily', 'Weekly')),
  stackLevel: seconds(0, 2),
  transactionId: perhaps(fc.constantFrom('t1', 't2')),
  validFrom: perhaps(instant),
  validTo: perhaps(instant),
  schedules: fc
    .record({
      unit: fc.constantFrom<RateUnit>('A', 'W'),
      startAt: perhaps(instant),
      durationSeconds: perhaps(fc.oneof(seconds(0, 120), fc.constant(90_000))),
      periods: fc.uniqueArray(seconds(1, 90), { maxLength: 3 }).chain((starts) =>
        fc.tuple(
          ...[0, ...starts.sort((a, b) => a - b)].map((startSeconds) =>
            fc.record({
              startSeconds: fc.constant(startSeconds),
              limit: seconds(0, 40),
              phases: perhaps(seconds(1, 3)),
            }),
          ),
        ),
      ),
    })
    .map((schedule) => [schedule]),
})

test('CHARGING-P1: whatever the profiles, it is what a second by second calculation finds', () => {
  const query = fc.record({
    profiles: fc.array(fc.record({ evseId: seconds(0, 2), profile: anyProfile }), { maxLength: 6 }),
    evseId: seconds(0, 2),
    charge: perhaps(fc.record({ transactionId: fc.constantFrom('t1', 't3'), startedAt: instant })),
    from: instant,
    durationSeconds: seconds(1, 90),
    unit: fc.constantFrom<RateUnit>('A', 'W'),
    voltage: fc.constantFrom(230, 120),
    phases: fc.constantFrom(1, 3),
  })
  forRuns(300)(query, (of) => {
    const ours = compositeSchedule(of)
    const at = (second: number): CompositePeriod | undefined =>
      ours.findLast(({ startSeconds }) => startSeconds <= second)
    const expected = slowly(of)
    const found = expected.map((_, second) => at(second)?.limit)
    expect(found.map(rounded)).toEqual(expected.map(rounded))
    expect(rounded(limitAt(of).limit)).toEqual(rounded(expected[0]))
  })
})

const rounded = (limit: number | undefined): number | undefined =>
  limit === undefined ? undefined : Math.round(limit * 1e6) / 1e6

test('CHARGING-P1: a year of a daily schedule with a thousand periods is answered, and not without end', () => {
  const text = Array.from({ length: 1024 }, (_, at) => `${at * 60}:${at % 32}`).join(' ')
  const daily = profile(text, { kind: 'Recurring', recurrency: 'Daily', startAt: NOON })
  const found = ask(on(1, ...Array.from({ length: 20 }, (_, stackLevel) => ({ ...daily, stackLevel }))), {
    durationSeconds: 365 * 86_400,
  })
  expect(found.length).toBeGreaterThan(1024)
  expect(found.length).toBeLessThanOrEqual(10_000)
})

test('CHARGING-S6: one answer of a station with 500 long profiles took the core 37 seconds: an instant is found, not listed', () => {
  let reads = 0
  const period = (at: number) => ({
    limit: at % 32,
    get startSeconds() {
      reads++
      return at * 60
    },
  })
  const many = Array.from({ length: 1024 }, (_, at) => period(at))
  const long: ChargingProfile = { ...profile('0:0'), schedules: [{ unit: 'A', startAt: NOON, periods: many }] }
  const query = { profiles: on(1, long), evseId: 1, charge, unit: 'A', voltage: 230, phases: 3 } as const
  expect(limitAt({ ...query, from: NOON + 100 * 60_000 }).limit).toBe(100 % 32)
  expect(reads).toBeLessThanOrEqual(11)
})

test('OCPP21-B6: a period without a limit says that there is none, and what limits the station still holds', () => {
  const free = { ...profile('0:1', { ...tx, startAt: NOON }), schedules: [] as ChargingProfile['schedules'] }
  const schedules: ChargingProfile['schedules'] = [{ unit: 'A', startAt: NOON, periods: [{ startSeconds: 0 }] }]
  const held = on(1, profile('0:8', { startAt: NOON }), { ...free, schedules })
  expect(ask(held)).toEqual(steps('0:-'))
  expect(ask([...held, ...on(0, profile('0:20', { ...max, startAt: NOON }))])).toEqual(steps('0:20'))
})
