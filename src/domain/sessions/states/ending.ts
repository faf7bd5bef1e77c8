/** How a session ends (SESSION-S4). */

import type { EndReason } from '../../ports/sessions.ts'
import type { MeteredTransaction } from '../draft.ts'
import { hasGaps } from '../transactions/sequence.ts'
import { firstChargingAt } from './activities.ts'

export interface Ending {
  readonly state: 'completed' | 'failed'
  readonly endReason: EndReason
}

/** @param reason the station's stop reason; absent: `Local` @param energyMilliWh final; delivered is never `failed` */
export function stationEnding(transaction: MeteredTransaction, reason: string, energyMilliWh: number): Ending {
  const delivered = energyMilliWh > 0
  const said = reason.toLowerCase()
  // Nobody came: it was neither accepted nor refused.
  const isTimeout = said === 'timeout' && !delivered && (transaction.authorised || !transaction.idToken)
  if (isTimeout) return { state: 'failed', endReason: 'expired' }
  if (isUnauthorised(transaction) || said === 'deauthorized') {
    return delivered ? { state: 'completed', endReason: 'deauthorized' } : { state: 'failed', endReason: 'rejected' }
  }
  return { state: 'completed', endReason: 'normal' }
}

/**
 * Also at 0 kWh completed: a late real stop then only changes figures. What nobody was accepted for and took nothing
 * never began (SESSION-S8); but if it was charging without a token, that message is missing like the end.
 */
export function orphanEnding(transaction: MeteredTransaction, energyMilliWh: number): Ending {
  const charged = !transaction.idToken && firstChargingAt(transaction.activities) !== undefined
  return isUnauthorised(transaction) && !charged && energyMilliWh <= 0
    ? { state: 'failed', endReason: 'rejected' }
    : { state: 'completed', endReason: 'interrupted' }
}

/** As far as its messages tell; where some are missing, one may have said so (SESSION-B4). */
export function isUnauthorised({ idToken, authorised, flags, sequence }: MeteredTransaction): boolean {
  if (authorised) return false
  return idToken !== undefined || !(flags.includes('recovered') || (sequence && hasGaps(sequence)))
}
