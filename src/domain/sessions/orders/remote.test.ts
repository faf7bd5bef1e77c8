import { expect, it } from 'vitest'
import { Driver, MINUTE, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'
import { stopDueUntil } from './stop-request.ts'

const VIRTUAL = { id: 'FADE0123456789', type: 'ISO14443' }

function requested(): Driver {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(remoteStartRequested('remote', remoteStart(0), { connectorId: 1, externalReference: 'order 7' }))
  return driver
}

it('SESSION-S1, SESSION-S2: the session is pending before anything is sent; asking twice changes nothing', () => {
  const driver = requested()
  expect(driver.session()).toMatchObject({ id: 'remote', state: 'pending', externalReference: 'order 7', version: 1 })
  expect(driver.send(remoteStartRequested('remote', remoteStart(0))).changes).toEqual({})
})

it.each([
  ['ordered for a card', 'ORDERED', VIRTUAL, 'ORDERED'],
  ['ordered for a card that the station was sent', 'FADE0123456789', VIRTUAL, 'FADE0123456789'],
  ['ordered for nobody', undefined, VIRTUAL, undefined],
])('CONSOLE-C2: the card of a remote start that was %s', (_, idToken, said, expected) => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send({ ...remoteStartRequested('remote', remoteStart(0), { connectorId: 1 }), idToken })
  expect(driver.session().idToken).toBe(idToken)
  driver.sendAt(1, started(1, { idToken: said }))
  expect([driver.session().state, driver.session().idToken]).toEqual(['charging', expected])
  driver.sendAt(2, stopped(2, { transactionId: '100', registerMilliWh: 1_000 }))
  expect([driver.session().state, driver.session().idToken]).toEqual(['completed', expected])
})

it('CONSOLE-C2: the card that a transaction began with, also one that is shown after the plug', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { idToken: CARD }))
  expect(driver.session().idToken).toBe(CARD.id)
  const late = new Driver({ idTokens: [{}] }, event(0, 0, 'started', { evseId: 1 }))
  expect(late.session().idToken).toBeUndefined()
  late.sendAt(1, event(1, 1, 'updated', { evseId: 1, idToken: CARD }))
  expect(late.session().idToken).toBe(CARD.id)
})

it.each([
  ['accepted', 'pending', undefined],
  ['timeout', 'pending', undefined],
  ['dropped', 'pending', undefined],
  ['rejected', 'failed', 'rejected'],
] as const)('SESSION-S4: answered %s it is %s', (outcome, state, endReason) => {
  const driver = requested()
  driver.sendAt(1, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome })
  expect(driver.session().state).toBe(state)
  expect(driver.session().endReason).toBe(endReason)
})

it.each(['accepted', 'timeout', 'dropped'] as const)('SESSION-S4: unmatched it expires, also if %s', (outcome) => {
  const driver = requested()
  driver.sendAt(1, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome })
  expect(driver.nextWakeMinutes).toBe(10)
  driver.sendAt(9, { kind: 'tick' })
  expect(driver.session().state).toBe('pending')
  driver.sendAt(10, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ state: 'failed', endReason: 'expired' })
  expect(driver.nextWakeMinutes).toBeUndefined()
})

it('a matched one never expires, and a rejection that comes after the start does not undo it', () => {
  const driver = requested()
  driver.sendAt(1, started(1, { idToken: VIRTUAL }))
  driver.sendAt(2, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'rejected' })
  driver.sendAt(20, { kind: 'tick' })
  expect(driver.session().state).toBe('charging')
})

it('SESSION-O7, SESSION-B7: a 2.0.1 start is matched by its number', () => {
  const driver = requested()
  driver.sendAt(
    1,
    event(0, 1, 'started', { trigger: 'RemoteStart', remoteStartId: 7, evseId: 1, activity: 'charging' }),
  )
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session()).toMatchObject({ state: 'charging', transactionId: 'T1', evseId: 1 })
  expect(driver.transaction().authorised).toBe(true)
})

it('SESSION-O8: another number is another start, even with an equal token', () => {
  const driver = requested()
  driver.sendAt(1, event(0, 1, 'started', { remoteStartId: 8, idToken: VIRTUAL, activity: 'charging' }))
  expect(driver.session(0).state).toBe('pending')
  expect(driver.session(1).externalReference).toBeUndefined()
})

it('SESSION-O7: the transaction that the answer names is bound before its first event', () => {
  const driver = requested()
  driver.sendAt(1, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
  driver.sendAt(2, event(0, 2, 'started', { activity: 'charging' }))
  expect(driver.sessions).toHaveLength(1)
  expect(driver.session().state).toBe('charging')
})

it('SESSION-O7: cable first: the session that was asked for takes over the transaction at once', () => {
  const driver = new Driver()
  driver.send(event(0, 0, 'started', { trigger: 'CablePluggedIn', evseId: 1, connectorId: 1, activity: 'connected' }))
  driver.sendAt(1, remoteStartRequested('remote', remoteStart(1), { externalReference: 'order 7' }))
  driver.sendAt(2, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
  expect(driver.session(0)).toMatchObject({ state: 'failed', endReason: 'expired' })
  expect(driver.session(1)).toMatchObject({ id: 'remote', state: 'pending', transactionId: 'T1', evseId: 1 })
  driver.sendAt(3, event(1, 3, 'updated', { trigger: 'RemoteStart', remoteStartId: 7, activity: 'charging' }))
  expect(driver.session(1)).toMatchObject({ state: 'charging', startedAt: ZERO + 3 * MINUTE })
  expect(driver.sessions).toHaveLength(2)
})

it('SESSION-O7: a running session keeps its transaction and goes on under the reference', () => {
  const driver = new Driver({}, event(1, 0, 'updated', { evseId: 1, activity: 'charging' }))
  driver.sendAt(1, remoteStartRequested('remote', remoteStart(1), { externalReference: 'order 7' }))
  driver.sendAt(2, event(0, 0, 'started', { remoteStartId: 7, evseId: 1 }))
  expect(driver.session(0)).toMatchObject({ state: 'charging', externalReference: 'order 7' })
  expect(driver.session(1).state).toBe('failed')
})

it.each([
  ['charging', 'charging'],
  [undefined, 'pending'],
] as const)('SESSION-O8: a transaction on a card (%s) does not become that of the answer', (activity, state) => {
  const driver = new Driver({ idTokens: [{}] }, event(0, 0, 'started', { evseId: 1, idToken: CARD, activity }))
  driver.sendAt(1, remoteStartRequested('remote', remoteStart(1), { externalReference: 'order 7' }))
  driver.sendAt(2, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
  driver.sendAt(3, event(1, 3, 'updated', { remoteStartId: 7 }))
  expect(driver.session(0).state).toBe(state)
  expect(driver.session(0).externalReference).toBeUndefined()
  expect(driver.session(1)).toMatchObject({ id: 'remote', state: 'pending', externalReference: 'order 7' })
})

it('SESSION-O8: the card that stops one charge does not make it the one that was ordered on the same card', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(event(0, 0, 'started', { evseId: 1, idToken: CARD, activity: 'charging' }))
  const own = remoteStart(1, { virtualIdToken: CARD.id })
  driver.sendAt(1, remoteStartRequested('remote', own, { externalReference: 'order 7' }))
  driver.sendAt(2, event(1, 2, 'updated', { trigger: 'StopAuthorized', idToken: CARD }))
  expect(driver.session(0)).toMatchObject({ state: 'finishing' })
  expect(driver.session(0).externalReference).toBeUndefined()
  expect(driver.session(1).state).toBe('pending')
  // The station itself says that it belongs to that order.
  driver.sendAt(3, event(2, 3, 'updated', { remoteStartId: 7, idToken: CARD }))
  expect(driver.session(0)).toMatchObject({ externalReference: 'order 7' })
})

it('SESSION-O7: after a refused card the remote start takes the transaction over', () => {
  const driver = new Driver({ idTokens: [{ status: 'Blocked' }] }, event(0, 0, 'started', { evseId: 1, idToken: CARD }))
  driver.sendAt(1, remoteStartRequested('remote', remoteStart(1), { externalReference: 'order 7' }))
  driver.sendAt(2, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
  driver.sendAt(3, event(1, 3, 'updated', { remoteStartId: 7, activity: 'charging' }))
  expect(driver.session(1)).toMatchObject({ id: 'remote', state: 'charging' })
})

it('SESSION-S5: a 2.0.1 start after the remote start expired opens a new session with the reference', () => {
  const driver = requested()
  driver.sendAt(10, { kind: 'tick' })
  driver.sendAt(11, event(0, 11, 'started', { remoteStartId: 7, activity: 'charging' }))
  expect(driver.session(0).state).toBe('failed')
  expect(driver.session(1)).toMatchObject({ state: 'charging', externalReference: 'order 7' })
})

it('SESSION-S5, SESSION-O8: the card of a person, shown after their remote start expired, takes no reference', () => {
  const driver = new Driver({ idTokens: [{}] })
  const own = remoteStart(0, { virtualIdToken: 'CARD' })
  driver.send(remoteStartRequested('remote', own, { externalReference: 'order 7' }))
  driver.sendAt(10, { kind: 'tick' })
  driver.sendAt(600, event(0, 600, 'started', { idToken: CARD, activity: 'charging' }))
  expect(driver.session(1)).toMatchObject({ state: 'charging' })
  expect(driver.session(1).externalReference).toBeUndefined()
})

it('an answer about a session nobody knows changes nothing', () => {
  const answer = { kind: 'remoteStartAnswered', sessionId: 'nobody', outcome: 'rejected' } as const
  expect(new Driver().send(answer)).toEqual({ outcome: {}, changes: {} })
})

function running(): Driver {
  return new Driver({ idTokens: [{}] }, started(0))
}
const stop = { kind: 'remoteStopRequested', sessionId: 'session-1' } as const

it('SESSION-S2: asking is no transition; the accepted answer is', () => {
  const driver = running()
  expect(driver.sendAt(1, stop).outcome).toEqual({ sessionId: 'session-1', transactionId: '100' })
  expect(driver.session()).toMatchObject({ state: 'charging', stopRequestedAt: ZERO + MINUTE, version: 1 })
  driver.sendAt(2, { kind: 'remoteStopAnswered', sessionId: 'session-1', outcome: 'accepted' })
  expect(driver.session().state).toBe('finishing')
  driver.sendAt(3, stopped(3, { transactionId: '100', registerMilliWh: 100, reason: 'Remote' }))
  expect(driver.session()).toMatchObject({ state: 'completed', endReason: 'normal' })
})

it.each(['timeout', 'dropped', 'rejected'] as const)('SESSION-S2, SESSION-S10: answered %s it goes on', (outcome) => {
  const driver = running()
  driver.sendAt(1, stop)
  driver.sendAt(2, { kind: 'remoteStopAnswered', sessionId: 'session-1', outcome })
  expect(driver.session().state).toBe('charging')
  expect(stopDueUntil(driver.session())).toBe(ZERO + (1 + 24 * 60) * MINUTE)
  driver.sendAt(3, stopped(3, { transactionId: '100', registerMilliWh: 100 }))
  expect(stopDueUntil(driver.session())).toBeUndefined()
})

it('is refused with a reason when there is nothing to stop', () => {
  const driver = requested()
  const refusal = (sessionId: string) => driver.sendAt(5, { kind: 'remoteStopRequested', sessionId }).outcome.refused
  expect(refusal('nobody')).toBe('session_not_found')
  driver.sendAt(10, { kind: 'tick' })
  expect(refusal('remote')).toBe('session_ended')
})

it('SESSION-S10: asked for again it is the same wish, for longer; an older record has its time from the asking', () => {
  const driver = running()
  driver.sendAt(1, stop)
  driver.sendAt(60, stop)
  expect(driver.session().stopRequestedAt).toBe(ZERO + MINUTE)
  expect(stopDueUntil(driver.session())).toBe(ZERO + 25 * 60 * MINUTE)
  const older = { ...driver.session(), stopWantedUntil: undefined }
  expect(stopDueUntil(older)).toBe(ZERO + (1 + 24 * 60) * MINUTE)
})

const cancel = { kind: 'remoteStopRequested', sessionId: 'remote' } as const
const cancelled = (): Driver => {
  const driver = new Driver({ forgetful: true, idTokens: [{}] })
  driver.send(remoteStartRequested('remote', remoteStart(0), { externalReference: 'order 7' }))
  expect(driver.sendAt(1, cancel).outcome).toEqual({ sessionId: 'remote', transactionId: undefined })
  return driver
}

it('SESSION-S9: cancelled: fails at once, and no answer to it changes that', () => {
  const driver = cancelled()
  expect(driver.session()).toMatchObject({ state: 'failed', endReason: 'cancelled' })
  for (const outcome of ['accepted', 'rejected', 'timeout'] as const) {
    expect(driver.sendAt(2, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome }).changes).toEqual({})
  }
  expect(driver.sendAt(3, cancel).outcome.refused).toBe('session_ended')
})

it('SESSION-S9: cancelled: 1.6: its tag is refused, and each transaction that begins with it is stopped', () => {
  const driver = cancelled()
  for (const [index, minute] of [2, 700].entries()) {
    const idToken = { id: 'FADE0123456789', type: 'ISO14443' }
    const { outcome } = driver.sendAt(minute, started(minute, { idToken, connectorId: index + 1 }))
    expect(outcome.authorisation?.status).toBe('Invalid')
    const begun = driver.session(index + 1)
    expect(begun).toMatchObject({ state: 'pending', externalReference: undefined })
    expect(stopDueUntil(begun)).toBe(ZERO + (minute + 24 * 60) * MINUTE)
  }
})

it.each([
  ['its number', { remoteStartId: 7 }],
  ['its number and a good card', { remoteStartId: 7, idToken: CARD }],
  ['its token', { idToken: { id: 'FADE0123456789', type: 'Central' } }],
])('SESSION-S9: cancelled: 2.0.1: what names %s is refused and stopped, also again', (_, signs) => {
  const driver = cancelled()
  const begin = event(0, 2, 'started', { ...signs, trigger: 'RemoteStart', activity: 'connected' })
  const first = driver.sendAt(2, begin)
  expect(first.outcome.authorisation).toEqual('idToken' in signs ? { status: 'Invalid' } : undefined)
  expect(driver.session(1).state).toBe('pending')
  expect(stopDueUntil(driver.session(1))).toBeDefined()
  expect(driver.sendAt(3, begin).outcome).toEqual(first.outcome)
})

it('SESSION-S9: cancelled: 2.0.1: cable first: the transaction that the answer names is stopped, unless a card was accepted for it', () => {
  for (const idToken of [undefined, CARD]) {
    const driver = new Driver({ idTokens: [{}] }, event(0, 0, 'started', { evseId: 1, activity: 'connected', idToken }))
    driver.sendAt(1, remoteStartRequested('remote', remoteStart(1)))
    driver.sendAt(2, cancel)
    driver.sendAt(3, { kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
    driver.sendAt(4, event(1, 4, 'updated', { trigger: 'RemoteStart', remoteStartId: 7 }))
    expect(stopDueUntil(driver.session(0)) !== undefined).toBe(idToken === undefined)
  }
})

it('SESSION-S9: cancelled: 2.0.1: who shows the card of the order at the station, or gets its number later, charges', () => {
  const driver = new Driver({ idTokens: [{}] })
  driver.send(remoteStartRequested('remote', remoteStart(0, { virtualIdToken: 'CARD' })))
  driver.send({ kind: 'remoteStartAnswered', sessionId: 'remote', outcome: 'accepted', transactionId: 'T1' })
  driver.sendAt(1, cancel)
  const { outcome } = driver.sendAt(2, event(0, 2, 'started', { trigger: 'Authorized', idToken: CARD }))
  expect(outcome.authorisation?.status).toBe('Accepted')
  expect(stopDueUntil(driver.session(1))).toBeUndefined()
})

it('an accepted answer after the end changes nothing', () => {
  const driver = running()
  driver.sendAt(1, stopped(1, { transactionId: '100', registerMilliWh: 100 }))
  const answer = { kind: 'remoteStopAnswered', sessionId: 'session-1', outcome: 'accepted' } as const
  expect(driver.sendAt(2, answer).changes).toEqual({})
})
