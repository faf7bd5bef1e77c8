/**
 * Samples that come beside the transaction's own messages: 1.6 MeterValues, 2.0.1 MeterValues (SESSION-A8 to
 * SESSION-A10, ENERGY-N3).
 */

import { addSamples, isMeteredByEvents } from '../../energy/meter.ts'
import type { Sample } from '../../ports/sessions.ts'
import type { Input } from '../decision.ts'
import { type Draft, type MeteredTransaction, withFlags } from '../draft.ts'
import { openTransactionsAt } from '../open-transactions.ts'
import { type Ending, isUnauthorised, orphanEnding, stationEnding } from '../states/ending.ts'
import { followClosed, followOpen, putFlagged } from './follow.ts'
import { trusted } from './orphans.ts'
import { ourTransaction } from './reused-number.ts'

type Sampled = Extract<Input, { kind: 'sampled' }>

export function onSampled(draft: Draft, input: Sampled): void {
  const named = ourTransaction(draft, input.transactionId)
  const transaction = named ?? inferTransaction(draft, input)
  if (!transaction) return
  const samples = named ? input.samples : input.samples.filter((sample) => isWithin(transaction, sample))
  const { evseId, connectorId } = input
  const { meter, flags } = addSamples(transaction.meter, samples, { evseId, connectorId, unnamed: !named })
  const metered = { ...transaction, meter, flags: withFlags(transaction.flags, flags) }
  if (!transaction.open) {
    addLate(draft, metered)
    return
  }
  const alive = named
    ? trusted(metered, draft.now)
    : { ...metered, lastSignOfLifeAt: draft.now, flags: withFlags(metered.flags, ['inferredTx']) }
  followOpen(draft, alive, newestAt(samples) ?? draft.now)
}

/** The one that they are about, said or found out; asked before they are counted. */
export function sampledTransaction(draft: Draft, input: Sampled): MeteredTransaction | undefined {
  return ourTransaction(draft, input.transactionId) ?? inferTransaction(draft, input)
}

/**
 * SESSION-A8: facts for a transaction that is already closed; its figures are derived anew. Nothing new changes
 * nothing.
 */
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

/**
 * SESSION-A9: the one open transaction on that connector which samples of the message lie within. The station itself
 * has none. ENERGY-N3: a 2.0.1 station may meter an EVSE by MeterValues alone, which name no transaction.
 */
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
