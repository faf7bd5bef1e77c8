import { expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, register, sampled, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'
import { representSession } from '../figures/representation.ts'

function charging(options: DriverOptions = {}): Driver {
  return new Driver({ idTokens: [{}, { id: 'OTHER' }], ...options }, started(0, { registerMilliWh: 1_000_000 }))
}

it('SESSION-A11, SESSION-S4: closes with the stop’s register, time, reason and token', () => {
  const driver = charging({ tariff: TARIFF })
  const { outcome } = driver.sendAt(
    31,
    stopped(30, { transactionId: '100', registerMilliWh: 5_000_000, idToken: CARD, reason: 'EVDisconnected' }),
  )
  expect(outcome).toEqual({ authorisation: { status: 'Accepted' }, sessionId: 'session-1' })
  expect(driver.transaction()).toMatchObject({
    open: false,
    endedBy: 'station',
    stopReason: 'EVDisconnected',
    stopIdToken: CARD,
  })
  expect(driver.session()).toMatchObject({ endReason: 'normal', version: 2 })
  expect(representSession(driver.session())).toMatchObject({
    state: 'completed',
    energyKwh: 4,
    cost: 3.3,
    startedAt: '2026-08-01T10:00:00.000Z',
    stoppedAt: '2026-08-01T10:30:00.000Z',
  })
})

it('SESSION-A11: its transactionData count', () => {
  const driver = charging()
  const samples = [register(0, 1_000, 'Transaction.Begin'), register(30, 3_000, 'Transaction.End')]
  driver.sendAt(30, stopped(30, { transactionId: '100', samples }))
  expect(driver.session().energyMilliWh).toBe(2_000_000)
})

it('SESSION-A12: the same stop again is answered the same and changes nothing', () => {
  const driver = charging({ forgetful: true })
  const stop = stopped(30, { transactionId: '100', registerMilliWh: 5_000_000, idToken: CARD })
  const first = driver.sendAt(30, stop)
  expect(driver.sendAt(31, stop)).toEqual({ outcome: first.outcome, changes: {} })
})

it('SESSION-A12, SESSION-A5: the repeated stop of a remote start’s own token is answered as the first', () => {
  const driver = new Driver({ forgetful: true })
  const idToken = { id: 'FADE0123456789', type: 'ISO14443' }
  driver.send(remoteStartRequested('remote', remoteStart(0)))
  driver.send(started(0, { idToken }))
  const stop = stopped(30, { transactionId: '100', registerMilliWh: 5_000, idToken })
  const first = driver.sendAt(30, stop)
  expect(first.outcome.authorisation).toEqual({ status: 'Accepted' })
  expect(driver.sendAt(31, stop).outcome).toEqual(first.outcome)
})

it('SESSION-A12: another stop of a stopped transaction is a conflict; the first stays', () => {
  const driver = charging({ forgetful: true })
  driver.sendAt(30, stopped(30, { transactionId: '100', registerMilliWh: 5_000_000 }))
  const before = representSession(driver.session())
  driver.sendAt(31, stopped(31, { transactionId: '100', registerMilliWh: 9_000_000 }))
  expect(representSession(driver.session())).toEqual(before)
  expect(driver.session().flags).toContain('conflict')
})

it('SESSION-A12, HOOK-M5: the real stop replaces the estimate of the orphan rule; the state stays', () => {
  const driver = charging({ forgetful: true, tariff: TARIFF })
  driver.sendAt(10, sampled('100', [register(10, 2_000)]))
  driver.sendAt(60, started(60))
  expect(driver.session(0)).toMatchObject({ state: 'completed', endReason: 'interrupted', energyMilliWh: 1_000_000 })
  driver.sendAt(61, stopped(30, { transactionId: '100', registerMilliWh: 5_000_000 }))
  expect(driver.session(0)).toMatchObject({
    state: 'completed',
    endReason: 'normal',
    energyMilliWh: 4_000_000,
    stoppedAt: ZERO + 30 * MINUTE,
  })
  expect(representSession(driver.session(0)).cost).toBe(3.3)
  expect(driver.session(0).settlementCount).toBeUndefined()
  expect(driver.session(0).flags).not.toContain('inferred')
})

it('HOOK-M6: only the final figure may lower the energy', () => {
  const driver = charging()
  driver.sendAt(10, sampled('100', [register(10, 3_100)]))
  driver.sendAt(30, stopped(30, { transactionId: '100', registerMilliWh: 3_000_000 }))
  expect(driver.session().energyMilliWh).toBe(2_000_000)
})

it.each([
  ['without a number', undefined],
  ['with an unknown number', '4711'],
])('SESSION-A13: a stop %s ends the only open transaction it can belong to', (_, transactionId) => {
  const driver = charging()
  const named = transactionId === undefined ? {} : { transactionId }
  driver.sendAt(30, stopped(30, { ...named, registerMilliWh: 2_000_000, idToken: CARD }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 1_000_000 })
  expect(driver.session().flags).toContain('inferredTx')
  expect(driver.sendAt(31, stopped(30, { ...named, registerMilliWh: 2_000_000, idToken: CARD })).changes).toEqual({})
})

it.each([
  ['stopped before it began', stopped(-5, { registerMilliWh: 2_000_000 })],
  ['stopped below its start register', stopped(30, { registerMilliWh: 500_000 })],
  ['stopped by another token', stopped(30, { registerMilliWh: 2_000_000, idToken: { id: 'OTHER', type: 'ISO14443' } })],
])('SESSION-A13: an open transaction that cannot have %s is left alone, and the stop is answered', (_, stop) => {
  const driver = charging()
  const { outcome, changes } = driver.sendAt(30, stop)
  expect(changes).toEqual({})
  expect(outcome).toEqual(stop.idToken ? { authorisation: { status: 'Accepted' } } : {})
})

it.each([
  ['while another connector charges', [started(0, { connectorId: 2 })], 2],
  ['with its Transaction.Begin', [], 1],
])('SESSION-A13, SESSION-A12: a stop without its number, again, %s, ends nothing', (_, others, sessions) => {
  const driver = charging()
  for (const other of others) driver.send(other)
  const facts = { registerMilliWh: 2_000_000, idToken: CARD, samples: [register(0, 1_000, 'Transaction.Begin')] }
  driver.sendAt(30, stopped(30, { ...facts, transactionId: '100' }))
  expect(driver.sendAt(31, stopped(30, facts)).changes).toEqual({})
  expect(driver.sessions).toHaveLength(sessions)
  expect(driver.session(0)).toMatchObject({ state: 'completed', flags: ['unknownConnector'] })
})

const replaced = (): Driver => {
  const driver = charging()
  driver.send(sampled('100', [register(10, 1_300)]))
  driver.sendAt(40, started(40, { registerMilliWh: 2_000_000, messageId: 'M2', startKey: 'second' }))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'interrupted', energyMilliWh: 300_000 })
  return driver
}

it('SESSION-A13, SESSION-A12: without its number, after the next start, it replaces the estimate and leaves the running charge alone', () => {
  const driver = replaced()
  driver.sendAt(41, stopped(30, { registerMilliWh: 2_000_000, idToken: CARD }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 1_000_000 })
  expect(driver.transaction(1).open).toBe(true)
  driver.sendAt(42, stopped(30, { registerMilliWh: 2_000_000, idToken: CARD }))
  expect(driver.transaction(1).open).toBe(true)
})

it('SESSION-A16: without its number it finds its charge in the database, after a restart and charges on other connectors, and only once', () => {
  const driver = charging({ forgetful: true })
  driver.send(sampled('100', [register(10, 1_300)]))
  driver.sendAt(40, started(40, { registerMilliWh: 2_000_000, startKey: 'second' }))
  for (const connectorId of [2, 3]) {
    driver.sendAt(41, started(41, { connectorId, startKey: `other ${connectorId}` }))
    driver.sendAt(42, stopped(42, { transactionId: String(100 + connectorId), registerMilliWh: 5_000_000 }))
  }
  const before = driver.sessions.slice(1)
  driver.sendAt(43, stopped(30, { registerMilliWh: 2_000_000, idToken: CARD }))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'normal', energyMilliWh: 1_000_000 })
  expect(driver.sendAt(44, stopped(30, { registerMilliWh: 2_000_000, idToken: CARD })).changes).toEqual({})
  expect(driver.sessions.slice(1)).toEqual(before)
})

it('SESSION-A16, SESSION-A12: a stop that named its own charge and comes again without its number does not replace it', () => {
  const driver = charging({ forgetful: true })
  driver.sendAt(40, started(40, { registerMilliWh: 2_000_000, startKey: 'second' }))
  driver.sendAt(41, started(20, { connectorId: 2, startKey: 'other' }))
  const facts = { registerMilliWh: 2_500_000, idToken: CARD }
  driver.sendAt(42, stopped(30, { ...facts, transactionId: '102' }))
  expect(driver.sendAt(43, stopped(30, facts)).changes).toEqual({})
  expect(driver.session()).toMatchObject({ endReason: 'interrupted', energyMilliWh: 0 })
})

it('SESSION-A13, SESSION-A12: without its number it is not taken for it when its time is after that start', () => {
  const driver = replaced()
  driver.sendAt(60, stopped(55, { registerMilliWh: 1_500_000, idToken: CARD }))
  expect(driver.session()).toMatchObject({ energyMilliWh: 300_000 })
  expect(driver.transaction(1).open).toBe(true)
})

it('SESSION-A13: with two candidates nobody is guessed', () => {
  const driver = charging()
  driver.send(started(0, { connectorId: 2 }))
  expect(driver.sendAt(30, stopped(30, { registerMilliWh: 2_000_000 })).changes).toEqual({})
})

it('SESSION-A13, SESSION-B4: a stop whose start was never seen is recovered from its Transaction.Begin, once', () => {
  const driver = new Driver({ forgetful: true, tariff: TARIFF })
  const samples = [register(0, 1_000, 'Transaction.Begin'), register(30, 3_000, 'Transaction.End')]
  const stop = stopped(30, { transactionId: '4711', registerMilliWh: 3_000_000, samples })
  driver.sendAt(31, stop)
  expect(driver.session()).toMatchObject({
    state: 'completed',
    energyMilliWh: 2_000_000,
    startedAt: ZERO,
    stoppedAt: ZERO + 30 * MINUTE,
  })
  expect(driver.session().flags).toContain('recovered')
  expect(driver.transitions).toEqual([{ sessionId: 'session-1', from: undefined, to: 'completed' }])
  expect(driver.sendAt(32, stop).changes).toEqual({})
})

it('SESSION-A13, OCPP-DR4: a stop of nobody is answered and stays in the log', () => {
  expect(new Driver().send(stopped(0, { registerMilliWh: 1 }))).toEqual({ outcome: {}, changes: {} })
})

it.each([
  ['ENERGY-W3: a stop before its start has no duration', -5, 'badClock'],
  ['SESSION-A14: a stop more than five minutes ahead is stored', 36, 'badClock'],
] as const)('%s', (_, minutes, flag) => {
  const driver = charging()
  driver.sendAt(30, stopped(minutes, { transactionId: '100', registerMilliWh: 2_000_000 }))
  expect(driver.session()).toMatchObject({ state: 'completed', stoppedAt: ZERO + Math.max(0, minutes) * MINUTE })
  expect(driver.session().flags).toContain(flag)
})

it('SESSION-A14, TOKEN-Z3: a stop by an unrelated token is noted; one of the same group is not', () => {
  const idTokens = [
    { groupId: 'family' },
    { id: 'SPOUSE', groupId: 'family' },
    { id: 'CHILD', groupId: 'FAMILY' },
    { id: 'OTHER' },
  ]
  const stop = (id: string) => {
    const driver = charging({ idTokens })
    driver.sendAt(
      30,
      stopped(30, { transactionId: '100', registerMilliWh: 2_000_000, idToken: { id, type: 'ISO14443' } }),
    )
    expect(driver.session().state).toBe('completed')
    return driver.session().flags.includes('unrelatedStopToken')
  }
  expect(stop('card')).toBe(false)
  expect(stop('SPOUSE')).toBe(false)
  // TOKEN-Z1: a group is an identifier too.
  expect(stop('CHILD')).toBe(false)
  expect(stop('OTHER')).toBe(true)
})

it.each([
  ['normal', 'CARD', 'Remote', 0, 'completed', 'normal'],
  ['normal', 'CARD', 'Local', 1_000, 'completed', 'normal'],
  ['refused, nothing delivered', 'BLOCKED', 'DeAuthorized', 0, 'failed', 'rejected'],
  ['refused, energy delivered', 'BLOCKED', 'DeAuthorized', 1_000, 'completed', 'deauthorized'],
  ['refused by the station, energy delivered', 'CARD', 'DeAuthorized', 1_000, 'completed', 'deauthorized'],
  ['refused, whatever reason', 'BLOCKED', 'EVDisconnected', 0, 'failed', 'rejected'],
  ['never plugged in', 'CARD', 'Timeout', 0, 'failed', 'expired'],
  ['a vendor’s own reason', 'CARD', 'Lunch', 1_000, 'completed', 'normal'],
])('SESSION-S4: %s', (_, id, reason, energyMilliWh, state, endReason) => {
  const driver = new Driver({ idTokens: [{}, { id: 'BLOCKED', status: 'Blocked' }], tariff: TARIFF })
  driver.send(started(0, { idToken: { id, type: 'ISO14443' } }))
  driver.sendAt(1, stopped(1, { transactionId: '100', registerMilliWh: energyMilliWh, reason }))
  expect(driver.session()).toMatchObject({ state, endReason, energyMilliWh })
  expect(driver.session().cost !== undefined).toBe(state === 'completed')
})

it('ENERGY-N3: a station whose samples count from the session’s start is remembered', () => {
  const driver = charging({})
  driver.sendAt(5, sampled('100', [register(5, 100)]))
  driver.sendAt(10, sampled('100', [register(10, 200)]))
  driver.sendAt(30, stopped(30, { transactionId: '100', registerMilliWh: 1_200_000 }))
  expect(driver.session().energyMilliWh).toBe(200_000)
  expect(driver.status.relativeMeter).toBe(true)
})
