import { expect, it } from 'vitest'
import { coresOfTests, START } from '../../../test/support/core/testing.ts'
import { transactionEvent } from '../../../test/support/messages.ts'
import { findTransaction, loadChargePoint } from '../../../test/support/storage/testing.ts'

const isCall = (frame: unknown[]): boolean => frame[0] === 2

const core = coresOfTests({ settings: { unknownIdTokens: 'reject' } })
const start = { accountId: 'account-1', chargePointId: 'CP-1', connectorId: 1, externalReference: 'order-7' }

it.each([
  ['Blocked', { status: 'Blocked' }],
  ['Expired', { status: 'Accepted', expiresAt: START }],
] as const)('TOKEN-Z2: a start with a card that is %s is refused and not sent', async (status, card) => {
  const { core: running, store, station } = await core.boot16('CP-1')
  const token = { accountId: 'account-1', id: 'CARD', type: 'ISO14443', createdAt: START, ...card }
  await store.writes.createIdToken(token)
  expect(await running.startSession({ ...start, idToken: 'card' })).toMatchObject({
    code: 'id_token_not_accepted',
    detail: expect.stringContaining(status),
  })
  expect(station.frames.filter(isCall)).toEqual([])
})

it('SESSION-O10: a stop that waits while its transaction ends is not sent any more', async () => {
  const { core: running, commands, clock, station } = await core.boot16('CP-1')
  const session = await running.startSession(start)
  const remote = await station.frame(isCall)
  station.answer(remote, { status: 'Accepted' })
  const timestamp = new Date(clock.now()).toISOString()
  const { idTag } = remote[3] as { idTag: string }
  const answer = await station.call('StartTransaction', { connectorId: 1, idTag, meterStart: 0, timestamp })
  const { transactionId } = answer[2] as { transactionId: number }
  const command = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0, request: {} }
  await running.sendCommand({ ...command, method: 'GetConfiguration' })
  const open = await station.frame((frame) => frame[2] === 'GetConfiguration')
  await running.stopSession('account-1', 'id' in session ? session.id : '')
  await station.call('StopTransaction', { transactionId, meterStop: 10, timestamp })
  station.answer(open, { configurationKey: [] })
  await running.sendCommand({ ...command, method: 'ClearCache' })
  await station.frame((frame) => frame[2] === 'ClearCache')
  expect(station.frames.filter((frame) => frame[2] === 'RemoteStopTransaction')).toEqual([])
  const [stop] = (await commands('CP-1')).filter(({ method }) => method === 'RemoteStopTransaction')
  expect(stop?.status).toBe('dropped')
})

it('SESSION-B1, SESSION-O10: a stop that waits does not end the next transaction of the same number', async () => {
  const { core: running, boot201, store, clock } = await core({ settings: { unknownIdTokens: 'accept' } })
  const station = await boot201('CP-1')
  const event = (eventType: string, seqNo: number) => {
    clock.advance(1000)
    return station.call('TransactionEvent', transactionEvent(eventType, seqNo, clock.now()))
  }
  await event('Started', 0)
  const found = await findTransaction(store.core, 'CP-1', { transactionId: 'T-1' })
  const command = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0, request: {} }
  await running.sendCommand({ ...command, method: 'GetLocalListVersion' })
  const open = await station.frame((frame) => frame[2] === 'GetLocalListVersion')
  await running.stopSession('account-1', found?.session.id ?? '')
  await event('Ended', 1)
  await event('Started', 0)
  station.answer(open, { versionNumber: 0 })
  await running.sendCommand({ ...command, method: 'ClearCache' })
  await station.frame((frame) => frame[2] === 'ClearCache')
  expect(station.frames.filter((frame) => frame[2] === 'RequestStopTransaction')).toEqual([])
  expect((await findTransaction(store.core, 'CP-1', { transactionId: 'T-1' }))?.session.id).not.toBe(found?.session.id)
})

it('OCPP-RP13: no stop without a number is sent to a station that came back with 1.6 while its 2.0.1 transaction is open', async () => {
  const { core: running, boot16, commands, store, clock, station: before } = await core.boot201('CP-1')
  await before.call('TransactionEvent', transactionEvent('Started', 0, clock.now()))
  const station = await boot16('CP-1')
  const found = await findTransaction(store.core, 'CP-1', { transactionId: 'T-1' })
  expect(await running.stopSession('account-1', found?.session.id ?? '')).toMatchObject({ refused: true, status: 422 })
  await station.call('Heartbeat', {})
  expect(station.frames.filter(isCall)).toEqual([])
  expect((await commands('CP-1')).filter(({ method }) => method === 'RemoteStopTransaction')).toEqual([])
})

it.each([
  ['Accepted', 'finishing'],
  ['Rejected', 'charging'],
])('SESSION-S2, SESSION-O6: a plain command to stop, answered %s, leaves the session %s', async (status, state) => {
  const { core: running, store, clock, station } = await core.connect('CP-1', 'ocpp2.0.1')
  await station.call('BootNotification', { reason: 'PowerUp', chargingStation: { vendorName: 'A', model: 'B' } })
  await station.call('TransactionEvent', transactionEvent('Started', 0, clock.now()))
  await running.sendCommand({
    accountId: 'account-1',
    chargePointId: 'CP-1',
    method: 'RequestStopTransaction',
    request: { transactionId: 'T-1' },
    waitMs: 0,
  })
  const call = await station.frame(isCall)
  station.answer(call, { status })
  await station.call('Heartbeat', {})
  const sessionId = (await loadChargePoint(store.core, 'CP-1'))?.transactions[0]?.sessionId ?? ''
  expect(await store.core.findSession(sessionId)).toMatchObject({ state })
})

it('SESSION-O9: a charge point that is away refuses a start unless it may wait', async () => {
  const { core: running, station } = await core.boot16('CP-1')
  running.closed(station.connection)
  expect(await running.startSession(start)).toMatchObject({ status: 409, code: 'charge_point_offline' })
  expect(await running.startSession({ ...start, ttlMs: 30_000 })).toMatchObject({ state: 'pending' })
})

it('a charge point of another account does not exist', async () => {
  const { core: running, boot16 } = await core()
  await boot16('CP-1')
  expect(await running.startSession({ ...start, accountId: 'account-2' })).toMatchObject({ status: 404 })
  expect(await running.stopSession('account-2', 'nothing')).toMatchObject({ status: 404 })
})
