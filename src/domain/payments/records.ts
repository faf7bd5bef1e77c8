/** Payments at charge points (OCPP21-C6, OCPP21-C7): codes that were scanned, and what became of the money. */
import { integer, json, optional, record, text } from '../records/record.ts'

/** How an attempt to collect the money ended (OCPP 2.1 PaymentStatusEnumType). */
export const PAYMENT_STATUSES = ['Settled', 'Canceled', 'Rejected', 'Failed'] as const

export type PaymentStatus = (typeof PAYMENT_STATUSES)[number]

/** By the reference of the payment service provider; the newest of each charge point. */
export const payments = record('payments', {
  key: ['chargePointId', 'pspRef'],
  columns: {
    chargePointId: text(),
    pspRef: text(),
    /** Codes that were used for it, behind their EVSE: `1/5AViTp52`; more than one where a start had failed. */
    codes: json<readonly string[]>(),
    sessionId: optional(text()),
    /** Absent: no settlement was reported yet. */
    status: optional(text<PaymentStatus>()),
    createdAt: integer(),
  },
  loadedWith: 'chargePoint',
})

/** A driver pays for a session by the QR code of an EVSE: the code is spent. */
export interface PaymentInput {
  readonly kind: 'webPaymentClaimed'
  readonly pspRef: string
  readonly evseId: number
  readonly code: string
  readonly sessionId: string
}

/** What a charge point reports of a payment. */
export interface Settlement {
  readonly pspRef: string
  readonly status: PaymentStatus
  /** Millionths of the currency's unit; negative for money that went back. */
  readonly amountMicros: number
  /** By the station's clock. */
  readonly settledAt: number
  /** Why, in the words of the terminal. */
  readonly detail?: string | undefined
  readonly receiptId?: string | undefined
  readonly receiptUrl?: string | undefined
}

/** NotifySettlement (OCPP 2.1 C19 to C22). */
export interface PaymentSettled extends Settlement {
  readonly kind: 'paymentSettled'
  /** Absent: the payment was canceled before a transaction began. */
  readonly transactionId?: string | undefined
}

/** What a charge point asks of a VAT number (OCPP21-C8). */
export interface VatNumberQuestion {
  readonly vatNumber: string
  readonly evseId?: number | undefined
}

/** `unknown`: the service did not say. */
export interface VatNumberCheck {
  readonly verdict: 'valid' | 'invalid' | 'unknown'
  /** An address as charge points take it. */
  readonly company?: Readonly<Record<string, string>> | undefined
  /** Why nothing is known. */
  readonly reason?: string | undefined
}

/** The second decision of the message that asked. */
export interface VatNumberChecked extends VatNumberCheck {
  readonly kind: 'vatNumberChecked'
}
