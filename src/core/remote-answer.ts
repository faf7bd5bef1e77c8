/** What the answer to a remote start or stop says, or that there was none (RP7, RP9). */
import { object } from '../ocpp/translate/payload.ts'
import type { OcppVersion } from '../ocpp/version.ts'
import type { Settlement } from './outgoing.ts'

export interface RemoteAnswer {
  readonly outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
  /** The transaction that a 2.0.1 charge point names (O7). */
  readonly transactionId?: string
}

/** A CALLERROR refuses as well. */
export function readRemoteAnswer(version: OcppVersion, settlement: Settlement): RemoteAnswer {
  switch (settlement.status) {
    case 'success': {
      const { accepted, ...named } = version.readRemoteAnswer(object(settlement.payload))
      return { outcome: accepted ? 'accepted' : 'rejected', ...named }
    }
    case 'error':
      return { outcome: 'rejected' }
    default:
      return { outcome: settlement.status }
  }
}
