/** Documents as the journal spells them: whole the first time, else what changed since. */
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

/** Earlier rows are in place though still in the journal: replaying them would undo or duplicate (STORE-J2). */
export interface PlacedMark {
  readonly chargePointId: string
  readonly placed: true
}

/** @param pending what the journal holds before this group; a second change within a group is written whole */
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
