/** What a connector says about itself (SESSION-S2, SESSION-A15, SESSION-B12). */

import { credibleEnergy, lastSampleAt } from '../../energy/meter.ts'
import { STEP_BACK } from '../../energy/plausibility.ts'
import type { Activity, ActivityEntry, Outcome, StationTime } from '../../ports/sessions.ts'
import { noteStatus, wasAway } from '../../timeline/rules.ts'
import type { ConnectorReport } from '../decision.ts'
import { type Draft, happenedAt, hasOwnTime, type MeteredTransaction, runningTransactionAt } from '../draft.ts'
import { transactionRecord } from '../records.ts'
import { followOpen, putFlagged } from '../transactions/follow.ts'
import { timed, trusted } from '../transactions/orphans.ts'
import { ASSUMED, newestOrder, newestTime, withActivity } from './activities.ts'
import { isSuspension } from './folded-activities.ts'

/** @param part which report of its message it is */
export function onConnectorStatus(draft: Draft, input: ConnectorReport, part = 0): Outcome {
  if (!storeStatus(draft, input, part)) return {}
  const transaction = runningTransactionAt(draft, input)
  if (!transaction || isBeforeIt(draft, transaction, input.at)) return {}
  const at = occurredAt(draft, transaction, input.at)
  if (transaction.sequence) noticeIdle(draft, transaction, input.activity, at)
  else followStatus(draft, transaction, input.activity, at)
  return {}
}

/** A status that is older than this is rather one of a clock that was put right. */
const OVERTAKEN_MS = 3_600_000

/** SESSION-T4: one from a queue stays in the log; else a status is as new as its receipt. */
function storeStatus(draft: Draft, report: ConnectorReport, part: number): boolean {
  const { evseId, connectorId, status, errorCode, vendorErrorCode, info, at } = report
  const known = draft.connector(evseId, connectorId)
  const byStation = hasOwnTime(at)
  // Only times of one clock can be compared.
  const isOlder = byStation && known?.byStation === true && at.occurredAt < known.updatedAt
  const isOvertaken = report.newestWins === true && at.occurredAt > (known?.updatedAt ?? 0) - OVERTAKEN_MS
  if (isOlder && (isOvertaken || wasAway(draft, happenedAt(at, draft.status)))) return false
  const updatedAt = at.occurredAt
  noteStatus(draft, known, report, part)
  draft.putConnector({
    evseId,
    connectorId,
    status,
    errorCode,
    vendorErrorCode,
    info,
    updatedAt,
    byStation: byStation || undefined,
  })
  return true
}

/** Station time, but of receipt where it is missing or before what came already: the clock is wrong or was set back. */
function occurredAt({ status }: Draft, { startedAt, activities, meter }: MeteredTransaction, at: StationTime): number {
  const newest = Math.max(startedAt.occurredAt, newestTime(activities))
  if (hasOwnTime(at) && at.occurredAt >= Math.max(newest, lastSampleAt(meter) ?? 0)) return at.occurredAt
  const aheadMs = Math.max(status.clockAheadMs ?? 0, startedAt.occurredAt - startedAt.receivedAt)
  return Math.max(newest, at.receivedAt + aheadMs)
}

/** It came before the transaction, or waited in a queue while that began. */
function isBeforeIt(draft: Draft, { startedAt }: MeteredTransaction, at: StationTime): boolean {
  if (at.receivedAt < startedAt.receivedAt) return true
  return hasOwnTime(at) && at.occurredAt < startedAt.occurredAt && wasAway(draft, happenedAt(at, draft.status))
}

/** 1.6: the connector's status is the session's state. Faulted and the rest change nothing. */
function followStatus(draft: Draft, transaction: MeteredTransaction, activity: Activity, at: number): void {
  switch (activity) {
    case 'charging':
    case 'suspendedEv':
    case 'suspendedEvse':
    case 'finishing': {
      const activities = provenActivities(transaction, activity, at)
      const active = transactionRecord(transaction)
      active.activities = withActivity(activities, [newestOrder(activities), at, activity], undefined, () =>
        lastSampleAt(transaction.meter),
      )
      active.lastSignOfLifeAt = draft.now
      followOpen(draft, activity === 'charging' ? trusted(active, draft.now) : active, at)
      return
    }
    case 'available':
      if (isAfterSamples(transaction, at)) putFlagged(draft, timed(transaction, draft.now))
      return
    case 'preparing': {
      // Preparing is normal before a start; after a boot it says that the old transaction is over.
      const booted = transaction.flags.includes('suspect')
      if (booted && isAfterSamples(transaction, at)) putFlagged(draft, timed(transaction, draft.now))
      return
    }
    default:
  }
}

/** A car that waits for its turn, or has not asked yet, says so at once. */
const SOON_MS = 60_000

/** COST-L1: an assumed charging counts if the connector says it or energy flowed; not if samples say that none did. */
function provenActivities({ activities = [], meter }: MeteredTransaction, activity: Activity, at: number) {
  const [first, ...rest] = activities
  if (!first || first[0] !== ASSUMED) return activities
  const proven: ActivityEntry = [0, first[1], first[2]]
  if (credibleEnergy(meter).energyMilliWh > STEP_BACK) return [proven, ...rest]
  if (rest.length === 0 && activity === 'charging') return [proven]
  const isAtOnce = rest.length === 0 && isSuspension(activity) && at - first[1] < SOON_MS
  if (isAtOnce || lastSampleAt(meter) !== undefined) return rest
  return activity === 'charging' ? [proven, ...rest] : activities
}

/** SESSION-B12: where the transaction speaks for itself, a free connector only raises the question. */
function noticeIdle(draft: Draft, transaction: MeteredTransaction, activity: Activity, at: number): void {
  if (activity !== 'available' || !isAfterSamples(transaction, at)) return
  if (transaction.suspectSince !== undefined) return
  putFlagged(draft, timed(transaction, draft.now))
  draft.ask({ kind: 'transactionStatus', transactionId: transaction.transactionId })
}

function isAfterSamples({ meter, startedAt }: MeteredTransaction, at: number): boolean {
  return at >= (lastSampleAt(meter) ?? startedAt.occurredAt)
}
