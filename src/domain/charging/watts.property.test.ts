import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { scheduleIn } from './forms.ts'

const VOLTAGE = 230
const NOW = 1_000_000
const FORM = { name: 'TxProfile/W', unit: 'W', pauseAmps: 0 } as const

/** What a car may draw on one phase of what the connector gives, by a limit in watts. */
function drawable(watts: number, car: { phases: number; least: number }, connectorAmps: number): number {
  const amps = Math.min(connectorAmps, watts / VOLTAGE / car.phases)
  return amps < car.least ? 0 : amps
}

const amps = fc.double({ min: 0, max: 63, noNaN: true })
it('GROUP-P3: a car may draw its share on each phase and no more, whatever it is and whatever it has shown', () => {
  forAll(amps, fc.integer({ min: 1, max: 3 }), fc.boolean(), fc.integer({ min: 1, max: 3 }), amps, (...drawn) => {
    const [share, phases, hasShown, wired, fullAmps] = drawn
    const watts = { phases: hasShown ? phases : 1, fullAmps }
    const steps = [{ at: NOW, limit: share }]
    const { schedule } = scheduleIn(FORM, { steps, watts }, { voltage: VOLTAGE, phases: wired }, 1, NOW)
    const onPhase = drawable(schedule.periods[0]?.limit ?? 0, { phases, least: 6 }, fullAmps)
    expect(onPhase).toBeLessThanOrEqual(share + 1e-6)
    // As a plain limit it is the watts of all phases, and the test would notice.
    const plain = scheduleIn(FORM, { steps }, { voltage: VOLTAGE, phases: wired }, 1, NOW)
    expect(plain.schedule.periods[0]?.limit).toBeCloseTo(share < 6 ? 0 : share * VOLTAGE * wired)
  })
})

it.each([
  ['a default that nobody has seen a car by was the watts of three phases', 8, 1840],
  ['of all that the connector can give, the watts are those of all phases', 32, 22_080],
])('GROUP-P3: %s', (_, limit, expected) => {
  const watts = { phases: 1, fullAmps: 32 }
  const { schedule } = scheduleIn(FORM, { steps: [{ at: NOW, limit }], watts }, { voltage: VOLTAGE, phases: 3 }, 1, NOW)
  expect(schedule.periods).toMatchObject([{ limit: expected }])
})
