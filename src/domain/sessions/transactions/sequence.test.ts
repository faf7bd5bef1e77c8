import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../../../test/support/property.ts'
import { hasGaps, type Observation, observe, type Sequence, type Signs } from './sequence.ts'

function observeAll(numbers: readonly number[]): Sequence {
  let sequence: Sequence | undefined
  for (const number of numbers) sequence = observe(sequence, number, `digest ${number}`, number * 1000).sequence
  if (!sequence) throw new Error('Give at least one number.')
  return sequence
}

/** The digests are kept in the order of arrival. */
function byNumber(sequence: Sequence): Sequence {
  return { ...sequence, digests: sequence.digests.toSorted(([a], [b]) => a - b) }
}

it.each<[string, readonly number[], boolean]>([
  ['one message', [0], false],
  ['in order', [0, 1, 2], false],
  ['continued from the transaction before on that EVSE', [17, 18, 19], false],
  ['reordered', [2, 0, 1], false],
  ['one missing', [0, 2], true],
  ['the missing one came', [0, 2, 3, 1], false],
])('SESSION-B3: %s: complete is every number between first and last', (_, numbers, gaps) => {
  expect(hasGaps(observeAll(numbers))).toBe(gaps)
})

it.each<[string, number, string, number, Observation, boolean]>([
  ['the next number', 3, 'digest 3', 3000, 'new', true],
  ['a gap', 9, 'digest 9', 9000, 'new', true],
  ['the same message again', 1, 'digest 1', 1000, 'repeated', false],
  ['another message of a known number, in the past', 1, 'other', 1500, 'conflict', false],
  ['another message of a known number, later: the count began again', 0, 'other', 2500, 'conflict', true],
  ['no number', Number.NaN, 'digest', 5000, 'conflict', true],
  ['a negative number of the past', -1, 'digest', 500, 'conflict', false],
])('SESSION-B2: %s', (_, number, digest, at, observation, newest) => {
  expect(observe(observeAll([0, 1, 2]), number, digest, at)).toMatchObject({ observation, newest })
})

it('SESSION-B2: a restarted count is itself recognised when repeated', () => {
  const restarted = observe(observeAll([0, 1, 2]), 0, 'other', 2500)
  expect(observe(restarted.sequence, 0, 'other', 2500).observation).toBe('repeated')
})

it.each<[string, number, Signs, Observation, boolean]>([
  ['not newer: a repetition', 5_000, { event: 'updated' }, 'repeated', false],
  ['as new as the newest', 199_000, { event: 'updated' }, 'repeated', false],
  ['newer: the count began again', 199_001, { event: 'updated' }, 'conflict', true],
  ['newer than a boot, its clock set back', 150_001, { event: 'updated', bootedAt: 150_000 }, 'conflict', true],
  ['an end is never a repetition of what is not known', 5_000, { event: 'ended' }, 'conflict', false],
])('SESSION-B2: without the digest of a number its time decides: %s', (_, at, signs, observation, newest) => {
  const sequence = observeAll(Array.from({ length: 200 }, (_, index) => index))
  expect(sequence.digests.length).toBeLessThan(128)
  expect(sequence.ranges).toEqual([[0, 199]])
  expect(observe(sequence, 5, 'whatever', at, signs)).toMatchObject({ observation, newest })
})

it('SESSION-B2: what a restarted count says stands behind everything before, and stragglers where they belong', () => {
  const first = observeAll([10, 11, 14]) // 12 and 13 are still to come
  const restarted = observe(first, 11, 'restart', 15_000)
  expect(restarted).toMatchObject({ observation: 'conflict', newest: true, order: 26 })
  const next = observe(restarted.sequence, 12, 'next', 16_000)
  expect(next).toMatchObject({ observation: 'new', newest: true, order: 27 })
  const straggler = observe(next.sequence, 12, 'digest 12', 12_000)
  expect(straggler).toMatchObject({ observation: 'new', newest: false, order: 12 })
  expect(observe(straggler.sequence, 12, 'digest 12', 12_000).observation).toBe('repeated')
  expect(hasGaps(straggler.sequence)).toBe(true)
  expect(hasGaps(observe(straggler.sequence, 13, 'digest 13', 13_000).sequence)).toBe(false)
})

it('SESSION-B2: a count that continued from another transaction and begins at 0 is known by its time', () => {
  const continued = observeAll([17, 18, 19])
  expect(observe(continued, 0, 'other', 20_000, { event: 'updated' })).toMatchObject({ newest: true, order: 20 })
  expect(observe(continued, 3, 'other', 20_000, { bootedAt: 19_500 })).toMatchObject({ newest: true, order: 23 })
  // A start that comes late, a message that does, and a clock that was set back.
  expect(observe(continued, 0, 'other', 20_000, { event: 'started' })).toMatchObject({ newest: false, order: 0 })
  expect(observe(continued, 16, 'other', 16_000)).toMatchObject({ newest: false, order: 16 })
  expect(observe(continued, 16, 'other', 20_000)).toMatchObject({ newest: false, order: 16 })
})

it('SESSION-B2: a station that knows one number only is followed, and a retry of the message before is told', () => {
  let sequence: Sequence | undefined
  for (let index = 0; index < 500; index++) {
    const observed = observe(sequence, 0, `digest ${index}`, index * 1000)
    expect(observed.newest).toBe(true)
    sequence = observed.sequence
    if (index > 0) expect(observe(sequence, 0, `digest ${index - 1}`, index * 1000 - 1000).observation).toBe('repeated')
  }
  expect(JSON.stringify(sequence).length).toBeLessThan(5_000)
})

it('stays bounded when a station numbers with holes for ever', () => {
  const sequence = observeAll(Array.from({ length: 5000 }, (_, index) => index * 2))
  expect(sequence.ranges.length).toBeLessThan(2048)
})

it('SESSION-B4: any order and repetition of the same numbers gives the same sequence', () => {
  const numbers = fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 40 })
  const arrivals = numbers.chain((set) => {
    return fc.array(fc.constantFrom(...set), { maxLength: 20 }).chain((repeats) => {
      const all = [...set, ...repeats]
      return fc.shuffledSubarray(all, { minLength: all.length }).map((arrival) => ({ set, arrival }))
    })
  })
  forAll(arrivals, ({ set, arrival }) => {
    const ordered = observeAll([...set].sort((a, b) => a - b))
    expect(byNumber(observeAll(arrival))).toEqual(byNumber(ordered))
  })
})
