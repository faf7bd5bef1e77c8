/** A station is told again what it may have forgotten. */
import { expect, it } from 'vitest'
import { accepts, amps, chargingCores, type Payload } from '../../../../test/support/charging.ts'

// CHARGING-S8: what a station may have forgotten is sent again
const { started, demand, demands, methods, sets, accepted, begin } = chargingCores()

type Started = Awaited<ReturnType<typeof started>>
const becomes = async ({ house, station }: Started, status: string): Promise<void> => {
  house.clock.advance(1000)
  const timestamp = new Date(house.clock.now()).toISOString()
  await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status, timestamp })
}

it('after a boot, and as soon as a paused charge goes on', async () => {
  const all = await started('1.6')
  const { house, station, sent } = all
  await demand(house, 'limit:a', 1, amps(16))
  await accepted(house)
  await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
  await expect.poll(() => sets(sent)).toHaveLength(2)
  await begin(station)
  await expect.poll(() => sets(sent)).toHaveLength(3)
  await becomes(all, 'Charging')
  await becomes(all, 'SuspendedEV')
  expect(sets(sent)).toHaveLength(3)
  await becomes(all, 'Charging')
  await expect.poll(() => sets(sent)).toHaveLength(5)
  // With the default alone it might pause again, and a station that forgets at each resume went back and forth.
  const purposes = sets(sent).map(({ csChargingProfiles }) => (csChargingProfiles as Payload).chargingProfilePurpose)
  expect(purposes.slice(-2)).toEqual(['TxProfile', 'TxDefaultProfile'])
  const { resumedAt } = (await house.store.reads.getRecord('charging_stations', { chargePointId: 'CP1' })) ?? {}
  expect(resumedAt).toEqual({ 1: house.clock.now() })
  expect(methods(sent)).not.toContain('ClearChargingProfile')
})

it('an acceptance of what was sent before the charge went on counted as set, though it was forgotten', async () => {
  const all = await started('1.6', (method, request) => {
    const { chargingProfilePurpose: purpose } = (request.csChargingProfiles ?? {}) as Payload
    return purpose === 'TxProfile' ? undefined : accepts(method, request)
  })
  const { house, station, sent } = all
  await begin(station)
  await becomes(all, 'Charging')
  await becomes(all, 'SuspendedEV')
  await demand(house, 'limit:a', 1, amps(16))
  const ofCharge = (frame: readonly unknown[]): boolean =>
    frame[2] === 'SetChargingProfile' && JSON.stringify(frame[3]).includes('TxProfile')
  const before = await station.frame(ofCharge)
  await becomes(all, 'Charging')
  station.answer(before, { status: 'Accepted' })
  const again = await station.frame((frame) => ofCharge(frame) && frame[1] !== before[1])
  expect(await demands(house)).toMatchObject([{ state: 'pending' }])
  station.answer(again, { status: 'Accepted' })
  await accepted(house)
  expect(sets(sent)).toHaveLength(4)
})

it('what was refused waited for a clock that was put back by a day: until it had caught up', async () => {
  let isBroken = true
  const { house, sent } = await started('1.6', (method, request) =>
    method === 'SetChargingProfile' && isBroken ? { status: 'Rejected' } : accepts(method, request),
  )
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(() => demands(house)).toMatchObject([{ state: 'refused' }])
  isBroken = false
  const before = sets(sent).length
  house.clock.advance(-86_400_000)
  await demand(house, 'limit:b', 2, amps(10))
  await expect.poll(() => sets(sent)).toHaveLength(before + 2)
  await expect.poll(async () => (await demands(house)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
})
