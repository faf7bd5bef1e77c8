/** Which way a session may go (SESSION-S3). */
import type { EndReason, SessionState } from '../../ports/sessions.ts'
import type { MeteredTransaction } from '../draft.ts'
import { hasGaps } from '../transactions/sequence.ts'
import { firstChargingAt } from './activities.ts'

const RANK: Readonly<Record<SessionState, number>> = {
  pending: 0,
  charging: 1,
  suspended: 1,
  finishing: 2,
  completed: 3,
  failed: 3,
}

export function isTerminal(state: SessionState): boolean {
  return state === 'completed' || state === 'failed'
}

/**
 * SESSION-S3: only charging <-> suspended goes back, and finishing without a stop. @param mayResume no stop was asked
 * for
 */
export function next(state: SessionState, seen: SessionState, mayResume = false): SessionState {
  if (isTerminal(state)) return state
  if (isFlip(state, seen) || (mayResume && isResumption(state, seen))) return seen
  return RANK[seen] > RANK[state] ? seen : state
}

function isResumption(state: SessionState, seen: SessionState): boolean {
  return state === 'finishing' && (seen === 'charging' || seen === 'suspended')
}

function isFlip(state: SessionState, seen: SessionState): boolean {
  return (state === 'charging' && seen === 'suspended') || (state === 'suspended' && seen === 'charging')
}

/** How a session ends (SESSION-S4). */
export interface Ending {
  readonly state: 'completed' | 'failed'
  readonly endReason: EndReason
}

/** @param reason the station's stop reason; absent: `Local` @param energyMilliWh final; delivered is never `failed` */
export function stationEnding(transaction: MeteredTransaction, reason: string, energyMilliWh: number): Ending {
  const delivered = energyMilliWh > 0
  const said = reason.toLowerCase()
  // No user came: it was neither accepted nor refused.
  const isTimeout = said === 'timeout' && !delivered && (transaction.authorised || !transaction.idToken)
  if (isTimeout) return { state: 'failed', endReason: 'expired' }
  if (isUnauthorised(transaction) || said === 'deauthorized') {
    return delivered ? { state: 'completed', endReason: 'deauthorized' } : { state: 'failed', endReason: 'rejected' }
  }
  return { state: 'completed', endReason: 'normal' }
}

/**
 * Completed even at 0 kWh: a late stop then only changes figures. Without an accepted user and energy it never began
 * (SESSION-S8), unless it charged without a token: that message is missing like the end.
 */
export function orphanEnding(transaction: MeteredTransaction, energyMilliWh: number): Ending {
  const charged = !transaction.idToken && firstChargingAt(transaction.activities) !== undefined
  return isUnauthorised(transaction) && !charged && energyMilliWh <= 0
    ? { state: 'failed', endReason: 'rejected' }
    : { state: 'completed', endReason: 'interrupted' }
}

/** By its messages; where some are missing, one may have said so (SESSION-B4). */
export function isUnauthorised({ idToken, authorised, flags, sequence }: MeteredTransaction): boolean {
  if (authorised) return false
  return idToken !== undefined || !(flags.includes('recovered') || (sequence && hasGaps(sequence)))
}
