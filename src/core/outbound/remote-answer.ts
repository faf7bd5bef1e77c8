/** What the answer to a remote start or stop says, or that there was none (OCPP-RP7, OCPP-RP9). */
import { object, text } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { Settlement } from './outgoing.ts'

/** As much of it as is read here. */
type Answered =
  | { readonly status: 'success'; readonly payload: unknown }
  | { readonly status: Exclude<Settlement['status'], 'success'> }

export interface RemoteAnswer {
  readonly outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
  /** The transaction that a 2.0.1 charge point names (SESSION-O7). */
  readonly transactionId?: string
}

/** A CALLERROR refuses as well. An answer without a status says nothing: what was asked may happen or not. */
export function readRemoteAnswer(version: OcppVersion, settlement: Answered): RemoteAnswer {
  switch (settlement.status) {
    case 'success': {
      const payload = object(settlement.payload)
      if (text(payload.status) === undefined) return { outcome: 'timeout' }
      const { accepted, ...named } = version.readRemoteAnswer(payload)
      return { outcome: accepted ? 'accepted' : 'rejected', ...named }
    }
    case 'error':
      return { outcome: 'rejected' }
    default:
      return { outcome: settlement.status }
  }
}
