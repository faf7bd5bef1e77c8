import { expect, it } from 'vitest'
import { Driver, type DriverOptions, TARIFF } from '../../../../test/support/sessions/driver.ts'
import { register, sampled, started, stopped } from '../../../../test/support/sessions/inputs.ts'
import type { Input } from '../decision.ts'
import { representSession } from './representation.ts'

type Figures = Partial<Extract<Input, { kind: 'settled' }>>

function completed(options: DriverOptions = {}): Driver {
  const driver = new Driver({ idTokens: [{}], forgetful: true, ...options }, started(0))
  driver.sendAt(30, stopped(30, { transactionId: '100', registerMilliWh: 4_000_000 }))
  return driver
}

/** Closed by the orphan rule at 1 kWh; the real stop may still come. */
function interrupted(options: DriverOptions = {}): Driver {
  const driver = new Driver({ idTokens: [{}], forgetful: true, ...options }, started(0))
  driver.sendAt(10, sampled('100', [register(10, 1_000)]))
  driver.sendAt(20, started(20, { connectorId: 1 }))
  return driver
}

function settle(driver: Driver, figures: Figures = {}) {
  return driver.send({ kind: 'settled', sessionId: 'session-1', ...figures })
}

const realStop = stopped(15, { transactionId: '100', registerMilliWh: 2_000_000 })

it('COST-CO3, COST-L3, COST-L4: nothing settles by itself; the first settlement counts 1, whatever it says', () => {
  const driver = completed({ tariff: TARIFF })
  expect(representSession(driver.session()).settlementCount).toBeUndefined()
  expect(settle(driver).outcome).toEqual({ sessionId: 'session-1' })
  expect(representSession(driver.session())).toMatchObject({ settlementCount: 1, energyKwh: 4, cost: 3.3 })
})

it('COST-L3, COST-L5: identical figures change nothing, others count up, also lower ones; what is left out keeps its value', () => {
  const driver = completed({ tariff: TARIFF })
  settle(driver, { costMicros: 5_000_000 })
  expect(settle(driver, { costMicros: 5_000_000, currency: 'EUR', energyMilliWh: 4_000_000 }).changes).toEqual({})
  expect(settle(driver).changes).toEqual({})
  settle(driver, { energyMilliWh: 3_500_000 })
  expect(representSession(driver.session())).toMatchObject({ settlementCount: 2, energyKwh: 3.5, cost: 5 })
})

it.each<[string, DriverOptions, Figures, string]>([
  ['a session nobody knows', {}, { sessionId: 'nobody' }, 'session_not_found'],
  ['another currency', { tariff: TARIFF }, { costMicros: 1, currency: 'SEK' }, 'currency_mismatch'],
  ['another currency without a cost', { tariff: TARIFF }, { currency: 'SEK' }, 'currency_mismatch'],
  ['a cost without a currency', {}, { costMicros: 1 }, 'currency_required'],
])('COST-L2: %s is refused', (_, options, figures, refused) => {
  const { outcome, changes } = settle(completed(options), figures)
  expect(outcome.refused).toBe(refused)
  expect(changes).toEqual({})
})

it('COST-L2: a session that is not completed cannot be settled', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0))
  expect(settle(driver).outcome.refused).toBe('session_not_completed')
  driver.sendAt(1, stopped(1, { transactionId: '100', registerMilliWh: 0, reason: 'DeAuthorized' }))
  expect(driver.session().state).toBe('failed')
  expect(settle(driver).outcome.refused).toBe('session_not_completed')
})

it('COST-L2: a session without a tariff takes its currency from the settlement', () => {
  const driver = completed()
  settle(driver, { costMicros: 1_500_000, currency: 'JPY' })
  expect(representSession(driver.session())).toMatchObject({ cost: 2, currency: 'JPY', settlementCount: 1 })
})

it('HOOK-M5, COST-CO4: a late real stop of a settled session is a correction: one more, and only once', () => {
  const driver = interrupted({ tariff: TARIFF })
  settle(driver)
  driver.sendAt(21, realStop)
  expect(representSession(driver.session())).toMatchObject({ state: 'completed', energyKwh: 2, settlementCount: 2 })
  driver.sendAt(22, realStop)
  expect(driver.session().settlementCount).toBe(2)
})

it('COST-CO4: late facts that change no figure are no correction', () => {
  const driver = completed({ tariff: TARIFF })
  settle(driver)
  driver.sendAt(40, sampled('100', [register(20, 2_500)]))
  expect(driver.session().settlementCount).toBe(1)
})

it('HOOK-M5: what an operator settled by hand stays; measured energy still wins', () => {
  const driver = interrupted({ tariff: TARIFF })
  settle(driver, { costMicros: 0, energyMilliWh: 900_000 })
  driver.sendAt(21, realStop)
  expect(representSession(driver.session())).toMatchObject({ energyKwh: 2, cost: 0, settlementCount: 2 })
  settle(driver, { energyMilliWh: 900_000 })
  driver.sendAt(22, sampled('100', [register(12, 1_500)]))
  expect(representSession(driver.session())).toMatchObject({ energyKwh: 0.9, settlementCount: 3 })
})

const AUTOMATIC: DriverOptions = { tariff: TARIFF, automaticSettlement: true }

it('COST-L4: where the account settles by itself, the completion has no count and the next tick settles it, once', () => {
  const driver = completed(AUTOMATIC)
  expect(representSession(driver.session())).toMatchObject({ state: 'completed', energyKwh: 4, cost: 3.3 })
  expect(representSession(driver.session()).settlementCount).toBeUndefined()
  expect(driver.nextWakeMinutes).toBe(30)
  driver.send({ kind: 'tick' })
  expect(representSession(driver.session())).toMatchObject({ settlementCount: 1, energyKwh: 4, cost: 3.3 })
  expect(driver.nextWakeMinutes).toBeUndefined()
  expect(driver.sendAt(31, { kind: 'tick' }).changes).toEqual({})
  expect(settle(driver).changes).toEqual({})
})

it('COST-L4, COST-L3: who settles before the tick is not settled over', () => {
  const driver = completed(AUTOMATIC)
  settle(driver, { costMicros: 9_000_000 })
  expect(driver.send({ kind: 'tick' }).changes).toEqual({})
  expect(representSession(driver.session())).toMatchObject({ settlementCount: 1, cost: 9 })
})

it('COST-L4, HOOK-M5: a late stop before the tick changes figures, one after it corrects', () => {
  const early = interrupted(AUTOMATIC)
  early.sendAt(21, realStop)
  early.sendAt(22, { kind: 'tick' })
  expect(representSession(early.session())).toMatchObject({ energyKwh: 2, settlementCount: 1 })
  const late = interrupted(AUTOMATIC)
  late.sendAt(21, { kind: 'tick' })
  late.sendAt(22, realStop)
  expect(representSession(late.session())).toMatchObject({ energyKwh: 2, settlementCount: 2 })
})

it('COST-L4: what the orphan rule completes is settled by a tick of its own', () => {
  const driver = new Driver({ idTokens: [{}], forgetful: true, ...AUTOMATIC }, started(0))
  driver.sendAt(49 * 60, { kind: 'tick' })
  expect(driver.session()).toMatchObject({ state: 'completed', settlementDueAt: driver.now })
  expect(driver.session().settlementCount).toBeUndefined()
  driver.send({ kind: 'tick' })
  expect(driver.session()).toMatchObject({ settlementCount: 1 })
})

it('COST-L4: a failed session is not settled', () => {
  const driver = new Driver({ idTokens: [{}], ...AUTOMATIC }, started(0))
  driver.sendAt(1, stopped(1, { transactionId: '100', registerMilliWh: 0, reason: 'DeAuthorized' }))
  expect(driver.send({ kind: 'tick' }).changes).toEqual({})
  expect(driver.session().settlementCount).toBeUndefined()
})

it('API-G1: no two settlements of one session have one version', () => {
  const driver = completed({ tariff: TARIFF })
  const versions = [1, 2, 3].map((cost) => {
    settle(driver, { costMicros: cost * 1_000_000 })
    return driver.session().version
  })
  expect(new Set(versions).size).toBe(3)
})
