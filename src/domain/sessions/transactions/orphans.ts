/** Transactions whose end was never reported (SESSION-A15, SESSION-A6, SESSION-B10), closed by the best estimate. */

import { lastSampleAt } from '../../energy/meter.ts'
import { type EvsePosition, sameOutlet } from '../../energy/place.ts'
import type { ChargePointState, StationTime, Transaction } from '../../ports/sessions.ts'
import type { Request, SessionSettings } from '../decision.ts'
import { type Draft, type MeteredTransaction, withFlags, withoutFlag } from '../draft.ts'
import type { Writable } from '../records.ts'
import { orphanEnding } from '../states/transition.ts'
import { followClosed } from './follow.ts'

/** The transaction may be over; nothing is closed for that alone (SESSION-A15). */
export function doubted(transaction: MeteredTransaction): MeteredTransaction {
  return { ...transaction, flags: withFlags(transaction.flags, ['suspect']) }
}

/** As `doubted`, and the orphan timer runs from the first such sign. */
export function timed(transaction: MeteredTransaction, now: number): MeteredTransaction {
  return { ...doubted(transaction), suspectSince: transaction.suspectSince ?? now }
}

/** It sent a message, or its connector charges: no suspicion is left. */
export function trusted(transaction: Writable<MeteredTransaction>, now: number): MeteredTransaction {
  transaction.suspectSince = undefined
  transaction.queueExpectedUntil = undefined
  transaction.lastSignOfLifeAt = now
  transaction.flags = withoutFlag(transaction.flags, 'suspect')
  return transaction
}

/** Whether the question is still open: the station may have answered it by itself meanwhile. */
export function isOpenQuestion({ transactions }: Pick<ChargePointState, 'transactions'>, request: Request): boolean {
  switch (request.kind) {
    case 'triggerBoot':
      return true
    case 'transactionStatus': {
      const transaction = transactions.get(request.transactionId)
      return transaction?.flags.includes(transaction.open ? 'suspect' : 'incomplete') === true
    }
    case 'triggerStatus':
      // Its connector was not heard of since the boot, else the doubt were gone or its timer ran.
      return [...transactions.values()].some(
        (transaction) =>
          transaction.open &&
          transaction.flags.includes('suspect') &&
          transaction.suspectSince === undefined &&
          transaction.evseId === request.evseId &&
          transaction.connectorId === request.connectorId,
      )
  }
}

/** When the orphan rule closes it, unless a sign of life comes first. */
export function orphanAt(transaction: Transaction, settings: SessionSettings): number {
  const silent = transaction.lastSignOfLifeAt + settings.silenceTimeoutMs
  if (transaction.suspectSince === undefined) return silent
  const patience = transaction.suspectSince + settings.orphanTimeoutMs
  return Math.min(silent, Math.max(patience, transaction.queueExpectedUntil ?? patience))
}

/**
 * SESSION-A15: closes with the newest trustworthy sample; a late real stop replaces it (SESSION-A12). @param fallbackAt
 * the end without a sample @param followedAt station time of the start that took its place
 */
export function closeOrphan(
  draft: Draft,
  transaction: MeteredTransaction,
  fallbackAt: number,
  followedAt?: number,
): void {
  const occurredAt = Math.max(transaction.startedAt.occurredAt, lastSampleAt(transaction.meter) ?? fallbackAt)
  const flags = withFlags(withoutFlag(transaction.flags, 'suspect'), ['inferred'])
  followClosed(
    draft,
    {
      ...transaction,
      suspectSince: undefined,
      queueExpectedUntil: undefined,
      flags,
      open: false,
      followedAt,
      endedBy: 'orphanRule',
      stoppedAt: { occurredAt, receivedAt: draft.now },
    },
    orphanEnding,
  )
}

/** SESSION-A6, SESSION-B10: earlier ones on the outlet end; a later one stays open, the start is an old queued one. */
export function supersede(
  draft: Draft,
  place: EvsePosition,
  startedAt: StationTime,
  except?: string,
): 'running' | 'historical' {
  let historical = false
  for (const transaction of draft.transactions()) {
    if (!transaction.open || transaction.transactionId === except || !sameOutlet(transaction, place)) continue
    if (transaction.startedAt.occurredAt > startedAt.occurredAt) historical = true
    else closeOrphan(draft, transaction, startedAt.occurredAt, startedAt.occurredAt)
  }
  return historical ? 'historical' : 'running'
}

export function closeOverdue(draft: Draft): void {
  const { now, context } = draft
  closeWhere(draft, (transaction) => orphanAt(transaction, context.settings) <= now)
}

/** The charge point is removed, so no end can come any more. */
export function closeAll(draft: Draft): void {
  closeWhere(draft, () => true)
}

function closeWhere(draft: Draft, isOver: (transaction: MeteredTransaction) => boolean): void {
  for (const transaction of draft.transactions()) {
    if (transaction.open && isOver(transaction)) {
      closeOrphan(draft, transaction, transaction.suspectSince ?? transaction.lastSignOfLifeAt)
    }
  }
}
