import { expect, it } from 'vitest'
import { sampleOf } from '../../../test/support/domain/energy/testing.ts'
import { readSample } from './sample.ts'

it.each([
  ['1234', 'Wh', 0, 1_234_000],
  ['1.234', 'kWh', 0, 1_234_000],
  ['0.001', 'MWh', 0, 1_000_000],
  ['12', 'Wh', 2, 1_200_000],
  ['1234567', 'Wh', -3, 1_234_567],
  ['1.2345', 'KWH', 0, 1_234_500],
])('ENERGY-N1: %s %s x 10^%i is %i milli-Wh', (value, unit, multiplier, expected) => {
  expect(readSample(sampleOf(0, value, { unit, multiplier }), {})?.value).toBe(expected)
})

it.each([
  ['empty', ''],
  ['OCMF', 'OCMF|{"RD":[]}|{"SD":"00"}'],
  ['hex', '3A00FF'],
  ['NaN', 'NaN'],
  ['more than 1e12', '1000000000001'],
  ['negative', '-5'],
])('ENERGY-N1: %s is no measurement', (_, value) => {
  expect(readSample(sampleOf(0, value), {})).toBeUndefined()
})

it('ENERGY-N5: a signed sample that also carries a plain number counts, signed text alone does not', () => {
  const signed = { data: 'OCMF|{}|{}', digest: '1' }
  expect(readSample(sampleOf(0, '500', { signed }), {})?.value).toBe(500_000)
  expect(readSample(sampleOf(0, 'OCMF|{}|{}', { signed }), {})).toBeUndefined()
})

it.each(['Energy.Active.Net', 'Energy.Active.Export.Register', 'Energy.Reactive.Import.Register', 'SoC', 'Voltage'])(
  'ENERGY-N3: %s never counts as import',
  (measurand) => {
    expect(readSample(sampleOf(0, '5', { measurand }), {})).toBeUndefined()
  },
)

it('ENERGY-N1: power is milliwatts, a unit of another quantity is none', () => {
  expect(readSample(sampleOf(0, '7.4', { measurand: 'Power.Active.Import', unit: 'kW' }), {})?.value).toBe(7_400_000)
  expect(readSample(sampleOf(0, '7.4', { unit: 'Celsius' }), {})).toBeUndefined()
})

it('ENERGY-N2: Outlet is better than Cable and EV, those than Inlet, and that than the rest', () => {
  const place = (location: string) => readSample(sampleOf(0, '1', { location }), {})?.place
  expect(['Outlet', 'Cable', 'EV', 'Inlet', 'Body', 'outlet'].map(place)).toEqual([0, 1, 1, 2, 3, 0])
})

it('ENERGY-N2: the Inlet of connector 0 is the whole station, never a session', () => {
  const inlet = sampleOf(0, '1', { location: 'Inlet' })
  expect(readSample(inlet, { connectorId: 0 })).toBeUndefined()
  expect(readSample(inlet, { evseId: 0, connectorId: 1 })).toBeUndefined()
  expect(readSample(inlet, { connectorId: 1 })).toBeDefined()
  expect(readSample(sampleOf(0, '1'), { connectorId: 0 })).toBeDefined()
})

it('ENERGY-N2: phases to neutral are phases, N and phase-to-phase are not', () => {
  const phase = (name: string) => readSample(sampleOf(0, '1', { phase: name }), {})?.phase
  expect(['', 'L1', 'L2', 'L3', 'L1-N', 'L2-N', 'L3-N'].map(phase)).toEqual([0, 1, 2, 3, 1, 2, 3])
  expect(['N', 'L1-L2', 'L9'].map(phase)).toEqual([undefined, undefined, undefined])
})

it('OCPP-VA2: an odd context counts like a periodic sample', () => {
  expect(readSample(sampleOf(0, '1', { context: 'Alfen.Special' }), {})?.moment).toBe('other')
  expect(readSample(sampleOf(0, '1', { context: 'transaction.begin' }), {})?.moment).toBe('begin')
})
