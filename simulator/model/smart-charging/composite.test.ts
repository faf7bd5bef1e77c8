import fc from 'fast-check'
import { expect, it } from 'vitest'
import { limitsAt, offerOf } from './limits.ts'
import { type CompositeOrder, compositeSchedule } from './smart-charging.ts'
import { at, profile, type Row, steps, T0 } from './testing.ts'

const most = { amps: 32, phases: 3, firstPhase: 0, voltage: 230 }
const outlet = { connectorId: 1, carPhases: 3, most }

function composite(rows: readonly Row[], order: Partial<CompositeOrder> = {}) {
  return compositeSchedule({
    profiles: rows.map((row, number) => profile({ id: number, startAt: T0, ...row })),
    outlets: [outlet],
    isWholeStation: false,
    at: T0,
    durationSeconds: 3600,
    unit: 'A',
    mostPeriods: 24,
    ...order,
  })
}
const shown = (rows: readonly Row[], order?: Partial<CompositeOrder>) =>
  composite(rows, order).periods.map(({ startPeriod, limit }) => [startPeriod, limit])

const max = { purpose: 'ChargePointMaxProfile', connectorId: 0 } as const

it.each<[string, readonly Row[], Partial<CompositeOrder>, readonly (readonly number[])[]]>([
  ['nothing installed: what the outlet gives', [], {}, [[0, 32]]],
  ['in watts', [], { unit: 'W' }, [[0, 22_080]]],
  ['exact to the second', [{ periods: steps([0, 16], [61, 10]) }], {}, steps([0, 16], [61, 10])],
  [
    'the smallest of the purposes, as they change',
    [{ periods: steps([0, 16], [600, 10]) }, { ...max, periods: steps([0, 12], [1200, 8]) }],
    {},
    steps([0, 12], [600, 10], [1200, 8]),
  ],
  ['periods that say the same are one', [{ periods: steps([0, 16], [600, 16]) }], {}, [[0, 16]]],
  ['a profile that ends gives way', [{ durationSeconds: 900 }], {}, steps([0, 16], [900, 32])],
  ['a validity that begins', [{ validFrom: at(50) }], {}, steps([0, 32], [50, 16])],
  ['watts become amperes', [{ unit: 'W', periods: [[0, 6_900]] }], {}, [[0, 10]]],
  ['amperes become watts', [{ periods: [[0, 10]] }], { unit: 'W' }, [[0, 6_900]]],
  [
    'for a car on one phase',
    [{ unit: 'W', periods: [[0, 2_300]] }],
    { outlets: [{ ...outlet, carPhases: 1 }] },
    [[0, 10]],
  ],
  [
    'a relative one counts from now where no charge is',
    [{ kind: 'Relative', periods: steps([0, 16], [60, 8]) }],
    { at: at(500) },
    steps([0, 16], [60, 8]),
  ],
  [
    'and from the charge where one is',
    [{ kind: 'Relative', periods: steps([0, 16], [60, 8]) }],
    { at: at(50), outlets: [{ ...outlet, transaction: { startedAt: T0 } }] },
    steps([0, 16], [10, 8]),
  ],
  [
    'a night that recurs',
    [{ kind: 'Recurring', recurrency: 'Daily', durationSeconds: 3600 }],
    { durationSeconds: 2 * 86_400 },
    steps([0, 16], [3600, 32], [86_400, 16], [90_000, 32]),
  ],
  ['rounded down to a tenth', [{ unit: 'W', periods: [[0, 5_000]] }], {}, [[0, 7.2]]],
])('SIM-A20: %s', (_name, rows, order, periods) => {
  expect(shown(rows, order)).toEqual(periods)
})

it('SIM-A20: the composite schedule of the whole station: all connectors together, and no more than its own limit', () => {
  const both = { outlets: [outlet, { ...outlet, connectorId: 2 }], isWholeStation: true }
  expect(shown([{ connectorId: 0, periods: [[0, 10]] }], both)).toEqual([[0, 20]])
  expect(shown([{ ...max, periods: [[0, 40]] }], both)).toEqual([[0, 40]])
  expect(shown([{ ...max, unit: 'W', periods: [[0, 6_900]] }], both)).toEqual([[0, 10]])
})

it('SIM-A20: the composite schedule has no more periods than the station keeps, and says how far they reach', () => {
  const stairs = Array.from({ length: 10 }, (_step, number) => [number * 60, number + 6] as const)
  const { periods, durationSeconds } = composite([{ periods: stairs }], { mostPeriods: 3 })
  expect(periods.map(({ limit }) => limit)).toEqual([6, 7, 8])
  expect(durationSeconds).toBe(180)
})

it('SIM-A20: the composite schedule ends for whoever asks for a lifetime', () => {
  const minutes = { kind: 'Recurring', recurrency: 'Daily', periods: steps([0, 6], [43_200, 6]) } as const
  expect(composite([minutes], { durationSeconds: 2_147_483_647 }).periods).toHaveLength(1)
})

it('SIM-A20: says at every second what the profiles say', () => {
  const rows = fc.array(
    fc.record({
      stackLevel: fc.nat(3),
      purpose: fc.constantFrom('TxDefaultProfile', 'TxProfile', 'ChargePointMaxProfile'),
      kind: fc.constantFrom('Absolute', 'Relative'),
      unit: fc.constantFrom('A' as const, 'W' as const),
      startAt: fc.integer({ min: -300, max: 300 }).map(at),
      validFrom: fc.integer({ min: -300, max: 300 }).map(at),
      validTo: fc.integer({ min: 0, max: 900 }).map(at),
      durationSeconds: fc.integer({ min: 1, max: 600 }),
      periods: fc
        .uniqueArray(fc.integer({ min: 1, max: 500 }), { maxLength: 3 })
        .map((starts) => [0, ...starts.sort((a, b) => a - b)].map((start, step) => [start, 6 + step * 7] as const)),
    }),
    { maxLength: 5 },
  )
  fc.assert(
    fc.property(rows, (given) => {
      const profiles = given.map((row, number) => profile({ id: number, ...row }))
      const { periods } = composite(given, { profiles, durationSeconds: 900, mostPeriods: 1000 })
      for (let second = 0; second < 900; second += 7) {
        const moment = { at: at(second), connectorId: 1, transaction: { startedAt: T0 } }
        const { connector, station } = limitsAt(profiles, moment)
        const { amps } = offerOf([...connector, ...station], most, 3)
        const period = periods.filter(({ startPeriod }) => startPeriod <= second).at(-1)
        expect(period?.limit).toBe(Math.floor(amps * 10 + 1e-6) / 10)
      }
    }),
    { numRuns: 100 },
  )
})
