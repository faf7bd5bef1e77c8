import { expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'
import { aConfiguration } from '../../../test/support/records.ts'

const ACCOUNT = { accountId: 'account-1', chargePointId: 'CP1' }
const MINUTE = 60_000

const orderKeys = (
  core: TestCore,
  keys: Readonly<Record<string, string>>,
  more: { readonly expiresAt?: number } = {},
) =>
  core.core.decideBlock({
    ...ACCOUNT,
    input: {
      kind: 'intentsRequested',
      wants: Object.entries(keys).map(([key, desired]) => ({ kind: 'configurationKey', key, desired, ...more })),
    },
  })

const intentsOf = async ({ store }: TestCore) => {
  const all = await store.reads.listRecords('intents', { where: { chargePointId: 'CP1' }, limit: 100 })
  return Object.fromEntries(all.map((intent) => [intent.key, intent]))
}

async function untilState(core: TestCore, key: string, state: string): Promise<void> {
  await expect.poll(async () => (await intentsOf(core))[key]?.state, { interval: 5 }).toBe(state)
}

const startCore = coresOfTests()

it('INTENT-A1: a key of 1.6 is set, read back and verified, one command after the other', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  await orderKeys(core, { HeartbeatInterval: '60', CpoName: 'Acme' })
  const first = await station.asked('ChangeConfiguration')
  expect(first[3]).toEqual({ key: 'HeartbeatInterval', value: '60' })
  expect((await intentsOf(core)).HeartbeatInterval).toMatchObject({ state: 'sent', commandId: first[1] })
  expect(station.calls('ChangeConfiguration')).toHaveLength(1)
  station.answer(first, { status: 'Accepted' })
  station.answer(await station.asked('ChangeConfiguration', 1), { status: 'Rejected' })
  const read = await station.asked('GetConfiguration')
  expect(read[3]).toEqual({ key: ['HeartbeatInterval'] })
  station.answer(read, { configurationKey: [{ key: 'heartbeatInterval', readonly: false, value: '60' }] })
  await untilState(core, 'HeartbeatInterval', 'verified')
  expect((await intentsOf(core)).CpoName).toMatchObject({ state: 'rejected', reason: 'Rejected' })
})

it('INTENT-A4: NotSupported is unsupported, and other firmware is asked again', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  await orderKeys(core, { Odd: '1' })
  station.answer(await station.asked('ChangeConfiguration'), { status: 'NotSupported' })
  await untilState(core, 'Odd', 'unsupported')
  await station.call('BootNotification', { chargePointVendor: 'A', chargePointModel: 'B', firmwareVersion: '2' })
  station.answer(await station.asked('ChangeConfiguration', 1), { status: 'Accepted' })
  const read = await station.asked('GetConfiguration')
  station.answer(read, { unknownKey: ['Odd'] })
  await expect.poll(async () => (await intentsOf(core)).Odd?.nextAttemptAt).toBeUndefined()
  expect((await intentsOf(core)).Odd?.state).toBe('applied')
})

it('INTENT-A5: what waits for a station is sent after its first message, whatever was planned', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  await orderKeys(core, { HeartbeatInterval: '60' })
  await station.asked('ChangeConfiguration')
  core.core.closed(station.connection)
  await untilState(core, 'HeartbeatInterval', 'pending')
  expect((await intentsOf(core)).HeartbeatInterval).toMatchObject({
    attempts: 1,
    nextAttemptAt: core.clock.now() + MINUTE,
  })
  const again = await core.connect('CP1')
  await core.store.reads.getRecord('intents', { chargePointId: 'CP1', kind: 'configurationKey', key: 'x' })
  expect(again.frames).toEqual([])
  await again.call('Heartbeat', {})
  expect((await again.asked('ChangeConfiguration'))[3]).toEqual({ key: 'HeartbeatInterval', value: '60' })
  expect(again.frames[0]?.[0]).toBe(3)
})

it('INTENT-A7: it expires while its station is away', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  core.core.closed(station.connection)
  await orderKeys(core, { HeartbeatInterval: '60' }, { expiresAt: core.clock.now() + MINUTE })
  core.clock.advance(MINUTE + 31_000)
  await untilState(core, 'HeartbeatInterval', 'expired')
})

it('INTENT-A9: each change of the state is an event', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  await orderKeys(core, { Odd: '1' })
  station.answer(await station.asked('ChangeConfiguration'), { status: 'Rejected' })
  await untilState(core, 'Odd', 'rejected')
  const events = await core.store.reads.listEvents({ accountId: 'account-1', type: 'intent.changed', limit: 10 })
  const reported = (events === 'unknown' ? [] : events).map(({ body }) => body)
  expect(reported.map((body) => (JSON.parse(body) as { data: { state: string } }).data.state).sort()).toEqual([
    'pending',
    'rejected',
    'sent',
  ])
})

it('CONFIG-A8: with the policy onIdle a station of 1.6 is restarted once nobody charges', async () => {
  const { house: core, station } = await startCore.boot16('CP1')
  const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: new Date(core.clock.now()).toISOString() }
  const started = await station.call('StartTransaction', start)
  const { transactionId } = started[2] as { transactionId: number }
  const keys16 = [{ key: 'HeartbeatInterval', value: '60' }]
  await core.store.writes.putRecords('configurations', [aConfiguration('c', { keys16, rebootPolicy: 'onIdle' })])
  await core.core.configurationsChanged('account-1')
  await core.core.settleConfigurations({ accountId: 'account-1', chargePointIds: ['CP1'] })
  station.answer(await station.asked('ChangeConfiguration'), { status: 'RebootRequired' })
  await untilState(core, 'HeartbeatInterval', 'rebootRequired')
  core.clock.advance(61_000)
  expect(station.calls('Reset')).toEqual([])
  const timestamp = new Date(core.clock.now()).toISOString()
  await station.call('StopTransaction', { transactionId, meterStop: 5, timestamp })
  core.clock.advance(61_000)
  const reset = await station.asked('Reset')
  expect(reset[3]).toEqual({ type: 'Soft' })
  station.answer(reset, { status: 'Accepted' })
  await station.call('BootNotification', { chargePointVendor: 'A', chargePointModel: 'B' })
  const read = await station.asked('GetConfiguration')
  station.answer(read, { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '60' }] })
  await untilState(core, 'HeartbeatInterval', 'verified')
  expect(station.calls('Reset')).toHaveLength(1)
})
