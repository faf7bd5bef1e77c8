/** Which messages of a station-numbered transaction have been seen (B2-B5). */
import type { Transaction } from './model.ts'

export type Sequence = NonNullable<Transaction['sequence']>

/**
 * `new`: never seen. `repeated`: the same message again, no second effect. `conflict`: its number carried another
 * message before, or is no number at all.
 */
export type Observation = 'new' | 'repeated' | 'conflict'

export interface Observed {
  readonly observation: Observation
  readonly sequence: Sequence
  /** No message of a later place in the station's order has been seen: its activity is the present one. */
  readonly newest: boolean
}

/** Retries concern the newest messages; 64 cover a queue that is replayed after an outage of an hour at one per minute. */
const DIGESTS_KEPT = 64
/** A hostile station could number with holes for ever; what leaves the window is applied again, which changes nothing. */
const RANGES_KEPT = 128
/** Digits of the payload's hash: enough to tell two messages of one number apart. */
const DIGEST_LENGTH = 12

/**
 * Numbers may arrive in any order and start anywhere (B3, B4). A number used twice is judged by the station's
 * time: not older than the newest event means that the station restarted its count (B2).
 */
export function observe(known: Sequence | undefined, number: number, fullDigest: string, at: number): Observed {
  const sequence: Sequence = known ?? { ranges: [], digests: [], highest: -1, ended: undefined, newestAt: undefined }
  const digest = fullDigest.slice(0, DIGEST_LENGTH)
  const sensible = at >= (sequence.newestAt ?? Number.NEGATIVE_INFINITY)
  if (!Number.isSafeInteger(number) || number < 0) {
    return { observation: 'conflict', sequence: sensible ? { ...sequence, newestAt: at } : sequence, newest: sensible }
  }
  if (covers(sequence.ranges, number)) {
    const before = sequence.digests.findLast(([known]) => known === number)?.[1]
    // A number that left the window of digests: nothing speaks for another message than the one that was seen.
    if (before === undefined || before === digest) return { observation: 'repeated', sequence, newest: false }
    if (!sensible) return { observation: 'conflict', sequence, newest: false }
    const digests = withDigest(sequence.digests, number, digest)
    return { observation: 'conflict', sequence: { ...sequence, digests, newestAt: at }, newest: true }
  }
  const newest = number > sequence.highest
  return {
    observation: 'new',
    newest,
    sequence: {
      ranges: withNumber(sequence.ranges, number),
      digests: withDigest(sequence.digests, number, digest),
      highest: newest ? number : sequence.highest,
      ended: sequence.ended,
      newestAt: newest ? at : sequence.newestAt,
    },
  }
}

/** The number was seen, and as far as is known with another message; one whose digest is no longer kept may have been. */
export function isAnother({ ranges, digests }: Sequence, number: number, fullDigest: string): boolean {
  const before = digests.findLast(([known]) => known === number)?.[1]
  return covers(ranges, number) && before !== fullDigest.slice(0, DIGEST_LENGTH)
}

/** B3: complete = every number between the first and the last. */
export function hasGaps(sequence: Sequence): boolean {
  return sequence.ranges.length > 1
}

function covers(ranges: Sequence['ranges'], number: number): boolean {
  return ranges.some(([first, last]) => first <= number && number <= last)
}

function withNumber(ranges: Sequence['ranges'], number: number): Sequence['ranges'] {
  const last = ranges.at(-1)
  // The common case: the next number.
  if (last && last[1] + 1 === number) return [...ranges.slice(0, -1), [last[0], number]]
  const before = ranges.filter(([, end]) => end < number - 1)
  const after = ranges.filter(([start]) => start > number + 1)
  const touched = ranges.slice(before.length, ranges.length - after.length)
  const start = Math.min(number, touched[0]?.[0] ?? number)
  const end = Math.max(number, touched.at(-1)?.[1] ?? number)
  return [...before, [start, end] as const, ...after].slice(-RANGES_KEPT)
}

function withDigest(digests: Sequence['digests'], number: number, digest: string): Sequence['digests'] {
  const entry = [number, digest] as const
  const last = digests.at(-1)
  // The common case: the next number.
  const all =
    !last || last[0] < number
      ? [...digests, entry]
      : [...digests.filter(([known]) => known < number), entry, ...digests.filter(([known]) => known > number)]
  return all.length > DIGESTS_KEPT ? all.slice(-DIGESTS_KEPT) : all
}
