/**
 * SESSION-B1: some 2.0.1 stations reuse a transaction's number, because counters restart with every boot or a number
 * was ours under 1.6. The earlier transaction gives up the number and is kept under a key of its own; late messages for
 * it are recognized by digest and time.
 */

import { lastSampleAt } from '../../energy/meter.ts'
import type { IdTokenRef } from '../../ports/id-tokens.ts'
import type { EarlierTransaction, Transaction } from '../../ports/sessions.ts'
import type { Input, Mention } from '../decision.ts'
import type { Draft, MeteredTransaction } from '../draft.ts'
import { sameToken } from '../orders/authorise.ts'
import { hasOwnTime } from '../own-time.ts'
import { closeOrphan } from './orphans.ts'
import { isKept } from './sequence.ts'

type TransactionEvent = Extract<Input, { kind: 'transactionEvent' }>
type Transactions = Pick<ReadonlyMap<string, Transaction>, 'get'>

export function mentionOf({ at, sequenceNumber, digest, event }: TransactionEvent): Mention {
  return { at: at.occurredAt, sequenceNumber, digest, ends: event === 'ended' }
}

/** The key of the transaction that is meant, of those in memory. Undefined: none of ours had that number. */
export function keyOf(transactions: Transactions, number: string, mention: Mention = {}): string | undefined {
  return find(transactions, number, mention).key
}

/** What must be loaded before `keyOf` is right; it may name one that does not exist. */
export function missingKey(transactions: Transactions, number: string, mention: Mention = {}): string | undefined {
  return find(transactions, number, mention).missing
}

/** The transaction that has, or had, this number from us. */
export function ourTransaction(draft: Draft, number: string | undefined): MeteredTransaction | undefined {
  const key = number === undefined ? undefined : keyOf(draft.state.transactions, number, { ours: true })
  return key === undefined ? undefined : draft.transaction(key)
}

interface Found {
  readonly key: string | undefined
  readonly missing?: string | undefined
}

/** From the newest holder of the number to the ones before it. */
function find(transactions: Transactions, number: string, mention: Mention): Found {
  const { ours, at = Number.POSITIVE_INFINITY } = mention
  let newest: string | undefined
  let byTime: string | undefined
  let key = number
  for (;;) {
    const transaction = transactions.get(key)
    if (!transaction) return { key: byTime ?? newest ?? number, missing: key }
    const { sequence, earlier } = transaction
    // Most numbers name one transaction only.
    if (!earlier && key === number) return { key: ours && sequence ? undefined : key }
    if (ours && !sequence) return { key }
    if (!ours && sequence) {
      if (said(sequence, mention)) return { key }
      if (
        byTime === undefined &&
        newest !== undefined &&
        isAnotherEnd(transaction, transactions.get(newest), mention)
      ) {
        byTime = newest
      }
      if (byTime === undefined) newest = key
    }
    if (!earlier) return { key: ours ? undefined : (byTime ?? newest ?? number) }
    if (!ours) {
      if (byTime === undefined && at > earlier.until) byTime = newest ?? number
      if (byTime !== undefined && at > (earlier.overlapsUntil ?? earlier.until)) return { key: byTime }
    }
    key = earlier.transactionId
  }
}

function said(sequence: NonNullable<Transaction['sequence']>, { sequenceNumber, digest }: Mention): boolean {
  return sequenceNumber !== undefined && digest !== undefined && isKept(sequence, sequenceNumber, digest)
}

/** The earlier one has its end: this one is the running one's, whose clock was set back (SESSION-B2). */
function isAnotherEnd(earlier: Transaction, running: Transaction | undefined, { ends, at, digest }: Mention): boolean {
  if (!ends || !running?.open || earlier.endedBy !== 'station') return false
  return earlier.stopDigest !== digest && earlier.stoppedAt?.occurredAt !== at
}

/**
 * SESSION-B1: a start with other content that is later than the known transaction's end, newest event or boot, or by
 * another card. A number that we gave names nothing that a station numbers. Any other start goes on with its
 * transaction: it comes late, or the count began again.
 */
export function beginsAnew(draft: Draft, known: MeteredTransaction, input: TransactionEvent): boolean {
  const { event, sequenceNumber, digest, at, trigger } = input
  if (!known.sequence) return true
  if (event !== 'started' || trigger === 'TxResumed' || isKept(known.sequence, sequenceNumber, digest)) return false
  const hasItsStart = !known.flags.includes('recovered')
  if (hasItsStart && isAnotherCard(known.idToken, input.idToken)) return true
  if (!hasOwnTime(at)) return false
  if (at.occurredAt > (known.endedBy === 'station' ? endOf(known) : newestOf(known))) return true
  return hasItsStart && at.occurredAt > (bootedSince(draft, known) ?? Number.POSITIVE_INFINITY)
}

/** When the station booted, if it has not spoken of this transaction since. */
export function bootedSince(draft: Draft, { lastSignOfLifeAt }: MeteredTransaction): number | undefined {
  const { bootedAt } = draft.status
  return bootedAt !== undefined && bootedAt > lastSignOfLifeAt ? bootedAt : undefined
}

/**
 * Ends it by the orphan rule if it is open, and keeps it under another key: a session's id is unique, and longer than
 * any station's number. @param start station time of the first message of the transaction that gets the number
 */
export function giveUpNumber(draft: Draft, known: MeteredTransaction, start: number): EarlierTransaction {
  if (known.open) closeOrphan(draft, known, known.sequence?.newestAt ?? start)
  const over = draft.transaction(known.transactionId) ?? known
  const transactionId = `${over.transactionId}@${over.sessionId}`
  draft.putTransaction({ ...over, transactionId })
  const end = endOf(over)
  const until = over.endedBy === 'station' && end < start ? end : start - 1
  const last = Math.max(newestOf(over), over.earlier?.overlapsUntil ?? 0)
  return { transactionId, until, overlapsUntil: last > until ? last : undefined }
}

/** Both transactions name a card, and the cards differ. */
function isAnotherCard(a: IdTokenRef | undefined, b: IdTokenRef | undefined): boolean {
  if (!a || !b) return false
  const isCard = ({ id, type }: IdTokenRef): boolean => id !== '' && id !== HIDDEN && type !== 'NoAuthorization'
  return isCard(a) && isCard(b) && !sameToken(a.id, b.id)
}

const HIDDEN = '***'

function endOf({ startedAt, stoppedAt }: Transaction): number {
  return Math.max(startedAt.occurredAt, stoppedAt?.occurredAt ?? startedAt.occurredAt)
}

function newestOf(transaction: MeteredTransaction): number {
  const { sequence, meter } = transaction
  return Math.max(endOf(transaction), sequence?.newestAt ?? 0, lastSampleAt(meter) ?? 0)
}
