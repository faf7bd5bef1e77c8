/** A CALL from the commit of its pending row to that of its outcome: after a restart all that is known (OCPP-RP15). */

import type { ChargingCall } from '../charging/records.ts'
import type { CarriedIntent } from '../intents/records.ts'
import type { SentList } from '../local-lists/records.ts'
import type { ProfileStep } from '../profile-jobs/records.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'
import type { ReservationCall } from '../reservations/records.ts'
import type { ReportedCost } from '../running-costs/records.ts'

/** A question that a decision asks of a charge point. */
export type Question =
  | { readonly kind: 'triggerBoot' }
  | { readonly kind: 'triggerStatus'; readonly evseId?: number | undefined; readonly connectorId?: number | undefined }
  | { readonly kind: 'transactionStatus'; readonly transactionId: string }

/** OCPP-AU6: which passwords are valid after a call that sets one depends on its outcome. */
export interface PasswordHashes {
  readonly fresh: string
  readonly old?: string | undefined
  /** The old one stays valid until a login with the new one, whatever the answer (OCPP-AU8). */
  readonly untilLogin?: true | undefined
}

/** What a call is for; core/outbound/purposes.ts says what follows from that. */
export type Purpose =
  /** A caller sent it through the API; of an application, with its grant. */
  | {
      readonly kind: 'command'
      readonly password?: PasswordHashes | undefined
      readonly grantId?: string | undefined
      readonly bulkOrderId?: string | undefined
    }
  | { readonly kind: 'remoteStart'; readonly sessionId: string }
  | { readonly kind: 'stop'; readonly sessionId: string; readonly transactionId: string }
  /** SESSION-S9: its remote start was cancelled, and the station has named the transaction that it will begin. */
  | { readonly kind: 'stopBeforeItBegins'; readonly transactionId: string }
  | { readonly kind: 'question'; readonly question: Question }
  | { readonly kind: 'bootTrigger' }
  | { readonly kind: 'log'; readonly requestId: number }
  | { readonly kind: 'firmware'; readonly requestId: number }
  | { readonly kind: 'firmwareProgress'; readonly requestId: number }
  | { readonly kind: 'certificate'; readonly requestId: string }
  /** A new certificate is to be asked for (CERT-C20). */
  | { readonly kind: 'certificateTrigger' }
  /** Towards a higher security profile (CERT-C25). */
  | { readonly kind: 'profileStep'; readonly jobId: string; readonly step: ProfileStep }
  | { readonly kind: 'password'; readonly rotationId: string; readonly password: PasswordHashes }
  /** INTENT-A1: sets the desired value, or reads it back. */
  | { readonly kind: 'intent'; readonly step: 'set' | 'read'; readonly intents: readonly CarriedIntent[] }
  /** CONFIG-A8: what was accepted takes effect with a restart. */
  | { readonly kind: 'intentReset' }
  | { readonly kind: 'reservation'; readonly call: ReservationCall }
  | { readonly kind: 'cost'; readonly told: ReportedCost }
  | { readonly kind: 'customerInformation'; readonly requestId: number }
  | { readonly kind: 'report'; readonly reportId: number }
  | { readonly kind: 'charging'; readonly call: ChargingCall }
  | { readonly kind: 'localList'; readonly sent: SentList }
  | { readonly kind: 'localListVersion' | 'localListLimits' }

/** Of calls that wait for one charge point stops leave first, then starts (OCPP-RP4). */
export type Priority = 'stop' | 'start' | 'rest'

/** Calls that wait or are open, by charge point and log id; a row goes with its outcome. */
export const outgoingCalls = record('outgoing_calls', {
  key: ['chargePointId', 'id'],
  columns: {
    chargePointId: text(),
    id: integer(),
    messageId: text(),
    method: text(),
    /** JSON; sealed where it holds a secret (OCPP-RP16). */
    request: text(),
    isSealed: flag(),
    /** The version that it was written and checked for. */
    protocol: text(),
    priority: text<Priority>(),
    /** Not sent after this time. Absent once it was sent: from then on only its answer is waited for. */
    expiresAt: optional(integer()),
    /** Committed before it leaves: it may have been received, so it is never sent again (OCPP-RP15). */
    sentAt: optional(integer()),
    purpose: json<Purpose>(),
  },
  indexes: [['expiresAt'], ['sentAt']],
  loadedWith: 'chargePoint',
})

export type StoredCall = RecordOf<typeof outgoingCalls>

/** What happens to a call between its order and its outcome; rules.ts decides it. */
export type CallInput = InputsOf<{
  callSent: { id: number }
  /** Its connection ended before it left: it waits again. */
  callPutBack: { id: number; expiresAt: number }
}>
