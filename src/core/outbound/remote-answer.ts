/** The answer to a remote start or stop, or its absence (OCPP-RP7, OCPP-RP9). */
import { object, text } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CallOutcome } from './call-outcome.ts'

type Answered =
  | { readonly status: 'success'; readonly payload: unknown }
  | { readonly status: Exclude<CallOutcome['status'], 'success'> }

export interface RemoteAnswer {
  readonly outcome: 'accepted' | 'rejected' | 'timeout' | 'dropped'
  /** Named by a 2.0.1 charge point (SESSION-O7). */
  readonly transactionId?: string | undefined
}

/** A CALLERROR refuses as well. An answer without a status leaves the outcome open. */
export function readRemoteAnswer(version: OcppVersion, outcome: Answered): RemoteAnswer {
  switch (outcome.status) {
    case 'success': {
      const payload = object(outcome.payload)
      if (text(payload.status) === undefined) return { outcome: 'timeout' }
      const { accepted, ...named } = version.readRemoteAnswer(payload)
      return { outcome: accepted ? 'accepted' : 'rejected', ...named }
    }
    case 'error':
      return { outcome: 'rejected' }
    default:
      return { outcome: outcome.status }
  }
}
