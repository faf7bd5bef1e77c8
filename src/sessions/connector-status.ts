/** What a connector says about itself (S2, A15, B12). */
import { newestOrder, withActivity } from './activities.ts'
import type { ConnectorReport } from './decision.ts'
import type { Draft, MeteredTransaction } from './draft.ts'
import { lastSampleAt } from './energy/meter.ts'
import { followOpen, putFlagged } from './follow.ts'
import type { Outcome } from './model.ts'
import { timed, trusted } from './orphans.ts'
import { runningTransactionAt } from './place.ts'

export function onConnectorStatus(draft: Draft, input: ConnectorReport): Outcome {
  if (!storeStatus(draft, input)) return {}
  const transaction = runningTransactionAt(draft, input)
  if (!transaction) return {}
  if (transaction.sequence) noticeIdle(draft, transaction, input)
  else followStatus(draft, transaction, input)
  return {}
}

/** Replayed and reordered ones stay in the log; without a time of its own a status is as new as its receipt. */
function storeStatus(draft: Draft, { evseId, connectorId, status, errorCode, at }: ConnectorReport): boolean {
  const known = draft.connector(evseId, connectorId)
  // A stored time that lies ahead of us is a clock's error and must not silence the connector until we get there.
  if (known && at.original !== undefined && at.occurredAt < known.updatedAt && known.updatedAt <= draft.now)
    return false
  draft.putConnector({
    ...(evseId !== undefined && { evseId }),
    connectorId,
    status,
    ...(errorCode !== undefined && { errorCode }),
    updatedAt: at.occurredAt,
  })
  return true
}

/** 1.6: the connector's status is the session's state. Faulted and the rest change nothing. */
function followStatus(draft: Draft, transaction: MeteredTransaction, { activity, at }: ConnectorReport): void {
  if (at.occurredAt < transaction.startedAt.occurredAt) return
  switch (activity) {
    case 'charging':
    case 'suspendedEv':
    case 'suspendedEvse':
    case 'finishing': {
      const { activities } = transaction
      const active = {
        ...transaction,
        activities: withActivity(activities, [newestOrder(activities), at.occurredAt, activity]),
        lastSignOfLifeAt: draft.now,
      }
      followOpen(draft, activity === 'charging' ? trusted(active, draft.now) : active, at.occurredAt)
      return
    }
    case 'available':
      if (isAfterSamples(transaction, at.occurredAt)) putFlagged(draft, timed(transaction, draft.now))
      return
    case 'preparing': {
      // Preparing is normal before a start; after a boot it says that the old transaction is over.
      const booted = transaction.flags.includes('suspect')
      if (booted && isAfterSamples(transaction, at.occurredAt)) putFlagged(draft, timed(transaction, draft.now))
      return
    }
    default:
  }
}

/** B12: where the transaction speaks for itself, a free connector only raises the question. */
function noticeIdle(draft: Draft, transaction: MeteredTransaction, { activity, at }: ConnectorReport): void {
  if (activity !== 'available' || !isAfterSamples(transaction, at.occurredAt)) return
  if (transaction.suspectSince !== undefined) return
  putFlagged(draft, timed(transaction, draft.now))
  draft.ask({ kind: 'transactionStatus', transactionId: transaction.transactionId })
}

function isAfterSamples({ meter, startedAt }: MeteredTransaction, at: number): boolean {
  return at >= (lastSampleAt(meter) ?? startedAt.occurredAt)
}
