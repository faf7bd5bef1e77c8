import { expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'
import type { Input } from '../decision.ts'
import { representSession } from '../figures/representation.ts'

const KNOWN = { idTokens: [{}, { id: 'BLOCKED', status: 'Blocked' as const }] }
const VIRTUAL = { id: 'fade0123456789', type: 'ISO14443' }

it('SESSION-S1, SESSION-S6: an accepted start opens a transaction and a charging session with the station’s time', () => {
  const driver = new Driver(KNOWN)
  driver.now = ZERO + 5 * MINUTE
  const { outcome } = driver.send(started(3, { registerMilliWh: 5_000 }))
  expect(outcome).toEqual({ authorisation: { status: 'Accepted' }, transactionId: '100', sessionId: 'session-1' })
  expect(driver.transaction()).toMatchObject({
    transactionId: '100',
    open: true,
    connectorId: 1,
    idToken: CARD,
    authorised: true,
  })
  expect(representSession(driver.session())).toEqual({
    id: 'session-1',
    evseControllerId: 'CP1',
    state: 'charging',
    energyKwh: 0,
    startedAt: '2026-08-01T10:03:00.000Z',
  })
})

it('OCPP-DR6, OCPP-DR7, SESSION-A2: a repeated start gets the first answer verbatim and has no second effect, on any connection', () => {
  const driver = new Driver({ ...KNOWN, forgetful: true })
  const first = driver.send(started(0))
  driver.sendAt(1, stopped(1, { transactionId: '100', registerMilliWh: 1_000 }))
  driver.idTokens.clear()
  expect(driver.sendAt(2, started(0))).toEqual({ outcome: first.outcome, changes: {} })
  expect(driver.sessions).toHaveLength(1)
})

it('SESSION-A2: a retry under the same message id that was given a new time is the same start, until more is heard of it', () => {
  const driver = new Driver(KNOWN)
  const first = driver.send(started(0, { messageId: 'M' }))
  expect(driver.sendAt(2, started(1, { messageId: 'M' }))).toEqual({ outcome: first.outcome, changes: {} })
  expect(driver.sendAt(3, started(2, { messageId: 'M', idToken: { ...CARD, id: CARD.id.toLowerCase() } }))).toEqual({
    outcome: first.outcome,
    changes: {},
  })
  driver.sendAt(4, sampled('100', [register(4, 50)]))
  expect(driver.sendAt(5, started(5, { messageId: 'M' })).outcome.transactionId).toBe('101')
})

it.each([
  ['another message id', { messageId: 'N' }],
  ['no message id', {}],
  ['another token', { messageId: 'M', idToken: { id: 'OTHER', type: 'ISO14443' } }],
  ['another register', { messageId: 'M', registerMilliWh: 1 }],
  ['another connector', { messageId: 'M', connectorId: 2 }],
])('SESSION-A2: with another time and %s it is another start', (_what, facts) => {
  const driver = new Driver(KNOWN, started(0, { messageId: 'M' }))
  expect(driver.sendAt(2, started(1, facts)).outcome.transactionId).toBe('101')
})

it.each(['Preparing', 'Charging', 'SuspendedEV'])('SESSION-A2: three starts while %s cost three fees', (name) => {
  const driver = new Driver({ ...KNOWN, tariff: TARIFF }, status(0, name))
  const first = driver.send(started(0.1, { messageId: 'M' }))
  driver.sendAt(1, status(1, name))
  expect(driver.sendAt(2, started(2, { messageId: 'N' }))).toEqual({ outcome: first.outcome, changes: {} })
  expect(driver.sendAt(4, started(4)).outcome.transactionId).toBe(first.outcome.transactionId)
  driver.sendAt(60, stopped(60, { transactionId: '100', registerMilliWh: 0 }))
  expect(driver.sessions).toHaveLength(1)
})

it.each<[string, readonly Input[]]>([
  ['was free in between', [status(1, 'Available'), status(1.5, 'Preparing')]],
  ['finished', [status(1, 'Finishing'), status(1.5, 'Preparing')]],
  ['gave energy', [sampled('100', [register(1, 50)])]],
  ['belongs to a station that booted', [{ kind: 'booted' }]],
])('SESSION-A2: on a connector that %s it is another start', (_what, between) => {
  const driver = new Driver(KNOWN, status(0, 'Preparing'), started(0.1))
  for (const input of between) driver.sendAt(1.5, input)
  expect(driver.sendAt(2, started(2)).outcome.transactionId).toBe('101')
})

it('SESSION-A2, OCPP-RP6: after a boot an equal message id says nothing', () => {
  const driver = new Driver(KNOWN, started(0, { messageId: 'M' }))
  driver.sendAt(1, { kind: 'booted' })
  expect(driver.sendAt(2, started(2, { messageId: 'M' })).outcome.transactionId).toBe('101')
})

it.each([
  ['no time', {}],
  ['the time of a clock that was never set', { original: '1970-01-01T00:00:00Z', repaired: true as const }],
])('OCPP-DR7, ENERGY-W2: a start with %s is repeated only while nothing more was heard of it', (_what, time) => {
  const driver = new Driver({ ...KNOWN, forgetful: true })
  const timeless = (minutes: number): ReturnType<typeof started> => ({
    ...started(minutes, { startKey: '1|card|0|' }),
    at: { occurredAt: ZERO + minutes * MINUTE, receivedAt: ZERO + minutes * MINUTE, ...time },
  })
  const first = driver.send(timeless(0))
  expect(driver.sendAt(1, timeless(1))).toEqual({ outcome: first.outcome, changes: {} })
  driver.sendAt(9, stopped(9, { transactionId: '100', registerMilliWh: 1_000_000 }))
  expect(driver.sendAt(20, timeless(20)).outcome.transactionId).toBe('101')
  driver.sendAt(29, stopped(29, { transactionId: '101', registerMilliWh: 2_000_000 }))
  expect(driver.sessions.map(({ energyMilliWh }) => energyMilliWh)).toEqual([1_000_000, 2_000_000])
})

it('SESSION-A3, OCPP-DR8: every start gets its own number, also when the token is refused', () => {
  const driver = new Driver(KNOWN)
  const numbers = [1, 2, 3].map((connectorId) => {
    const idToken = { id: connectorId === 2 ? 'BLOCKED' : 'CARD', type: 'ISO14443' }
    return driver.send(started(0, { connectorId, idToken })).outcome
  })
  expect(numbers.map(({ transactionId }) => transactionId)).toEqual(['100', '101', '102'])
  expect(numbers[1]?.authorisation).toEqual({ status: 'Blocked' })
})

it('SESSION-A3: a number that the station itself used for a transaction is not given again', () => {
  const driver = new Driver(KNOWN, event(0, 0, 'started', { transactionId: '100', evseId: 2 }))
  expect(driver.send(started(0)).outcome.transactionId).toBe('101')
  expect(driver.transactions.size).toBe(2)
})

it('SESSION-A4, SESSION-S2: a refused token leaves a pending session with an open transaction, until energy flows all the same', () => {
  const driver = new Driver({ ...KNOWN, tariff: TARIFF }, started(0, { idToken: { id: 'BLOCKED', type: 'ISO14443' } }))
  expect(driver.transaction()).toMatchObject({ open: true, authorised: false })
  expect(representSession(driver.session())).toMatchObject({ state: 'pending', energyKwh: 0 })
  expect(driver.session().startedAt).toBeUndefined()
  expect(driver.session().cost).toBeUndefined()
  driver.sendAt(1, status(1, 'SuspendedEVSE'))
  expect(driver.session().state).toBe('pending')
  driver.sendAt(5, sampled('100', [register(5, 300)]))
  expect(driver.session()).toMatchObject({ state: 'suspended', energyMilliWh: 300_000, startedAt: ZERO })
})

it('SESSION-A4, SESSION-S2: status Charging after a refused start is charging', () => {
  const driver = new Driver(KNOWN, started(0, { idToken: { id: 'BLOCKED', type: 'ISO14443' } }))
  driver.sendAt(1, status(1, 'Charging'))
  expect(driver.session()).toMatchObject({ state: 'charging', startedAt: ZERO })
})

it('SESSION-S2: a connector that was suspended inside the session makes its first state suspended', () => {
  const driver = new Driver(KNOWN, status(2, 'SuspendedEV'))
  driver.sendAt(3, started(1))
  expect(driver.session().state).toBe('suspended')

  const before = new Driver(KNOWN, status(0, 'SuspendedEV'))
  before.sendAt(3, started(1))
  expect(before.session().state).toBe('charging')
})

it('SESSION-A5, SESSION-S1: a start with the virtual token joins its remote start', () => {
  const driver = new Driver({ ...KNOWN, tariff: TARIFF })
  driver.send(remoteStartRequested('session-remote', remoteStart(0), { externalReference: 'order 7' }))
  expect(driver.session()).toMatchObject({ state: 'pending', externalReference: 'order 7' })
  driver.sendAt(1, started(1, { idToken: VIRTUAL }))
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({
    id: 'session-remote',
    state: 'charging',
    transactionId: '100',
    tariff: TARIFF,
  })
  expect(driver.transitions.map(({ to }) => to)).toEqual(['pending', 'charging'])
})

it('SESSION-A5: the connector must be equal or was left open; the oldest of equals goes first', () => {
  const driver = new Driver(KNOWN, remoteStartRequested('on-2', remoteStart(0), { connectorId: 2 }))
  driver.sendAt(1, remoteStartRequested('younger', remoteStart(1)))
  driver.sendAt(1, remoteStartRequested('older', remoteStart(0)))
  driver.sendAt(2, started(2, { idToken: VIRTUAL, connectorId: 1 }))
  expect(driver.transaction().sessionId).toBe('older')
  driver.sendAt(3, started(3, { idToken: VIRTUAL, connectorId: 2 }))
  expect(driver.transaction(1).sessionId).toBe('on-2')
})

it('SESSION-A5: a station that starts on another connector than asked gave the order a second session, and the charge no reference', () => {
  const driver = new Driver(KNOWN)
  driver.send(remoteStartRequested('on-1', remoteStart(0), { connectorId: 1, externalReference: 'order 7' }))
  driver.sendAt(1, started(1, { idToken: VIRTUAL, connectorId: 2 }))
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({ state: 'charging', connectorId: 2, externalReference: 'order 7' })
})

it('SESSION-A5: the card of a person starts nobody’s order on another connector', () => {
  const driver = new Driver(KNOWN)
  driver.send(remoteStartRequested('on-1', remoteStart(0, { virtualIdToken: 'CARD' }), { connectorId: 1 }))
  driver.sendAt(1, started(1, { idToken: { id: 'CARD', type: 'ISO14443' }, connectorId: 2 }))
  expect(driver.sessions.map(({ state }) => state)).toEqual(['pending', 'charging'])
})

const ordered = (options: DriverOptions = KNOWN, connectorId: number | undefined = 1): Driver => {
  const driver = new Driver(options)
  const facts = { connectorId, idToken: CARD.id, externalReference: 'order 7' }
  driver.send(remoteStartRequested('order', remoteStart(0), facts))
  driver.send({ kind: 'remoteStartAnswered', sessionId: 'order', outcome: 'accepted' })
  return driver
}
const card = { id: 'card', type: 'ISO14443' }
it.each<[string, DriverOptions]>([
  ['that is registered', KNOWN],
  ['that nobody registered', {}],
])('SESSION-A5: it is joined by the card, %s', (_, options) => {
  const driver = ordered(options)
  const { outcome } = driver.sendAt(1, started(1, { idToken: card }))
  expect(outcome.authorisation?.status).toBe('Accepted')
  driver.sendAt(20, { kind: 'tick' })
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({ id: 'order', state: 'charging', externalReference: 'order 7' })
})
it('SESSION-A5: not on another connector, another card, before the order, or when the order is over', () => {
  const states = (driver: Driver, minutes: number, facts: Parameters<typeof started>[1]) => {
    driver.sendAt(Math.max(1, minutes), started(minutes, { idToken: card, ...facts }))
    return driver.sessions.map(({ state }) => state)
  }
  expect(states(ordered(), 1, { connectorId: 2 })).toEqual(['pending', 'charging'])
  const other = { idTokens: [{}, { id: 'OTHER' }] }
  expect(states(ordered(other), 1, { idToken: { ...card, id: 'OTHER' } })).toEqual(['pending', 'charging'])
  expect(states(ordered(), -60, {})).toEqual(['pending', 'charging'])
  const late = ordered()
  late.sendAt(10, { kind: 'tick' })
  expect(states(late, 11, {})).toEqual(['failed', 'charging'])
  expect(late.session(1).externalReference).toBeUndefined()
})
it('SESSION-A5: once the single-use token came, the card begins a charge of its own', () => {
  const driver = ordered()
  driver.sendAt(1, started(1, { idToken: VIRTUAL }))
  driver.sendAt(2, started(2, { idToken: card, connectorId: 2 }))
  expect(driver.sessions.map(({ externalReference }) => externalReference)).toEqual(['order 7', undefined])
})

it('SESSION-O8: starts in reverse order keep their references, and a local start takes neither', () => {
  const driver = new Driver(KNOWN)
  driver.send(remoteStartRequested('a', remoteStart(0, { virtualIdToken: 'VA' }), { externalReference: 'A' }))
  driver.send(remoteStartRequested('b', remoteStart(0, { virtualIdToken: 'VB' }), { externalReference: 'B' }))
  driver.sendAt(1, started(1, { connectorId: 3 }))
  driver.sendAt(1, started(1, { connectorId: 2, idToken: { id: 'VB', type: 'ISO14443' } }))
  driver.sendAt(2, started(2, { connectorId: 1, idToken: { id: 'VA', type: 'ISO14443' } }))
  const references = [0, 1, 2].map(
    (index) => driver.sessionsById.get(driver.transaction(index).sessionId)?.externalReference,
  )
  expect(references).toEqual([undefined, 'B', 'A'])
})

it('SESSION-S5: a start that comes after its remote start expired opens a new session with the same reference', () => {
  const driver = new Driver(KNOWN, remoteStartRequested('late', remoteStart(0), { externalReference: 'order 7' }))
  driver.sendAt(10, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ state: 'failed', endReason: 'expired' })
  const { outcome } = driver.sendAt(12, started(12, { idToken: VIRTUAL }))
  expect(outcome.authorisation?.status).toBe('Accepted')
  expect(driver.session(0).state).toBe('failed')
  expect(driver.session(1)).toMatchObject({ state: 'charging', externalReference: 'order 7' })
  driver.sendAt(13, started(13, { idToken: VIRTUAL, connectorId: 2 }))
  expect(driver.session(2).externalReference).toBeUndefined()
})

it('SESSION-A6: an open transaction that began earlier on the connector ends now, with its last sample', () => {
  const driver = new Driver(KNOWN, started(0))
  driver.sendAt(10, sampled('100', [register(10, 1_500)]))
  driver.sendAt(60, started(60))
  expect(driver.transaction(0)).toMatchObject({ open: false, endedBy: 'orphanRule' })
  expect(driver.session(0)).toMatchObject({
    state: 'completed',
    endReason: 'interrupted',
    energyMilliWh: 1_500_000,
    stoppedAt: ZERO + 10 * MINUTE,
  })
  expect(driver.session(0).flags).toContain('inferred')
  expect(driver.session(1).state).toBe('charging')
})

it('SESSION-A6: without a sample the new start is the end of the old transaction', () => {
  const driver = new Driver(KNOWN, started(0))
  driver.sendAt(60, started(60))
  expect(driver.session(0)).toMatchObject({ state: 'completed', energyMilliWh: 0, stoppedAt: ZERO + 60 * MINUTE })
})

it('SESSION-A6: a start replayed from a queue is history; the running transaction stays, and keeps its connector’s status', () => {
  const driver = new Driver(KNOWN)
  driver.now = ZERO + 60 * MINUTE
  driver.send(started(60))
  driver.sendAt(61, started(10))
  expect(driver.transaction(0).open).toBe(true)
  expect(driver.session(1).flags).toContain('historical')
  driver.sendAt(62, status(62, 'SuspendedEV'))
  expect(driver.sessions.map(({ state }) => state)).toEqual(['suspended', 'charging'])
  driver.sendAt(63, stopped(50, { transactionId: '101', registerMilliWh: 2_000_000 }))
  expect(driver.session(1)).toMatchObject({
    state: 'completed',
    energyMilliWh: 2_000_000,
    stoppedAt: ZERO + 50 * MINUTE,
  })
  expect(driver.session(0).state).toBe('suspended')
})

it('SESSION-A7: an unknown connector is created and noted, connector 0 only noted', () => {
  const driver = new Driver(KNOWN, started(0, { connectorId: 9 }))
  expect(driver.connectors.get('/9')).toMatchObject({ connectorId: 9, status: 'Unknown' })
  expect(driver.session(0).flags).toContain('unknownConnector')
  driver.send(started(0, { connectorId: 0 }))
  expect(driver.connectors.has('/0')).toBe(false)
  expect(driver.session(1)).toMatchObject({ state: 'charging', flags: ['unknownConnector'] })
})

it('ENERGY-W2: a clock that cannot be right is noted', () => {
  const driver = new Driver(KNOWN, { ...started(0), at: { occurredAt: ZERO, receivedAt: ZERO, repaired: true } })
  expect(driver.session().flags).toContain('badClock')
})
