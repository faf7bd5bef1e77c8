/** How a session ends (S4). */
import type { MeteredTransaction } from './draft.ts'
import type { EndReason } from './model.ts'

export interface Ending {
  readonly state: 'completed' | 'failed'
  readonly endReason: EndReason
}

/**
 * @param reason the station's stop reason; absent was `Local`.
 * @param energyMilliWh the final figure: what delivered energy is never `failed`.
 */
export function stationEnding(transaction: MeteredTransaction, reason: string, energyMilliWh: number): Ending {
  const delivered = energyMilliWh > 0
  const said = reason.toLowerCase()
  if (isRefused(transaction) || said === 'deauthorized') {
    return delivered ? { state: 'completed', endReason: 'deauthorized' } : { state: 'failed', endReason: 'rejected' }
  }
  if (said === 'timeout' && !delivered) return { state: 'failed', endReason: 'expired' }
  return { state: 'completed', endReason: 'normal' }
}

/** Also at 0 kWh completed: a late real stop then only changes figures. A refused token that delivered nothing never began. */
export function orphanEnding(transaction: MeteredTransaction, energyMilliWh: number): Ending {
  return isRefused(transaction) && energyMilliWh <= 0
    ? { state: 'failed', endReason: 'rejected' }
    : { state: 'completed', endReason: 'interrupted' }
}

/** A token was shown and none was accepted. No token at all is no refusal: its message may have been lost (B4). */
function isRefused({ idToken, authorised }: MeteredTransaction): boolean {
  return idToken !== undefined && !authorised
}
