import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../test/support/property.ts'
import { inParts, joinedAnswer, type ListInRequest } from './parts.ts'

const RULE: ListInRequest = { member: 'asked', most: 'getItems', bytes: 'getBytes', results: ['reported', 'unknown'] }

it.each([
  ['no limit is known', {}, [[1, 2, 3]]],
  ['it fits', { getItems: 3 }, [[1, 2, 3]]],
  ['too many items', { getItems: 2 }, [[1, 2], [3]]],
  ['a limit that is none', { getItems: 0 }, [[1, 2, 3]]],
  ['too many bytes', { getBytes: 132 }, [[1, 2], [3]]],
])('SESSION-O11: %s', (_, limits, parts) => {
  const made = inParts({ asked: [1, 2, 3], else: 'kept' }, RULE, limits)
  expect(made).toEqual(parts.map((asked) => ({ asked, else: 'kept' })))
})

it('SESSION-O11: one without its list is left as it is', () => {
  expect(inParts({}, RULE, { getItems: 1 })).toEqual([{}])
  expect(inParts({ asked: [] }, RULE, { getItems: 1 })).toEqual([{ asked: [] }])
})

it('SESSION-O11: whatever the limits, every item is in one part, in its order, and every result in the answer', () => {
  const limits = fc.record({ getItems: fc.integer({ min: -1, max: 9 }), getBytes: fc.integer({ min: 0, max: 300 }) })
  forAll(fc.array(fc.string({ maxLength: 40 }), { minLength: 1, maxLength: 30 }), limits, (asked, known) => {
    const parts = inParts({ asked }, RULE, known)
    expect(parts.flatMap((part) => part.asked as string[])).toEqual(asked)
    if (known.getItems > 0) {
      for (const part of parts) expect((part.asked as string[]).length).toBeLessThanOrEqual(known.getItems)
    }
    const answers = parts.map((part) => ({ reported: part.asked }))
    expect(joinedAnswer(answers, RULE)).toEqual({ reported: asked })
  })
})

it('SESSION-O11: lists that no answer has are left out', () => {
  expect(joinedAnswer([{ unknown: ['a'] }, { reported: [1] }], RULE)).toEqual({ reported: [1], unknown: ['a'] })
  expect(joinedAnswer([{}, {}], RULE)).toEqual({})
})
