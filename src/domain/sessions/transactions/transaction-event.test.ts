import { expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register } from '../../../../test/support/sessions/inputs.ts'
import { representSession } from '../figures/representation.ts'

const PLACE = { evseId: 1, connectorId: 1 }

function charging(options: DriverOptions = {}): Driver {
  const driver = new Driver({
    idTokens: [{}, { id: 'OTHER', groupId: 'family' }, { id: 'BLOCKED', status: 'Blocked' }],
    ...options,
  })
  driver.send(
    event(0, 0, 'started', {
      ...PLACE,
      idToken: CARD,
      activity: 'charging',
      samples: [register(0, 1_000, 'Transaction.Begin')],
    }),
  )
  return driver
}

it('ENERGY-W3, SESSION-B4: a session that failed ends no earlier than it was shown to start, whatever the events say', () => {
  const driver = new Driver()
  driver.sendAt(1, event(0, 1, 'updated', { trigger: 'RemoteStop' }))
  driver.sendAt(2, event(-1, 0, 'ended', { trigger: 'EVConnectTimeout' }))
  const { state, startedAt, stoppedAt } = driver.session()
  expect({ state, startedAt, stoppedAt }).toEqual({
    state: 'failed',
    startedAt: ZERO + MINUTE,
    stoppedAt: ZERO + MINUTE,
  })
})

it('SESSION-B1, SESSION-S1, SESSION-S6: a transaction of the station’s own number from start to end', () => {
  const driver = new Driver({ idTokens: [{}], tariff: TARIFF, forgetful: true })
  driver.send(event(0, 0, 'started', { ...PLACE, activity: 'connected' }))
  expect(representSession(driver.session())).toMatchObject({ state: 'pending' })
  expect(driver.session().startedAt).toBeUndefined()
  driver.sendAt(1, event(1, 1, 'updated', { trigger: 'Authorized', idToken: CARD, activity: 'connected' }))
  expect(driver.session().state).toBe('pending')
  driver.sendAt(2, event(2, 2, 'updated', { activity: 'charging', samples: [register(2, 1_000)] }))
  expect(driver.session()).toMatchObject({ state: 'charging', startedAt: ZERO + 2 * MINUTE })
  driver.sendAt(12, event(3, 12, 'updated', { activity: 'suspendedEv', samples: [register(12, 3_000)] }))
  expect(driver.session()).toMatchObject({ state: 'suspended', suspendedBy: 'ev', energyMilliWh: 2_000_000 })
  driver.sendAt(22, event(4, 22, 'updated', { activity: 'idle' }))
  expect(driver.session().state).toBe('finishing')
  const { outcome } = driver.sendAt(32, event(5, 32, 'ended', { stoppedReason: 'EVDisconnected', activity: 'idle' }))
  // 1.00 per session + 2 kWh at 0.50 + 30 minutes at 0.01 + 10 idle minutes at 0.10
  expect(outcome).toEqual({ sessionId: 'session-1', totalCost: 3.3 })
  expect(representSession(driver.session())).toMatchObject({
    state: 'completed',
    energyKwh: 2,
    cost: 3.3,
    startedAt: '2026-08-01T10:02:00.000Z',
    stoppedAt: '2026-08-01T10:32:00.000Z',
  })
  expect(driver.transaction()).toMatchObject({
    open: false,
    endedBy: 'station',
    stopReason: 'EVDisconnected',
    idToken: CARD,
  })
  expect(driver.session().flags).toEqual([])
})

it('SESSION-S2: a start without authorisation is pending, whatever the cable does, until energy flows', () => {
  const driver = new Driver()
  driver.send(event(0, 0, 'started', { ...PLACE, activity: 'suspendedEvse', samples: [register(0, 1_000)] }))
  expect(driver.session().state).toBe('pending')
  driver.sendAt(1, event(1, 1, 'updated', { samples: [register(1, 1_100)] }))
  expect(driver.session()).toMatchObject({ state: 'suspended', energyMilliWh: 100_000, startedAt: ZERO })
})

it('SESSION-S2: a charge whose register rose faster than can be stayed pending for its whole length', () => {
  const driver = new Driver({ idTokens: [{}], tariff: TARIFF })
  driver.send(event(0, 0, 'started', { ...PLACE, idToken: CARD, samples: [register(0, 0)] }))
  expect(driver.session().state).toBe('pending')
  for (const minute of [1, 2, 3]) {
    driver.sendAt(minute, event(minute, minute, 'updated', { samples: [register(minute, minute * 500_000)] }))
    expect(driver.session()).toMatchObject({ state: 'charging', energyMilliWh: 0, startedAt: ZERO })
  }
  driver.sendAt(4, event(4, 4, 'ended', { stoppedReason: 'Local', activity: 'idle' }))
  expect(driver.transitions.map(({ to }) => to)).toEqual(['pending', 'charging', 'completed'])
  expect(driver.session()).toMatchObject({ energyMilliWh: 0, flags: ['meterAnomaly'] })
  const noCard = new Driver({}, event(0, 0, 'started', { ...PLACE, samples: [register(0, 0)] }))
  noCard.sendAt(1, event(1, 1, 'updated', { samples: [register(1, 12_345_000)] }))
  expect(noCard.session().state).toBe('pending')
})

it('SESSION-S6: suspended before anything was charged there is no start yet; it does not move later', () => {
  const driver = new Driver({ idTokens: [{}], tariff: TARIFF })
  driver.send(event(0, 0, 'started', { ...PLACE, idToken: CARD, activity: 'suspendedEv' }))
  expect(driver.session()).toMatchObject({ state: 'suspended', suspendedBy: 'ev' })
  expect(representSession(driver.session()).startedAt).toBeUndefined()
  expect(driver.session().cost).toBeUndefined()
  driver.sendAt(20, event(1, 20, 'updated', { activity: 'charging' }))
  expect(driver.session()).toMatchObject({ state: 'charging', startedAt: ZERO + 20 * MINUTE })
  expect(driver.session().cost).toEqual({ micros: 1_000_000, currency: 'EUR' })
})

it('SESSION-S2: the authorisation makes what the station said before count', () => {
  const driver = new Driver({ idTokens: [{}] }, event(0, 0, 'started', { ...PLACE, activity: 'suspendedEv' }))
  driver.sendAt(1, event(1, 1, 'updated', { trigger: 'Authorized', idToken: CARD }))
  expect(driver.session().state).toBe('suspended')
})

it('SESSION-B2, OCPP-DR6, COST-CO2: the same message again is answered the same and has no second effect', () => {
  const driver = charging({ tariff: TARIFF, forgetful: true })
  const end = event(1, 5, 'ended', { idToken: CARD, samples: [register(5, 3_000, 'Transaction.End')] })
  const first = driver.sendAt(5, end)
  expect(first.outcome).toMatchObject({ authorisation: { status: 'Accepted' }, totalCost: 2.05 })
  expect(driver.sendAt(6, end)).toEqual({ outcome: first.outcome, changes: {} })
  expect(driver.sendAt(7, event(0, 0, 'started', { ...PLACE, idToken: CARD })).changes).toEqual({})
  expect(driver.sessions).toHaveLength(1)
})

it('SESSION-B2: another message of a known number is applied if its time makes sense, and noted', () => {
  const driver = charging()
  driver.sendAt(1, event(1, 1, 'updated', { activity: 'charging' }))
  driver.sendAt(2, event(1, 0.5, 'updated', { activity: 'suspendedEv' }))
  expect(driver.session().state).toBe('charging')
  driver.sendAt(3, event(1, 3, 'updated', { activity: 'suspendedEv' }))
  expect(driver.session().state).toBe('suspended')
  expect(driver.session().flags).toContain('conflict')
})

it('ENERGY-N3, SESSION-B2: without its start a charge counts from its first register, also where a number came twice; the late start brings the rest', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.sendAt(1, event(1, 1, 'updated', { ...PLACE, activity: 'charging', samples: [register(1, 1_000)] }))
  driver.sendAt(2, event(2, 2, 'updated', { samples: [register(2, 4_000)] }))
  driver.sendAt(3, event(2, 3, 'updated', { samples: [register(3, 7_000)] }))
  expect(driver.session()).toMatchObject({ energyMilliWh: 6_000_000, flags: ['recovered', 'conflict'] })
  driver.sendAt(4, event(3, 4, 'ended', { samples: [register(4, 10_000, 'Transaction.End')] }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 9_000_000 })
  const start = event(0, 0, 'started', {
    ...PLACE,
    idToken: CARD,
    activity: 'charging',
    samples: [register(0, 0, 'Transaction.Begin')],
  })
  driver.sendAt(5, start)
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 10_000_000, startedAt: ZERO })
  expect(driver.sessions).toHaveLength(1)
})

it('SESSION-B2: a count that begins again inside the transaction goes on with it', () => {
  const driver = charging()
  for (const number of [1, 2, 3]) driver.sendAt(number, event(number, number, 'updated', { activity: 'charging' }))
  driver.sendAt(10, event(0, 10, 'updated', { trigger: 'TxResumed', activity: 'suspendedEvse' }))
  expect(driver.session().state).toBe('suspended')
  driver.sendAt(11, event(1, 11, 'updated', { activity: 'charging', samples: [register(11, 2_000)] }))
  expect(driver.session()).toMatchObject({ state: 'charging', energyMilliWh: 1_000_000 })
  driver.sendAt(12, event(2, 12, 'ended', { samples: [register(12, 2_500, 'Transaction.End')] }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 1_500_000 })
  expect(driver.sessions).toHaveLength(1)
})

it('SESSION-B4: an end before its start is recovered and completed; the late start fills in facts and is no transition', () => {
  const driver = new Driver({ idTokens: [{}], tariff: TARIFF, forgetful: true })
  driver.sendAt(60, event(2, 30, 'ended', { samples: [register(30, 3_000, 'Transaction.End')] }))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'normal', startedAt: ZERO + 30 * MINUTE })
  expect(driver.session().flags).toContain('recovered')
  driver.sendAt(
    61,
    event(0, 0, 'started', {
      ...PLACE,
      idToken: CARD,
      activity: 'connected',
      samples: [register(0, 1_000, 'Transaction.Begin')],
    }),
  )
  driver.sendAt(62, event(1, 10, 'updated', { activity: 'charging' }))
  expect(driver.session()).toMatchObject({
    state: 'completed',
    energyMilliWh: 2_000_000,
    startedAt: ZERO + 10 * MINUTE,
  })
  expect(driver.session().flags).not.toContain('recovered')
  expect(driver.session().flags).not.toContain('incomplete')
  expect(driver.transaction()).toMatchObject({ evseId: 1, idToken: CARD, startedAt: { occurredAt: ZERO } })
  expect(driver.transitions.map(({ to }) => to)).toEqual(['completed'])
})

it('SESSION-B4, SESSION-B6: a session whose start, or card, came after its end was shown without place and card', () => {
  const start = event(0, 0, 'started', { ...PLACE, activity: 'charging', samples: [register(0, 1_000)] })
  const card = event(1, 1, 'updated', { trigger: 'Authorized', idToken: CARD })
  const end = event(2, 9, 'ended', { samples: [register(9, 5_000)] })
  const orders = [
    [end, start, card],
    [end, card, start],
    [start, end, card],
    [card, end, start],
  ]
  for (const messages of orders) {
    const driver = new Driver({ idTokens: [{}], forgetful: true })
    for (const message of messages) driver.send(message)
    const { evseId, connectorId, idToken, state, energyMilliWh } = driver.session()
    expect([evseId, connectorId, idToken, state, energyMilliWh]).toEqual([1, 1, CARD.id, 'completed', 4_000_000])
  }
})

it('SESSION-B4: nothing opens a transaction again that has ended', () => {
  const driver = charging()
  driver.sendAt(5, event(1, 5, 'ended'))
  driver.sendAt(6, event(2, 6, 'updated', { activity: 'charging', samples: [register(6, 4_000)] }))
  expect(driver.session()).toMatchObject({ state: 'completed' })
  expect(driver.transaction().open).toBe(false)
})

it('SESSION-B5: an end with gaps asks the station and stays incomplete until they are filled', () => {
  const driver = charging({ forgetful: true })
  const { requests } = driver.sendAt(5, event(2, 5, 'ended'))
  expect(requests).toEqual([{ kind: 'transactionStatus', transactionId: 'T1' }])
  expect(driver.session().flags).toContain('incomplete')
  driver.sendAt(6, { kind: 'transactionStatusAnswered', transactionId: 'T1', messagesInQueue: false })
  expect(driver.session().flags).toContain('incomplete')
  driver.sendAt(7, event(1, 3, 'updated'))
  expect(driver.session().flags).not.toContain('incomplete')
})

it('SESSION-B3: numbers that continue from the transaction before are complete', () => {
  const driver = new Driver({}, event(41, 0, 'started', PLACE))
  expect(driver.sendAt(1, event(42, 1, 'ended')).requests).toBeUndefined()
})

it('SESSION-B6: what came once is kept', () => {
  const driver = charging()
  driver.sendAt(1, event(1, 1, 'updated', { evseId: 9, connectorId: 9, idToken: { id: 'OTHER', type: 'ISO14443' } }))
  expect(driver.transaction()).toMatchObject({ ...PLACE, idToken: CARD })
})

it('SESSION-S3: a watt-hour of standby on a plugged cable is no charge that is over', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(event(0, 0, 'started', { ...PLACE, idToken: CARD, activity: 'connected', samples: [register(0, 1_000)] }))
  driver.sendAt(1, event(1, 1, 'updated', { activity: 'connected', samples: [register(1, 1_001)] }))
  driver.sendAt(2, event(2, 2, 'updated', { activity: 'charging', samples: [register(2, 1_100)] }))
  driver.sendAt(3, event(3, 3, 'updated', { activity: 'connected', samples: [register(3, 2_000)] }))
  expect(driver.transitions.map(({ to }) => to)).toEqual(['pending', 'charging', 'finishing'])
  expect(driver.session().energyMilliWh).toBe(1_000_000)
})

it('SESSION-S3: Charging -> EVConnected -> Charging: it charges again where nobody stopped it', () => {
  const driver = charging()
  driver.sendAt(1, event(1, 1, 'updated', { activity: 'connected' }))
  driver.sendAt(2, event(2, 2, 'updated', { samples: [register(2, 1_000)] }))
  expect(driver.session().state).toBe('finishing')
  driver.sendAt(3, event(3, 3, 'updated', { activity: 'charging' }))
  expect(driver.session().state).toBe('charging')
  driver.sendAt(4, event(4, 4, 'updated', { trigger: 'StopAuthorized', activity: 'connected' }))
  driver.sendAt(5, event(5, 5, 'updated', { activity: 'charging' }))
  expect(driver.session().state).toBe('finishing')
})

it('SESSION-B7: StopAuthorized binds the stop token and the session is finishing', () => {
  const driver = charging()
  const idToken = { id: 'OTHER', type: 'ISO14443' }
  driver.sendAt(1, event(1, 1, 'updated', { trigger: 'StopAuthorized', idToken, activity: 'charging' }))
  expect(driver.transaction()).toMatchObject({ idToken: CARD, stopIdToken: idToken })
  expect(driver.session().state).toBe('finishing')
})

it.each(['KeyCode', 'keycode'])('OCPP-LG5: a %s typed to start or to stop is not kept', (type) => {
  const driver = new Driver({ unknownIdTokens: 'accept' })
  const idToken = { id: '4711', type }
  driver.send(event(0, 0, 'started', { ...PLACE, activity: 'charging', idToken }))
  driver.sendAt(1, event(1, 1, 'ended', { trigger: 'StopAuthorized', idToken }))
  expect(driver.session().state).toBe('completed')
  expect(driver.transaction()).toMatchObject({ idToken: { id: '***', type }, stopIdToken: { id: '***', type } })
  expect(JSON.stringify([driver.transaction(), driver.session(), [...driver.idTokens]])).not.toContain('4711')
})

it('SESSION-B7: RemoteStop is finishing; unknown triggers are read as a change of the charging state', () => {
  const driver = charging()
  driver.sendAt(1, event(1, 1, 'updated', { trigger: 'FromTheFuture', activity: 'suspendedEv' }))
  expect(driver.session().state).toBe('suspended')
  driver.sendAt(2, event(2, 2, 'updated', { trigger: 'RemoteStop' }))
  expect(driver.session().state).toBe('finishing')
})

it.each([
  ['EVConnectTimeout', undefined, 0, 'failed', 'expired'],
  ['EVConnectTimeout', 'Timeout', 0, 'failed', 'expired'],
  ['EVConnectTimeout', 'Timeout', 500, 'completed', 'normal'],
  ['Deauthorized', undefined, 0, 'failed', 'rejected'],
  ['Deauthorized', 'DeAuthorized', 500, 'completed', 'deauthorized'],
  ['EVDeparted', undefined, 0, 'completed', 'normal'],
])('SESSION-B7, SESSION-S4: ended by %s (%s) after %i Wh', (trigger, stoppedReason, wattHours, state, endReason) => {
  const driver = charging()
  const samples = [register(5, 1_000 + wattHours, 'Transaction.End')]
  driver.sendAt(5, event(1, 5, 'ended', { trigger, ...(stoppedReason && { stoppedReason }), samples }))
  expect(driver.session()).toMatchObject({ state, endReason, energyMilliWh: wattHours * 1000 })
})

it('SESSION-B8: a message with a token is answered with its status and group, one without is not', () => {
  const driver = charging()
  const withToken = driver.sendAt(1, event(1, 1, 'updated', { idToken: { id: 'other', type: 'ISO14443' } }))
  expect(withToken.outcome.authorisation).toEqual({ status: 'Accepted', groupId: 'family' })
  expect(driver.sendAt(2, event(2, 2, 'updated')).outcome.authorisation).toBeUndefined()
  const free = event(3, 3, 'updated', { idToken: { id: '', type: 'NoAuthorization' } })
  expect(driver.sendAt(3, free).outcome.authorisation).toEqual({ status: 'Accepted' })
})

it('SESSION-B9: after a refused token the session follows the station’s messages, not our wish', () => {
  const driver = new Driver({ idTokens: [{ status: 'Blocked' }] })
  const { outcome } = driver.send(event(0, 0, 'started', { ...PLACE, idToken: CARD, activity: 'charging' }))
  expect(outcome.authorisation?.status).toBe('Blocked')
  expect(driver.session().state).toBe('charging')
  driver.sendAt(1, event(1, 1, 'ended', { stoppedReason: 'DeAuthorized', samples: [register(0, 0), register(1, 50)] }))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'deauthorized' })
})

it('SESSION-B11, HOOK-M6: a replay carries the station’s times', () => {
  const driver = new Driver()
  driver.now = ZERO + 600 * MINUTE
  driver.send(event(0, 0, 'started', { ...PLACE, activity: 'charging' }))
  driver.send(event(1, 30, 'ended'))
  expect(driver.session()).toMatchObject({ startedAt: ZERO, stoppedAt: ZERO + 30 * MINUTE })
})

it('SESSION-A12, SESSION-B4: the real end replaces the orphan rule’s estimate', () => {
  const driver = charging({ forgetful: true })
  driver.sendAt(48 * 60, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'interrupted', energyMilliWh: 0 })
  driver.sendAt(48 * 60 + 1, event(1, 90, 'ended', { samples: [register(90, 9_000, 'Transaction.End')] }))
  expect(driver.session()).toMatchObject({
    endReason: 'normal',
    energyMilliWh: 8_000_000,
    stoppedAt: ZERO + 90 * MINUTE,
  })
})

it('SESSION-A15: any message of the transaction clears the suspicion', () => {
  const driver = charging()
  driver.sendAt(1, { kind: 'booted' })
  expect(driver.session().flags).toContain('suspect')
  driver.sendAt(2, event(1, 2, 'updated'))
  expect(driver.session().flags).not.toContain('suspect')
})

it('OCPP-DR4: a number that is none is noted, never lost', () => {
  const driver = charging()
  driver.sendAt(5, event(Number.NaN, 5, 'ended', { samples: [register(5, 2_000, 'Transaction.End')] }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 1_000_000 })
  expect(driver.session().flags).toContain('conflict')
})
