import { expect, it } from 'vitest'
import { registerSamples, running, sampleOf } from '../../../test/support/domain/energy/testing.ts'
import type { Sample } from '../ports/sessions.ts'
import { addSamples, newMeter, runningEnergy } from './meter.ts'

const phases = (seconds: number, ...values: readonly number[]) =>
  values.map((value, index) => sampleOf(seconds, value, { phase: `L${index + 1}` }))

it('ENERGY-N2: L1+L2+L3 of one timestamp where there is no value without phase', () => {
  expect(running(undefined, [...phases(60, 100, 100, 100), ...phases(120, 200, 300, 400)]).wh).toBe(600)
})

it('ENERGY-N2: the value without phase wins over the phases of its timestamp', () => {
  const samples = [...phases(60, 1, 1, 1), sampleOf(60, 1000), ...phases(120, 900, 900, 900), sampleOf(120, 1500)]
  expect(running(undefined, samples)).toMatchObject({ wh: 500, flags: [] })
})

it('ENERGY-N2: phases of a timestamp that lacks one are left out', () => {
  expect(
    running(undefined, [...phases(60, 100, 100, 100), ...phases(120, 900), ...phases(180, 200, 100, 100)]),
  ).toMatchObject({ wh: 100, flags: [] })
})

it('ENERGY-N2: a single-phase charge point that labels its only phase counts', () => {
  expect(running(undefined, [...phases(60, 100), ...phases(120, 900)]).wh).toBe(800)
})

it('ENERGY-N2: Outlet is followed once it is seen, others beside it are not', () => {
  const at = (seconds: number, outlet: number, inlet: number) => [
    sampleOf(seconds, inlet, { location: 'Inlet' }),
    sampleOf(seconds, outlet),
  ]
  expect(running(undefined, [...at(60, 100, 7_000_000), ...at(120, 600, 7_000_560)])).toMatchObject({
    wh: 500,
    flags: [],
  })
})

it('ENERGY-N2: a better place that appears later takes over without a jump', () => {
  const samples = [60, 120].map((seconds) => sampleOf(seconds, 7_000_000 + seconds, { location: 'Inlet' }))
  expect(running(undefined, [...samples, sampleOf(180, 500), sampleOf(240, 700)])).toMatchObject({
    wh: 260,
    flags: [],
  })
})

const interval = (seconds: number, value: number, context = 'Sample.Periodic') =>
  sampleOf(seconds, value, { measurand: 'Energy.Active.Import.Interval', context })
const power = (seconds: number, watts: number) =>
  sampleOf(seconds, watts, { measurand: 'Power.Active.Import', unit: 'W' })

it.each<[string, Partial<Sample>, (minute: number) => number]>([
  ['a register', {}, (minute) => 100 * minute],
  ['intervals', { measurand: 'Energy.Active.Import.Interval' }, () => 100],
  ['power', { measurand: 'Power.Active.Import', unit: 'W' }, () => 6000],
])('ENERGY-N3: a long message that lists %s newest first gives what it gives oldest first', (_name, kind, value) => {
  const samples = Array.from({ length: 100 }, (_, minute) => sampleOf(60 * minute, value(minute), kind))
  const energyOf = (list: readonly Sample[]) => runningEnergy(addSamples(newMeter({}), list, {}).meter)
  const expected = energyOf(samples)
  expect(expected.energyMilliWh).toBeGreaterThanOrEqual(9_900_000)
  expect(energyOf(samples.toReversed())).toEqual(expected)
})

it('ENERGY-N3: intervals are summed, each (timestamp, context) once', () => {
  const samples = [interval(60, 100), interval(120, 150), interval(60, 100), interval(120, 30, 'Transaction.End')]
  expect(running(5000, samples)).toMatchObject({ wh: 280, estimated: false })
})

it('ENERGY-N3: clock-aligned and periodic intervals of the same time count nothing twice', () => {
  const samples = [interval(60, 100), interval(120, 100), interval(120, 190, 'Sample.Clock')]
  expect(running(undefined, samples).wh).toBe(200)
})

it('ENERGY-N3: intervals count only without a register', () => {
  expect(running(1000, [interval(60, 900), ...registerSamples(1100, 1300), interval(120, 900)]).wh).toBe(900)
  expect(running(1000, [...registerSamples(1100, 1300), interval(120, 900), interval(180, 900)]).wh).toBe(300)
})

it('ENERGY-N3: a Transaction.End ends what intervals may add, whichever came first', () => {
  const samples = [sampleOf(0, 500, { context: 'Transaction.End' }), interval(60, 999), ...registerSamples(500)]
  expect(running(undefined, samples).wh).toBe(0)
  expect(running(undefined, samples.toReversed()).wh).toBe(0)
})

it('ENERGY-N3: a station that samples a thousand times a second costs no more for each sample', () => {
  const samples = Array.from({ length: 30_000 }, (_, n) => (n % 2 === 0 ? interval : power)(n / 1000, 1))
  const { wh, meter } = running(undefined, samples)
  expect(wh).toBe(15_000)
  expect(addSamples(meter, samples, {}).meter).toBe(meter)
  const watts = Array.from({ length: 1000 }, (_, n) => power(n / 1000, n * n))
  const backwards = watts.toReversed().reduce((known, one) => addSamples(known, [one], {}).meter, newMeter({}))
  expect(runningEnergy(backwards)).toEqual(runningEnergy(running(undefined, watts).meter))
})

it('ENERGY-N3: more intervals than are kept are still all counted', () => {
  const samples = Array.from({ length: 200 }, (_, n) => interval(60 * n, 10))
  expect(running(undefined, samples).wh).toBe(2000)
})

it('ENERGY-N3: only power known is integrated and marked as an estimate', () => {
  const samples = Array.from({ length: 61 }, (_, minute) => power(60 * minute, 6000))
  expect(running(0, samples)).toEqual(expect.objectContaining({ wh: 6000, estimated: true, flags: ['estimated'] }))
})

it('ENERGY-N3: a silence is not filled with more than an hour of power, nor with more than the connector gives', () => {
  expect(running(0, [power(0, 6000), power(86_400, 6000)]).wh).toBe(6000)
  expect(running(0, [power(0, 99_000), power(3600, 99_000)], { maxPowerW: 11_000 }).wh).toBe(11_000)
})

it('ENERGY-N3: power beside a register is not used', () => {
  expect(running(0, [...registerSamples(100, 200), power(60, 99_000), power(3600, 99_000)])).toMatchObject({
    wh: 200,
    estimated: false,
  })
})

it('ENERGY-N3: Net and Export never count as import', () => {
  const other = ['Energy.Active.Net', 'Energy.Active.Export.Register', 'Energy.Active.Export.Interval']
  expect(
    running(
      0,
      other.map((measurand) => sampleOf(60, 900, { measurand })),
    ).wh,
  ).toBe(0)
})
