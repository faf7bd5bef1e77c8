/**
 * SESSION-B2 to SESSION-B5: which messages of a station-numbered transaction were seen, and their place in the
 * station's order. A count that begins again stands behind everything before.
 */
import type { Transaction } from '../../ports/sessions.ts'

export type Sequence = NonNullable<Transaction['sequence']>
type Ranges = Sequence['ranges']

/** `repeated`: the same message, no second effect. `conflict`: another one had its number, or it is no number. */
export type Observation = 'new' | 'repeated' | 'conflict'

export interface Observed {
  readonly observation: Observation
  readonly sequence: Sequence
  /** No message of a later place in the station's order has been seen: its activity is the present one. */
  readonly newest: boolean
  /** Its place in the station's order; undefined: only its time says where it belongs, and that is in the past. */
  readonly order?: number | undefined
}

/** What else shows whether the station's count began again. */
export interface Signs {
  /** The station began or ended the transaction with this message. */
  readonly event?: 'started' | 'updated' | 'ended' | undefined
  /** When it booted, by our clock, if that was after it last spoke of the transaction. */
  readonly bootedAt?: number | undefined
}

/** Retries concern the newest messages; 64 cover a replayed outage of an hour at one per minute. */
const DIGESTS_KEPT = 64
/** A hostile station could leave gaps without end. A forgotten message is applied again, which changes nothing. */
const RANGES_KEPT = 1024
/** Digits of the payload's hash: enough to tell two messages of one number apart. */
const DIGEST_LENGTH = 12

const UNSEEN: Sequence = {
  ranges: [],
  digests: [],
  highest: -1,
  ended: undefined,
  newestAt: undefined,
  base: undefined,
  began: undefined,
  before: undefined,
}

/**
 * Numbers arrive in any order and start anywhere (SESSION-B3, SESSION-B4). A number used twice and not older than the
 * newest event or boot restarts the count (SESSION-B2). Where its first message is forgotten, an older time means a
 * repetition, unless it ends the transaction.
 */
export function observe(
  known: Sequence | undefined,
  number: number,
  fullDigest: string,
  at: number,
  { event, bootedAt }: Signs = {},
): Observed {
  const sequence = known ?? UNSEEN
  const { base = 0, began, before, ranges, highest } = sequence
  // Of one count, what is beyond all numbers so far was never seen.
  if (!before && base === 0 && number > highest && Number.isSafeInteger(number)) {
    return unseen(sequence, number, fullDigest, at)
  }
  const newestAt = sequence.newestAt ?? Number.NEGATIVE_INFINITY
  if (isKept(sequence, number, fullDigest)) return repeated(sequence)
  if (number < 0 || !Number.isSafeInteger(top(sequence) + number)) {
    const newest = at >= newestAt
    if (!newest) return { observation: 'conflict', sequence, newest }
    return { observation: 'conflict', sequence: { ...sequence, newestAt: at }, newest, order: top(sequence) }
  }
  const digests = withDigest(sequence.digests, number, fullDigest.slice(0, DIGEST_LENGTH))
  const isForgotten = !sequence.digests.some(([kept]) => kept === number)
  if (before && at < (began ?? 0)) {
    const isOlder = before.began !== undefined && at < before.began
    if (isOlder || covers(before.ranges, number)) {
      if (isForgotten && !isOlder && event !== 'ended') return repeated(sequence)
      return { observation: 'conflict', sequence: { ...sequence, digests }, newest: false }
    }
    return straggler({ ...sequence, digests }, before, number)
  }
  if (covers(ranges, number)) {
    const isLater = at > Math.min(newestAt, bootedAt ?? newestAt)
    if (isLater || (!isForgotten && (at === newestAt || bootedAt !== undefined)))
      return countAgain({ ...sequence, digests }, number, at)
    if (isForgotten && event !== 'ended') return repeated(sequence)
    return { observation: 'conflict', sequence: { ...sequence, digests }, newest: false }
  }
  const newest = number > highest
  if (!newest && at > newestAt && (bootedAt !== undefined || (number === 0 && event === 'updated'))) {
    return countAgain({ ...sequence, digests }, number, at)
  }
  return {
    observation: 'new',
    newest,
    order: base + number,
    sequence: {
      ranges: withNumber(ranges, number),
      digests,
      highest: newest ? number : highest,
      ended: sequence.ended,
      newestAt: newest ? at : sequence.newestAt,
      base: sequence.base,
      began,
      before,
    },
  }
}

function unseen(sequence: Sequence, number: number, fullDigest: string, at: number): Observed {
  return {
    observation: 'new',
    newest: true,
    order: number,
    sequence: {
      ranges: withNumber(sequence.ranges, number),
      digests: withDigest(sequence.digests, number, fullDigest.slice(0, DIGEST_LENGTH)),
      highest: number,
      ended: sequence.ended,
      newestAt: at,
      base: sequence.base,
      began: sequence.began,
      before: undefined,
    },
  }
}

/** This very message was seen, as far as that is still known. */
export function isKept({ digests }: Sequence, number: number, fullDigest: string): boolean {
  const digest = fullDigest.slice(0, DIGEST_LENGTH)
  return digests.some(([kept, of]) => kept === number && of === digest)
}

/** Orders between which nothing can come any more. */
export function settledOrders({ ranges, base = 0, before }: Sequence): Ranges {
  if (!before) return ranges
  return [[Number.NEGATIVE_INFINITY, before.base - 1], ...moved(before.ranges, before.base), ...moved(ranges, base)]
}

/** SESSION-B3: complete = every number between the first and the last. */
export function hasGaps({ ranges, before }: Sequence): boolean {
  return ranges.length > 1 || (before !== undefined && before.ranges.length > 1)
}

/** Behind which messages of an ended transaction are none of its charge (ENERGY-N6), as the meter counts them. */
export function orderOfEnd({ base = 0, ended = -1 }: Sequence): number {
  return ended < 0 ? Number.POSITIVE_INFINITY : 1 + base + ended
}

function top({ base = 0, highest }: Sequence): number {
  return base + highest
}

/** The count begins again behind everything seen; what is still to come of the one before is known by its time. */
function countAgain(sequence: Sequence, number: number, at: number): Observed {
  const base = top(sequence) + 1
  return {
    observation: 'conflict',
    newest: true,
    order: base + number,
    sequence: {
      ...sequence,
      ranges: [[number, number]],
      highest: number,
      newestAt: at,
      base,
      began: at,
      before: { ranges: sequence.ranges, base: sequence.base ?? 0, began: sequence.began },
    },
  }
}

/** It belongs to the count before: nothing of that stands behind the present one. */
function straggler(sequence: Sequence, before: NonNullable<Sequence['before']>, number: number): Observed {
  const ranges = withNumber(before.ranges, number)
  const order = Math.min(before.base + number, (sequence.base ?? 0) - 1)
  return { observation: 'new', sequence: { ...sequence, before: { ...before, ranges } }, newest: false, order }
}

function repeated(sequence: Sequence): Observed {
  return { observation: 'repeated', sequence, newest: false }
}

function covers(ranges: Ranges, number: number): boolean {
  return ranges.some(([first, last]) => first <= number && number <= last)
}

function moved(ranges: Ranges, by: number): Ranges {
  return by === 0 ? ranges : ranges.map(([first, last]) => [first + by, last + by] as const)
}

function withNumber(ranges: Ranges, number: number): Ranges {
  const last = ranges.at(-1)
  if (last && last[1] + 1 === number) return ranges.with(-1, [last[0], number])
  const before = ranges.filter(([, end]) => end < number - 1)
  const after = ranges.filter(([start]) => start > number + 1)
  const touched = ranges.slice(before.length, ranges.length - after.length)
  const start = Math.min(number, touched[0]?.[0] ?? number)
  const end = Math.max(number, touched.at(-1)?.[1] ?? number)
  return newestOf([...before, [start, end] as const, ...after], RANGES_KEPT)
}

function withDigest(digests: Sequence['digests'], number: number, digest: string): Sequence['digests'] {
  return newestOf(digests.toSpliced(digests.length, 0, [number, digest]), DIGESTS_KEPT)
}

/** At least that many; the oldest leave together, so that most messages only add to the end of the list. */
function newestOf<T>(list: readonly T[], kept: number): readonly T[] {
  return list.length < 2 * kept ? list : list.slice(-kept)
}
