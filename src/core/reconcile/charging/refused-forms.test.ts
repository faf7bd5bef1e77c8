/** What one station of a model refuses, and what that says of the others. */
import { expect, it } from 'vitest'
import {
  accepts,
  amps,
  chargingCores,
  limited,
  MINUTE,
  type Payload,
  type Respond,
} from '../../../../test/support/charging.ts'

const { started, serve, demand, profiles, sets, accepted, begin } = chargingCores()

it('CHARGING-S5: what is refused is sent in the next form, and the model is remembered', async () => {
  const wattsOnly: Respond = (method, request) => {
    if (method !== 'SetChargingProfile') return accepts(method, request)
    const isWatts = JSON.stringify(request).includes('"chargingRateUnit":"W"')
    return { status: isWatts ? 'Accepted' : 'Rejected' }
  }
  const { house, sent } = await started('1.6', wattsOnly)
  await demand(house, 'limit:a', 1, amps(10))
  await accepted(house)
  expect(sets(sent)[1]).toMatchObject({ csChargingProfiles: limited(6900) })
  const remembered = async (count: number) => {
    const [forms] = await house.store.reads.listRecords('charging_forms', { limit: 1 })
    expect(forms?.refused['TxDefaultProfile/A']).toHaveLength(count)
  }
  await expect.poll(() => remembered(1).then(() => true)).toBe(true)
  const limitsOf = async (id: string, of: number) => {
    const sentThere: [string, Payload][] = []
    serve(await house.boot16(id), sentThere, wattsOnly)
    const input = { kind: 'chargingDemanded', demands: [{ owner: 'limit:a', evseId: 1, caps: amps(of) }] } as const
    await house.core.decideBlock({ accountId: 'account-1', chargePointId: id, input })
    const watts = { csChargingProfiles: limited(of * 690) }
    await expect.poll(() => sets(sentThere).at(-1)).toMatchObject(watts)
    return sets(sentThere).length
  }
  // What one station refused once may be chance.
  expect(await limitsOf('CP2', 10)).toBe(2)
  await expect.poll(() => remembered(2).then(() => true)).toBe(true)
  expect(await limitsOf('CP3', 10)).toBe(1)
  house.clock.advance(25 * 60 * MINUTE)
  expect(await limitsOf('CP4', 12)).toBe(2)
})

it('CHARGING-S5: one refusal for a transaction that a reboot had ended turned its whole model to watts', async () => {
  let isChance = false
  const { house, station } = await started('1.6', (method, request) => {
    const isAmps = method === 'SetChargingProfile' && JSON.stringify(request).includes('"chargingRateUnit":"A"')
    if (!isAmps || !isChance || !JSON.stringify(request).includes('TxProfile')) return accepts(method, request)
    return { status: 'Rejected' }
  })
  await demand(house, 'limit:a', 1, amps(16))
  await begin(station)
  await expect.poll(async () => (await profiles(house)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  isChance = true
  await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
  await expect
    .poll(async () => (await profiles(house)).map(({ form, state }) => [form, state]))
    .toContainEqual(['TxProfile/W', 'accepted'])
  expect(await house.store.reads.listRecords('charging_forms', { limit: 1 })).toEqual([])
})
