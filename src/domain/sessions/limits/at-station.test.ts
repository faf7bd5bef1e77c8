import { expect, it } from 'vitest'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register } from '../../../../test/support/sessions/inputs.ts'
import { aSession } from '../../../../test/support/storage-contract/records.ts'
import type { Session } from '../../ports/sessions.ts'
import { sessionDetails } from '../figures/details.ts'
import { limitsDue } from './at-station.ts'
import { foreseenAt } from './limits.ts'
import type { StationTerms } from './records.ts'

const LIMITS = { energyMilliWh: 10_000_000, costMicros: 20_000_000, durationMs: 3_600_000 }
const sent = (limits: StationTerms['limits'] = {}): StationTerms => ({ sent: { limits, last: limits, by: 0 } })

it.each<readonly [string, Partial<Session>, number | undefined, object | undefined]>([
  ['all, as the station did not say what it supports', { tariff: TARIFF }, undefined, LIMITS],
  ['only what it lists', { tariff: TARIFF }, 1 + 4, { energyMilliWh: 10_000_000, durationMs: 3_600_000 }],
  ['nothing, as it lists nothing', { tariff: TARIFF }, 0, undefined],
  ['no cost without a tariff', {}, 2, undefined],
  ['the cost with tax', { tariff: { ...TARIFF, taxPercent: 19 } }, 2, { costMicros: 23_800_000 }],
  ['none again', { tariff: TARIFF, atStation: sent(LIMITS) }, undefined, undefined],
  [
    'the one that was changed',
    { tariff: TARIFF, atStation: sent({ ...LIMITS, energyMilliWh: 5 }) },
    undefined,
    { energyMilliWh: 10_000_000 },
  ],
  [
    'none above the driver’s own',
    { atStation: { ...sent({ energyMilliWh: 5 }), limits: { energyMilliWh: 4 }, drivers: ['energyMilliWh'] } },
    1,
    undefined,
  ],
  [
    'one below the driver’s own',
    { atStation: { limits: { energyMilliWh: 40_000_000 }, drivers: ['energyMilliWh'] } },
    1,
    { energyMilliWh: 10_000_000 },
  ],
])('OCPP21-C3, E16.FR.12: which limits an answer carries: %s', (_, facts, supported, due) => {
  expect(limitsDue(aSession({ limits: LIMITS, ...facts }), supported)).toEqual(due)
})

/** A charge at a 2.1 station that has its limit of 10 kWh, and has confirmed it. */
function limited(confirmed: StationTerms['limits'] = { energyMilliWh: 10_000_000 }): Driver {
  const driver = new Driver({ idTokens: [{ sessionLimits: { energyMilliWh: 10_000_000 } }], tariff: TARIFF })
  const { outcome } = driver.sendAt(
    0,
    event(0, 0, 'started', {
      evseId: 1,
      idToken: CARD,
      activity: 'charging',
      samples: [register(0, 0, 'Transaction.Begin')],
      atStation: {},
    }),
  )
  expect(outcome.transactionLimit).toEqual({ energyMilliWh: 10_000_000 })
  const confirms = event(1, 1, 'updated', { trigger: 'LimitSet', atStation: { limits: confirmed } })
  expect(driver.sendAt(1, confirms).outcome.transactionLimit).toBeUndefined()
  return driver
}

const says = (number: number, minutes: number, wattHours: number, facts: Parameters<typeof event>[3] = {}) =>
  event(number, minutes, 'updated', { samples: [register(minutes, wattHours)], atStation: {}, ...facts })

const HELD = { trigger: 'EnergyLimitReached', activity: 'suspendedEvse' } as const

it('OCPP21-C3: at a limit that the station keeps the session is suspended, and no stop follows, however long', () => {
  const driver = limited()
  driver.sendAt(30, says(2, 30, 10_003, HELD))
  const held = driver.session()
  expect(held).toMatchObject({ state: 'suspended', suspendedBy: 'evse' })
  expect(held.stopRequestedAt).toBeUndefined()
  expect(foreseenAt(held)).toBeUndefined()
  driver.sendAt(90, says(3, 90, 10_004))
  driver.sendAt(200, { kind: 'tick' })
  expect(driver.session().stopRequestedAt).toBeUndefined()
  expect(sessionDetails(driver.session(), undefined, driver.now)).toMatchObject({
    transactionLimit: { energyKwh: 10 },
    limitReached: { kind: 'energy', limit: 10, at: '2026-08-01T10:30:00.000Z' },
  })
})

it('OCPP21-C3: a limit that is only said to be reached keeps nothing: the charge was not suspended', () => {
  const driver = limited({})
  driver.sendAt(30, says(2, 30, 10_000, { trigger: 'EnergyLimitReached' }))
  expect(driver.session()).toMatchObject({ state: 'charging', stopRequestedAt: driver.now })
})

it('OCPP21-C3: no clock stops what its station holds', () => {
  const facts = { state: 'suspended', suspendedBy: 'evse', startedAt: ZERO, limits: { durationMs: MINUTE } } as const
  const atStation = { reached: { kind: 'energy', at: ZERO } } as const
  expect(foreseenAt(aSession({ ...facts, atStation }))).toBeUndefined()
  expect(foreseenAt(aSession({ ...facts, atStation, suspendedBy: 'ev' }))).toBe(ZERO + MINUTE)
})

it('OCPP21-C3: a raised limit is in the next answer once, and the charge goes on', () => {
  const driver = limited()
  driver.sendAt(30, says(2, 30, 10_000, HELD))
  driver.send({ kind: 'sessionLimitsChanged', sessionId: driver.session().id, limits: { energyMilliWh: 12_000_000 } })
  const raised = says(3, 31, 10_000, { trigger: 'Trigger' })
  expect(driver.sendAt(31, raised).outcome.transactionLimit).toEqual({ energyMilliWh: 12_000_000 })
  expect(driver.sendAt(31, raised).outcome.transactionLimit).toEqual({ energyMilliWh: 12_000_000 })
  const { outcome } = driver.sendAt(32, says(4, 32, 10_500, { activity: 'charging' }))
  expect(outcome.transactionLimit).toBeUndefined()
  expect(driver.session()).toMatchObject({ state: 'charging', stopRequestedAt: undefined })
  expect(sessionDetails(driver.session(), undefined, driver.now)).not.toHaveProperty('limitReached')
})

it.each([
  ['that was confirmed after a moment in which the station may suspend it', undefined, 3000],
  ['that was not at once', {}, 0],
])('OCPP21-C3: a charge that goes on beyond a limit %s is stopped by us', (_, confirmed, wait) => {
  const driver = limited(confirmed)
  driver.sendAt(30, says(2, 30, 10_000, { activity: 'charging' }))
  const stop = driver.session().stopRequestedAt
  expect(stop).toBe(wait === 0 ? driver.now : undefined)
  if (wait === 0) return
  expect(foreseenAt(driver.session())).toBe(driver.now + wait)
  driver.now += wait - 1
  driver.send({ kind: 'tick' })
  expect(driver.session().stopRequestedAt).toBeUndefined()
  driver.now += 1
  driver.send({ kind: 'tick' })
  expect(driver.session()).toMatchObject({ limitReached: { kind: 'energy' }, stopRequestedAt: driver.now })
})

it('OCPP21-C3: a reading just before the station says that it suspends the charge stops nothing', () => {
  const driver = limited()
  driver.sendAt(30, says(2, 30, 10_001, { activity: 'charging' }))
  driver.now += 500
  driver.send(says(3, 30, 10_002, HELD))
  driver.now += 60_000
  driver.send({ kind: 'tick' })
  expect(driver.session()).toMatchObject({ state: 'suspended', stopRequestedAt: undefined })
  // The moment begins anew at the raised limit.
  driver.send({ kind: 'sessionLimitsChanged', sessionId: driver.session().id, limits: { energyMilliWh: 11_000_000 } })
  driver.sendAt(40, says(4, 40, 11_000, { activity: 'charging' }))
  expect(driver.session().stopRequestedAt).toBeUndefined()
})

it('OCPP21-C3, E16.FR.17: the driver’s own limit is shown, and no answer raises it', () => {
  const driver = limited({ energyMilliWh: 5_000_000, stateOfCharge: 80 })
  driver.send({ kind: 'sessionLimitsChanged', sessionId: driver.session().id, limits: { energyMilliWh: 30_000_000 } })
  expect(driver.sendAt(2, says(2, 2, 100)).outcome.transactionLimit).toBeUndefined()
  expect(sessionDetails(driver.session(), undefined, driver.now)).toMatchObject({
    limits: { energyKwh: 30 },
    transactionLimit: { energyKwh: 5, stateOfCharge: 80 },
  })
  driver.sendAt(9, says(3, 9, 5_000, { trigger: 'SoCLimitReached', activity: 'suspendedEvse' }))
  const { limitReached } = sessionDetails(driver.session(), undefined, driver.now)
  expect(limitReached).toMatchObject({ kind: 'stateOfCharge', limit: 80 })
})

it('OCPP21-B8: a resumed transaction goes on in its session, suspended as it is, and is sent its limits again', () => {
  const driver = limited()
  driver.sendAt(20, says(2, 20, 3_000, { activity: 'charging' }))
  driver.sendAt(21, { kind: 'booted' })
  const resumed = says(3, 22, 3_000, { trigger: 'TxResumed', activity: 'suspendedEvse' })
  expect(driver.sendAt(22, resumed).outcome.transactionLimit).toEqual({ energyMilliWh: 10_000_000 })
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({ state: 'suspended', suspendedBy: 'evse', flags: [] })
  driver.sendAt(23, { kind: 'booted' })
  driver.sendAt(24, event(4, 24, 'ended', { stoppedReason: 'PowerLoss', trigger: 'AbnormalCondition', atStation: {} }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 3_000_000 })
  expect(driver.transaction()).toMatchObject({ open: false, stopReason: 'PowerLoss' })
})

it('OCPP21-B8: one that starts to count anew after its boot is the same session, too', () => {
  const driver = limited()
  driver.sendAt(21, { kind: 'booted' })
  driver.sendAt(22, event(0, 22, 'updated', { trigger: 'TxResumed', activity: 'charging', atStation: {} }))
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({ state: 'charging', atStation: { resumedAt: ZERO + 22 * MINUTE } })
})

it('OCPP21-C3: a session that is over, or being stopped, takes no other limits', () => {
  const driver = limited()
  const { id: sessionId } = driver.session()
  const change = { kind: 'sessionLimitsChanged', sessionId, limits: { energyMilliWh: 1 } } as const
  driver.send({ kind: 'remoteStopRequested', sessionId })
  expect(driver.send(change).outcome).toMatchObject({ refused: 'stop_requested' })
  driver.sendAt(9, event(2, 9, 'ended', { atStation: {} }))
  expect(driver.send(change).outcome).toMatchObject({ refused: 'session_ended' })
  expect(driver.session().limits).toEqual({ energyMilliWh: 10_000_000 })
})

it('OCPP21-C3, SESSION-B4: what comes late or out of order takes nothing back', () => {
  const driver = limited()
  driver.sendAt(30, says(4, 30, 10_000, HELD))
  driver.sendAt(31, says(2, 5, 1_000, { trigger: 'LimitSet', atStation: { limits: { energyMilliWh: 1 } } }))
  driver.sendAt(31, says(3, 20, 5_000, { activity: 'charging' }))
  expect(driver.session()).toMatchObject({
    state: 'suspended',
    atStation: { limits: { energyMilliWh: 10_000_000 }, reached: { kind: 'energy' } },
  })
})

it('OCPP21-B8: the limits of a resumed charge are sent again, also where it was not suspended', () => {
  const driver = limited()
  driver.sendAt(20, says(2, 20, 3_000, { activity: 'charging' }))
  const times = { createdAt: ZERO, updatedAt: ZERO }
  const of = { chargePointId: 'CP1', evseId: 1, owner: 'pilotwire' }
  const demand = { ...of, ...times, owner: 'limit:a', revision: 1, caps: {}, state: 'accepted' } as const
  const row = { ...of, ...times, source: 'desired', id: 7, purpose: 'TxProfile', stackLevel: 1, attempts: 0 } as const
  const profile = { id: 7, stackLevel: 1, purpose: 'TxProfile', kind: 'Absolute', schedules: [] } as const
  driver.records.apply([
    { kind: 'charging_demands', put: demand },
    { kind: 'charging_profiles', put: { ...row, profile, state: 'accepted' } },
  ])
  const state = () => driver.records.all('charging_profiles').map((one) => one.state)
  driver.sendAt(21, says(3, 21, 3_000, { activity: 'charging' }))
  expect(state()).toEqual(['accepted'])
  driver.sendAt(22, says(4, 22, 3_000, { trigger: 'TxResumed', activity: 'charging' }))
  expect(state()).toEqual(['stale'])
})
