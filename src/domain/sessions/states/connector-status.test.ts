import { expect, it } from 'vitest'
import { at, Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status } from '../../../../test/support/sessions/inputs.ts'

function charging(): Driver {
  return new Driver({ idTokens: [{}], tariff: TARIFF }, status(-1, 'Preparing'), started(0))
}

it('stores the newest status of each connector, creating it', () => {
  const driver = new Driver({}, { ...status(0, 'Faulted', 2), errorCode: 'GroundFailure' })
  expect(driver.connectors.get('/2')).toEqual({
    connectorId: 2,
    status: 'Faulted',
    errorCode: 'GroundFailure',
    updatedAt: ZERO,
    byStation: true,
  })
  driver.send(status(1, 'Available', 2, 3))
  expect(driver.connectors.get('3/2')).toEqual({
    evseId: 3,
    connectorId: 2,
    status: 'Available',
    updatedAt: ZERO + MINUTE,
    byStation: true,
  })
})

it('SESSION-T4: one from a queue changes nothing; one of equal time or without a time does', () => {
  const driver = charging()
  driver.sendAt(1, { kind: 'disconnected', id: 1, code: 1006 })
  driver.sendAt(5, { kind: 'connected', id: 2, protocol: 'ocpp1.6' })
  driver.now = ZERO + 10 * MINUTE
  driver.send(status(5, 'SuspendedEV'))
  expect(driver.send(status(4, 'Charging')).changes).toEqual({})
  expect(driver.session().state).toBe('suspended')
  driver.send(status(5, 'Charging'))
  expect(driver.session().state).toBe('charging')
  driver.send({ ...status(0, 'SuspendedEV'), at: { occurredAt: driver.now - 6 * MINUTE, receivedAt: driver.now } })
  expect(driver.session().state).toBe('suspended')
})

const repaired = (name: string, receivedAt: number) => {
  const at = { occurredAt: receivedAt, receivedAt, original: '1970-01-01T00:00:07Z', repaired: true as const }
  return { ...status(0, name), at }
}
const stamped = (name: string, receivedAt: number, behindMs: number) => {
  return { ...status(0, name), at: { occurredAt: receivedAt - behindMs, receivedAt, original: 'said' } }
}

it('SESSION-T4: a status whose time was replaced silenced the connector and its session', () => {
  const driver = charging()
  driver.now = ZERO + 10 * MINUTE
  driver.send(repaired('Charging', driver.now))
  driver.now += 500
  driver.send(stamped('SuspendedEV', driver.now, 2000))
  expect([driver.connectors.get('/1')?.status, driver.session().state]).toEqual(['SuspendedEV', 'suspended'])
  driver.send(repaired('Faulted', driver.now))
  driver.send(stamped('Available', driver.now, 2000))
  expect(driver.connectors.get('/1')?.status).toBe('Available')
})

it.each([5000, 3_600_000])('SESSION-T4: a clock that was set back by %d ms silenced connector and session', (by) => {
  const driver = charging()
  driver.sendAt(10, status(10, 'Charging'))
  driver.sendAt(10, stamped('SuspendedEV', ZERO + 10 * MINUTE + 2000, by))
  expect([driver.connectors.get('/1')?.status, driver.session().state]).toEqual(['SuspendedEV', 'suspended'])
})

it('SESSION-T4: what waited in a queue from before the start is not the session’s', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.sendAt(-60, { kind: 'disconnected', id: 1, code: 1006 })
  driver.sendAt(0, { kind: 'connected', id: 2, protocol: 'ocpp1.6' })
  driver.send({ ...started(0), at: { ...at(-20), receivedAt: ZERO } })
  driver.send(stamped('Finishing', ZERO + 1000, 30 * MINUTE))
  expect(driver.session().state).toBe('charging')
  driver.send(stamped('SuspendedEV', ZERO + 2000, 10 * MINUTE))
  expect(driver.session().state).toBe('suspended')
})

it('SESSION-T4, SESSION-B12: 2.0.1: Available of a clock that was set back raises the question, too', () => {
  const driver = new Driver({}, event(0, 0, 'started', { evseId: 1, connectorId: 1, activity: 'charging' }))
  driver.sendAt(9, event(1, 9, 'updated', { samples: [register(9, 500)] }))
  driver.now = ZERO + 10 * MINUTE
  const available = { ...stamped('Available', driver.now, 3_600_000), evseId: 1 }
  expect(driver.send(available).requests).toEqual([{ kind: 'transactionStatus', transactionId: 'T1' }])
})

it('a status with a time is not held against one without: our clock and the station’s are two', () => {
  const driver = charging()
  driver.now = ZERO + 10 * MINUTE
  driver.send({ ...status(0, 'SuspendedEV'), at: { occurredAt: driver.now, receivedAt: driver.now } })
  driver.send(status(9, 'Charging'))
  expect(driver.connectors.get('/1')?.status).toBe('Charging')
  expect(driver.session().state).toBe('charging')
})

it('SESSION-S2: statuses without a time move the session of a station whose clock is hours ahead', () => {
  const driver = new Driver({ idTokens: [{}], tariff: TARIFF })
  driver.sendAt(0, { ...started(0), at: { ...at(180), receivedAt: ZERO } })
  for (const [minute, name] of ['SuspendedEV', 'Charging', 'SuspendedEVSE', 'Finishing'].entries()) {
    const now = ZERO + (minute + 1) * MINUTE
    driver.sendAt(minute + 1, { ...status(0, name), at: { occurredAt: now, receivedAt: now } })
  }
  expect(driver.transitions.map(({ to }) => to)).toEqual([
    'charging',
    'suspended',
    'charging',
    'suspended',
    'finishing',
  ])
})

it('SESSION-S2, SESSION-S3: the session follows its connector; every flip is one transition, a repetition none', () => {
  const driver = charging()
  const names = [
    'Charging',
    'SuspendedEV',
    'SuspendedEV',
    'SuspendedEVSE',
    'Charging',
    'Faulted',
    'Finishing',
    'Charging',
    'Finishing',
    'SuspendedEV',
  ]
  for (const [index, name] of names.entries()) driver.sendAt(index + 1, status(index + 1, name))
  expect(driver.transitions.map(({ to }) => to)).toEqual([
    'charging',
    'suspended',
    'charging',
    'finishing',
    'charging',
    'finishing',
    'suspended',
  ])
})

it.each([
  [
    'a stop that was accepted',
    (driver: Driver) => {
      const stop = { kind: 'remoteStopAnswered', sessionId: driver.session().id, outcome: 'accepted' } as const
      driver.sendAt(1, stop)
    },
  ],
  [
    'a stop that was asked for',
    (driver: Driver) => {
      driver.sendAt(1, { kind: 'remoteStopRequested', sessionId: driver.session().id })
      driver.sendAt(1, status(1, 'Finishing'))
    },
  ],
])('SESSION-S3: after %s it is finishing whatever its connector says; its energy counts', (_, stop) => {
  const driver = charging()
  stop(driver)
  driver.sendAt(2, status(2, 'SuspendedEV'))
  driver.sendAt(2, status(2, 'Charging'))
  driver.sendAt(3, sampled('100', [register(3, 500)]))
  expect(driver.session()).toMatchObject({ state: 'finishing', energyMilliWh: 500_000 })
})

it('SESSION-S2: a status from before the session, of another connector or of the station is not the session’s', () => {
  const driver = charging()
  driver.connectors.clear()
  driver.send(status(-1, 'SuspendedEV'))
  driver.send(status(5, 'SuspendedEV', 2))
  driver.send(status(5, 'SuspendedEV', 0))
  expect(driver.session().state).toBe('charging')
})

it('SESSION-A15: Available after the last sample starts the orphan timer, once; an earlier one does not', () => {
  const driver = charging()
  driver.sendAt(10, sampled('100', [register(10, 500)]))
  driver.connectors.clear()
  driver.sendAt(11, status(9, 'Available'))
  expect(driver.transaction().suspectSince).toBeUndefined()
  driver.sendAt(12, status(11, 'Available'))
  driver.sendAt(14, status(14, 'Available'))
  expect(driver.transaction().suspectSince).toBe(ZERO + 12 * MINUTE)
  expect(driver.session()).toMatchObject({ state: 'charging' })
  expect(driver.session().flags).toContain('suspect')
})

it('SESSION-A15: Charging clears the suspicion', () => {
  const driver = charging()
  driver.sendAt(1, status(1, 'Available'))
  driver.sendAt(2, status(2, 'Charging'))
  expect(driver.transaction().suspectSince).toBeUndefined()
  expect(driver.session().flags).not.toContain('suspect')
})

it('SESSION-A15: Preparing raises suspicion only after a boot', () => {
  const driver = charging()
  driver.sendAt(1, status(1, 'Preparing'))
  expect(driver.transaction().suspectSince).toBeUndefined()
  driver.sendAt(2, { kind: 'booted' })
  driver.sendAt(3, status(3, 'Preparing'))
  expect(driver.transaction().suspectSince).toBe(ZERO + 3 * MINUTE)
})

it('SESSION-B12: of a transaction that speaks for itself only the connector changes; Available raises the question', () => {
  const driver = new Driver({}, event(0, 0, 'started', { evseId: 1, connectorId: 1, activity: 'charging' }))
  driver.sendAt(1, status(1, 'SuspendedEV', 1, 1))
  expect(driver.session().state).toBe('charging')
  expect(driver.sendAt(2, status(2, 'Available', 2, 1)).requests).toBeUndefined()
  const { requests } = driver.sendAt(3, status(3, 'Available', 1, 1))
  expect(requests).toEqual([{ kind: 'transactionStatus', transactionId: 'T1' }])
  expect(driver.transaction().suspectSince).toBe(ZERO + 3 * MINUTE)
  expect(driver.sendAt(4, status(4, 'Available', 1, 1)).requests).toBeUndefined()
  expect(driver.session().state).toBe('charging')
})

it('SESSION-B12: several connectors in one message are all taken over, each in the order of its own reports', () => {
  const driver = new Driver()
  const reports = [status(1, 'Occupied', 1, 1), status(1, 'Available', 1, 2), status(2, 'Faulted', 1, 1)]
  const { connectors } = driver.sendAt(2, { kind: 'connectorStatuses', reports }).changes
  expect(connectors?.map(({ evseId, status }) => [evseId, status])).toEqual([
    [1, 'Faulted'],
    [2, 'Available'],
  ])
})

it('nothing but the connector changes without a transaction', () => {
  const driver = new Driver()
  expect(driver.send({ ...status(0, 'Charging'), at: at(0) }).changes).toEqual({
    connectors: [{ connectorId: 1, status: 'Charging', updatedAt: ZERO, byStation: true }],
  })
})
