/** Samples beside a transaction's own messages: MeterValues of both versions (SESSION-A8 to SESSION-A10, ENERGY-N3). */

import { addSamples, isMeteredByEvents, lastSampleAt } from '../../energy/meter.ts'
import { type EvsePosition, samePlace } from '../../energy/place.ts'
import type { IdTokenRef } from '../../ports/id-tokens.ts'
import type { EarlierTransaction, Sample, Transaction } from '../../ports/sessions.ts'
import type { Input, Mention } from '../decision.ts'
import { type Draft, hasOwnTime, type MeteredTransaction, openTransactionsAt, withFlags } from '../draft.ts'
import { sameToken } from '../orders/authorise.ts'
import { transactionRecord } from '../records.ts'
import { type Ending, isUnauthorised, orphanEnding, stationEnding } from '../states/transition.ts'
import { followClosed, followOpen, putFlagged } from './follow.ts'
import { closeOrphan, trusted } from './orphans.ts'
import { isKept } from './sequence.ts'

type Sampled = Extract<Input, { kind: 'sampled' }>

export function onSampled(draft: Draft, input: Sampled): void {
  const { named, own, others } = dividedOf(draft, input)
  if (named && (own.length > 0 || others.length === 0)) addSampled(draft, named, { ...input, samples: own }, 'named')
  if (named && others.length === 0) return
  const rest = { ...input, samples: others }
  const meant = inferTransaction(draft, rest)
  if (meant) addSampled(draft, meant, rest, named ? 'doubtful' : 'unnamed')
}

function addSampled(
  draft: Draft,
  transaction: MeteredTransaction,
  { evseId, connectorId, samples }: Sampled,
  sign: 'named' | 'unnamed' | 'doubtful',
): void {
  const isNamed = sign === 'named'
  const within = isNamed ? samples : samples.filter((sample) => isWithin(transaction, sample))
  const isElsewhere = isNamed && isOfAnotherConnector(transaction, { evseId, connectorId })
  const doubtful = sign === 'doubtful' || isElsewhere
  const { meter, flags } = addSamples(transaction.meter, within, { evseId, connectorId, unnamed: !isNamed, doubtful })
  const metered = transactionRecord(transaction)
  metered.meter = meter
  metered.flags = withFlags(transaction.flags, flags)
  if (!transaction.open) {
    addLate(draft, metered)
    return
  }
  const alive = isNamed
    ? trusted(metered, draft.now)
    : { ...metered, lastSignOfLifeAt: draft.now, flags: withFlags(metered.flags, ['inferredTx']) }
  followOpen(draft, alive, newestAt(within) ?? draft.now)
}

/** The one that a value is about, said or found out; asked before it is counted. */
export function sampledTransaction(draft: Draft, input: Sampled): MeteredTransaction | undefined {
  const { named, own, others } = dividedOf(draft, input)
  return own.length > 0 ? named : (inferTransaction(draft, { ...input, samples: others }) ?? named)
}

interface Divided {
  readonly named: MeteredTransaction | undefined
  readonly own: readonly Sample[]
  /** SESSION-A9: those of the charge that ran on the connector at their time, if one did. */
  readonly others: readonly Sample[]
}

/** SESSION-A8: a station may use an ended charge's number (evcc#14673), or one connector and another's number. */
function dividedOf(draft: Draft, input: Sampled): Divided {
  const { samples } = input
  const named = ourTransaction(draft, input.transactionId)
  if (!named) return { named, own: NONE, others: samples }
  const until = ownUntil(draft, named, input)
  const isOwn = ({ at }: Sample): boolean => at.occurredAt < until
  if (samples.every(isOwn)) return { named, own: samples, others: NONE }
  return { named, own: samples.filter(isOwn), others: samples.filter((sample) => !isOwn(sample)) }
}

const NONE: readonly Sample[] = []

/** Station time from which on values that name it are none of its own: it had ended, or another one runs there. */
function ownUntil({ state }: Draft, named: MeteredTransaction, input: EvsePosition): number {
  const { open, endedBy, startedAt, stoppedAt, followedAt = Number.POSITIVE_INFINITY } = named
  const isElsewhere = isOfAnotherConnector(named, input)
  if (open && !isElsewhere) return Number.POSITIVE_INFINITY
  const end = endedBy === 'station' && stoppedAt ? stoppedAt.occurredAt : Number.NEGATIVE_INFINITY
  let until = end >= startedAt.occurredAt ? Math.min(followedAt, end + 1) : followedAt
  for (const other of state.transactions.values()) {
    if (!other.open || other.sequence || !samePlace(other, isElsewhere ? input : named)) continue
    const begun = other.startedAt.occurredAt
    if (isElsewhere || begun > startedAt.occurredAt) until = Math.min(until, begun)
  }
  return until
}

/** Connector 0 is the station, so any may be meant. */
export function isOfAnotherConnector({ connectorId = 0 }: Transaction, input: EvsePosition): boolean {
  return connectorId !== 0 && input.evseId === undefined && input.connectorId !== 0 && input.connectorId !== connectorId
}

/** SESSION-A8: facts for a closed transaction, whose figures are derived anew. */
export function addLate(draft: Draft, transaction: MeteredTransaction): void {
  const before = draft.transaction(transaction.transactionId)
  const { meter, activities, startedAt, flags } = transaction
  const isSame = before?.meter === meter && before.activities === activities && before.startedAt === startedAt
  if (isSame && isUnauthorised(before) === isUnauthorised(transaction)) {
    putFlagged(draft, transaction)
  } else {
    followClosed(draft, { ...transaction, flags: withFlags(flags, ['late']) }, endingOf)
  }
}

/** How a closed transaction ended, asked again with other figures. */
export function endingOf(transaction: MeteredTransaction, energyMilliWh: number): Ending {
  return transaction.endedBy === 'station'
    ? stationEnding(transaction, transaction.stopReason ?? 'Local', energyMilliWh)
    : orphanEnding(transaction, energyMilliWh)
}

/** SESSION-A9: the one open transaction there at the samples' time. ENERGY-N3: MeterValues may meter an EVSE alone. */
function inferTransaction(draft: Draft, { evseId, connectorId, samples }: Sampled): MeteredTransaction | undefined {
  if (evseId === undefined && connectorId === 0) return undefined
  const place = evseId === undefined ? { connectorId } : { evseId }
  const within = openTransactionsAt(draft, place).filter(
    (transaction) => isOfVersion(transaction, evseId) && samples.some((sample) => isWithin(transaction, sample)),
  )
  // A transaction that is replayed from a queue had ended when the open one began.
  const running = within.filter(({ flags }) => !flags.includes('historical'))
  const candidates = running.length > 0 ? running : within
  const [only] = candidates
  if (!only || candidates.length > 1) return undefined
  return only.sequence && isMeteredByEvents(only.meter) ? undefined : only
}

/** Only a station that counts EVSEs numbers its transactions itself. */
function isOfVersion({ sequence }: MeteredTransaction, evseId: number | undefined): boolean {
  return (sequence !== undefined) === (evseId !== undefined)
}

/** What a clock-aligned message still says of the time before is the connector's own. */
function isWithin({ startedAt }: MeteredTransaction, { at }: Sample): boolean {
  return at.occurredAt >= startedAt.occurredAt
}

function newestAt(samples: readonly Sample[]): number | undefined {
  let newest: number | undefined
  for (const { at } of samples) newest = Math.max(newest ?? at.occurredAt, at.occurredAt)
  return newest
}

/**
 * SESSION-B1: some 2.0.1 stations reuse a transaction's number, because counters restart with every boot or a number
 * was ours under 1.6. The earlier transaction gives up the number and is kept under a key of its own; late messages for
 * it are recognized by digest and time.
 */
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
