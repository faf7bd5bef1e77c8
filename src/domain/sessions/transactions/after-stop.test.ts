/** Values under the number of a charge that has ended (ENERGY-N6, SESSION-A8, SESSION-A9). */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forRuns } from '../../../../test/support/property.ts'
import { Driver, TARIFF } from '../../../../test/support/sessions/driver.ts'
import { event, register, sampled, started, status, stopped } from '../../../../test/support/sessions/inputs.ts'
import type { Input } from '../decision.ts'
import { representSession } from '../figures/representation.ts'

const OTHER = { id: 'OTHER', type: 'ISO14443' }
const KWH = 1_000_000

function ended(options: { tariff?: typeof TARIFF; stopWh?: number | undefined } = {}): Driver {
  const { stopWh = 2500 } = options
  const driver = new Driver({ idTokens: [{}, { id: 'OTHER' }], ...options }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(30, sampled('100', [register(30, 1800)]))
  driver.sendAt(60, stopped(60, { transactionId: '100', registerMilliWh: stopWh * 1000 }))
  return driver
}

const energies = (driver: Driver) => driver.sessions.map(({ energyMilliWh }) => energyMilliWh / KWH)

it('SESSION-A8, evcc#14673: raised the ended charge from 1.5 to 7.0 kWh, and were billed twice', () => {
  const driver = ended()
  driver.sendAt(65, started(65, { registerMilliWh: 2.5 * KWH, idToken: OTHER }))
  for (const [minutes, wh] of [
    [70, 4000],
    [80, 6000],
    [90, 8000],
  ] as const) {
    driver.sendAt(minutes, sampled('100', [register(minutes, wh)]))
  }
  expect(energies(driver)).toEqual([1.5, 5.5])
  driver.sendAt(100, stopped(100, { transactionId: '101', registerMilliWh: 10.5 * KWH }))
  // It goes on until it is power-cycled.
  driver.sendAt(110, sampled('100', [register(110, 40_000)]))
  expect(energies(driver)).toEqual([1.5, 8])
  expect(driver.session().flags).not.toContain('late')
})

it('COST-CO4: corrected a settled charge', () => {
  const driver = ended({ tariff: { ...TARIFF, perMinuteMicros: 0, perSessionMicros: 0 } })
  driver.sendAt(61, { kind: 'settled', sessionId: driver.session().id })
  const settled = representSession(driver.session())
  expect(settled).toMatchObject({ cost: 0.75, settlementCount: 1 })
  for (const minutes of [70, 80, 90]) driver.sendAt(minutes, sampled('100', [register(minutes, 100 * minutes)]))
  expect(representSession(driver.session())).toEqual(settled)
})

it('ENERGY-N6: without a stop register the last value before the stop is the end, however long they go on', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(60, sampled('100', [register(59, 2500)]))
  driver.sendAt(60, stopped(60, { transactionId: '100' }))
  for (const minutes of [70, 80, 60 * 26]) {
    driver.sendAt(minutes, sampled('100', [register(minutes, 1000 + 100 * minutes)]))
  }
  expect(energies(driver)).toEqual([1.5])
})

it('SESSION-A8: a message of before and after the stop is divided', () => {
  const driver = new Driver({ idTokens: [{}, { id: 'OTHER' }] }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(60, stopped(60, { transactionId: '100' }))
  driver.sendAt(60, started(60, { registerMilliWh: 2.5 * KWH, idToken: OTHER }))
  driver.sendAt(80, sampled('100', [register(50, 2500), register(70, 4000)]))
  expect(energies(driver)).toEqual([1.5, 1.5])
})

it('SESSION-A8: of a charge whose stop never came, what another charge took belongs to that one, also after its end', () => {
  const driver = new Driver({ idTokens: [{}, { id: 'OTHER' }], forgetful: true }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(60, sampled('100', [register(60, 2500)]))
  driver.sendAt(65, started(65, { registerMilliWh: 2.5 * KWH, idToken: OTHER }))
  driver.sendAt(70, sampled('100', [register(70, 4000)]))
  driver.sendAt(80, stopped(80, { transactionId: '101', registerMilliWh: 5 * KWH }))
  driver.sendAt(90, sampled('100', [register(90, 9000)]))
  expect(energies(driver)).toEqual([1.5, 2.5])
})

it('ENERGY-N6: what comes with the stop counts, though it was measured a moment later', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(60, stopped(60, { transactionId: '100', samples: [register(60.1, 2500)] }))
  expect(energies(driver)).toEqual([1.5])
})

it('ENERGY-N6: a stop that its clock dates before the start leaves what was measured', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(30, sampled('100', [register(30, 1800)]))
  driver.sendAt(60, stopped(-60, { transactionId: '100' }))
  driver.sendAt(61, sampled('100', [register(50, 2500)]))
  expect(energies(driver)).toEqual([1.5])
})

it('ENERGY-N6: what was measured before a clock was set back counts, though the stop is dated earlier', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
  for (const [minutes, wh] of [
    [100, 1500],
    [130, 2000],
    [40, 2200],
  ] as const) {
    driver.sendAt(150, sampled('100', [register(minutes, wh)]))
  }
  driver.sendAt(160, stopped(60, { transactionId: '100' }))
  expect(energies(driver)).toEqual([1.2])
})

it('ENERGY-N6: a 2.0.1 event that is numbered behind the end raised a charge that ended without a register', () => {
  const driver = new Driver({ idTokens: [{}] })
  const numbered = [
    event(0, 0, 'started', { evseId: 1, samples: [register(0, 1000, 'Transaction.Begin')] }),
    event(1, 30, 'updated', { samples: [register(30, 2500)] }),
    event(2, 60, 'ended'),
    event(3, 90, 'updated', { samples: [register(90, 9000)] }),
  ]
  for (const one of numbered) driver.sendAt(90, one)
  expect(energies(driver)).toEqual([1.5])
})

const both = (): Driver => {
  const driver = new Driver({ idTokens: [{}, { id: 'OTHER' }] }, started(0, { registerMilliWh: KWH }))
  driver.sendAt(1, started(1, { connectorId: 2, registerMilliWh: 50 * KWH, idToken: OTHER }))
  return driver
}
const foreign = [10, 20, 30].map((minutes) => sampled('100', [register(minutes, 50_000 + 100 * minutes)], 2))

it('SESSION-A9: values of another connector: counts for the charge that runs there', () => {
  const driver = both()
  for (const message of foreign) driver.sendAt(31, message)
  expect(energies(driver)).toEqual([0, 3])
})

it.each([
  ['runs there', 2.5, 50.5, [1.5, 0.5]],
  ['repeats its start', 2.5, 50, [1.5, 0]],
])('ENERGY-N6: values of another connector: overruled the charge that %s', (_, first, second, expected) => {
  const driver = both()
  for (const message of foreign) driver.sendAt(31, message)
  driver.sendAt(60, stopped(60, { transactionId: '100', registerMilliWh: first * KWH }))
  driver.sendAt(61, stopped(61, { transactionId: '101', registerMilliWh: second * KWH }))
  expect(energies(driver)).toEqual(expected)
})

it('ENERGY-N6: values of another connector: overruled start and stop of the charge whose number it is, where none runs there', () => {
  const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
  for (const message of foreign) driver.sendAt(31, message)
  driver.sendAt(60, stopped(60, { transactionId: '100', registerMilliWh: 2.5 * KWH }))
  expect(energies(driver)).toEqual([1.5])
})

it('SESSION-A8: values of another connector: connector 0 is the station: its values are those of the number', () => {
  const driver = both()
  driver.sendAt(31, sampled('101', [register(30, 53_000)], 0))
  expect(energies(driver)).toEqual([0, 3])
})

const messages: readonly (readonly [minutes: number, input: Input])[] = [
  [10, sampled('100', [register(10, 1300)])],
  [30, sampled('100', [register(30, 1800)])],
  [50, sampled('100', [register(50, 2400)])],
  [55, status(55, 'SuspendedEV')],
  [60, stopped(60, { transactionId: '100' })],
  [70, sampled('100', [register(70, 4000)])],
  [80, sampled('100', [register(80, 6000)])],
]
const arrivals = fc
  .shuffledSubarray([...messages, ...messages], { minLength: messages.length })
  .map((some) => [...some, ...messages])

it.each([undefined, 2.5 * KWH])('ENERGY-N6: in any order: the same figures; stop register: %s', (registerMilliWh) => {
  forRuns(200)(arrivals, (arrived) => {
    const driver = new Driver({ idTokens: [{}] }, started(0, { registerMilliWh: KWH }))
    for (const [, input] of arrived) {
      driver.sendAt(90, input.kind === 'stopped' ? { ...input, registerMilliWh } : input)
    }
    expect(energies(driver)).toEqual([registerMilliWh ? 1.5 : 1.4])
  })
})
