import { expect, it } from 'vitest'
import { coresOfTests, START, type TestStation } from '../../../test/support/core/testing.ts'
import { meterValues } from '../../../test/support/messages.ts'
import { databaseIn } from '../../../test/support/storage/testing.ts'

const core = coresOfTests()

const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

async function start(station: TestStation, connectorId = 1): Promise<number> {
  const call = { connectorId, idTag: 'CARD-1', meterStart: 0, timestamp: at(0) }
  const answer = (await station.call('StartTransaction', call)) as [3, string, { transactionId: number }]
  return answer[2].transactionId
}
const meter = (station: TestStation, transactionId: number, wattHours: number, seconds: number) =>
  station.call('MeterValues', meterValues(transactionId, START + seconds * 1000, wattHours))

/** Kind of the event and what it says. */
async function events(path: string) {
  const reader = databaseIn(path).openReader('all')
  const found = await reader.listEvents({ accountId: 'account-1', type: 'session.updated', limit: 1000 })
  reader.close()
  if (found === 'unknown') return []
  return found.map(({ kind, body }) => {
    const { data } = JSON.parse(body) as {
      data: { state: string; energyKwh: number; settlementCount?: number; stoppedAt?: string }
    }
    return { kind, ...data }
  })
}

it('COST-L4: its running session is settled too where the account settles by itself', async () => {
  const house = await core()
  await house.store.writes.updateAccount('account-1', { automaticSettlement: true })
  await start(await house.boot16('CP-1'))
  await house.core.removeChargePoint('account-1', 'CP-1')
  expect((await events(house.path)).slice(-2)).toMatchObject([
    { kind: 'transition', state: 'completed' },
    { kind: 'settlement', state: 'completed', settlementCount: 1 },
  ])
})

it('HOOK-M3: figures of an ended session that wait for their interval are sent before it goes', async () => {
  const { house, station } = await core.boot16('CP-1')
  const transaction = await start(station)
  await meter(station, transaction, 100, 1)
  await station.call('StopTransaction', { transactionId: transaction, meterStop: 200, timestamp: at(600) })
  await station.call('MeterValues', {
    connectorId: 1,
    transactionId: transaction,
    meterValue: [
      { timestamp: at(2), sampledValue: [{ value: '900' }] },
      { timestamp: at(3), sampledValue: [{ value: '1900' }] },
      { timestamp: at(4), sampledValue: [{ value: '2900' }] },
    ],
  })
  const before = await events(house.path)
  await house.core.removeChargePoint('account-1', 'CP-1')
  const after = await events(house.path)
  expect(after.slice(before.length)).toMatchObject([{ kind: 'figures', energyKwh: 2.9 }])
})

it('SESSION-S4, OCPP-LG2: a remote start that waits has failed, and commands that wait are dropped', async () => {
  const { house, station } = await core.boot16('CP-1')
  const order = { accountId: 'account-1', chargePointId: 'CP-1' }
  const session = await house.core.startSession({ ...order, connectorId: 1 })
  const waiting = house.core.sendCommand({ ...order, method: 'ClearCache', request: {}, waitMs: 60_000 })
  await station.frame((frame) => frame[2] === 'RemoteStartTransaction')
  await station.call('Heartbeat', {})
  await house.core.removeChargePoint('account-1', 'CP-1')
  expect(await waiting).toMatchObject({ method: 'ClearCache', status: 'dropped' })
  const rows = await house.commands('CP-1')
  expect(rows.filter(({ direction }) => direction === 'out').map(({ status }) => status)).toEqual([
    'dropped',
    'dropped',
  ])
  const found = await house.store.core.findSession('id' in session ? session.id : '')
  expect(found).toMatchObject({ state: 'failed', endReason: 'expired' })
})

it('SESSION-S4, API-A6: deleted twice at once it ends once', async () => {
  const house = await core()
  await start(await house.boot16('CP-1'))
  const results = await Promise.all([1, 2, 3].map(() => house.core.removeChargePoint('account-1', 'CP-1')))
  expect(results.map((result) => ('refused' in result ? result.status : 204))).toEqual([204, 404, 404])
  expect((await events(house.path)).filter(({ state }) => state === 'completed')).toHaveLength(1)
})

it('OCPP-DR5: while its end cannot be stored it stays as it is, and can be deleted later', async () => {
  const { house, station } = await core.boot16('CP-1')
  const transaction = await start(station)
  const { commit } = house.store.core
  house.store.core.commit = () => Promise.reject(new Error('disk full'))
  expect(await house.core.removeChargePoint('account-1', 'CP-1')).toMatchObject({ refused: true, status: 503 })
  house.store.core.commit = commit
  expect(station.closes).toEqual([])
  expect((await meter(station, transaction, 700, 60))[0]).toBe(3)
  expect(await house.core.connectivity(['CP-1'])).toMatchObject([{ online: true }])
  await house.core.sendCommand({
    accountId: 'account-1',
    chargePointId: 'CP-1',
    method: 'TriggerMessage',
    request: { requestedMessage: 'Heartbeat' },
    waitMs: 0,
  })
  await station.frame((frame) => frame[2] === 'TriggerMessage')
  expect(await house.core.removeChargePoint('account-1', 'CP-1')).toEqual({ chargePointId: 'CP-1' })
  expect((await events(house.path)).at(-1)).toMatchObject({ state: 'completed', energyKwh: 0.7 })
})

it('OCPP-DR5: a message that comes behind the removal begins nothing and is not acknowledged', async () => {
  const { house, station } = await core.boot16('CP-1')
  const removed = house.core.removeChargePoint('account-1', 'CP-1')
  const answer = station.call('StartTransaction', { connectorId: 1, idTag: 'C', meterStart: 0, timestamp: at(0) })
  expect(await removed).toEqual({ chargePointId: 'CP-1' })
  expect((await answer).slice(0, 1)).toEqual([4])
  expect(await events(house.path)).toEqual([])
})

it('OCPP-RP6: registered again it is a new one: a message that looks like one of before is none of them', async () => {
  const { house, station } = await core.boot16('CP-1')
  const call = { connectorId: 1, idTag: 'CARD-1', meterStart: 0, timestamp: at(0) }
  const before = await station.call('DataTransfer', { vendorId: 'x' }, '1')
  await station.call('StartTransaction', call, '2')
  await house.core.removeChargePoint('account-1', 'CP-1')
  const again = await house.connect('CP-1')
  expect(await again.call('DataTransfer', { vendorId: 'x' }, '1')).toMatchObject({ 0: 4, 2: 'SecurityError' })
  expect(before[0]).toBe(3)
  expect(await house.core.connectivity(['CP-1'])).toMatchObject([{ online: true }])
})

it('API-A5: one of another account is not touched', async () => {
  const { house, station } = await core.boot16('CP-1')
  await start(station)
  expect(await house.core.removeChargePoint('other', 'CP-1')).toMatchObject({ refused: true, status: 404 })
  expect(station.closes).toEqual([])
  expect(await house.store.core.chargePointsWithOpenSessions()).toEqual(['CP-1'])
})
