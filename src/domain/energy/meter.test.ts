import { describe, expect, it } from 'vitest'
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

interface Row {
  readonly why: string
  readonly start?: number
  readonly register: readonly number[]
  readonly wh: number
  readonly odd?: true
}

function table(rows: readonly Row[]) {
  it.each(rows)('ENERGY-N3: $why', ({ start, register, wh, odd }) => {
    const result = running(start, registerSamples(...register))
    expect(result.wh).toBe(wh)
    expect(result.flags).toEqual(odd ? ['meterAnomaly'] : [])
    expect(result.addFlags).toEqual(result.flags)
  })
}

table([
  { why: 'nothing sampled is no energy', start: 1000, register: [], wh: 0 },
  { why: 'energy counts from the start register', start: 1000, register: [1200, 1500], wh: 500 },
  { why: 'without a baseline it counts from the first sample', register: [1200, 1500], wh: 300 },
  { why: 'a standing register is no energy', start: 1000, register: [1000, 1000], wh: 0 },
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
  {
    why: 'first samples small and below the start register are the energy itself',
    start: 50_000,
    register: [0, 300, 900],
    wh: 900,
  },
  { why: 'a young meter’s relative register is recognised too', start: 4000, register: [700, 1500, 6000], wh: 6000 },
  {
    why: 'a first sample just below the start register is a rounding, not relative',
    start: 50_000,
    register: [49_950, 50_200],
    wh: 200,
  },
  {
    why: 'a first sample far below, but not small, begins anew at its own value',
    start: 60_000,
    register: [30_000, 31_000],
    wh: 1000,
    odd: true,
  },
])

it('ENERGY-N3: a charge point known to be relative needs no start register', () => {
  expect(running(undefined, registerSamples(300, 900), { relativeHint: true }).wh).toBe(900)
  expect(running(60_000, registerSamples(30_000, 31_000), { relativeHint: true }).wh).toBe(31_000)
  expect(running(1000, registerSamples(1200, 1500), { relativeHint: true }).wh).toBe(500)
})

describe('reset, rollover, step back, dropout', () => {
  table([
    {
      why: 'after a reset the register counts from 0',
      start: 50_000,
      register: [51_000, 200, 700],
      wh: 1700,
      odd: true,
    },
    { why: 'a reset to exactly 0 counts on', start: 50_000, register: [51_000, 0, 500, 800], wh: 1800, odd: true },
    { why: 'two resets are two segments', start: 50_000, register: [51_000, 500, 900, 20, 60], wh: 1960, odd: true },
    {
      why: 'a reset to more than can have flowed begins at the new value',
      start: 9_000_000,
      register: [9_000_100, 800_000, 800_500],
      wh: 600,
      odd: true,
    },
    {
      why: 'a fall that is no reset begins anew at the new value',
      start: 50_000,
      register: [60_000, 40_000, 40_500],
      wh: 10_500,
      odd: true,
    },
    { why: 'rollover of a six-digit register', start: 999_000, register: [999_950, 50], wh: 1050, odd: true },
    { why: 'rollover of 16 bits', start: 65_000, register: [65_500, 14], wh: 550, odd: true },
    { why: 'rollover of 31 bits', start: 2 ** 31 - 300, register: [2 ** 31 - 100, 100], wh: 400, odd: true },
    { why: 'rollover of 32 bits', start: 2 ** 32 - 300, register: [2 ** 32 - 100, 100], wh: 400, odd: true },
    { why: 'a step back of up to 100 Wh is ignored', start: 1000, register: [5000, 4900, 5100], wh: 4100 },
    {
      why: 'a single 0 between two large values is dropped',
      start: 50_000,
      register: [50_100, 0, 50_200],
      wh: 200,
      odd: true,
    },
    {
      why: 'a register that comes back from a single 0 a step lower has not begun again',
      start: 0,
      register: [101, 101, 0, 91, 91],
      wh: 101,
      odd: true,
    },
    { why: 'a 0 right after the start is dropped', start: 50_000, register: [0, 50_200], wh: 200, odd: true },
    {
      why: 'several zeros are dropped when the register comes back',
      start: 5_000_000,
      register: [5_000_100, 0, 0, 5_000_200, 5_000_300],
      wh: 300,
      odd: true,
    },
    {
      why: 'a register that comes back after counting low is followed again',
      start: 5_000_000,
      register: [5_000_100, 300, 350, 5_000_500, 5_000_600],
      wh: 600,
      odd: true,
    },
    {
      why: 'zeros near the end of the scale are no rollover',
      start: 950_000,
      register: [995_000, 0, 995_100],
      wh: 45_100,
      odd: true,
    },
  ])
})

table([
  {
    why: 'a value 1000 times too large is divided',
    start: 10_000,
    register: [11_000, 11_500_000, 12_000],
    wh: 2000,
    odd: true,
  },
  {
    why: 'from then on every value in the other unit is',
    start: 10_000,
    register: [11_000, 11_500_000, 12_000_000, 14_000_000],
    wh: 4000,
    odd: true,
  },
  {
    why: 'kWh called Wh are multiplied',
    start: 12_000_000,
    register: [12_001_000, 12_002, 12_003],
    wh: 3000,
    odd: true,
  },
  { why: 'a factor of 1000 below 100 kWh is energy', start: 0, register: [50, 50_000], wh: 50_000 },
  { why: 'up to 100 kWh count at once, however fast', start: 0, register: [100_000, 200_000], wh: 200_000 },
  { why: 'more is held back', start: 1000, register: [2000, 902_000], wh: 1000, odd: true },
  {
    why: 'and counts once the next sample confirms it',
    start: 1000,
    register: [2000, 902_000, 902_500],
    wh: 901_500,
    odd: true,
  },
  {
    why: 'but is the register itself, read for the first time, when nothing had flowed before it',
    start: 0,
    register: [0, 12_345_000, 12_345_500, 12_346_000],
    wh: 1000,
    odd: true,
  },
  {
    why: 'and is forgotten when the next sample does not',
    start: 1000,
    register: [2000, 902_000, 2500],
    wh: 1500,
    odd: true,
  },
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
