import { expect, it } from 'vitest'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'

function charging(): Driver {
  const driver = new Driver({ idTokens: [{}, { id: 'BLOCKED', status: 'Blocked' }], tariff: TARIFF }, started(0))
  driver.sendAt(10, sampled('100', [register(10, 700)]))
  return driver
}

const TICK = { kind: 'tick' } as const

it('SESSION-A15: when the timer is over the session ends with the last sample and its time', () => {
  const driver = charging()
  driver.sendAt(12, status(12, 'Available'))
  expect(driver.nextWakeMinutes).toBe(27)
  expect(driver.sendAt(26.9, TICK).changes).toEqual({})
  driver.sendAt(27, TICK)
  expect(driver.session()).toMatchObject({
    state: 'completed',
    endReason: 'interrupted',
    energyMilliWh: 700_000,
    stoppedAt: ZERO + 10 * MINUTE,
  })
  expect(driver.session().flags).toEqual(expect.arrayContaining(['inferred']))
  expect(driver.session().flags).not.toContain('suspect')
  expect(driver.nextWakeMinutes).toBeUndefined()
  expect(driver.sendAt(9999, TICK).changes).toEqual({})
})

it('SESSION-A15: no sign of life for 48 hours closes, also without any sample', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0))
  expect(driver.nextWakeMinutes).toBe(48 * 60)
  driver.sendAt(48 * 60, TICK)
  expect(driver.session()).toMatchObject({
    state: 'completed',
    endReason: 'interrupted',
    energyMilliWh: 0,
    stoppedAt: ZERO,
  })
})

it('SESSION-A15: every sign of life puts the 48 hours off', () => {
  const driver = charging()
  expect(driver.nextWakeMinutes).toBe(10 + 48 * 60)
  driver.sendAt(60, sampled('100', [register(60, 900)]))
  expect(driver.nextWakeMinutes).toBe(60 + 48 * 60)
})

it('SESSION-A15, SESSION-S4: when its charge point is removed it ends at once with the last sample; a late real stop still wins', () => {
  const driver = charging()
  driver.sendAt(11, { kind: 'removed' })
  const ended = { state: 'completed', endReason: 'interrupted', energyMilliWh: 700_000 }
  expect(driver.session()).toMatchObject({ ...ended, stoppedAt: ZERO + 10 * MINUTE })
  expect(driver.nextWakeMinutes).toBeUndefined()
  expect(driver.sendAt(12, { kind: 'removed' }).changes).toEqual({})
  driver.sendAt(13, stopped(13, { transactionId: '100', registerMilliWh: 900_000 }))
  expect(driver.session()).toMatchObject({
    state: 'completed',
    energyMilliWh: 900_000,
    stoppedAt: ZERO + 13 * MINUTE,
  })
})

it('SESSION-A15, SESSION-S4: a remote start that waits when its charge point is removed has failed', () => {
  const driver = new Driver({}, remoteStartRequested('S', remoteStart(0)))
  driver.sendAt(1, { kind: 'removed' })
  expect(driver.session()).toMatchObject({ state: 'failed', endReason: 'expired' })
})

it('SESSION-A15, SESSION-S4: a refused token that delivered nothing and never stopped has failed', () => {
  const driver = charging()
  driver.sendAt(20, started(20, { connectorId: 2, idToken: { id: 'BLOCKED', type: 'ISO14443' } }))
  driver.sendAt(30, started(30, { connectorId: 2 }))
  expect(driver.session(1)).toMatchObject({ state: 'failed', endReason: 'rejected' })
  expect(driver.session(1).cost).toBeUndefined()
})

it('SESSION-A15, COST-CO4: a late sample moves the estimate of a session closed by the orphan rule', () => {
  const driver = charging()
  driver.sendAt(60, started(60))
  driver.sendAt(61, sampled('100', [register(30, 2_000)]))
  expect(driver.session(0)).toMatchObject({
    state: 'completed',
    energyMilliWh: 2_000_000,
    stoppedAt: ZERO + 30 * MINUTE,
  })
})

it('SESSION-A12: a late real stop at 0 kWh only changes figures', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0))
  driver.sendAt(48 * 60, TICK)
  driver.sendAt(48 * 60 + 1, stopped(5, { transactionId: '100', registerMilliWh: 0, reason: 'DeAuthorized' }))
  expect(driver.session()).toMatchObject({
    state: 'completed',
    endReason: 'interrupted',
    stoppedAt: ZERO + 5 * MINUTE,
  })
})

it('SESSION-A15, SESSION-B10: of two open transactions on one EVSE the older goes, whichever connector they use', () => {
  const driver = new Driver({}, event(0, 0, 'started', { evseId: 1, connectorId: 1, activity: 'charging' }))
  driver.sendAt(5, event(0, 5, 'started', { transactionId: 'T2', evseId: 1, connectorId: 2, activity: 'charging' }))
  driver.sendAt(5, event(0, 5, 'started', { transactionId: 'T3', evseId: 2, activity: 'charging' }))
  expect(driver.sessions.map(({ state }) => state)).toEqual(['completed', 'charging', 'charging'])
  driver.sendAt(6, event(0, 1, 'started', { transactionId: 'T0', evseId: 1, activity: 'charging' }))
  expect(driver.session(1).state).toBe('charging')
  expect(driver.session(3).flags).toContain('historical')
})

it('SESSION-A15, SESSION-B10: an open 1.6 transaction after an upgrade to 2.0.1 goes as well', () => {
  const driver = charging()
  driver.sendAt(60, event(0, 60, 'started', { evseId: 1, connectorId: 1 }))
  expect(driver.session(0)).toMatchObject({ state: 'completed', endReason: 'interrupted' })
})

it('SESSION-A15, SESSION-B6, SESSION-B10: an EVSE that is named later displaces then', () => {
  const driver = new Driver({}, event(0, 0, 'started', { evseId: 1, activity: 'charging' }))
  driver.sendAt(5, event(0, 5, 'started', { transactionId: 'T2' }))
  expect(driver.session(0).state).toBe('charging')
  driver.sendAt(6, event(1, 6, 'updated', { transactionId: 'T2', evseId: 1, activity: 'charging' }))
  expect(driver.sessions.map(({ state }) => state)).toEqual(['completed', 'charging'])
  expect(driver.session(1).evseId).toBe(1)
})

function suspected(): Driver {
  const driver = new Driver({}, event(0, 0, 'started', { evseId: 1, connectorId: 1, activity: 'charging' }))
  driver.sendAt(1, status(1, 'Available', 1, 1))
  return driver
}
const answered = (answer: { ongoing?: boolean; messagesInQueue: boolean }) =>
  ({ kind: 'transactionStatusAnswered', transactionId: 'T1', ...answer }) as const

it('SESSION-B12: GetTransactionStatus: still going on clears the suspicion', () => {
  const driver = suspected()
  driver.sendAt(2, answered({ ongoing: true, messagesInQueue: false }))
  expect(driver.transaction().suspectSince).toBeUndefined()
})

it('SESSION-B5: GetTransactionStatus: messages in the queue are waited for, up to 24 hours', () => {
  const driver = suspected()
  driver.sendAt(2, answered({ ongoing: false, messagesInQueue: true }))
  expect(driver.nextWakeMinutes).toBe(2 + 24 * 60)
  driver.sendAt(100, TICK)
  expect(driver.transaction().open).toBe(true)
  driver.sendAt(2 + 24 * 60, TICK)
  expect(driver.session().state).toBe('completed')
})

it('SESSION-B5, SESSION-B12: GetTransactionStatus: over, and nothing in the queue: the orphan timer decides', () => {
  const driver = suspected()
  driver.sendAt(2, answered({ ongoing: false, messagesInQueue: false }))
  expect(driver.nextWakeMinutes).toBe(16)
})

it('GetTransactionStatus: an answer about a transaction nobody knows, or that ended, changes nothing', () => {
  expect(new Driver().send(answered({ messagesInQueue: true })).changes).toEqual({})
  const driver = suspected()
  driver.sendAt(2, event(1, 2, 'ended'))
  expect(driver.sendAt(3, answered({ ongoing: true, messagesInQueue: true })).changes).toEqual({})
})
