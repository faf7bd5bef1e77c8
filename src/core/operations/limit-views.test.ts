import { expect, it } from 'vitest'
import { coresOfTests, type TestCore } from '../../../test/support/core/testing.ts'

const core = coresOfTests()
const give = (house: TestCore, revision: number, fallbackAmps: number, group: string | undefined = 'site') => {
  const shares = [{ evseId: 1, group, fallbackAmps, lease: { amps: 16, afterAmps: fallbackAmps, endsAt: 9e12 } }]
  const input = { kind: 'sharesGiven', revision, shares } as const
  return house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
}
const demands = async ({ store }: TestCore) => {
  const rows = await store.reads.listRecords('charging_demands', { where: { chargePointId: 'CP1' }, limit: 9 })
  return rows.map(({ owner, caps }) => [owner, caps.standing?.steps[0]?.limit])
}

it('GROUP-A9: what an earlier plan gave is not carried out after a later one', async () => {
  const house = await core()
  await house.boot16('CP1')
  await give(house, 5, 8)
  await give(house, 4, 16)
  await give(house, 5, 32)
  expect(await demands(house)).toEqual([['group:site', 8]])
  const views = await house.core.limitViews(['CP1', 'NOWHERE'])
  expect(views).toMatchObject([{ chargePointId: 'CP1', isConnected: true, evses: [{ evseId: 1, desiredRevision: 5 }] }])
  await give(house, 6, 6, 'row')
  expect(await demands(house)).toEqual([['group:row', 6]])
  const left = { kind: 'sharesGiven', revision: Number.MAX_SAFE_INTEGER, shares: [{ evseId: 1 }] } as const
  await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input: left })
  expect(await demands(house)).toEqual([])
})

it('GROUP-S2: only the charge point had a priority: its order and its card say which one a charge has', async () => {
  const { house, station } = await core.boot16('CP1')
  const priorities = async () => (await house.core.limitViews(['CP1']))[0]?.evses.map(({ charge }) => charge?.priority)
  const card = { accountId: 'account-1', id: 'CARD', type: 'ISO14443', status: 'Accepted', createdAt: 0 } as const
  await house.store.writes.createIdToken({ ...card, priority: 7 })
  const start = async (idTag: string) => {
    const timestamp = new Date(house.clock.now()).toISOString()
    const [, , { transactionId }] = (await station.call('StartTransaction', {
      connectorId: 1,
      idTag,
      meterStart: 0,
      timestamp,
    })) as [number, string, { transactionId: number }]
    return () => station.call('StopTransaction', { transactionId, meterStop: 0, timestamp })
  }
  const stop = await start('CARD')
  expect(await priorities()).toEqual([7])
  await stop()
  expect(await priorities()).toEqual([undefined])
  const order = { accountId: 'account-1', chargePointId: 'CP1', connectorId: 1, idToken: 'CARD', priority: -2 }
  await house.core.startSession(order)
  const [, , , sent] = await station.frame((frame) => frame[2] === 'RemoteStartTransaction')
  await start((sent as { idTag: string }).idTag)
  expect(await priorities()).toEqual([-2])
})

it('GROUP-A8: MeterValues alone never taught that the clock of a charge point is seven minutes behind', async () => {
  const { house, station } = await core.boot16('CP1')
  await give(house, 5, 8)
  const clock = async () => {
    const [view] = await house.core.limitViews(['CP1'])
    return [view?.clockAheadMs, view?.clockAtLeastMs]
  }
  const measure = () => {
    const timestamp = new Date(house.clock.now() - 420_000).toISOString()
    return station.call('MeterValues', { connectorId: 1, meterValue: [{ timestamp, sampledValue: [{ value: '1' }] }] })
  }
  expect(await clock()).toEqual([0, undefined])
  await measure()
  expect(await clock()).toEqual([0, -420_000])
  house.clock.advance(60_000)
  await measure()
  expect(await clock()).toEqual([-420_000, -420_000])
})

it('GROUP-A5: what was measured before it connected says nothing of what it draws now', async () => {
  const { house, station: before } = await core.boot16('CP1')
  await give(house, 5, 8)
  const timestamp = () => new Date(house.clock.now()).toISOString()
  const started = await before.call('StartTransaction', {
    connectorId: 1,
    idTag: 'CARD',
    meterStart: 0,
    timestamp: timestamp(),
  })
  const { transactionId } = started[2] as { readonly transactionId: number }
  const measured = (amps: number) => ({
    connectorId: 1,
    transactionId,
    meterValue: [{ timestamp: timestamp(), sampledValue: [{ value: String(amps), measurand: 'Current.Import' }] }],
  })
  const drawn = async () => (await house.core.limitViews(['CP1']))[0]?.evses[0]?.draw?.amps
  await before.call('MeterValues', measured(8))
  expect(await drawn()).toBe(8)
  house.core.closed(before.connection)
  const late = measured(16)
  house.clock.advance(120_000)
  const after = await house.boot16('CP1')
  await after.call('MeterValues', late)
  expect(await drawn()).toBe(8)
  await after.call('MeterValues', measured(12))
  expect(await drawn()).toBe(12)
  // Nor does what waits in it while it is connected.
  const waiting = measured(30)
  house.clock.advance(240_000)
  await after.call('MeterValues', waiting)
  expect(await drawn()).toBe(12)
})
