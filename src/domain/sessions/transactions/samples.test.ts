import { expect, it } from 'vitest'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import type { Sample } from '../../ports/sessions.ts'
import { representSession } from '../figures/representation.ts'

function charging(options = {}): Driver {
  return new Driver({ idTokens: [{}], ...options }, started(0, { registerMilliWh: 1_000_000 }))
}

it('COST-CO1: energy and time move the cost; the tariff is the one of the start', () => {
  const driver = charging({ tariff: TARIFF })
  driver.sendAt(30, sampled('100', [register(30, 11_000)]))
  // 1.00 per session + 10 kWh at 0.50 + 30 minutes at 0.01
  expect(representSession(driver.session())).toMatchObject({ energyKwh: 10, cost: 6.3, currency: 'EUR' })
})

it('SESSION-A8: late samples of a closed transaction are added to its figures, noted, and leave its state', () => {
  const driver = charging({ forgetful: true })
  driver.sendAt(60, stopped(60, { transactionId: '100' }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 0 })
  driver.sendAt(61, sampled('100', [register(50, 3_000)]))
  expect(driver.session()).toMatchObject({
    state: 'completed',
    energyMilliWh: 2_000_000,
    stoppedAt: ZERO + 60 * MINUTE,
  })
  expect(driver.session().flags).toContain('late')
})

it('SESSION-A8: late samples do not overrule the station’s own registers', () => {
  const driver = charging()
  driver.sendAt(60, stopped(60, { transactionId: '100', registerMilliWh: 4_000_000 }))
  const before = representSession(driver.session())
  driver.sendAt(61, sampled('100', [register(50, 3_000)]))
  expect(representSession(driver.session())).toEqual(before)
})

it.each([
  ['before', 50_000_000, -1],
  ['after', 50_000_000, 1],
  ['after', 0, 1],
])('SESSION-A9, lbbrhzn/ocpp#919: with the meter’s life %s each counted twice from %i', (_, startMilliWh, offset) => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: startMilliWh }))
  for (const minutes of [10, 20, 30]) {
    const named = sampled('100', [register(minutes, 100 * minutes)])
    const lifetime = sampled(undefined, [register(minutes + offset, 50_000 + 100 * (minutes + offset))])
    for (const input of offset < 0 ? [lifetime, named] : [named, lifetime]) driver.sendAt(minutes + 1, input)
  }
  expect(driver.session().energyMilliWh).toBe(3_000_000)
})

it('SESSION-A9: a station that lost the number goes on counting without it', () => {
  const driver = charging()
  driver.sendAt(10, sampled('100', [register(10, 2_000)]))
  for (const minutes of [20, 40, 60, 80]) driver.sendAt(minutes, sampled(undefined, [register(minutes, 5_000)]))
  expect(driver.session().energyMilliWh).toBe(4_000_000)
})

it.each([
  ['absent', undefined],
  ['unknown', '4711'],
])('SESSION-A9: a transactionId that is %s means the open transaction there', (_, transactionId) => {
  const driver = charging()
  driver.sendAt(5, sampled(transactionId, [register(5, 1_500)]))
  expect(driver.session().energyMilliWh).toBe(500_000)
  expect(driver.session().flags).toContain('inferredTx')
})

it.each<[string, number, Sample]>([
  ['on another connector', 2, register(5, 9_000)],
  ['of the station itself', 0, register(5, 9_000)],
  ['from before the start', 1, register(-1, 9_000)],
])('SESSION-A9: a sample %s is no session’s', (_, connectorId, sample) => {
  const driver = charging()
  expect(driver.sendAt(5, sampled(undefined, [sample], connectorId)).changes).toEqual({})
})

it('SESSION-A9: a message that begins before the start lost the samples of the session with those before it', () => {
  const driver = charging()
  const samples = [register(-5, 900), register(5, 1_500), register(10, 1_800)]
  driver.sendAt(10, sampled(undefined, samples))
  expect(driver.session()).toMatchObject({ energyMilliWh: 800_000 })
})

it('SESSION-A9: beside a start replayed from a queue, the sample’s time says whose it is', () => {
  const driver = charging()
  driver.sendAt(1, started(-10))
  driver.sendAt(5, sampled(undefined, [register(-5, 200)]))
  expect(driver.sessions.map(({ energyMilliWh }) => energyMilliWh)).toEqual([0, 200_000])
  driver.sendAt(5, sampled(undefined, [register(5, 1_500)]))
  expect(driver.sessions.map(({ energyMilliWh }) => energyMilliWh)).toEqual([500_000, 200_000])
})

it('SESSION-A9: with two candidates nobody is guessed', () => {
  const driver = charging()
  driver.sendAt(1, started(-10))
  driver.sendAt(1, started(-20))
  expect(driver.sendAt(5, sampled(undefined, [register(-5, 9_000)])).changes).toEqual({})
})

const ofEvse = (evseId: number, minutes: number, wattHours: number) => ({
  ...sampled(undefined, [register(minutes, wattHours)], 0),
  evseId,
})
const begun = (): Driver => {
  return new Driver({}, event(0, 0, 'started', { evseId: 1, connectorId: 1 }))
}

it('ENERGY-N3: 2.0.1: a charge that is metered by MeterValues alone had 0 kWh', () => {
  const driver = begun()
  for (const minutes of [5, 10, 10, 20]) driver.sendAt(minutes, ofEvse(1, minutes, 1000 + 100 * minutes))
  expect(driver.session()).toMatchObject({ state: 'charging', energyMilliWh: 1_500_000 })
  expect(driver.session().flags).toContain('inferredTx')
  driver.sendAt(30, event(1, 30, 'ended', { evseId: 1 }))
  expect(driver.session()).toMatchObject({ state: 'completed', energyMilliWh: 1_500_000 })
})

it.each([
  ['of the main meter', 0, 5],
  ['of another EVSE', 2, 5],
  ['from before the start', 1, -5],
])('ENERGY-N3: 2.0.1: values %s are nobody’s', (_, evseId, minutes) => {
  expect(begun().sendAt(5, ofEvse(evseId, minutes, 9_000)).changes).toEqual({})
})

it('ENERGY-N3: 2.0.1: values beside events that meter the transaction are nobody’s, whichever came first', () => {
  const driver = begun()
  driver.sendAt(5, ofEvse(1, 5, 7_000_000))
  driver.sendAt(6, ofEvse(1, 6, 7_000_400))
  const samples = (minutes: number, wattHours: number) => ({ samples: [register(minutes, wattHours)] })
  driver.sendAt(10, event(1, 10, 'updated', samples(10, 1_000)))
  expect(driver.sendAt(15, ofEvse(1, 15, 7_000_900)).changes).toEqual({})
  driver.sendAt(20, event(2, 20, 'updated', samples(20, 3_000)))
  driver.sendAt(30, event(3, 30, 'ended', samples(30, 4_000)))
  expect(driver.session().energyMilliWh).toBe(3_000_000)
})

it('ENERGY-N3: 2.0.1: with two open transactions on the EVSE nobody is guessed', () => {
  const driver = begun()
  driver.send(event(0, -10, 'started', { transactionId: 'T-old', evseId: 1, connectorId: 1 }))
  driver.send(event(0, -20, 'started', { transactionId: 'T-older', evseId: 1, connectorId: 1 }))
  expect(driver.sendAt(5, ofEvse(1, -5, 9_000)).changes).toEqual({})
})

it('SESSION-A10: a transaction that is not this charge point’s counts as unknown', () => {
  const driver = new Driver()
  expect(driver.send(sampled('100', [register(5, 9_000)]))).toEqual({ outcome: {}, changes: {} })
})

it('SESSION-A15: samples that name the transaction clear the suspicion', () => {
  const driver = charging()
  driver.sendAt(5, status(5, 'Available'))
  expect(driver.transaction().suspectSince).toBe(ZERO + 5 * MINUTE)
  driver.sendAt(6, sampled('100', [register(6, 2_000)]))
  expect(driver.transaction().suspectSince).toBeUndefined()
  expect(driver.session().flags).not.toContain('suspect')
})

it('SESSION-S2: the first positive register delta while pending is charging', () => {
  const driver = new Driver({ idTokens: [{ status: 'Blocked' }] }, started(0))
  driver.sendAt(1, sampled('100', [register(1, 0)]))
  expect(driver.session().state).toBe('pending')
  driver.sendAt(2, sampled('100', [register(2, 10)]))
  expect(driver.session()).toMatchObject({ state: 'charging', startedAt: ZERO })
})

it('an empty message or one of nonsense changes no figure', () => {
  const driver = charging()
  driver.sendAt(1, sampled('100', []))
  driver.sendAt(2, sampled('100', [{ ...register(2, 0), value: 'OCMF|{}' }]))
  expect(driver.session()).toMatchObject({ energyMilliWh: 0, version: 1 })
})
