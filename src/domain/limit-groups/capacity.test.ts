import { expect, it } from 'vitest'
import { aLimitGroup } from '../../../test/support/records.ts'
import { topOf } from './desired.ts'
import { capacityOf, type ExternalLimit, externalState, FAIL_SAFE_MS, type Load } from './group.ts'
import { ampsOf, NO_AMPS, onPhases, tenthsDown, wiredTo } from './phases.ts'

const NOW = 1_000_000
const group = aLimitGroup({ limitAmps: 100, bufferAmps: 5, safeAmps: 50, fallbackAmps: undefined })
const noHolder = { floor: NO_AMPS, drawn: NO_AMPS }
const load = (more: Partial<Load> = {}): Load => ({
  amps: [40, 30, 20],
  until: NOW + 60_000,
  excludesCharging: true,
  ...more,
})
const ordered = (more: Partial<ExternalLimit> = {}): ExternalLimit => ({
  amps: 20,
  source: 'grid',
  until: NOW + 3_600_000,
  renewedAt: NOW,
  failSafeAmps: 10,
  ...more,
})

it.each([
  ['RST', 3, 3, [0, 1, 2]],
  ['STR', 3, 3, [0, 1, 2]],
  ['RST', 1, 3, [0]],
  ['STR', 1, 3, [1]],
  ['TRS', 1, 3, [2]],
  ['S', 1, 3, [1]],
  ['Unknown', 1, 3, [0, 1, 2]],
  [undefined, 1, 3, [0, 1, 2]],
  // Which of the phases above feeds a group of one is told by the connector's first letter, or by nobody.
  ['STR', 1, 1, [1]],
  ['TRS', 3, 1, [2]],
  [undefined, 3, 1, [0, 1, 2]],
  ['TRS', 2, 3, [0, 2]],
  ['T', 2, 3, [0, 1, 2]],
  [undefined, 2, 3, [0, 1, 2]],
] as const)('GROUP-P1: %s of %i phases on %i', (rotation, evse, connection, phases) => {
  expect(wiredTo([{ phaseRotation: rotation, phases: evse }], connection)).toEqual({
    phases,
    phaseCount: Math.min(evse, connection),
  })
})

it.each([
  ['of one phase on L2 and three', [{ phases: 1, phaseRotation: 'STR' }, {}], 3, [0, 1, 2], 1, true],
  ['of three and one, the other way round', [{ phases: 3 }, { phases: 1, phaseRotation: 'S' }], 3, [0, 1, 2], 1, true],
  [
    'on L2 and on L3',
    [
      { phases: 1, phaseRotation: 'TRS' },
      { phases: 1, phaseRotation: 'STR' },
    ],
    3,
    [1, 2],
    1,
  ],
  ['of which one was told without rotation', [{ phases: 1, phaseRotation: 'R' }, { phases: 1 }], 3, [0, 1, 2], 1],
  ['in a group of one phase', [{ phases: 1, phaseRotation: 'STR' }, { phaseRotation: 'TRS' }], 1, [1, 2], 1],
  ['that nobody described', [], 3, [0, 1, 2], 3],
] as const)('GROUP-P1: for any connector: %s', (_, connectors, leaf, phases, phaseCount, isMixed?: true) => {
  expect(wiredTo(connectors, leaf)).toEqual({ phases, phaseCount, ...(isMixed && { isMixed }) })
})

it.each([
  ['row', 'site'],
  ['shelf', 'site'],
  ['lost', 'lost'],
  // Its own limit would not have counted for those below it.
  ['below', 'lost'],
  ['here', 'here'],
  ['there', 'here'],
  ['led', 'here'],
])('GROUP-B3: %s is counted below %s, also where two orders at once left no tree', (name, top) => {
  const parents = [
    ['site'],
    ['row', 'site'],
    ['shelf', 'row'],
    ['lost', 'gone'],
    ['below', 'lost'],
    ['there', 'here'],
    ['here', 'there'],
    ['led', 'there'],
  ] as const
  expect(topOf(name, new Map(parents.map(([of, parent]) => [of, { parent }])))).toBe(top)
})

it('GROUP-P2: watts are those of all phases, and what is given is rounded down', () => {
  expect(ampsOf({ watts: 11_040 }, 3, 230)).toBe(16)
  expect(ampsOf({ watts: 2300 }, 1, 230)).toBe(10)
  expect([tenthsDown(8.39), tenthsDown(8.3), tenthsDown(-1)]).toEqual([8.3, 8.3, 0])
  expect(onPhases(7, [2])).toEqual([0, 0, 7])
})

it.each<[string, Load | undefined, readonly number[]]>([
  ['no meter: the limit without the buffer', undefined, [95, 95, 95]],
  ['GROUP-E1: the building without the cars', load(), [55, 65, 75]],
  ['GROUP-E1: the whole connection, less what the cars draw', load({ excludesCharging: false }), [65, 75, 75]],
  ['GROUP-E2: a reading that is too old', load({ until: NOW }), [50, 50, 50]],
  ['a building that takes more than there is', load({ amps: [200, 0, 0] }), [0, 95, 95]],
])('%s', (_, meter, amps) => {
  expect(capacityOf(group, meter, undefined, { ...noHolder, drawn: [10, 10, 0] }, NOW).amps).toEqual(amps)
})

it.each<[string, Load, true | undefined]>([
  ['alone', load({ amps: [0, 120, 0] }), true],
  ['with the cars', load({ amps: [120, 0, 0], excludesCharging: false }), true],
  ['by less than a meter errs', load({ amps: [104, 0, 0] }), undefined],
  ['too long ago', load({ amps: [120, 0, 0], until: NOW }), undefined],
])('GROUP-H2: a building that draws more than the fuse carries, %s', (_, meter, isOverloaded) => {
  const { isOverloaded: found } = capacityOf(group, meter, undefined, { ...noHolder, drawn: [30, 0, 0] }, NOW)
  expect(found || undefined).toBe(isOverloaded)
})

it.each<[string, ExternalLimit, number, ReturnType<typeof externalState>]>([
  ['holds', ordered(), 0, { amps: 20, state: 'active', source: 'grid', until: NOW + 3_600_000 }],
  [
    'ends at its time',
    ordered(),
    3_600_000,
    { amps: 10, state: 'failSafe', source: 'grid', until: NOW + 3_600_000 + FAIL_SAFE_MS },
  ],
  [
    'ends with a missed heartbeat',
    ordered({ heartbeatMs: 60_000 }),
    60_000,
    { amps: 10, state: 'failSafe', source: 'grid', until: NOW + 60_000 + FAIL_SAFE_MS },
  ],
  ['is over two hours later', ordered(), 3_600_000 + FAIL_SAFE_MS, undefined],
])('GROUP-E3: what is ordered %s', (_, external, later, state) => {
  expect(externalState(external, NOW + later)).toEqual(state)
})

it('GROUP-E4: the floor wins over what is ordered, and not over the limit', () => {
  const limit = (floor: number) =>
    capacityOf(group, undefined, ordered(), { ...noHolder, floor: [floor, 0, 0] }, NOW).limitAmps
  expect([limit(12), limit(36), limit(120)]).toEqual([
    [20, 20, 20],
    [36, 20, 20],
    [100, 20, 20],
  ])
})

it('a connection of one phase has one', () => {
  expect(capacityOf({ ...group, phases: 1 }, undefined, undefined, noHolder, NOW).amps).toEqual([95, 0, 0])
})
