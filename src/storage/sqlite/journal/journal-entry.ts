/**
 * Documents as the journal spells them: whole where it says nothing of them yet, else what changed since. A third of a
 * message's time went into writing the same members of a transaction again with every sample.
 */
import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { Documents } from '../../documents/pending-documents.ts'
import { type Difference, difference, withDifference } from './difference.ts'

/** The newest version of a document before an entry. */
export interface Known {
  readonly transaction: (chargePointId: string, transactionId: string) => Transaction | undefined
  readonly session: (id: string) => Session | undefined
}

type Whole<Record> = { readonly whole: Record }
type Since<Record> = Difference<Record> & { readonly id: string }

export interface JournalEntry extends Omit<Documents, 'transactions' | 'sessions'> {
  readonly transactions?: readonly (Whole<Transaction> | Since<Transaction>)[] | undefined
  readonly sessions?: readonly (Whole<Session> | Since<Session>)[] | undefined
}

/**
 * All that the rows before this one say of the charge point is in its tables, though some of them are still there. Put
 * together once more, a document would come back that was removed since, and to journals of older versions, which say
 * what came on top, a list would have its new entries twice (STORE-J2).
 */
export interface PlacedMark {
  readonly chargePointId: string
  readonly placed: true
}

/**
 * @param pending what the journal holds before this group. A charge point's second change within a group is written
 * whole: `pending` does not know the first.
 */
export function entriesOf(group: readonly Documents[], pending: Known): readonly JournalEntry[] {
  const met = new Set<string>()
  return group.map(({ chargePointId, status, connectors, transactions, sessions, records }) => {
    const known = met.has(chargePointId) ? undefined : pending
    met.add(chargePointId)
    return {
      chargePointId,
      status,
      connectors,
      records,
      transactions: transactions?.map((after) => {
        const id = after.transactionId
        return since(id, known?.transaction(chargePointId, id), after)
      }),
      sessions: sessions?.map((after) => since(after.id, known?.session(after.id), after)),
    }
  })
}

/** The documents of an entry; `known` has those of all entries before it. */
export function restored({ transactions, sessions, ...rest }: JournalEntry, known: Known): Documents {
  return {
    ...rest,
    transactions: transactions?.map((entry) =>
      'whole' in entry ? entry.whole : merged(known.transaction(rest.chargePointId, entry.id), entry),
    ),
    sessions: sessions?.map((entry) => ('whole' in entry ? entry.whole : merged(known.session(entry.id), entry))),
  }
}

function since<Record extends object>(id: string, before: Record | undefined, after: Record) {
  return before ? Object.assign(difference(before, after), { id }) : { whole: after }
}

function merged<Record extends object>(before: Record | undefined, change: Since<Record>): Record {
  if (!before) throw new Error(`The journal changes ${change.id} before it holds it: restore a backup.`)
  return withDifference(before, change)
}
