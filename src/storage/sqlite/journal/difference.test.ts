import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { difference, withDifference } from './journal-entry.ts'

const record = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd', 'gone', 'set'),
  fc.oneof(fc.integer(), fc.string(), fc.constant(undefined), fc.constant(false), fc.constant(null)),
  { noNullPrototype: true },
)
const stored = (value: object): unknown => JSON.parse(JSON.stringify(value))

it('what it leaves out is found in the record before, also after a way through JSON', () => {
  forAll(record, record, (before, after) => {
    const way = stored(difference(before, after)) as ReturnType<typeof difference>
    expect(stored(withDifference(stored(before) as object, way))).toEqual(stored(after))
  })
})

it('so is what lists and records within had, whether they grew, shrank, moved or became something else, from each version on', () => {
  const entry = fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 0, max: 3 }))
  const list = fc.array(entry, { maxLength: 4 })
  const facts = fc.record({ register: list, power: fc.record({ entries: list }) }, { requiredKeys: [] })
  // New lists share their entries with the old ones, as those of a meter do.
  const moves = fc.array(
    fc.oneof(
      fc.record({ kind: fc.constant('add' as const), entry }),
      fc.record({ kind: fc.constant('shift' as const), entry }),
      fc.record({ kind: fc.constant('last' as const), entry }),
      fc.record({ kind: fc.constant('replace' as const), facts }),
      fc.record({ kind: fc.constant('power' as const), entry }),
    ),
    { maxLength: 6 },
  )
  type Facts = typeof facts extends fc.Arbitrary<infer Of> ? Of : never
  const moved = (before: Facts, change: typeof moves extends fc.Arbitrary<(infer Of)[]> ? Of : never): Facts => {
    const { register = [], power = { entries: [] } } = before
    if (change.kind === 'add') return { ...before, register: [...register, change.entry] }
    if (change.kind === 'shift') return { ...before, register: [...register.slice(1), change.entry] }
    if (change.kind === 'last') return { ...before, register: [...register.slice(0, -1), change.entry] }
    if (change.kind === 'power') return { ...before, power: { entries: [...power.entries, change.entry] } }
    return change.facts
  }
  forAll(facts, moves, (start, changes) => {
    const before = { meter: start }
    const after = { meter: changes.reduce(moved, start) }
    const way = stored(difference(before, after)) as ReturnType<typeof difference<typeof before>>
    expect(stored(withDifference(stored(before) as typeof before, way))).toEqual(stored(after))
  })
  // STORE-J2: the table may have any of the versions already.
  forAll(facts, moves, fc.nat(6), (start, changes, placed) => {
    let newest = { meter: start }
    let inTable = stored(newest) as object
    const ways = changes.map((change, at) => {
      const before = newest
      newest = { meter: moved(before.meter, change) }
      if (at < placed) inTable = stored(newest) as object
      return stored(difference(before, newest)) as ReturnType<typeof difference<object>>
    })
    expect(stored(ways.reduce(withDifference, inTable))).toEqual(stored(newest))
  })
})

it('holds only what changed', () => {
  const begin = [[0, 0]]
  const before = {
    a: 1,
    b: 2,
    meter: { begin, register: [1, 2], last: 2 },
    flag: true,
    list: [1, 2],
    ranges: [1, 2, 3],
  }
  const after = {
    a: 1,
    b: 3,
    meter: { begin, register: [1, 2, 3], last: 3 },
    flag: undefined,
    list: [2],
    ranges: [1, 2, 4],
  }
  expect(difference<object>(before, after)).toEqual({
    set: { b: 3, list: [2] },
    ends: { ranges: [2, [4]] },
    within: { meter: { set: { last: 3 }, ends: { register: [2, [3]] } } },
    gone: ['flag'],
  })
})
