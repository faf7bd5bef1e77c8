import { expect, it } from 'vitest'
import {
  accepts,
  amps,
  chargingCores,
  compositeOf16,
  limited,
  MINUTE,
  measured,
  type Payload,
  type Respond,
} from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'
import type { Caps } from '../../../domain/charging/caps.ts'
import { isoTime } from '../../../domain/iso-time.ts'

const WATTS_ALONE: Respond = (method, request) => {
  if (method === 'SetChargingProfile') {
    return { status: JSON.stringify(request).includes('"chargingRateUnit":"W"') ? 'Accepted' : 'Rejected' }
  }
  return accepts(method, request)
}
/** The fallback, and what the charge may draw. */
const share = (fallback: number, amps: number): Caps => ({
  standing: { unit: 'A', steps: [{ at: START, limit: fallback }] },
  charge: { unit: 'A', steps: [{ at: START, limit: amps }] },
})

const { started, demand, profiles, proofs, sets, begin } = chargingCores()

async function charging(respond: Respond = WATTS_ALONE) {
  const { house, station, sent } = await started('1.6', respond)
  await demand(house, 'group:g', 1, share(8, 16))
  const transactionId = await begin(station)
  await expect.poll(async () => (await profiles(house)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  return { house, station, sent, transactionId }
}
const phases = (amps: readonly number[]) =>
  amps.map((value, at) => ({ value: String(value), measurand: 'Current.Import', unit: 'A', phase: `L${at + 1}` }))
const inWatts = (sent: readonly [string, Payload][]) =>
  sets([...sent]).filter((request) => JSON.stringify(request).includes('"chargingRateUnit":"W"'))

it('GROUP-P3: 16 A was 11 kW, which a car on one phase drew as 32 A: it is the watts of one phase', async () => {
  const { house, station, sent, transactionId } = await charging()
  expect(inWatts(sent)).toMatchObject([
    { csChargingProfiles: limited(1840) },
    { csChargingProfiles: { transactionId, ...limited(3680) } },
  ])
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { next: 'current' } })
  house.clock.advance(MINUTE)
  await measured(house, station, transactionId, phases([15.8, 0, 0]))
  house.clock.advance(MINUTE)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved', drawAmps: 15.8 } })
  await measured(house, station, transactionId, phases([31, 0, 0]))
  await measured(house, station, transactionId, phases([31, 0, 0]))
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored', drawAmps: 31 } })
})

it('GROUP-P3: a car that shows three phases gets the watts of three, and of one again when it draws on one', async () => {
  const { house, station, sent, transactionId } = await charging()
  const last = () => inWatts(sent).at(-1)
  await measured(house, station, transactionId, phases([5.3, 5.3, 5.2]))
  await expect.poll(last).toMatchObject({ csChargingProfiles: limited(11_040) })
  expect(inWatts(sent)).toHaveLength(3)
  // A car that begins or pauses shows nothing.
  await measured(house, station, transactionId, phases([0.2, 0, 0]))
  await measured(house, station, transactionId, phases([16, 16, 16]))
  expect(inWatts(sent)).toHaveLength(3)
  await measured(house, station, transactionId, phases([16, 0, 0]))
  await expect.poll(last).toMatchObject({ csChargingProfiles: limited(3680) })
  // A meter that goes back and forth had a profile sent for each of its readings.
  await measured(house, station, transactionId, phases([5.3, 5.3, 5.2]))
  expect(inWatts(sent)).toHaveLength(4)
  house.clock.advance(30_000)
  await measured(house, station, transactionId, phases([5.3, 5.3, 5.2]))
  await expect.poll(last).toMatchObject({ csChargingProfiles: limited(11_040) })
})

it('GROUP-S5: a share in watts was raised half a second after it was cut, as the car then showed three phases', async () => {
  const { house, station, sent } = await started('1.6', WATTS_ALONE)
  const give = (revision: number, amps: number) => {
    const lease = { amps, afterAmps: 8, endsAt: START + 60 * MINUTE }
    const input = {
      kind: 'sharesGiven',
      revision,
      shares: [{ evseId: 1, group: 'g', fallbackAmps: 8, lease }],
    } as const
    return house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  }
  await give(1, 16)
  const transactionId = await begin(station)
  const last = () => JSON.stringify(inWatts(sent).at(-1)).match(/"limit":(\d+)/)?.[1]
  await expect.poll(last).toBe('3680')
  house.clock.advance(MINUTE)
  await give(2, 10)
  await expect.poll(last).toBe('2300')
  house.clock.advance(500)
  await measured(house, station, transactionId, phases([3.3, 3.3, 3.3]))
  // Renewed, it is no other cut.
  await give(3, 10)
  house.clock.advance(29_000)
  await measured(house, station, transactionId, phases([3.3, 3.3, 3.3]))
  const [view] = await house.core.limitViews(['CP1'])
  expect([last(), view?.evses[0]?.shownAt]).toEqual(['2300', undefined])
  house.clock.advance(1000)
  await measured(house, station, transactionId, phases([3.3, 3.3, 3.3]))
  await expect.poll(last).toBe('6900')
  expect((await house.core.limitViews(['CP1']))[0]?.evses[0]?.shownAt).toBe(house.clock.now())
})

it('GROUP-P3: what one charge has shown says nothing of the next one', async () => {
  const { house, station, sent, transactionId } = await charging()
  await measured(house, station, transactionId, phases([5.3, 5.3, 5.3]))
  await expect.poll(() => inWatts(sent).at(-1)).toMatchObject({ csChargingProfiles: limited(11_040) })
  await station.call('StopTransaction', { transactionId, meterStop: 1, timestamp: isoTime(house.clock.now()) })
  house.clock.advance(MINUTE)
  const start = { connectorId: 1, idTag: 'A', meterStart: 1, timestamp: isoTime(house.clock.now()) }
  const next = ((await station.call('StartTransaction', start))[2] as { transactionId: number }).transactionId
  await expect
    .poll(() => inWatts(sent).at(-1))
    .toMatchObject({ csChargingProfiles: { transactionId: next, ...limited(3680) } })
})

it('GROUP-P3: a meter that tells power alone: watts are held against watts', async () => {
  const { house, station, transactionId } = await charging()
  const power = (watts: number) => [{ value: String(watts), measurand: 'Power.Active.Import', unit: 'W' }]
  house.clock.advance(MINUTE)
  await measured(house, station, transactionId, power(3650))
  house.clock.advance(MINUTE)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved', drawAmps: 15.9 } })
  await measured(house, station, transactionId, power(7000))
  await measured(house, station, transactionId, power(7000))
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored' } })
})

it('GROUP-P4: amperes sent to a charger of direct current are those of the battery, so it gets watts', async () => {
  const { house, station, sent } = await started('1.6')
  await demand(house, 'limit:a', 1, amps(16))
  const transactionId = await begin(station)
  await expect.poll(() => sets(sent)).toHaveLength(2)
  const direct = (volts: number | undefined, current: number) => [
    { value: String(current), measurand: 'Current.Import', unit: 'A' },
    { value: String(volts ?? 460), measurand: volts ? 'Voltage' : 'SoC', unit: volts ? 'V' : 'Percent' },
    { value: String((volts ?? 460) * current), measurand: 'Power.Active.Import', unit: 'W' },
  ]
  await measured(house, station, transactionId, direct(800, 12))
  await expect
    .poll(() => sets(sent).at(-1))
    .toMatchObject({ csChargingProfiles: { transactionId, ...limited(11_040) } })
  house.clock.advance(MINUTE)
  // 460 V that are not told look as two phases do.
  await measured(house, station, transactionId, direct(undefined, 20))
  expect((await house.core.limitViews(['CP1']))[0]?.evses[0]?.draw).toMatchObject({ amps: 13.3, phases: 3 })
  expect(sets(sent)).toHaveLength(3)
})

it('GROUP-P3: its schedule is asked for in watts, and ours is it', async () => {
  const asked: Payload[] = []
  const { house } = await charging((method, request) => {
    if (method !== 'GetCompositeSchedule') return WATTS_ALONE(method, request)
    asked.push(request)
    return compositeOf16('W', 3680)
  })
  await expect.poll(() => asked.at(-1)).toMatchObject({ chargingRateUnit: 'W' })
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'pending', next: 'current' } })
})
