import { expect, it } from 'vitest'
import { momentOf, registerSamples, sampleOf } from '../../../test/support/domain/energy/testing.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, finalEnergy, newMeter } from './meter.ts'

const WH = 1_000

/** Final energy in Wh from registers and samples in Wh. */
function final(
  startWh: number | undefined,
  samples: readonly Sample[],
  stopWh: number | undefined,
  stopSeconds?: number,
) {
  const meter = newMeter({ ...(startWh !== undefined && { registerMilliWh: startWh * WH }), at: momentOf(0) })
  const { energyMilliWh, estimated, relative, flags } = finalEnergy(addSamples(meter, samples, {}).meter, {
    ...(stopWh !== undefined && { registerMilliWh: stopWh * WH }),
    ...(stopSeconds !== undefined && { at: momentOf(stopSeconds) }),
  })
  return { wh: energyMilliWh / WH, estimated, relative, odd: flags.includes('meterAnomaly') }
}

const begin = (value: number, seconds = 0) => sampleOf(seconds, value, { context: 'Transaction.Begin' })
const end = (value: number, seconds = 900) => sampleOf(seconds, value, { context: 'Transaction.End' })
const watts = (seconds: number, value: number) =>
  sampleOf(seconds, value, { measurand: 'Power.Active.Import', unit: 'W' })

it('ENERGY-N4 (1): meterStop - meterStart, whatever the samples rounded to', () => {
  expect(final(1000, [], 6000)).toEqual({ wh: 5000, estimated: false, relative: false, odd: false })
  expect(final(1000, registerSamples(2000, 5990), 6000)).toMatchObject({ wh: 5000, odd: false })
  expect(final(1000, registerSamples(2000, 6040), 6000)).toMatchObject({ wh: 5000, odd: false })
})

it('ENERGY-N4 (1): an implausible difference is flagged and still used', () => {
  expect(final(0, [], 999_999_999, 3600)).toMatchObject({ wh: 999_999_999, odd: true })
  expect(final(0, registerSamples(500), 900_000, 120)).toMatchObject({ wh: 900_000, odd: true })
})

it('ENERGY-N4: a stop register below zero after a step back made the energy of the charge negative', () => {
  const samples = [sampleOf(0, 0), sampleOf(0, 100_002), begin(1)]
  expect(final(undefined, samples, -1, 0).wh).toBeGreaterThanOrEqual(0)
  expect(final(undefined, registerSamples(100_002, 1), -1).wh).toBe(
    final(undefined, registerSamples(100_002, 1), undefined).wh,
  )
  expect(final(-1, [], -1)).toMatchObject({ wh: 0 })
})

it('ENERGY-N4 (1): unless all samples of the session agree on another value', () => {
  expect(final(1000, registerSamples(2000, 4000, 6000), 1000)).toMatchObject({ wh: 5000, odd: true })
  expect(final(1000, registerSamples(2000, 4000, 6000), 6_000_000, 240)).toMatchObject({ wh: 5000, odd: true })
  expect(final(1000, registerSamples(2000, 4000, 6000), 6_000_000)).toMatchObject({ wh: 5000, odd: true })
})

it('ENERGY-N4 (1): registers of start and stop that were never read hid what Transaction.Begin and End say', () => {
  expect(final(0, [begin(1000), end(11_000)], 0)).toMatchObject({ wh: 10_000, odd: true })
  expect(final(1000, [begin(1000), sampleOf(60, 6000), end(11_000)], 1000)).toMatchObject({ wh: 10_000, odd: true })
  expect(final(1000, [begin(1000), end(1000)], 1000)).toMatchObject({ wh: 0, odd: false })
})

it('ENERGY-N4 (1): a meterStart of 0 from a meter that was not read yet made the whole life of the meter one charge', () => {
  const life = 12_345_000
  const lifelong = registerSamples(life, life + 500, life + 900)
  expect(final(0, lifelong, life + 1000, 3600)).toMatchObject({ wh: 1000, odd: true })
  expect(final(0, lifelong, undefined, 3600)).toMatchObject({ wh: 900, odd: true })
  expect(final(0, [begin(life), end(life + 1000, 3600)], life + 1000, 3600)).toMatchObject({ wh: 1000, odd: true })
  const both = [begin(0), ...lifelong, end(life + 1000, 3600)]
  expect(final(0, both, life + 1000, 3600)).toMatchObject({ wh: 1000, odd: true })
  // 2.0.1: the first word is the one that was said too early.
  const words = [begin(0), ...lifelong, end(life + 1000)]
  expect(final(undefined, words, undefined)).toMatchObject({ wh: 1000, odd: true })
  // A young meter, less than a charger can give in an hour (citrineos-core#1060, evcc#29654).
  const young = [begin(0), sampleOf(300, 909_948), sampleOf(600, 909_990), end(910_031)]
  expect(final(undefined, young, undefined)).toMatchObject({ wh: 83, odd: true })
  expect(final(0, young.slice(1, 3), 910_031, 900)).toMatchObject({ wh: 83, odd: true })
  // However long the last sample is ago.
  expect(final(0, young.slice(1, 3), 914_948, 7200)).toMatchObject({ wh: 5000, odd: true })
  expect(final(0, lifelong, life + 20_000, 43_200)).toMatchObject({ wh: 20_000, odd: true })
  // A truck may take as much in a queue that is replayed at once.
  expect(final(0, [sampleOf(0, 240_000), sampleOf(0, 245_000)], 250_000, 0)).toMatchObject({ wh: 250_000, odd: true })
  // A large charge of a station without a clock, replayed at once, is no life.
  const replayed = [sampleOf(0, 181_000), sampleOf(0, 182_000)]
  expect(final(1000, replayed, 183_000, 0)).toMatchObject({ wh: 182_000, odd: true })
  // A single sample may be the faulty one, and what flowed in a year is believed.
  expect(final(0, registerSamples(life), life + 1000, 3600)).toMatchObject({ wh: life + 1000, odd: true })
  expect(final(0, [sampleOf(31_536_000, life)], life + 1000, 31_536_060)).toMatchObject({ wh: life + 1000, odd: false })
})

it('ENERGY-N4 (1): much energy after a long silence is believed', () => {
  expect(final(0, registerSamples(5, 10), 150_000, 8 * 3600)).toMatchObject({ wh: 150_000, odd: false })
  expect(final(0, registerSamples(5, 10), 150_000)).toMatchObject({ wh: 150_000, odd: false })
})

it('OCPP-DR11: a Transaction.Begin repeated last does not make 0 kWh (evcc#33256)', () => {
  const samples = [begin(1000), ...registerSamples(2000, 6000), begin(1000, 900)]
  expect(final(1000, samples, 6000).wh).toBe(5000)
  expect(final(undefined, samples, undefined).wh).toBe(5000)
})

it('OCPP-DR11: relative samples between lifetime registers (lbbrhzn/ocpp#2093)', () => {
  expect(final(50_000, registerSamples(0, 2000, 4900), 55_000)).toEqual({
    wh: 5000,
    estimated: false,
    relative: true,
    odd: false,
  })
})

it('ENERGY-N3: a relative register that also stops relatively', () => {
  expect(final(50_000, registerSamples(0, 2000, 4900), 5000)).toMatchObject({ wh: 5000, relative: true, odd: false })
  expect(final(2000, registerSamples(0, 1500, 4900), 5000)).toMatchObject({ wh: 5000, relative: true })
})

it('ENERGY-N4: a register that restarted in mid-charge lost what was delivered before the restart', () => {
  const before = [5000, 12_000, 20_000]
  expect(final(0, registerSamples(...before, 500), 5000)).toEqual({
    wh: 25_000,
    estimated: false,
    relative: false,
    odd: true,
  })
  expect(final(1000, registerSamples(6000, 21_000, 500), 5000)).toMatchObject({ wh: 25_000, odd: true })
  expect(final(0, registerSamples(...before, 500, 9000, 18_000, 200), 700)).toMatchObject({ wh: 38_700, odd: true })
  expect(final(0, registerSamples(...before, 500, 9000, 24_000), 26_000)).toMatchObject({ wh: 46_000, odd: true })
  const words = [begin(0), ...registerSamples(...before, 500), end(5000)]
  expect(final(undefined, words, undefined)).toMatchObject({ wh: 25_000, odd: true })
})

it('ENERGY-N4: much that flowed between the last sample and the stop of a register that restarted was taken for its coming back, and what had been delivered before was lost', () => {
  expect(final(0, registerSamples(10_000, 20_000, 500), 15_000)).toMatchObject({ wh: 35_000, odd: true })
  const six = [5000, 10_000, 15_000, 20_000, 25_000, 30_000]
  expect(final(0, registerSamples(...six, 500), 20_000)).toMatchObject({ wh: 50_000, odd: true })
  const words = [begin(100), ...registerSamples(15_000, 30_100, 500), end(20_100)]
  expect(final(undefined, words, undefined)).toMatchObject({ wh: 50_100, odd: true })
  // After two restarts the register cannot come back to less than the higher of both had been.
  expect(final(0, registerSamples(5000, 10_000, 500, 5000, 20_000, 30_000, 400), 25_000)).toMatchObject({ wh: 65_000 })
  // What dropped out after a restart came back to the register of that restart.
  const twice = [10_000, 20_000, 500, 15_000, 25_000, 0]
  expect(final(0, registerSamples(...twice), 26_000)).toMatchObject({ wh: 46_000, odd: true })
})

it('ENERGY-N4: a restart that only the stop told, or of which the first sample came late, lost what was delivered before it', () => {
  // Between start and samples it may as well be an old reading.
  expect(final(0, registerSamples(10_000, 20_000), 500)).toMatchObject({ wh: 20_000, odd: true })
  expect(final(50_000, registerSamples(60_000, 70_000), 300)).toMatchObject({ wh: 20_300, odd: true })
  expect(final(undefined, registerSamples(2000, 6000), 100)).toMatchObject({ wh: 4100, odd: true })
  // Where it began again is not known: what it shows first may not have flowed.
  expect(final(0, registerSamples(10_000, 20_000, 5000, 9000), 12_000)).toMatchObject({ wh: 27_000, odd: true })
  // Soon after the start a value between the first two samples is no stray one that was undone.
  expect(final(0, registerSamples(300, 4000, 350, 3000), 3500)).toMatchObject({ wh: 7500, odd: true })
  // A stop that repeats the start was never read, and one that says the energy of the charge is no register.
  expect(final(400, registerSamples(15_000, 30_400), 400)).toMatchObject({ wh: 30_000, odd: true })
  expect(final(500_000, registerSamples(502_000, 504_900), 5000)).toMatchObject({ wh: 4900, odd: true })
})

it('ENERGY-N4: of a long charge so few samples were kept that its restart was taken for the end of a stray value', () => {
  const before = Array.from({ length: 150 }, (_, n) => 200 * (n + 1))
  const after = Array.from({ length: 150 }, (_, n) => 500 + 100 * n)
  const meter = registerSamples(...before, ...after).reduce(
    (known, sample) => addSamples(known, [sample], {}).meter,
    newMeter({ registerMilliWh: 0 }),
  )
  expect(finalEnergy(meter, { registerMilliWh: 16_000 * WH }).energyMilliWh).toBe(46_000 * WH)
})

it('ENERGY-N4: a value that strayed, or a register that came back, is no restart', () => {
  // One sample before it does not prove it.
  expect(final(0, registerSamples(20_000, 500), 5000)).toMatchObject({ wh: 5000, odd: true })
  // A single stray value between samples that go on.
  expect(final(0, registerSamples(100, 200, 90_000, 300), 400)).toMatchObject({ wh: 400, odd: true })
  // The meter dropped out and is back at the stop.
  expect(final(50_000, registerSamples(51_000, 51_500, 0), 52_000)).toMatchObject({ wh: 2000, odd: true })
  expect(final(50_000, registerSamples(51_000, 51_500, 500, 700), 52_000)).toMatchObject({ wh: 2000, odd: true })
})

it('SESSION-A14: a stop register below the start: energy from samples, else 0, never negative', () => {
  expect(final(1000, [], 900)).toMatchObject({ wh: 0, odd: true })
  expect(final(1000, registerSamples(1200, 1500), 900)).toMatchObject({ wh: 500, odd: true })
  expect(final(50_000, registerSamples(51_000, 0, 500), 700)).toMatchObject({ wh: 1700, odd: true })
})

it('ENERGY-N4 (2): Transaction.End - Transaction.Begin', () => {
  expect(final(undefined, [begin(1000), ...registerSamples(2000), end(6000)], undefined)).toMatchObject({
    wh: 5000,
    odd: false,
  })
  expect(final(6000, [begin(1000), end(6000)], 5000)).toMatchObject({ wh: 5000, odd: true })
})

it('ENERGY-N2: Transaction.End beats the periodic sample at the end', () => {
  const samples = [begin(1000), ...registerSamples(2000), end(6000, 900), sampleOf(900, 5500), sampleOf(960, 6100)]
  expect(final(undefined, samples, undefined).wh).toBe(5000)
  expect(final(1000, samples, undefined).wh).toBe(5000)
})

it('ENERGY-N4 (2): begin and end of different places do not belong together', () => {
  const inlet = sampleOf(0, 7_000_000, { context: 'Transaction.Begin', location: 'Inlet' })
  expect(final(undefined, [inlet, ...registerSamples(2000), end(6000)], undefined).wh).toBe(4000)
})

it('SESSION-A13: a lost start is replaced by Transaction.Begin', () => {
  expect(final(undefined, [begin(1000)], 6000).wh).toBe(5000)
  expect(final(undefined, [begin(0), ...registerSamples(2000, 5000)], 8_005_000).wh).toBe(5000)
})

it('ENERGY-N4 (3): the running sum where neither pair is complete, with a stop register that goes on', () => {
  expect(final(1000, registerSamples(2000, 6000), undefined)).toMatchObject({ wh: 5000, estimated: false })
  expect(final(undefined, registerSamples(2000, 6000), 6100)).toMatchObject({ wh: 4100, estimated: false })
  expect(final(undefined, registerSamples(2000, 6000), 5900)).toMatchObject({ wh: 4000 })
})

it('ENERGY-N4 (4): the estimate when only power is known, also where the register stood still', () => {
  const samples = [watts(0, 6000), watts(1800, 6000)]
  expect(final(undefined, samples, undefined)).toMatchObject({ wh: 3000, estimated: true })
  expect(final(700, samples, 700)).toMatchObject({ wh: 3000, estimated: true, odd: true })
  expect(final(700, samples, 3000)).toMatchObject({ wh: 2300, estimated: false })
})

it('ENERGY-N2: the register of one phase was compared with the total: 3.5 for 0.3 kWh', () => {
  const phase = (...values: readonly number[]) =>
    values.map((value, index) => sampleOf(60 * (index + 1), value, { phase: 'L1' }))
  const one = phase(3200, 3350, 3500)
  expect(final(9000, one, 9300)).toMatchObject({ wh: 300, relative: false, odd: false })
  expect(final(9000, one, undefined)).toMatchObject({ wh: 300, relative: false })
  expect(final(undefined, one, 9300)).toMatchObject({ wh: 300 })
  expect(final(undefined, [begin(9000), ...one, end(9300)], undefined)).toMatchObject({ wh: 300, odd: false })
  // Begin and end of a phase beside totals, which are believed before phases.
  const word = { context: 'Transaction.Begin', phase: 'L1' }
  expect(final(undefined, [sampleOf(0, 3100, word), ...registerSamples(9000, 9300)], undefined).wh).toBe(300)
  expect(final(undefined, [sampleOf(0, 3100, word), ...one], 9300).wh).toBe(400)
  // The only phase there is, and all three, are the total.
  expect(final(9000, phase(9100, 9250), 9300)).toMatchObject({ wh: 300 })
  expect(final(9000, phase(9100, 9250), undefined)).toMatchObject({ wh: 250 })
  const three = [60, 120].flatMap((seconds) =>
    ['L1', 'L2', 'L3'].map((label) => sampleOf(seconds, 3000 + seconds, { phase: label })),
  )
  expect(final(9000, three, undefined)).toMatchObject({ wh: 360 })
})

it('ENERGY-N2: a station that was taken for a relative one billed the register of a phase still', () => {
  const one = [3200, 3350, 3500].map((value, index) => sampleOf(60 * (index + 1), value, { phase: 'L1' }))
  const meter = newMeter({ registerMilliWh: 9000 * WH, at: momentOf(0), relativeHint: true })
  const { energyMilliWh, relative } = finalEnergy(addSamples(meter, one, {}).meter, { registerMilliWh: 9300 * WH })
  expect([energyMilliWh / WH, relative]).toEqual([300, false])
})
