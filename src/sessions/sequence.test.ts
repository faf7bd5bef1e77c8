import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasGaps, type Observation, observe, type Sequence } from './sequence.ts'

function observeAll(numbers: readonly number[]): Sequence {
  let sequence: Sequence | undefined
  for (const number of numbers) sequence = observe(sequence, number, `digest ${number}`, number * 1000).sequence
  if (!sequence) throw new Error('Give at least one number.')
  return sequence
}

describe('sequence numbers of a transaction', () => {
  it.each<[string, readonly number[], boolean]>([
    ['one message', [0], false],
    ['in order', [0, 1, 2], false],
    ['continued from the transaction before on that EVSE', [17, 18, 19], false],
    ['reordered', [2, 0, 1], false],
    ['one missing', [0, 2], true],
    ['the missing one came', [0, 2, 3, 1], false],
  ])('B3: %s: complete is every number between first and last', (_, numbers, gaps) => {
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
  ])('B2: %s', (_, number, digest, at, observation, newest) => {
    expect(observe(observeAll([0, 1, 2]), number, digest, at)).toMatchObject({ observation, newest })
  })

  it('B2: a restarted count is itself recognised when repeated', () => {
    const restarted = observe(observeAll([0, 1, 2]), 0, 'other', 2500)
    expect(observe(restarted.sequence, 0, 'other', 2500).observation).toBe('repeated')
  })

  it('B2: a number older than the digests that are kept counts as repeated', () => {
    const sequence = observeAll(Array.from({ length: 200 }, (_, index) => index))
    expect(sequence.digests).toHaveLength(64)
    expect(sequence.ranges).toEqual([[0, 199]])
    expect(observe(sequence, 5, 'whatever', 300_000).observation).toBe('repeated')
  })

  it('stays bounded when a station numbers with holes for ever', () => {
    const sequence = observeAll(Array.from({ length: 1000 }, (_, index) => index * 2))
    expect(sequence.ranges).toHaveLength(128)
  })

  it('B4: any order and repetition of the same numbers gives the same sequence', () => {
    const numbers = fc.uniqueArray(fc.nat(50), { minLength: 1, maxLength: 40 })
    const arrivals = numbers.chain((set) => {
      return fc.array(fc.constantFrom(...set), { maxLength: 20 }).chain((repeats) => {
        const all = [...set, ...repeats]
        return fc.shuffledSubarray(all, { minLength: all.length }).map((arrival) => ({ set, arrival }))
      })
    })
    fc.assert(
      fc.property(arrivals, ({ set, arrival }) => {
        const ordered = observeAll([...set].sort((a, b) => a - b))
        expect(observeAll(arrival)).toEqual(ordered)
      }),
    )
  })
})
