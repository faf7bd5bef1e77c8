import { expect, it } from 'vitest'
import { momentOf, registerSamples, running, sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { knownUntil, newMeter } from './meter.ts'

const INTERVAL = 'Energy.Active.Import.Interval'

// CONSOLE-A3: until when the energy of a transaction is known
it.each([
  ['its register', registerSamples(100, 200, 200), 180],
  ['a register that was read more often than is kept', registerSamples(...Array(300).keys()), 300 * 60],
  ['its power', [sampleOf(77, 11, { measurand: 'Power.Active.Import', unit: 'kW' })], 77],
  ['its intervals', [sampleOf(900, 50, { measurand: INTERVAL }), sampleOf(1800, 50, { measurand: INTERVAL })], 1800],
  ['its last word', [sampleOf(60, 100), sampleOf(90, 150, { context: 'Transaction.End' })], 90],
  ['whichever came last', [sampleOf(60, 100), sampleOf(30, 50)], 60],
])('is said by %s', (_, samples, seconds) => {
  expect(knownUntil(running(undefined, samples).meter)).toBe(momentOf(seconds))
})

it('is not known before the first sample, nor of a meter that nobody knows', () => {
  expect(knownUntil(newMeter({ registerMilliWh: 5 }))).toBeUndefined()
  expect(knownUntil({})).toBeUndefined()
})
