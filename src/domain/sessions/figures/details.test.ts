import { expect, it } from 'vitest'
import { Driver } from '../../../../test/support/sessions/driver.ts'
import { event, register } from '../../../../test/support/sessions/inputs.ts'
import { aSession } from '../../../../test/support/storage-contract/records.ts'
import { addSamples, newMeter } from '../../energy/meter.ts'
import type { Sample } from '../../ports/sessions.ts'
import type { MeteredTransaction } from '../draft.ts'
import { transactionRecord } from '../records.ts'
import { durationOf, registerStart, sessionDetails } from './details.ts'

const T = Date.UTC(2026, 7, 1, 12)
const SESSION = aSession({ createdAt: T })

function sample(measurand: string, value: string, seconds: number, more: Partial<Sample> = {}): Sample {
  const at = { occurredAt: T + seconds * 1000, receivedAt: T }
  const unit = measurand === 'SoC' ? 'Percent' : measurand.startsWith('Power') ? 'W' : 'Wh'
  return { at, value, measurand, unit, context: 'Sample.Periodic', location: 'Outlet', multiplier: 0, ...more }
}

function transaction(samples: readonly Sample[], change: Partial<MeteredTransaction> = {}): MeteredTransaction {
  return transactionRecord({
    chargePointId: 'CP1',
    transactionId: '1',
    sessionId: 'S1',
    open: true,
    startedAt: { occurredAt: T, receivedAt: T },
    meter: addSamples(newMeter({}), samples, {}).meter,
    lastSignOfLifeAt: T,
    authorised: true,
    flags: [],
    ...change,
  })
}

it('CONSOLE-C1: the facts of a running and of an ended session', () => {
  const meter = addSamples(
    newMeter({ registerMilliWh: 5_000_500 }),
    [sample('Power.Active.Import', '7400', 60)],
    {},
  ).meter
  const running = { ...SESSION, evseId: 1, connectorId: 2, idToken: 'CARD', transactionId: '1', startedAt: T }
  expect(sessionDetails(running, transaction([], { meter }), T + 61_999)).toEqual({
    evseId: 1,
    connectorId: 2,
    idToken: 'CARD',
    transactionId: '1',
    createdAt: '2026-08-01T12:00:00.000Z',
    durationSeconds: 61,
    meterStartWh: 5000.5,
    powerKw: 7.4,
  })
  const over = { ...running, state: 'completed', endReason: 'normal', stoppedAt: T + 3_600_000 } as const
  const closed = transaction([], { meter, open: false, stopRegisterMilliWh: 9_000_000 })
  expect(sessionDetails(over, closed, T + 9_999_999)).toMatchObject({
    endReason: 'normal',
    durationSeconds: 3600,
    meterStartWh: 5000.5,
    meterStopWh: 9000,
  })
  expect(sessionDetails(over, closed, T)).not.toHaveProperty('powerKw')
})

it('CONSOLE-C1: the reason that the station gave for the end of a charge was shown nowhere', () => {
  const stopReason = 'EmergencyStop'
  const over = { ...SESSION, state: 'completed', endReason: 'normal' } as const
  expect(sessionDetails(over, transaction([], { open: false, stopReason }), T)).toMatchObject({ stopReason })
  expect(sessionDetails(SESSION, transaction([], { stopReason }), T).stopReason).toBeUndefined()
})

it('CONSOLE-C1: the register at begin and end as the samples mark it', () => {
  const register = 'Energy.Active.Import.Register'
  const samples = [
    sample(register, '100', 0, { context: 'Transaction.Begin' }),
    sample(register, '700', 60),
    sample(register, '900', 120, { context: 'Transaction.End' }),
  ]
  expect(sessionDetails(SESSION, transaction(samples), T)).toMatchObject({ meterStartWh: 100 })
  expect(sessionDetails(SESSION, transaction(samples), T)).not.toHaveProperty('meterStopWh')
  const over = sessionDetails({ ...SESSION, state: 'completed' }, transaction(samples, { open: false }), T)
  expect(over).toMatchObject({ meterStartWh: 100, meterStopWh: 900 })
})

const POWER = 'Power.Active.Import'
it.each<readonly [string, readonly Sample[], number | undefined, number | undefined]>([
  ['the newest counts', [sample(POWER, '1000', 0), sample(POWER, '2000', 10)], 2, undefined],
  ['in whatever order they came', [sample(POWER, '2000', 10), sample(POWER, '1000', 0)], 2, undefined],
  ['phases are added', [1, 2, 3].map((n) => sample(POWER, String(n * 1000), 10, { phase: `L${n}` })), 6, undefined],
  ['the total is not added', [sample(POWER, '3000', 10), sample(POWER, '1000', 10, { phase: 'L1' })], 3, undefined],
  ['outlet before inlet', [sample(POWER, '3000', 10), sample(POWER, '3300', 10, { location: 'Inlet' })], 3, undefined],
  ['kilowatts are kilowatts', [sample(POWER, '7.4', 0, { unit: 'kW' })], 7.4, undefined],
  ['no number is no power', [sample(POWER, 'NaN', 0), sample(POWER, '-5', 0)], undefined, undefined],
  ['state of charge', [sample('SoC', '55.5', 0), sample('SoC', '56', 10), sample('SoC', '54', 5)], undefined, 56],
  ['nothing beyond a full battery', [sample('SoC', '100.01', 0), sample('SoC', 'x', 0)], undefined, undefined],
  ['spelled in any case', [sample('soc', '100', 0)], undefined, 100],
])('CONSOLE-C3: power and state of charge as last sampled: %s', (_, samples, powerKw, stateOfCharge) => {
  const details = sessionDetails(SESSION, transaction(samples), T)
  expect([details.powerKw, details.stateOfCharge]).toEqual([powerKw, stateOfCharge])
})

it('CONSOLE-C4: what has not begun has no duration, and what failed without an end none that grows', () => {
  expect(durationOf({ state: 'pending' }, T)).toBeUndefined()
  expect(durationOf({ state: 'charging', startedAt: T + 5000 }, T)).toBe(0)
  expect(durationOf({ state: 'failed', startedAt: T }, T + 5000)).toBe(0)
})

it('CONSOLE-C1: registers of a 2.0.1 Started and Ended that name no context were missing', () => {
  const driver = new Driver({ idTokens: [{}] })
  const samples = (minutes: number, wh: number, location = 'Outlet') => ({
    samples: [{ ...register(minutes, wh), location }],
  })
  driver.send(event(0, 0, 'started', { evseId: 1, ...samples(0, 5000) }))
  const shown = () => sessionDetails(driver.session(), driver.transaction() as MeteredTransaction, driver.now)
  expect(registerStart(driver.transaction())).toBe(5_000_000)
  driver.sendAt(10, event(1, 10, 'updated', samples(10, 6000)))
  expect(shown()).toMatchObject({ meterStartWh: 5000 })
  expect(shown()).not.toHaveProperty('meterStopWh')
  driver.sendAt(20, event(2, 20, 'ended', samples(20, 8000)))
  expect(shown()).toMatchObject({ meterStartWh: 5000, meterStopWh: 8000 })
})

it('CONSOLE-C1: a value between them is neither, and a message before the start that was not seen is no start', () => {
  const driver = new Driver({ idTokens: [{}] }, event(3, 10, 'updated', { evseId: 1, samples: [register(10, 6000)] }))
  driver.sendAt(20, event(4, 20, 'ended'))
  const shown = sessionDetails(driver.session(), driver.transaction() as MeteredTransaction, driver.now)
  expect(shown).not.toHaveProperty('meterStartWh')
  expect(shown).not.toHaveProperty('meterStopWh')
})
