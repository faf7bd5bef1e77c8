import { expect, it } from 'vitest'
import { Driver, MINUTE, TARIFF, ZERO } from '../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, stopped } from '../../../test/support/sessions/inputs.ts'
import type { CostAnswered } from './records.ts'
import { COST_INTERVAL_MS, showsCost } from './rules.ts'

const SHOWS = { costAvailable: 1 }

function charging(limits: object = SHOWS): Driver {
  const driver = new Driver({ tariff: TARIFF, idTokens: [{}] })
  const model = { chargePointId: 'CP1', failures: 0, asksInTens: false, limits, variableCount: 0 }
  driver.records.apply([{ kind: 'device_models', put: model }])
  driver.sendAt(0, started(0))
  return driver
}
const meter = (driver: Driver, minutes: number, wattHours: number) =>
  driver.sendAt(minutes, sampled(driver.transaction().transactionId, [register(minutes, wattHours)]))
const row = (driver: Driver) => driver.records.all('running_costs')[0]
function answer(driver: Driver, said: CostAnswered['answer'] = 'accepted', isFinal = false): void {
  const { id: sessionId, cost, transactionId = '' } = driver.session()
  driver.send({
    kind: 'costAnswered',
    answer: said,
    told: { transactionId, sessionId, micros: cost?.micros ?? 0, isFinal },
  })
}

it.each([
  [{}, false],
  [{ costAvailable: 1 }, true],
  [{ costAvailable: 1, costEnabled: 0 }, false],
  [{ costEnabled: 1 }, true],
  [{ costAvailable: 0, costEnabled: 1 }, false],
])('DRIVER-C1: who says %j shows it: %s', (limits, isShown) => {
  expect(showsCost(limits)).toBe(isShown)
  expect(row(charging(limits)) !== undefined).toBe(isShown)
})

it('DRIVER-C1: is told at once, then where the amount changed, at most once a minute', () => {
  const driver = charging()
  expect(row(driver)).toMatchObject({ dueAt: ZERO, isFinal: false })
  answer(driver)
  expect(row(driver)?.dueAt).toBeUndefined()
  expect(driver.session().shownCost).toEqual({ micros: driver.session().cost?.micros, at: ZERO })
  meter(driver, 0.5, 100)
  expect(row(driver)?.dueAt).toBe(ZERO + COST_INTERVAL_MS)
  meter(driver, 0.75, 200)
  expect(row(driver)?.dueAt).toBe(ZERO + COST_INTERVAL_MS)
  driver.now = ZERO + 2 * MINUTE
  answer(driver)
  expect(row(driver)?.dueAt).toBeUndefined()
  meter(driver, 2, 200)
  const { cost, shownCost } = driver.session()
  expect(row(driver)?.dueAt !== undefined).toBe(cost?.micros !== shownCost?.micros)
})

it('DRIVER-C1: what changed while a call was open is told a minute later', () => {
  const driver = charging()
  const { id: sessionId, transactionId = '', cost } = driver.session()
  meter(driver, 0.5, 1_000)
  const reported = { transactionId, sessionId, micros: cost?.micros ?? 0, isFinal: false }
  driver.send({ kind: 'costAnswered', answer: 'accepted', told: reported })
  expect(row(driver)?.dueAt).toBe(driver.now + COST_INTERVAL_MS)
})

it('DRIVER-C1: an amount that was told while our clock was ahead held up the next one until then', () => {
  const driver = charging()
  driver.now += 365 * 24 * 60 * MINUTE
  answer(driver)
  driver.now = ZERO + 2 * MINUTE
  meter(driver, 2, 1_000)
  expect(row(driver)?.dueAt).toBe(driver.now + COST_INTERVAL_MS)
})

it('DRIVER-C2: the total is due at once, and nothing is left of it once it was told', () => {
  const driver = charging()
  answer(driver)
  driver.sendAt(1, stopped(1, { transactionId: driver.transaction().transactionId, registerMilliWh: 5_000_000 }))
  expect(row(driver)).toMatchObject({ dueAt: driver.now, isFinal: true })
  answer(driver, 'accepted', true)
  expect(row(driver)).toBeUndefined()
  const { cost, shownCost } = driver.session()
  expect(shownCost?.micros).toBe(cost?.micros)
})

it('DRIVER-C2: a late answer to a running cost does not take the total away', () => {
  const driver = charging()
  driver.sendAt(1, stopped(1, { transactionId: driver.transaction().transactionId, registerMilliWh: 5_000_000 }))
  answer(driver, 'accepted', false)
  expect(row(driver)).toMatchObject({ dueAt: driver.now, isFinal: true })
})

it.each([
  ['refused', { dueAt: ZERO + COST_INTERVAL_MS, isUnsupported: false }],
  ['unsent', { dueAt: ZERO, isUnsupported: false }],
  ['unsupported', { isUnsupported: true }],
] as const)('DRIVER-C3: after %s it is told again: %j', (said, expected) => {
  const driver = charging()
  answer(driver, said)
  expect(row(driver)).toMatchObject(expected)
  expect(driver.session().shownCost).toBeUndefined()
  meter(driver, 1, 5_000)
  const isAsked = said !== 'unsupported'
  expect(row(driver)?.dueAt !== undefined).toBe(isAsked)
  driver.sendAt(2, stopped(2, { transactionId: driver.transaction().transactionId, registerMilliWh: 9_000_000 }))
  expect(row(driver) !== undefined).toBe(isAsked)
})

it('DRIVER-C3: what was queued while the charge point was away is told to nobody', () => {
  const driver = charging({})
  const model = { chargePointId: 'CP1', failures: 0, asksInTens: false, limits: SHOWS, variableCount: 0 }
  driver.records.apply([{ kind: 'device_models', put: model }])
  driver.now = ZERO + 60 * MINUTE
  const { transactionId } = driver.transaction()
  driver.send(sampled(transactionId, [register(5, 5_000)]))
  expect(row(driver)).toBeUndefined()
  driver.send(sampled(transactionId, [register(59, 9_000)]))
  expect(row(driver)).toMatchObject({ dueAt: driver.now })
})

it('DRIVER-C3: a charge that nobody can be told of any more is forgotten', () => {
  const driver = charging()
  driver.send({ kind: 'costOver', transactionId: driver.transaction().transactionId })
  expect(row(driver)).toBeUndefined()
  answer(driver)
  expect(row(driver)).toBeUndefined()
})

it('DRIVER-C1: a charge without a tariff has none', () => {
  const driver = new Driver()
  const model = { chargePointId: 'CP1', failures: 0, asksInTens: false, limits: SHOWS, variableCount: 0 }
  driver.records.apply([{ kind: 'device_models', put: model }])
  driver.sendAt(0, event(0, 0, 'started', { activity: 'charging' }))
  expect(row(driver)).toBeUndefined()
})
