/** Samples beside a transaction's own messages: MeterValues of both versions (SESSION-A8 to SESSION-A10, ENERGY-N3). */

import { addSamples, isMeteredByEvents } from '../../energy/meter.ts'
import { type EvsePosition, samePlace } from '../../energy/place.ts'
import type { Sample, Transaction } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { type Draft, type MeteredTransaction, openTransactionsAt, withFlags } from '../draft.ts'
import { transactionRecord } from '../records.ts'
import { type Ending, isUnauthorised, orphanEnding, stationEnding } from '../states/transition.ts'
import { followClosed, followOpen, putFlagged } from './follow.ts'
import { trusted } from './orphans.ts'
import { ourTransaction } from './reused-number.ts'

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
