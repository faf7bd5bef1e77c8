/** What a charge point knows of a customer: asked for, delivered once and forgotten (DRIVER-I1). */

import type { CertificateHash } from '../certificates/records.ts'
import { type InputsOf, integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** The last three are how it ended. */
export const CUSTOMER_REQUEST_STATES = ['requested', 'running', 'complete', 'incomplete', 'rejected'] as const
export type CustomerRequestState = (typeof CUSTOMER_REQUEST_STATES)[number]

/** OCPP 2.0.1 CertificateHashDataType. */
type CustomerCertificate = CertificateHash & { readonly hashAlgorithm: 'SHA256' | 'SHA384' | 'SHA512' }

/** Names the customer by one of these, and what is to be done. */
export interface CustomerOrder {
  readonly idToken?: string | undefined
  readonly idTokenType?: string | undefined
  readonly customerIdentifier?: string | undefined
  readonly customerCertificate?: CustomerCertificate | undefined
  readonly report: boolean
  readonly clear: boolean
}

/** Our request ids begin here: pages that answer them are not shown in the log (DRIVER-I3). */
export const CUSTOMER_REQUESTS_FROM = 2 ** 30

/** Requests by charge point and by the number of their messages. */
export const customerRequests = record('customer_requests', {
  key: ['chargePointId', 'requestId'],
  columns: {
    chargePointId: text(),
    requestId: integer(),
    accountId: text(),
    id: text(),
    asked: json<CustomerOrder>(),
    state: text<CustomerRequestState>(),
    reason: optional(text()),
    /** By number, in the order in which they came. */
    pages: json<readonly (readonly [sequence: number, data: string])[]>(),
    lastSequence: optional(integer()),
    /** When the clock ends what it is: the waiting, the silence, the keeping. */
    dueAt: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    /** Whose application asked: it ends with the grant (OIDC-C13). */
    grantId: optional(text()),
  },
  indexes: [['id'], ['dueAt'], ['grantId']],
  loadedWith: 'chargePoint',
})

export type CustomerRequest = RecordOf<typeof customerRequests>

/** What happens to such a request. */
export type CustomerInput = InputsOf<{
  customerInformationOrdered: {
    id: string
    requestId: number
    order: CustomerOrder
    grantId?: string | undefined
  }
  customerInformationAnswered: {
    requestId: number
    answer: 'accepted' | 'refused' | 'failed' | 'unsent'
    reason?: string | undefined
  }
  /** NotifyCustomerInformation, of ours or of another party's. */
  customerPage: {
    requestId?: number | undefined
    sequence?: number | undefined
    isLast: boolean
    data: string
  }
  customerInformationDelivered: { requestId: number }
  customerInformationDue: unknown
}>
