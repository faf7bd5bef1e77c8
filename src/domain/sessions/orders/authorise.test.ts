import { expect, it } from 'vitest'
import { Driver, type DriverOptions, MINUTE, ZERO } from '../../../../test/support/sessions/driver.ts'
import { CARD, event, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import { remoteStart, remoteStartRequested } from '../../../../test/support/sessions/orders.ts'
import type { AuthorisationStatus, IdToken } from '../../ports/id-tokens.ts'

function answerTo(id: string, options: DriverOptions = {}, type = 'ISO14443') {
  return new Driver(options).send({ kind: 'authorise', idToken: { id, type } })
}

it.each<[string, Partial<IdToken>, AuthorisationStatus]>([
  ['known', {}, 'Accepted'],
  ['blocked', { status: 'Blocked' }, 'Blocked'],
  ['blocked, however old', { status: 'Blocked', expiresAt: ZERO - 1 }, 'Blocked'],
  ['without credit', { status: 'NoCredit' }, 'NoCredit'],
  ['expired by status', { status: 'Expired' }, 'Expired'],
  ['invalid', { status: 'Invalid' }, 'Invalid'],
  ['expired by time', { expiresAt: ZERO }, 'Expired'],
  ['not expired yet', { expiresAt: ZERO + 1 }, 'Accepted'],
])('TOKEN-Z2: a token that is %s', (_, token, status) => {
  expect(answerTo('card', { idTokens: [token] }).outcome.authorisation?.status).toBe(status)
})

it('TOKEN-Z1: identifiers compare case-insensitively; group and expiry are answered', () => {
  const idTokens = [{ id: 'AbC', groupId: 'group', expiresAt: ZERO + MINUTE }]
  expect(answerTo('aBc', { idTokens }).outcome.authorisation).toEqual({
    status: 'Accepted',
    groupId: 'group',
    expiresAt: ZERO + MINUTE,
  })
})

it('an unknown token is refused, or accepted and remembered, as the setting says', () => {
  expect(answerTo('NEW')).toEqual({ outcome: { authorisation: { status: 'Unknown' } }, changes: {} })
  const accepted = answerTo('NEW', { unknownIdTokens: 'accept' })
  expect(accepted.outcome.authorisation).toEqual({ status: 'Accepted' })
  expect(accepted.changes.idTokens).toEqual([
    { accountId: 'account', id: 'NEW', type: 'ISO14443', status: 'Accepted', createdAt: ZERO },
  ])
})

it('C04.FR.01 (TC_C_02): a code typed on a keypad that nobody registered is invalid, not unknown', () => {
  expect(answerTo('1234', {}, 'KeyCode').outcome.authorisation).toEqual({ status: 'Invalid' })
  expect(answerTo('1234', { idTokens: [{ id: '1234' }] }, 'KeyCode').outcome.authorisation?.status).toBe('Accepted')
})

it('SESSION-B8: no authorisation needed is always accepted and never remembered', () => {
  const { outcome, changes } = answerTo('', { unknownIdTokens: 'accept' }, 'NoAuthorization')
  expect(outcome.authorisation).toEqual({ status: 'Accepted' })
  expect(changes).toEqual({})
})

it('an empty token is invalid; a code typed on a keypad is accepted but not kept', () => {
  expect(answerTo(' ', { unknownIdTokens: 'accept' }).outcome.authorisation?.status).toBe('Invalid')
  const keypad = answerTo('1234', { unknownIdTokens: 'accept' }, 'KeyCode')
  expect(keypad).toEqual({ outcome: { authorisation: { status: 'Accepted' } }, changes: {} })
})

it('SESSION-A5, TOKEN-Z2: a person’s own card, sent with a remote start, is judged like any card before, during and after that session', () => {
  const driver = new Driver({ idTokens: [{ groupId: 'family' }] })
  const shown = () => driver.send({ kind: 'authorise', idToken: CARD }).outcome.authorisation
  const own = remoteStart(0, { virtualIdToken: 'CARD', groupId: 'family' })
  driver.send(remoteStartRequested('session-remote', own, { evseId: 1 }))
  expect(shown()).toEqual({ status: 'Accepted', groupId: 'family' })
  const facts = { evseId: 1, connectorId: 1, idToken: CARD, remoteStartId: 7, activity: 'charging' } as const
  driver.sendAt(1, event(0, 1, 'started', facts))
  expect(driver.session()).toMatchObject({ id: 'session-remote', state: 'charging' })
  driver.sendAt(2, event(1, 2, 'ended'))
  expect(shown()).toEqual({ status: 'Accepted', groupId: 'family' })
  const { remoteStartId: _, ...local } = event(0, 3, 'started', { ...facts, transactionId: 'T2' })
  expect(driver.sendAt(3, local).outcome.authorisation?.status).toBe('Accepted')
})

it('SESSION-A5: a card that nobody registered is good for the remote start it was sent with, and for nothing after it', () => {
  const driver = new Driver({ unknownIdTokens: 'reject' })
  const shown = () => driver.send({ kind: 'authorise', idToken: { id: 'GUEST', type: 'ISO14443' } }).outcome
  driver.send(remoteStartRequested('S', remoteStart(0, { virtualIdToken: 'GUEST', groupId: 'GUEST' })))
  expect(shown().authorisation?.status).toBe('Accepted')
  const idToken = { id: 'GUEST', type: 'ISO14443' }
  driver.sendAt(1, event(0, 1, 'started', { evseId: 1, idToken, remoteStartId: 7, activity: 'charging' }))
  driver.sendAt(2, event(1, 2, 'ended'))
  expect(shown().authorisation?.status).toBe('Unknown')
})

it('SESSION-A5: the virtual token of a remote start is good for its session only, whatever its case, and is never remembered', () => {
  const driver = new Driver({ unknownIdTokens: 'accept' })
  const authorise = () => driver.send({ kind: 'authorise', idToken: { id: 'fade0123456789', type: 'ISO14443' } })
  driver.send(remoteStartRequested('session-remote', remoteStart(0, { groupId: 'family' })))
  expect(authorise()).toEqual({ outcome: { authorisation: { status: 'Accepted', groupId: 'family' } }, changes: {} })
  driver.sendAt(1, started(1, { idToken: { id: 'FADE0123456789', type: 'ISO14443' } }))
  expect(authorise().outcome.authorisation?.status).toBe('Accepted')
  driver.sendAt(2, stopped(2, { transactionId: '100', registerMilliWh: 1 }))
  expect(authorise()).toEqual({ outcome: { authorisation: { status: 'Invalid' } }, changes: {} })
})

it.each<[string, DriverOptions]>([
  ['registered', { idTokens: [{}] }],
  ['welcome without being registered', { unknownIdTokens: 'accept' }],
])('SESSION-A5: a card without a group, %s, shares that of its ordered start until that is over', (_, options) => {
  const driver = new Driver(options)
  const shown = () =>
    driver.send({ kind: 'authorise', idToken: { id: 'card', type: 'ISO14443' } }).outcome.authorisation
  const start = remoteStart(0, { groupId: 'CARD', isCardGroup: true })
  driver.send(remoteStartRequested('session-remote', start))
  const answer = driver.sendAt(1, started(1, { idToken: { id: start.virtualIdToken, type: 'ISO14443' } }))
  expect([answer.outcome.authorisation, shown()]).toEqual([
    { status: 'Accepted', groupId: 'CARD' },
    { status: 'Accepted', groupId: 'CARD' },
  ])
  driver.sendAt(2, stopped(2, { transactionId: '100', registerMilliWh: 1, idToken: CARD }))
  expect(driver.session().flags).not.toContain('unrelatedStopToken')
  expect(shown()).toEqual({ status: 'Accepted' })
})

it('SESSION-A5: a card that has the name of the group that a start was ordered for is no member of it', () => {
  const driver = new Driver({ idTokens: [{ id: 'family' }] })
  driver.send(remoteStartRequested('session-remote', remoteStart(0, { groupId: 'family' })))
  const shown = driver.send({ kind: 'authorise', idToken: { id: 'family', type: 'ISO14443' } })
  expect(shown.outcome.authorisation).toEqual({ status: 'Accepted' })
})

it('SESSION-A5: a virtual token whose remote start is long forgotten was welcomed as an unknown card, and remembered as one', () => {
  const forgotten = answerTo('FADE0123456789', { unknownIdTokens: 'accept' })
  expect(forgotten).toEqual({ outcome: { authorisation: { status: 'Invalid' } }, changes: {} })
  const registered = answerTo('FADE0123456789', { idTokens: [{ id: 'fade0123456789' }] })
  expect(registered.outcome.authorisation?.status).toBe('Accepted')
})

it('SESSION-A4: ConcurrentTx only by policy, only for another open session that is not in doubt', () => {
  const open = new Driver({ idTokens: [{}] }, started(0))
  expect(open.sendAt(1, started(1, { connectorId: 2 })).outcome.authorisation?.status).toBe('Accepted')

  const strict = new Driver({ idTokens: [{}], settings: { refuseConcurrentTransactions: true } }, started(0))
  expect(strict.sendAt(1, started(1, { connectorId: 2 })).outcome.authorisation?.status).toBe('ConcurrentTx')
  expect(strict.sendAt(2, { kind: 'authorise', idToken: CARD }).outcome.authorisation?.status).toBe('Accepted')
  expect(strict.sendAt(3, started(3)).outcome.authorisation?.status).toBe('ConcurrentTx')
  strict.sendAt(4, { kind: 'booted' })
  expect(strict.sendAt(5, started(5, { connectorId: 3 })).outcome.authorisation?.status).toBe('Accepted')
})
