import { expect, it } from 'vitest'
import type { Sample } from '../ports/sessions.ts'
import { drawOf } from './draw.ts'

const SUPPLY = { voltage: 230, phases: 3 }
const BEFORE = { at: 1, amps: 14 }
const sample = (value: string, more: Partial<Sample> = {}): Sample => ({
  at: { occurredAt: 2, receivedAt: 2 },
  context: 'Sample.Periodic',
  value,
  measurand: 'Current.Import',
  location: 'Outlet',
  unit: 'A',
  multiplier: 0,
  ...more,
})
const watts = { measurand: 'Power.Active.Import', unit: 'W' }
const offers = { measurand: 'Power.Offered', unit: 'W' }

it.each<[string, Sample, number]>([
  ['amperes', sample('13.6'), 13.6],
  ['with a multiplier', sample('136', { multiplier: -1 }), 13.6],
  ['kilowatts on three phases', sample('6.9', { ...watts, unit: 'kW' }), 10],
  ['megawatts of a truck', sample('3.45', { ...watts, multiplier: 6 }), 5000],
  // What a car left of its share was given away for that.
  ['an empty value, which was 0', sample(''), 14],
  ['a blank one', sample(' '), 14],
  ['hexadecimal', sample('0x10'), 14],
  ['none', sample('NaN'), 14],
  // One such reading took everything from the others of the group.
  ['a jump', sample('99999999999999999999'), 14],
  ['a jump by its multiplier', sample('16', { multiplier: 30 }), 14],
  ['a jump of power', sample('1e300', watts), 14],
])('GROUP-A5: %s', (_, one, amps) => {
  expect((drawOf([one], SUPPLY, BEFORE, 2) ?? BEFORE).amps).toBe(amps)
})

const on = (phase: string, value: string, more: Partial<Sample> = {}) => sample(value, { phase, ...more })
const volts = { measurand: 'Voltage', unit: 'V' }
it.each<[string, Sample[], { amps: number; phases?: number | undefined }]>([
  ['current of each phase', [on('L1', '16'), on('L2', '0'), on('L3', '0.3')], { amps: 16, phases: 1 }],
  // Counted as three, the first would carry 22 A of a share of 16.
  ['phases that are not even', [on('L1', '16'), on('L2', '9'), on('L3', '9')], { amps: 16, phases: 1 }],
  ['power of each phase', ['L1-N', 'L2-N', 'L3-N'].map((phase) => on(phase, '2300', watts)), { amps: 10, phases: 3 }],
  ['current beside power, of one', [sample('16'), sample('3650', watts)], { amps: 16, phases: 1 }],
  ['current beside power, of two', [sample('16'), sample('7300', watts)], { amps: 16, phases: 2 }],
  ['current beside power that do not go together', [sample('16'), sample('5500', watts)], { amps: 16 }],
  ['a car that has just begun', [on('L1', '0.4'), on('L2', '0'), on('L3', '0')], { amps: 0.4 }],
  ['current alone', [sample('16')], { amps: 16 }],
  ['power alone', [sample('6900', watts)], { amps: 10 }],
])('GROUP-P3: on how many phases it draws, by %s', (_, samples, { amps, phases }) => {
  expect(drawOf(samples, SUPPLY, undefined, 2)).toMatchObject({ amps, phases })
})

it.each([
  ['one phase, as nothing shows it', 5060, { amps: 22, phases: undefined }],
  ['three, which it has shown', 20_700, { amps: 30, phases: 3 }],
])('GROUP-P3: a power alone of a share in watts is that of %s', (_, power, draw) => {
  const supply = { ...SUPPLY, watts: { phases: 1, fullAmps: 32 } }
  expect(drawOf([sample(String(power), watts)], supply, undefined, 2)).toMatchObject(draw)
})

it('GROUP-P4: 125 A for a battery counted as 125 A of each phase of the connection', () => {
  const direct = [sample('125'), sample('400', volts), sample('50', { ...watts, unit: 'kW' })]
  const offered = [sample('200', { measurand: 'Current.Offered' }), sample('60', { ...offers, unit: 'kW' })]
  expect(drawOf([...direct, ...offered], SUPPLY, undefined, 2)).toMatchObject({
    amps: 72.5,
    phases: 3,
    offeredAmps: 87,
  })
  // Volts between two phases of a car on three of them.
  const three = [sample('16'), sample('400', volts), sample('11040', watts)]
  expect(drawOf(three, SUPPLY, undefined, 2)).toMatchObject({ amps: 16, phases: 3 })
})
