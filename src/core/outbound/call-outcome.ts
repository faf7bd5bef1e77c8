import { object, text } from '../../ocpp/translate/payload.ts'
import type { OcppVersion } from '../../ocpp/version.ts'

export type CallOutcome =
  | { readonly status: 'success'; readonly payload: unknown; readonly payloadText: string }
  | {
      readonly status: 'error'
      readonly code: string
      readonly description: string
      readonly details: unknown
      /** It answered, and we could not use it: the station hears so (OCPP21-A2). */
      readonly isOurs?: true
    }
  | { readonly status: 'timeout' }
  /** `unsent`: it never left; otherwise its arrival is unknown. */
  | { readonly status: 'dropped'; readonly unsent?: true }

export const UNSENT: CallOutcome = { status: 'dropped', unsent: true }

/** It never left, so the charge point does not know of it. */
export function isUnsent(outcome: CallOutcome): boolean {
  return outcome.status === 'dropped' && outcome.unsent === true
}

/** The charge point has no such message (INTENT-A4). */
export function isUnsupported(outcome: CallOutcome): boolean {
  return outcome.status === 'error' && ['NotImplemented', 'NotSupported'].includes(outcome.code)
}

/** Why nothing was answered that could be read. */
export function failureOf(outcome: Exclude<CallOutcome, { readonly status: 'success' }>): string {
  if (outcome.status === 'error') return `${outcome.code} ${outcome.description}`.trim().slice(0, 500)
  if (outcome.status === 'timeout') return 'no answer'
  return isUnsent(outcome) ? 'it was not sent' : 'the connection ended before the answer'
}

/** The answer to a remote start or stop, or its absence (OCPP-RP7, OCPP-RP9). */
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
