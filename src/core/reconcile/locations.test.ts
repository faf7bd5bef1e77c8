import { expect, it } from 'vitest'
import { coresOfTests, type TestCore, type TestStation } from '../../../test/support/core/testing.ts'

const MINUTE = 60_000
const core = coresOfTests()
const status = (house: TestCore, station: TestStation, said: string, connectorId = 1) => {
  const timestamp = new Date(house.clock.now()).toISOString()
  return station.call('StatusNotification', { connectorId, errorCode: 'NoError', status: said, timestamp })
}
const place = (
  house: TestCore,
  chargePointId: string,
  locationId = 'L',
  evses = [{ uid: `${chargePointId}-1`, ocppEvseId: 1 }],
) =>
  house.core.decideBlock({
    accountId: 'account-1',
    chargePointId,
    input: { kind: 'locationEvsesPlaced', locationId, evses, at: 1 },
  })
const shown = async (house: TestCore, chargePointId: string) =>
  (await house.store.reads.listRecords('location_evses', { where: { chargePointId }, limit: 10 })).map(
    (one) => one.shown,
  )
const changedAt = async ({ store }: TestCore) =>
  (await store.reads.getRecord('location_changes', { accountId: 'account-1', locationId: 'L' }))?.changedAt ?? 0
const expectShown = (house: TestCore, chargePointId: string, ...statuses: string[]) =>
  expect.poll(() => shown(house, chargePointId), { interval: 5 }).toEqual(statuses)

const silenceDue = async ({ store }: TestCore) =>
  (await store.reads.listRecords('location_evses', { limit: 1 }))[0]?.unknownDueAt
/** Its connection is lost, and that is stored. */
async function lost(house: TestCore, station: TestStation): Promise<void> {
  house.core.closed(station.connection)
  await expect.poll(() => silenceDue(house), { interval: 5 }).toBe(house.clock.now() + 10 * MINUTE)
}

it('LOCATION-A2: ten minutes after its connection was lost it is unknown, and known again when it is back', async () => {
  const house = await core()
  const station = await house.boot16('CP-1')
  await status(house, station, 'Available')
  await place(house, 'CP-1')
  await lost(house, station)
  house.clock.advance(9 * MINUTE)
  const back = await house.connect('CP-1')
  await expect.poll(() => silenceDue(house), { interval: 5 }).toBeUndefined()
  house.clock.advance(20 * MINUTE)
  await back.call('Heartbeat', {})
  await expectShown(house, 'CP-1', 'AVAILABLE')
  const before = await changedAt(house)
  await lost(house, back)
  house.clock.advance(10 * MINUTE)
  await expectShown(house, 'CP-1', 'UNKNOWN')
  expect(await changedAt(house)).toBeGreaterThan(before)
  await house.connect('CP-1')
  await expectShown(house, 'CP-1', 'AVAILABLE')
})

it('LOCATION-A2: ten minutes of silence are over also where another process has seen them begin', async () => {
  const first = await core()
  const station = await first.boot16('CP-1')
  await status(first, station, 'Available')
  await place(first, 'CP-1')
  await lost(first, station)
  const { path } = first
  const now = first.clock.now()
  await first.close()
  const house = await core({ path, now: now + 5 * MINUTE })
  expect(await shown(house, 'CP-1')).toEqual(['AVAILABLE'])
  await expect
    .poll(
      () => {
        house.clock.advance(MINUTE)
        return shown(house, 'CP-1')
      },
      { interval: 5 },
    )
    .toEqual(['UNKNOWN'])
  expect(house.clock.now()).toBeGreaterThanOrEqual(now + 10 * MINUTE)
  await place(house, 'CP-1', 'L', [{ uid: 'other', ocppEvseId: 2 }])
  await expectShown(house, 'CP-1', 'UNKNOWN')
  await status(house, await house.connect('CP-1'), 'Charging', 2)
  await expectShown(house, 'CP-1', 'CHARGING')
})

it('LOCATION-A2: what was never connected is planned, and what no connector is said of unknown', async () => {
  const house = await core()
  const registration = {
    accountId: 'account-1',
    securityProfile: 0,
    registrationStatus: 'Accepted',
    createdAt: 1,
  } as const
  await house.store.writes.createChargePoint({ id: 'NEW', ...registration })
  await place(house, 'NEW')
  await expectShown(house, 'NEW', 'PLANNED')
  await house.boot16('NEW')
  await expectShown(house, 'NEW', 'UNKNOWN')
})

it('LOCATION-A3: EVSEs of a location that change in the same millisecond move it each time', async () => {
  const house = await core()
  const times = new Set<number>()
  for (const id of ['CP-1', 'CP-2', 'CP-3']) {
    const station = await house.boot16(id)
    await place(house, id)
    await status(house, station, 'Available')
    times.add(await changedAt(house))
  }
  expect([...times]).toHaveLength(3)
  expect([...times]).toEqual([...times].sort())
})

it('LOCATION-A1: a place at a charge point belongs to one location', async () => {
  const { house } = await core.boot16('CP-1')
  await place(house, 'CP-1')
  expect(await place(house, 'CP-1', 'M')).toMatchObject({ refused: true, code: 'evse_elsewhere' })
  expect(await place(house, 'CP-1', 'M', [{ uid: 'm', ocppEvseId: 2 }])).toEqual({})
  expect(await shown(house, 'CP-1')).toHaveLength(2)
})

it('LOCATION-A3: a charge point that is in no location writes nothing for it', async () => {
  const { house, station } = await core.boot16('CP-1')
  await place(house, 'CP-1', 'L', [])
  for (const said of ['Available', 'Preparing', 'Charging', 'Faulted']) await status(house, station, said)
  house.core.closed(station.connection)
  await house.settled()
  for (const kind of ['location_evses', 'location_changes'] as const) {
    expect(await house.store.reads.listRecords(kind, { limit: 1 })).toEqual([])
  }
})
