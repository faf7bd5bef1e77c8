/** Where on the charge point something happened, whichever way the version counts its outlets. */
import type { Draft, MeteredTransaction } from './draft.ts'

export interface Place {
  readonly evseId?: number | undefined
  readonly connectorId?: number | undefined
}

/** Only one transaction at a time may run on an outlet (E01.FR.14): 1.6 counts connectors, 2.0.1 EVSEs. */
export function sameOutlet(a: Place, b: Place): boolean {
  const outlet = a.evseId ?? a.connectorId
  return outlet !== undefined && outlet !== 0 && outlet === (b.evseId ?? b.connectorId)
}

/** The same outlet, and the same connector of it where both sides name theirs. */
export function samePlace(a: Place, b: Place): boolean {
  if (!sameOutlet(a, b)) return false
  if (a.evseId === undefined || b.evseId === undefined) return true
  return a.connectorId === undefined || b.connectorId === undefined || a.connectorId === b.connectorId
}

export function openTransactionsAt(draft: Draft, place: Place): readonly MeteredTransaction[] {
  const found: MeteredTransaction[] = []
  for (const transaction of draft.transactions()) {
    if (transaction.open && samePlace(transaction, place)) found.push(transaction)
  }
  return found
}

/** The one that runs there now: a transaction that is only replayed from a queue is history (SESSION-A6). */
export function runningTransactionAt(draft: Draft, place: Place): MeteredTransaction | undefined {
  const open = openTransactionsAt(draft, place)
  return open.find(({ flags }) => !flags.includes('historical')) ?? open[0]
}
