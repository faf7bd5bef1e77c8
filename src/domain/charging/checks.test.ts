import { expect, test } from 'vitest'
import { type ChargingSurroundings, chargingFaults } from './checks.ts'
import type { ChargingOrder, ChargingProfile, ProfileSchedule } from './profile.ts'

const schedule: ProfileSchedule = { unit: 'A', startAt: 1000, periods: [{ startSeconds: 0, limit: 16 }] }
const profile: ChargingProfile = {
  id: 7,
  purpose: 'TxDefaultProfile',
  kind: 'Absolute',
  stackLevel: 1,
  schedules: [schedule],
}
const around: ChargingSurroundings = {
  profiles: [],
  transactions: [{ transactionId: 't1', evseId: 1 }],
  hasNeeds: () => false,
  isStrict: true,
}
const set = (more: Partial<ChargingProfile>, evseId = 1): ChargingOrder => ({
  kind: 'set',
  evseId,
  profile: { ...profile, ...more },
})
const scheduled = (more: Partial<ProfileSchedule>) => set({ schedules: [{ ...schedule, ...more }] })
const period = (more: Partial<ProfileSchedule['periods'][number]>) =>
  scheduled({ periods: [{ startSeconds: 0, limit: 16, ...more }] })
const PERIODS = 'chargingSchedule/0/chargingSchedulePeriod'
const tx = { purpose: 'TxProfile', transactionId: 't1' } as const
const max = { purpose: 'ChargingStationMaxProfile' } as const
const periods = (...starts: number[]) => starts.map((startSeconds) => ({ startSeconds, limit: 16 }))
const dynamic = (...starts: number[]) =>
  set({ kind: 'Dynamic', schedules: [{ ...schedule, periods: periods(...starts) }] })
const held = (more: Partial<ChargingProfile>, evseId = 1) => ({
  profiles: [{ evseId, profile: { ...profile, id: 8, ...more } }],
})
const clear = { kind: 'clear', mayBeAll: false } as const

// CHARGING-P2: before it is sent
test.each<[string, ChargingOrder, Partial<ChargingSurroundings>, string?, string?]>([
  ['a default', set({}), {}],
  ['a profile of a running transaction', set(tx), {}],
  ['all that it can', set({ stackLevel: 3 }), { abilities: { units: ['A'], maxPeriods: 1, maxStackLevel: 3 } }],
  ['a unit it refuses', set({}), { abilities: { units: ['W'] } }, 'K01.FR.26', 'chargingSchedule/0/chargingRateUnit'],
  ['too many periods', scheduled({ periods: periods(0, 60) }), { abilities: { maxPeriods: 1 } }, '2.0.1 K01', PERIODS],
  ['too high a stack level', set({ stackLevel: 4 }), { abilities: { maxStackLevel: 3 } }, '2.0.1 K01', 'stackLevel'],
  ['one without smart charging', set({}), { abilities: { smartCharging: false } }, 'K01.FR.29', '/chargingProfile'],
  [
    'a start in a unit that it does not take',
    { kind: 'start', profile: { ...profile, purpose: 'TxProfile' } },
    { abilities: { units: ['W'] } },
    'K01.FR.26',
    'chargingSchedule/0/chargingRateUnit',
  ],
  ['K01.FR.36: one that is valid later', set({ validFrom: 9e12 }), {}],
  ['a TxProfile without its transaction', set({ ...tx, transactionId: undefined }), {}, 'K01.FR.03', 'transactionId'],
  ['the same in 1.6, where one runs', set({ ...tx, transactionId: undefined }), { isStrict: false }],
  [
    'the same in 1.6, where none runs',
    set({ ...tx, transactionId: undefined }),
    { isStrict: false, transactions: [] },
    'K01.FR.09',
    'transactionId',
  ],
  ['a TxProfile of a transaction elsewhere', set(tx, 2), {}, 'K01.FR.09', 'transactionId'],
  ['a TxProfile of the station', set(tx, 0), {}, 'K01.FR.16', '/evseId'],
  ['a transaction for a default', set({ transactionId: 't1' }), {}, 'K01.FR.03', 'transactionId'],
  ['a limit of the station at an EVSE', set(max), {}, '1.6 §3.13.1, 2.0.1 K01', '/evseId'],
  ['a limit of the station', set(max, 0), {}],
  [
    'a limit of the station that is relative',
    set({ ...max, kind: 'Relative', schedules: [{ ...schedule, startAt: undefined }] }, 0),
    {},
    'K01.FR.38',
    'chargingProfileKind',
  ],
  ['foreign limits', set({ purpose: 'ChargingStationExternalConstraints' }), {}, 'K01.FR.22', 'chargingProfilePurpose'],
  ['one that overlaps', set({}), held({}), 'K01.FR.06', 'stackLevel'],
  ['one that replaces', set({}), held({ id: 7 })],
  ['one of another stack level', set({}), held({ stackLevel: 2 })],
  ['one of another EVSE', set({}), held({}, 2)],
  ['one that ends before', set({ validFrom: 2000 }), held({ validTo: 2000 })],
  ['one that ends after', set({ validFrom: 1999 }), held({ validTo: 2000 }), 'K01.FR.06', 'stackLevel'],
  ['a second one of a transaction', set(tx), held(tx), 'K01.FR.39', 'stackLevel'],
  ['one of another transaction', set(tx), held({ ...tx, transactionId: 't0' })],
  ['several schedules', set({ ...tx, schedules: [schedule, schedule] }), {}, 'K01.FR.34', 'chargingSchedule/1'],
  ['several where the car told its needs', set({ ...tx, schedules: [schedule, schedule] }), { hasNeeds: () => true }],
  // The schemas let them pass: of a command nothing else looks at them.
  ['a limit below 0', period({ limit: -1 }), {}, '2.0.1 K01', `${PERIODS}/0/limit`],
  ['a least rate below 0', scheduled({ minRate: -1 }), {}, '2.0.1 K01', 'chargingSchedule/0/minChargingRate'],
  ['a stack level below 0', set({ stackLevel: -1 }), {}, '2.0.1 K01', 'stackLevel'],
  ['no phases', period({ limit: 6, phases: 0 }), {}, '2.0.1 K01', `${PERIODS}/0/numberPhases`],
  ['four phases', period({ limit: 6, phases: 4 }), {}, '2.0.1 K01', `${PERIODS}/0/numberPhases`],
  ['no period', scheduled({ periods: [] }), {}, 'K01.FR.31', PERIODS],
  ['no duration', scheduled({ durationSeconds: 0 }), {}, '2.0.1 K01', 'chargingSchedule/0/duration'],
  ['periods out of order', scheduled({ periods: periods(0, 60, 30) }), {}, 'K01.FR.35', `${PERIODS}/2/startPeriod`],
  ['two periods at once', scheduled({ periods: periods(0, 0) }), {}, 'K01.FR.35', `${PERIODS}/1/startPeriod`],
  ['a later first period', scheduled({ periods: periods(1, 60) }), {}, 'K01.FR.31', `${PERIODS}/0/startPeriod`],
  ['a limit of two decimals went out as it was', period({ limit: 10.55 }), {}, '2.0.1 K01', `${PERIODS}/0/limit`],
  ['a minimum of two decimals', scheduled({ minRate: 6.01 }), {}, '2.0.1 K01', 'chargingSchedule/0/minChargingRate'],
  [
    'one decimal, also where binary fractions have more',
    set({ schedules: [{ ...schedule, minRate: 0.3, periods: [{ startSeconds: 0, limit: 16.1 }] }] }),
    {},
  ],
  ['absolute without a start', scheduled({ startAt: undefined }), {}, 'K01.FR.40', 'chargingSchedule/0/startSchedule'],
  ['the same in 1.6: it begins with the charge', scheduled({ startAt: undefined }), { isStrict: false }],
  [
    'a recurring one without a start',
    set({ kind: 'Recurring', recurrency: 'Daily', schedules: [{ ...schedule, startAt: undefined }] }),
    { isStrict: false },
    'K01.FR.40',
    'chargingSchedule/0/startSchedule',
  ],
  ['a relative one with a start', set({ kind: 'Relative' }), {}, 'K01.FR.41', 'chargingSchedule/0/startSchedule'],
  ['a phase to use of three', period({ limit: 6, phaseToUse: 2 }), {}, 'K01.FR.19', `${PERIODS}/0/phaseToUse`],
  [
    'a phase to use, which 1.6 has no word for: it went without it',
    period({ limit: 6, phases: 1, phaseToUse: 2 }),
    { isStrict: false },
    'K01.FR.19',
    `${PERIODS}/0/phaseToUse`,
  ],
  ['one that ends before it begins', set({ validFrom: 2000, validTo: 2000 }), {}, '2.0.1 K01', 'validTo'],
  ['of an EVSE that is not there', set({}), { evses: new Set([2, 3]) }, 'K01.FR.28', '/evseId'],
  ['of an EVSE that is there', set({}), { evses: new Set([1, 2]) }],

  [
    'OCPP21-B11: an id that the station keeps for others',
    set({}),
    { abilities: { maxExternalId: 7 } },
    '2.1 K01.FR.81',
    'id',
  ],
  ['OCPP21-B11: one above', set({}), { abilities: { maxExternalId: 6 } }],
  [
    'OCPP21-B11: Dynamic without SupportsDynamicProfiles',
    set({ kind: 'Dynamic' }),
    { abilities: { dynamic: false } },
    '2.1 K01.FR.121',
    'chargingProfileKind',
  ],
  ['OCPP21-B11: Dynamic with it', set({ kind: 'Dynamic' }), { abilities: { dynamic: true } }],
  ['OCPP21-C1: two periods of a Dynamic one', dynamic(0, 60), {}, '2.1 K28.FR.01', 'chargingSchedule'],
  [
    'OCPP21-B11: a purpose that the station does not list',
    set({ purpose: 'PriorityCharging' }),
    { abilities: { purposes: ['LocalGeneration'] } },
    '2.1 K01',
    'chargingProfilePurpose',
  ],
  [
    'OCPP21-B11: one that it lists',
    set({ purpose: 'PriorityCharging' }),
    { abilities: { purposes: ['PriorityCharging'] } },
  ],
  [
    'OCPP21-B11: priority charging that ends',
    set({ purpose: 'PriorityCharging', schedules: [{ ...schedule, durationSeconds: 60 }] }),
    {},
    '2.1 K01.FR.72',
    'chargingSchedule/0/duration',
  ],
  ['OCPP21-C1: an update', { kind: 'update', id: 7, limit: 16 }, {}],

  ['a start with a default', { kind: 'start', profile }, {}, 'F01.FR.11', 'chargingProfilePurpose'],
  ['a start with a transaction', { kind: 'start', profile: { ...profile, ...tx } }, {}, 'F01.FR.11', 'transactionId'],
  ['a start with its profile', { kind: 'start', profile: { ...profile, purpose: 'TxProfile' } }, {}],
  ['a list by ids and more', { kind: 'list', selects: 'both' }, {}, 'K09.FR.03', 'chargingProfileId'],
  ['a list of nothing', { kind: 'list', selects: 'nothing' }, {}, 'K09.FR.03', ''],
  ['a list by ids', { kind: 'list', selects: 'ids' }, {}],
  ['a clear of nothing', clear, {}, 'K10.FR.02', '/chargingProfileCriteria'],
  ['a clear of all (1.6)', { ...clear, mayBeAll: true }, {}],
  ['a clear of one', { ...clear, id: 7 }, {}],
  [
    'a clear of external constraints',
    { ...clear, purpose: 'ChargingStationExternalConstraints' },
    {},
    'K10.FR.06',
    '/chargingProfileCriteria/chargingProfilePurpose',
  ],
])('%s', (_, order, more, clause, place) => {
  const faults = chargingFaults(order, { ...around, ...more })
  const below =
    place && !place.startsWith('/') ? `/chargingProfile/${place}` : place === '' ? '/chargingProfile' : place
  expect(faults.map((one) => [one.clause, one.pointer])).toEqual(clause === undefined ? [] : [[clause, below]])
})
