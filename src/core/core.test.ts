import { expect, it } from 'vitest'
import { coresOfTests, START, START_TRANSACTION } from '../../test/support/core/testing.ts'
import { loadChargePoint } from '../../test/support/storage/testing.ts'
import { anIdToken } from '../../test/support/storage-contract/records.ts'
import { logIdTime } from '../domain/message-log/log-id.ts'

const core = coresOfTests()

it('OCPP-DR9: a 1.6 station that moved here without a reboot loses no charge; all else waits for its boot', async () => {
  const { house, station } = await core.connect('CP-1')
  const at = new Date(START).toISOString()
  const samples = [{ timestamp: at, sampledValue: [{ value: '1500' }] }]
  // Its transaction began with the other central system.
  const values = { connectorId: 1, transactionId: 77, meterValue: samples }
  expect(await station.call('MeterValues', values)).toMatchObject({ 0: 3 })
  const stop = { transactionId: 77, meterStop: 3000, timestamp: at, reason: 'Local' }
  expect(await station.call('StopTransaction', stop)).toMatchObject({ 0: 3 })
  const [, , { transactionId }] = (await station.call('StartTransaction', START_TRANSACTION)) as [3, string, never]
  expect(transactionId).toBeGreaterThan(0)
  expect(await station.call('Authorize', { idTag: 'A' })).toMatchObject({ 0: 4, 2: 'SecurityError' })
  const [session] = await loadChargePoint(house.store.core, 'CP-1').then((loaded) => loaded?.sessions ?? [])
  expect(session).toMatchObject({ state: 'charging' })
})

it('OCPP-LG3, OCPP-RP6: the row of a repeated start is found by the transaction that its answer names', async () => {
  const { commands, station } = await core.boot16('CP-1')
  const first = await station.call('StartTransaction', START_TRANSACTION, 'again')
  expect(await station.call('StartTransaction', START_TRANSACTION, 'again')).toEqual(first)
  const { transactionId } = first[2] as { transactionId: number }
  const rows = (await commands('CP-1')).filter(({ method }) => method === 'StartTransaction')
  expect(rows.map((row) => row.transactionId)).toEqual([String(transactionId), String(transactionId)])
})

it('OCPP-DR9, SESSION-O4: a pending charge point may send what we triggered, and is sent nothing else', async () => {
  const { core: running, connect } = await core({ settings: { unknownChargePoints: 'pending' } })
  const station = await connect('CP-1')
  await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
  const order = { accountId: 'account-1', chargePointId: 'CP-1', waitMs: 0 }
  const refused = await running.sendCommand({ ...order, method: 'Reset', request: { type: 'Soft' } })
  expect(refused).toMatchObject({ status: 409, code: 'charge_point_pending' })
  await running.sendCommand({
    ...order,
    method: 'TriggerMessage',
    request: { requestedMessage: 'StatusNotification', connectorId: 1 },
  })
  await station.frame((frame) => frame[2] === 'TriggerMessage')
  const status = { connectorId: 1, errorCode: 'NoError', status: 'Available' }
  expect((await station.call('StatusNotification', status))[0]).toBe(3)
  expect((await station.call('StatusNotification', status)).slice(2, 3)).toEqual(['SecurityError'])
})

it('OCPP-LG5, OCPP-RP6: the row of a repeated message hides the same secrets as the first one', async () => {
  const { boot201, commands, store, clock } = await core()
  // No answer of ours holds a secret; a group that looks like one shows that the mask runs.
  await store.writes.createIdToken(
    anIdToken({ accountId: 'account-1', id: 'CARD', groupId: '-----BEGIN PRIVATE KEY-----', createdAt: clock.now() }),
  )
  const station = await boot201('CP-1')
  const authorize = { idToken: { idToken: 'CARD', type: 'ISO14443' } }
  const first = await station.call('Authorize', authorize, 'same')
  expect(await station.call('Authorize', authorize, 'same')).toEqual(first)
  const hidden = { idTokenInfo: { status: 'Accepted', groupIdToken: { idToken: '***', type: 'Central' } } }
  const responses = (await commands('CP-1'))
    .filter((row) => row.messageId === 'same')
    .map((row) => JSON.parse(row.response ?? ''))
  expect(responses).toEqual([hidden, hidden])
})

it('OCPP-RP6: a station that uses one id for everything is understood', async () => {
  const { station } = await core.boot16('CP-1')
  const start = await station.call('StartTransaction', START_TRANSACTION, '1000001')
  const other = await station.call('StartTransaction', { ...START_TRANSACTION, connectorId: 2 }, '1000001')
  expect((start[2] as { transactionId: number }).transactionId).not.toBe(
    (other[2] as { transactionId: number }).transactionId,
  )
})

it('OCPP-RP6: a repeated Heartbeat tells the time of its repetition', async () => {
  const { clock, station } = await core.boot16('CP-1')
  const first = await station.call('Heartbeat', {}, '1000001')
  clock.advance(300_000)
  const second = await station.call('Heartbeat', {}, '1000001')
  expect(first[2]).not.toEqual(second[2])
})

it('a row is never answered before it was created, also when many share a millisecond', async () => {
  const { commands, station } = await core.boot16('CP-1')
  for (let count = 0; count < 5000; count++) station.send(JSON.stringify([2, `h${count}`, 'Heartbeat', {}]))
  await station.frame((frame) => frame[1] === 'h4999')
  for (const row of await commands('CP-1')) expect(row.answeredAt).toBeGreaterThanOrEqual(logIdTime(row.id))
})

it('OCPP-RP10: unreadable frames are stored and answered; ten in a row close the connection', async () => {
  const { commands, station } = await core.boot16('CP-1')
  for (let count = 0; count < 10; count++) station.send('not json')
  await station.frame(() => station.closes.length > 0 || station.frames.length > 10)
  expect(station.closes).toEqual([[1002, 'no OCPP messages']])
  expect((await commands('CP-1')).filter((row) => row.method === 'Malformed')).toHaveLength(10)
})

it('OCPP-EC1: an unknown action is NotImplemented, and stored', async () => {
  const { commands, station } = await core.boot16('CP-1')
  expect((await station.call('MakeCoffee', {})).slice(0, 3)).toEqual([4, 'm2', 'NotImplemented'])
  expect((await commands('CP-1'))[0]).toMatchObject({ method: 'MakeCoffee', status: 'error' })
})
