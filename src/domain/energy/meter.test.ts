import { expect, it } from 'vitest'
import { momentOf, registerSamples, running, sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { addSamples, lastSampleAt, type MeterState, newMeter, runningEnergy } from './meter.ts'

const WH = 1_000

/** As earlier versions stored it. */
const OLD_WALK = {
  prior: 0,
  place: 0,
  phases: 7,
  totalAt: -1,
  namedAt: 0,
  relative: false,
  mixed: false,
  anomaly: false,
  startRefuted: false,
  fresh: false,
}

const begunAt = (wh: number, meter: MeterState): MeterState =>
  addSamples(meter, [sampleOf(0, wh, { context: 'Transaction.Begin' })], {}).meter

type Row = readonly [why: string, start: number | undefined, register: readonly number[], wh: number, odd?: 'odd']

function table(rows: readonly Row[]) {
  for (const [why, start, register, wh, odd] of rows)
    it(`ENERGY-N3: ${why}`, () => {
      const result = running(start, registerSamples(...register))
      expect(result.wh).toBe(wh)
      expect(result.flags).toEqual(odd ? ['meterAnomaly'] : [])
      expect(result.addFlags).toEqual(result.flags)
    })
}

table([
  ['nothing sampled is no energy', 1000, [], 0],
  ['energy counts from the start register', 1000, [1200, 1500], 500],
  ['without a baseline it counts from the first sample', undefined, [1200, 1500], 300],
  ['a standing register is no energy', 1000, [1000, 1000], 0],
])

it('ENERGY-N2: Transaction.Begin is never the latest, wherever it comes (Growatt)', () => {
  const begin = sampleOf(999, 5000, { context: 'Transaction.Begin' })
  expect(running(5000, [...registerSamples(5400, 9000), begin])).toMatchObject({ wh: 4000, flags: [] })
  expect(running(undefined, [...registerSamples(5400, 9000), begin])).toMatchObject({ wh: 4000, flags: [] })
})

it('ENERGY-N3: a Transaction.Begin that arrives late counts as if it had come first', () => {
  const { meter } = running(undefined, registerSamples(1200, 1500))
  expect(runningEnergy(begunAt(1000, meter)).energyMilliWh).toBe(500 * WH)
})

it('ENERGY-N3: a Transaction.Begin counts even after more samples than are kept', () => {
  const { meter } = running(undefined, registerSamples(...Array.from({ length: 100 }, (_, n) => 1000 + 10 * n)))
  expect(runningEnergy(meter).energyMilliWh).toBe(990 * WH)
  const known = begunAt(900, meter)
  expect(runningEnergy(known).energyMilliWh).toBe(1090 * WH)
  expect(runningEnergy(begunAt(900, known)).energyMilliWh).toBe(1090 * WH)
})

it('ENERGY-N3: equal timestamps in several events count once', () => {
  const twice = registerSamples(1200, 1500, 1900)
  expect(running(1000, [...twice, ...twice]).wh).toBe(900)
})

it('ENERGY-N3: several values of one moment count as the register grew (coarse clocks)', () => {
  const samples = [3000, 1000, 2000].map((value) => sampleOf(60, value))
  expect(running(0, samples)).toMatchObject({ wh: 3000, flags: [] })
})

table([
  ['first samples small and below the start register are the energy itself', 50_000, [0, 300, 900], 900],
  ['a young meter’s relative register is recognised too', 4000, [700, 1500, 6000], 6000],
  ['a first sample just below the start register is a rounding, not relative', 50_000, [49_950, 50_200], 200],
  ['a first sample far below, but not small, begins anew at its own value', 60_000, [30_000, 31_000], 1000, 'odd'],
])

it('ENERGY-N3: a charge point known to be relative needs no start register', () => {
  expect(running(undefined, registerSamples(300, 900), { relativeHint: true }).wh).toBe(900)
  expect(running(60_000, registerSamples(30_000, 31_000), { relativeHint: true }).wh).toBe(31_000)
  expect(running(1000, registerSamples(1200, 1500), { relativeHint: true }).wh).toBe(500)
})

// Reset, rollover, step back, dropout
table([
  ['after a reset the register counts from 0', 50_000, [51_000, 200, 700], 1700, 'odd'],
  ['a reset to exactly 0 counts on', 50_000, [51_000, 0, 500, 800], 1800, 'odd'],
  ['two resets are two segments', 50_000, [51_000, 500, 900, 20, 60], 1960, 'odd'],
  [
    'a reset to more than can have flowed begins at the new value',
    9_000_000,
    [9_000_100, 800_000, 800_500],
    600,
    'odd',
  ],
  ['a fall that is no reset begins anew at the new value', 50_000, [60_000, 40_000, 40_500], 10_500, 'odd'],
  ['rollover of a six-digit register', 999_000, [999_950, 50], 1050, 'odd'],
  ['rollover of 16 bits', 65_000, [65_500, 14], 550, 'odd'],
  ['rollover of 31 bits', 2 ** 31 - 300, [2 ** 31 - 100, 100], 400, 'odd'],
  ['rollover of 32 bits', 2 ** 32 - 300, [2 ** 32 - 100, 100], 400, 'odd'],
  ['a step back of up to 100 Wh is ignored', 1000, [5000, 4900, 5100], 4100],
  ['a single 0 between two large values is dropped', 50_000, [50_100, 0, 50_200], 200, 'odd'],
  ['a register that comes back from a single 0 a step lower has not begun again', 0, [101, 101, 0, 91, 91], 101, 'odd'],
  ['a 0 right after the start is dropped', 50_000, [0, 50_200], 200, 'odd'],
  [
    'several zeros are dropped when the register comes back',
    5_000_000,
    [5_000_100, 0, 0, 5_000_200, 5_000_300],
    300,
    'odd',
  ],
  [
    'a register that comes back after counting low is followed again',
    5_000_000,
    [5_000_100, 300, 350, 5_000_500, 5_000_600],
    600,
    'odd',
  ],
  ['zeros near the end of the scale are no rollover', 950_000, [995_000, 0, 995_100], 45_100, 'odd'],
])

table([
  ['a value 1000 times too large is divided', 10_000, [11_000, 11_500_000, 12_000], 2000, 'odd'],
  ['from then on every value in the other unit is', 10_000, [11_000, 11_500_000, 12_000_000, 14_000_000], 4000, 'odd'],
  ['kWh called Wh are multiplied', 12_000_000, [12_001_000, 12_002, 12_003], 3000, 'odd'],
  ['a factor of 1000 below 100 kWh is energy', 0, [50, 50_000], 50_000],
  ['up to 100 kWh count at once, however fast', 0, [100_000, 200_000], 200_000],
  ['more is held back', 1000, [2000, 902_000], 1000, 'odd'],
  ['and counts once the next sample confirms it', 1000, [2000, 902_000, 902_500], 901_500, 'odd'],
  [
    'but is the register itself, read for the first time, when nothing had flowed before it',
    0,
    [0, 12_345_000, 12_345_500, 12_346_000],
    1000,
    'odd',
  ],
  ['and is forgotten when the next sample does not', 1000, [2000, 902_000, 2500], 1500, 'odd'],
])

it('ENERGY-N3: what the connector’s power can deliver in the time is not held back', () => {
  const samples = [sampleOf(60, 1000), sampleOf(60 + 3600, 301_000)]
  expect(running(0, samples)).toMatchObject({ wh: 301_000, flags: [] })
  expect(running(0, samples, { maxPowerW: 22_000 })).toMatchObject({ wh: 1000, flags: ['meterAnomaly'] })
  expect(running(0, samples, { maxPowerW: 250_000 })).toMatchObject({ wh: 301_000, flags: [] })
})

it('ENERGY-N3: a hostile register never leaves exact integers', () => {
  const samples = Array.from({ length: 400 }, (_, n) => sampleOf(n, n % 3 === 0 ? 0 : 1e12))
  const { wh } = running(0, samples)
  expect(Number.isSafeInteger(wh * WH)).toBe(true)
  expect(wh).toBeLessThanOrEqual(1e12)
})

it('ENERGY-N1: what is no number is left out', () => {
  const samples = ['', 'NaN', 'OCMF|{}|{}', '3A00FF', '1e13'].map((value, n) => sampleOf(n, value))
  expect(running(1000, [...samples, ...registerSamples(1500)])).toMatchObject({ wh: 500, flags: [] })
})

it('ENERGY-N1: tenths of kWh add up exactly', () => {
  const samples = Array.from({ length: 30 }, (_, n) => sampleOf(n, ((n + 1) / 10).toFixed(1), { unit: 'kWh' }))
  expect(running(0, samples).wh).toBe(3000)
})

it('HOOK-M6: a lower register never lowers the running energy', () => {
  const before = running(1000, registerSamples(5000, 300))
  expect(addSamples(before.meter, [sampleOf(600, 5100)], {}).flags).toEqual(['meterAnomaly'])
  const after = runningEnergy(addSamples(before.meter, [sampleOf(600, 5100)], {}).meter)
  expect(after.energyMilliWh).toBeGreaterThanOrEqual(before.wh * WH)
})

it('ENERGY-W2: a sample with a repaired clock is used and flagged', () => {
  const at = { ...sampleOf(60, 0).at, repaired: true as const }
  expect(running(1000, [sampleOf(60, 1500, { at })])).toMatchObject({ wh: 500, addFlags: ['badClock'] })
})

it('stays small, whatever and however much is sampled', () => {
  const samples = Array.from({ length: 2000 }, (_, n) => [
    ...['L1', 'L2', 'L3'].map((phase) => sampleOf(n, 1e9 + n, { phase })),
    sampleOf(n, 1e9 + n, { context: 'Transaction.Begin' }),
    sampleOf(9999 + n, 2e9 + n, { context: 'Transaction.End' }),
  ]).flat()
  expect(JSON.stringify(running(0, samples).meter).length).toBeLessThan(4000)
})

it('of an earlier version, stored in mid-charge, goes on counting', () => {
  const old = (members: object): MeterState =>
    JSON.parse(
      JSON.stringify({
        begin: [],
        end: [],
        register: [],
        intervals: { entries: [] },
        power: { entries: [] },
        ...members,
      }),
    )
  const more = (meter: MeterState, samples: Parameters<typeof addSamples>[1]) =>
    runningEnergy(addSamples(meter, samples, { order: 90 }).meter).energyMilliWh / WH
  const walk = { ...OLD_WALK, count: 9, since: momentOf(0), at: momentOf(60), level: 9e5, sum: 5e5, peak: 5e5 }
  const register = old({
    startMilliWh: 4e5,
    folded: { last: [momentOf(60), 0, 9e5], walk },
    register: [[momentOf(120), 0, 1e6]],
  })
  expect(runningEnergy(register).energyMilliWh).toBe(600 * WH)
  expect(more(register, [sampleOf(180, 1500)])).toBe(1100)
  const energy = { measurand: 'Energy.Active.Import.Interval' }
  const sums = { since: momentOf(0), at: momentOf(60), periodic: 9e5, clock: 0 }
  const intervals = old({ intervals: { entries: [[momentOf(120), 0, 1e5]], folded: sums } })
  expect(runningEnergy(intervals).energyMilliWh).toBe(1000 * WH)
  expect(more(intervals, [sampleOf(120, 100, energy), sampleOf(180, 50, energy)])).toBe(1050)
  const watts = { measurand: 'Power.Active.Import', unit: 'W' }
  const power = old({
    power: { entries: [[momentOf(3600), 0, 6e6]], folded: { last: [momentOf(1800), 0, 6e6], energy: 3e6 } },
  })
  expect(runningEnergy(power).energyMilliWh).toBe(6000 * WH)
  expect(more(power, [sampleOf(7200, 6000, watts)])).toBe(12_000)
})

it('is the same object when nothing was new', () => {
  const { meter } = running(1000, registerSamples(1200))
  expect(addSamples(meter, registerSamples(1200), {}).meter).toBe(meter)
})

it('ENERGY-N3: of a long charge only the turning points are kept, and what lies between them changes nothing', () => {
  const samples = registerSamples(...Array.from({ length: 10_000 }, (_, n) => 10 * n))
  const { meter, wh } = running(0, samples)
  expect(wh).toBe(99_990)
  expect(JSON.stringify(meter).length).toBeLessThan(5000)
  expect(addSamples(meter, [sampleOf(6001, 1000), sampleOf(60 * 5000, 49_990)], {}).meter).toBe(meter)
})

it.each([
  ['a total', (wh: number) => [{}, wh]],
  ['phases', (wh: number) => [{ phase: 'L1' }, wh / 2, { phase: 'L2' }, wh / 2]],
  ['a total beside its phases', (wh: number) => [{}, wh, { phase: 'L1' }, wh / 2, { phase: 'L2' }, wh / 2]],
  ['two places', (wh: number) => [{}, wh, { location: 'Inlet' }, 7_000_000 + wh]],
] as const)('ENERGY-N3: a long charge of %s counts a late queue from before a restart', (_, values) => {
  const at = (minute: number, wh: number) => {
    const said = values(wh)
    return said.flatMap((kind, index) =>
      typeof kind === 'object' ? [sampleOf(60 * minute, Number(said[index + 1]), kind)] : [],
    )
  }
  const course = (from: number, count: number, wh: number) =>
    Array.from({ length: count }, (_, n) => at(from + n, wh + 20 * n))
  const messages = [...course(0, 10, 0), ...course(1000, 400, 20), ...course(10, 500, 200)]
  const meter = messages.reduce((known, samples) => addSamples(known, samples, {}).meter, newMeter({}))
  // 10,180 Wh until the restart, then 20 anew, then 7,980.
  expect(runningEnergy(meter).energyMilliWh).toBe((10_180 + 20 + 7980) * WH)
  expect(JSON.stringify(meter).length).toBeLessThan(9000)
})

it('knows when it last heard of energy; a held-back jump does not count', () => {
  expect(lastSampleAt(newMeter({ registerMilliWh: 5 }))).toBeUndefined()
  expect(lastSampleAt(running(0, registerSamples(100, 200)).meter)).toBe(momentOf(120))
  expect(lastSampleAt(running(0, registerSamples(100, 900_000)).meter)).toBe(momentOf(60))
  const watts = sampleOf(77, 5, { measurand: 'Power.Active.Import', unit: 'W' })
  expect(lastSampleAt(running(0, [watts]).meter)).toBe(momentOf(77))
})
