/** The transactions that run on an outlet. */
import type { Draft, MeteredTransaction } from './draft.ts'
import { type EvsePosition, samePlace } from './place.ts'

export function openTransactionsAt(draft: Draft, place: EvsePosition): readonly MeteredTransaction[] {
  const found: MeteredTransaction[] = []
  for (const transaction of draft.transactions()) {
    if (transaction.open && samePlace(transaction, place)) found.push(transaction)
  }
  return found
}

/** The one that runs there now: a transaction that is only replayed from a queue is history (SESSION-A6). */
export function runningTransactionAt(draft: Draft, place: EvsePosition): MeteredTransaction | undefined {
  const open = openTransactionsAt(draft, place)
  return open.find(({ flags }) => !flags.includes('historical')) ?? open[0]
}
