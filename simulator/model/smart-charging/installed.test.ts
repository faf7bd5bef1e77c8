import { describe, expect, it } from 'vitest'
import { install, keptOverReboot, type OpenCharge, type ProfileRules, refusal, withoutThoseOf } from './installed.ts'
import { at, profile, type Row, steps } from './testing.ts'

const of16: ProfileRules = {
  protocol: 'ocpp1.6',
  units: ['A', 'W'],
  mostPeriods: 3,
  highestStackLevel: 10,
  mostProfiles: 2,
  takesZero: true,
}
const of201: ProfileRules = { ...of16, protocol: 'ocpp2.0.1' }
const begun: Row = { startAt: at(0) }
const tx: Row = { ...begun, purpose: 'TxProfile', transactionId: '7' }
const charge: OpenCharge = { transactionId: '7' }

describe('SIM-A18: what a station refuses', () => {
  it.each<[string, Row, ProfileRules, OpenCharge | undefined, string | undefined]>([
    ['a plain default', begun, of201, undefined, undefined],
    ['a unit that it has not', { ...begun, unit: 'W' }, { ...of201, units: ['A'] }, undefined, 'UnsupportedRateUnit'],
    [
      'more periods than it keeps',
      { periods: steps([0, 6], [1, 7], [2, 8], [3, 9]) },
      of16,
      undefined,
      'TooManyElements',
    ],
    ['a first period that begins later', { periods: [[5, 16]] }, of16, undefined, 'InvalidSchedule'],
    ['no period', { periods: [] }, of16, undefined, 'InvalidSchedule'],
    ['periods out of order', { periods: steps([0, 6], [60, 7], [30, 8]) }, of16, undefined, 'InvalidSchedule'],
    ['a limit below zero', { periods: [[0, -1]] }, of16, undefined, 'ValuePositiveOnly'],
    ['zero where it takes none', { periods: [[0, 0]] }, { ...of16, takesZero: false }, undefined, 'ValueTooLow'],
    ['zero', { periods: [[0, 0]] }, of16, undefined, undefined],
    ['a fourth phase', { periods: [[0, 16, 4]] }, of16, undefined, 'InvalidSchedule'],
    ['K01.FR.40: an absolute one without a start', {}, of201, undefined, 'InvalidSchedule'],
    ['an absolute one without a start in 1.6', {}, of16, undefined, undefined],
    ['K01.FR.41: a relative one with a start', { ...begun, kind: 'Relative' }, of201, undefined, 'InvalidSchedule'],
    ['a stack level above its highest', { stackLevel: 11 }, of16, undefined, 'InvalidStackLevel'],
    [
      'K01.FR.22: a constraint from outside',
      { ...begun, connectorId: 0, purpose: 'ChargingStationExternalConstraints' },
      of201,
      undefined,
      'InvalidProfile',
    ],
    ['a limit of the station on a connector', { purpose: 'ChargePointMaxProfile' }, of16, undefined, 'InvalidProfile'],
    [
      'K01.FR.38: a relative limit of the station',
      { connectorId: 0, purpose: 'ChargingStationMaxProfile', kind: 'Relative' },
      of201,
      undefined,
      'InvalidProfile',
    ],
    ['a recurring one that says not how', { ...begun, kind: 'Recurring' }, of16, undefined, 'InvalidProfile'],
    ['a validity that ends first', { validFrom: at(9), validTo: at(9) }, of16, undefined, 'InvalidProfile'],
    ['a profile of the charge', tx, of201, charge, undefined],
    ['1.6 §5.16: one without an id, of the charge there is', { ...tx, id: 3 }, of16, charge, undefined],
    ['a profile of a charge where none is', tx, of16, undefined, 'TxNotFound'],
    ['K01.FR.33: a profile of another charge', { ...tx, transactionId: '8' }, of201, charge, 'TxNotFound'],
    ['K01.FR.03: of no charge', { ...begun, purpose: 'TxProfile' }, of201, charge, 'MissingParam'],
    ['K01.FR.16: a profile of a charge for all', { ...tx, connectorId: 0 }, of201, charge, 'InvalidProfile'],
  ])('%s', (_name, row, rules, open, reason) => {
    expect(refusal(profile(row), rules, [], open)).toBe(reason)
  })

  it.each<[string, Row, Row, string | undefined]>([
    ['K01.FR.06: the same purpose and stack level', begun, { ...begun, id: 2 }, 'DuplicateProfile'],
    ['the same id', begun, begun, undefined],
    ['another stack level', begun, { ...begun, id: 2, stackLevel: 1 }, undefined],
    ['another EVSE', begun, { ...begun, id: 2, connectorId: 2 }, undefined],
    ['windows that keep apart', { ...begun, validTo: at(9) }, { ...begun, id: 2, validFrom: at(9) }, undefined],
    [
      'K01.FR.53: a default of an EVSE beside one of the station',
      { ...begun, connectorId: 0 },
      { ...begun, id: 2 },
      'DuplicateProfile',
    ],
    ['K01.FR.52: and the other way round', begun, { ...begun, id: 2, connectorId: 0 }, 'DuplicateProfile'],
    ['K01.FR.39: two of one charge', tx, { ...tx, id: 2 }, 'DuplicateProfile'],
  ])('2.0.1, beside another one: %s', (_name, first, second, reason) => {
    expect(refusal(profile(second), of201, [profile(first)], charge)).toBe(reason)
  })

  it('one more than it keeps', () => {
    const two = [profile({ stackLevel: 1 }), profile({ id: 2, stackLevel: 2 })]
    expect(refusal(profile({ id: 3, stackLevel: 3 }), of16, two, undefined)).toBe('TooManyElements')
    expect(refusal(profile({ id: 2, stackLevel: 3 }), of16, two, undefined)).toBeUndefined()
  })
})

describe('SIM-A18: what takes the place of what', () => {
  const ids = (profiles: readonly { id: number; stackLevel: number }[]) =>
    profiles.map(({ id, stackLevel }) => `${id}/${stackLevel}`)

  it.each<[string, Row, readonly string[]]>([
    ['the same id', { id: 1, stackLevel: 4, connectorId: 2 }, ['2/2', '1/4']],
    ['1.6 §3.13.2: the same purpose and stack level', { id: 9, stackLevel: 2 }, ['1/1', '9/2']],
    ['another connector', { id: 9, stackLevel: 2, connectorId: 2 }, ['1/1', '2/2', '9/2']],
    ['another purpose', { id: 9, stackLevel: 2, purpose: 'TxProfile' }, ['1/1', '2/2', '9/2']],
  ])('%s', (_name, row, left) => {
    const two = [profile({ id: 1, stackLevel: 1 }), profile({ id: 2, stackLevel: 2 })]
    expect(ids(install(two, profile(row), 'ocpp1.6'))).toEqual(left)
  })

  it('a profile of a charge ends with it, and at a boot; all others are kept without power', () => {
    const all = [profile(), profile({ id: 2, purpose: 'TxProfile', transactionId: '7' })]
    expect(withoutThoseOf(all, { connectorId: 2, transactionId: '7' })).toHaveLength(1)
    expect(withoutThoseOf(all, { connectorId: 1 })).toHaveLength(1)
    expect(withoutThoseOf(all, { connectorId: 2, transactionId: '8' })).toHaveLength(2)
    expect(keptOverReboot(all).map(({ id }) => id)).toEqual([1])
  })
})
