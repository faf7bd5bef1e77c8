/** What messages of a vendor's extension are answered (TIMELINE-T1). */
import { integer, json, optional, type RecordOf, record, text } from '../records/record.ts'

/** What a DataTransfer can be answered (OCPP 1.6 §7.13 and 2.0.1 DataTransferStatusEnumType). */
export const TRANSFER_STATUSES = ['Accepted', 'Rejected', 'UnknownMessageId', 'UnknownVendorId'] as const

/** The answer registered for messages of a vendor, by account and vendor. */
export const dataTransfers = record('data_transfers', {
  key: ['accountId', 'vendor'],
  columns: {
    accountId: text(),
    vendor: text(),
    vendorId: text(),
    status: text<(typeof TRANSFER_STATUSES)[number]>(),
    data: optional(json<unknown>()),
    /** Absent: whatever their message id is. */
    messageIds: optional(json<readonly string[]>()),
    updatedAt: integer(),
  },
  isRegistration: true,
})

export type DataTransferAnswer = RecordOf<typeof dataTransfers>

/** A DataTransfer came in. */
export interface DataTransferInput {
  readonly kind: 'dataTransferReceived'
  readonly vendorId: string
  readonly messageId?: string | undefined
  readonly data?: unknown
}

/** Under which a vendor is found: `com.example` for `com.Example`. */
export function vendorKey(vendorId: string): string {
  return vendorId.toLowerCase()
}
