import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { difference, withDifference } from './difference.ts'

describe('difference', () => {
  const record = fc.dictionary(
    fc.constantFrom('a', 'b', 'c', 'd', 'gone', 'set'),
    fc.oneof(fc.integer(), fc.string(), fc.constant(undefined), fc.constant(false), fc.constant(null)),
    { noNullPrototype: true },
  )
  const stored = (value: object): unknown => JSON.parse(JSON.stringify(value))

  it('what it leaves out is found in the record before, also after a way through JSON', () => {
    fc.assert(
      fc.property(record, record, (before, after) => {
        const way = stored(difference(before, after)) as ReturnType<typeof difference>
        expect(stored(withDifference(stored(before) as object, way))).toEqual(stored(after))
      }),
    )
  })

  it('holds only what changed', () => {
    const meter = { register: [1, 2] }
    expect(difference({ a: 1, b: 2, meter, flag: true }, { a: 1, b: 3, meter })).toEqual({
      set: { b: 3 },
      gone: ['flag'],
    })
  })
})
