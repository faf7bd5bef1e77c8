import { describe, expect, it } from 'vitest'
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

describe('what an EVSE draws', () => {
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
})
