/**
 * Some 2.0.1 stations give the number of a transaction that is over to their next one: their counters begin again with
 * every boot, or they know one number only. B1 lets a number name one transaction, so the one that is over gives it up
 * and is kept under a key of its own; what still comes for it is told by its time.
 */
import type { Input } from './decision.ts'
import type { Draft, MeteredTransaction } from './draft.ts'
import type { Transaction } from './model.ts'
import { hasOwnTime } from './own-time.ts'
import { isAnother } from './sequence.ts'

type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>
type Earlier = NonNullable<Transaction['earlier']>

/**
 * The key of the transaction that a message of that time speaks of: not later than the end of an earlier one of that
 * number, it is a retry or a straggler of that one. The key may name what is not loaded yet.
 * @param at station time in milliseconds; undefined: now, so the newest one.
 */
export function keyAt(
  transactions: Pick<ReadonlyMap<string, Transaction>, 'get'>,
  transactionId: string,
  at = Number.POSITIVE_INFINITY,
): string {
  let key = transactionId
  for (;;) {
    const earlier = transactions.get(key)?.earlier
    if (!earlier || at > earlier.until) return key
    key = earlier.transactionId
  }
}

/**
 * A second start, with other content than the first, later than the end that the station itself reported. Without a time
 * of its own, or before such an end, a count that begins again goes on with its transaction (B2).
 */
export function beginsAnew(known: MeteredTransaction, input: TransactionEvent): boolean {
  const { event, sequenceNumber, digest, at } = input
  if (event !== 'started' || sequenceNumber !== 0 || known.endedBy !== 'station' || !known.sequence) return false
  return hasOwnTime(at) && at.occurredAt > endOf(known) && isAnother(known.sequence, sequenceNumber, digest)
}

/** Keeps it under another key. A session's id makes the key unique, and longer than any number a station may give. */
export function giveUpNumber(draft: Draft, over: MeteredTransaction): Earlier {
  const transactionId = `${over.transactionId}@${over.sessionId}`
  draft.putTransaction({ ...over, transactionId })
  return { transactionId, until: endOf(over) }
}

function endOf({ startedAt, stoppedAt }: MeteredTransaction): number {
  return Math.max(startedAt.occurredAt, stoppedAt?.occurredAt ?? startedAt.occurredAt)
}
