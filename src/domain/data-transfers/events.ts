/** A vendor's message, for its subscribers (TIMELINE-T3). */

import { event, timeSchema } from '../event-declaration.ts'
import { isoTime } from '../iso-time.ts'

interface Received {
  readonly chargePointId: string
  readonly at: number
  readonly vendorId: string
  readonly messageId?: string | undefined
  readonly data?: unknown
  readonly isDataLeftOut: boolean
  readonly status: string
}

export const transferReceived = event('data-transfer.received', {
  about: 'chargePoint',
  subject: ({ chargePointId }: Received) => chargePointId,
  coalesceKey: undefined,
  data: (z) =>
    z
      .strictObject({
        evseControllerId: z.string(),
        at: timeSchema(z),
        vendorId: z.string(),
        messageId: z.string().optional(),
        data: z.unknown().optional().openapi({ description: 'As it was sent: a text in OCPP 1.6, anything in 2.0.1.' }),
        dataOmitted: z.literal(true).optional().openapi({
          description: 'The data is longer than 64 KiB: read it in the message log.',
        }),
        status: z.string().openapi({ description: 'What it was answered.', example: 'Accepted' }),
      })
      .openapi('DataTransferReceived'),
  represent: ({ chargePointId, at, vendorId, messageId, data, isDataLeftOut, status }) => ({
    evseControllerId: chargePointId,
    at: isoTime(at),
    vendorId,
    messageId,
    data,
    ...(isDataLeftOut && { dataOmitted: true as const }),
    status,
  }),
  sample: ({ chargePointId, now }): Received => ({
    chargePointId,
    at: now,
    vendorId: 'com.example',
    messageId: 'hello',
    data: 'text',
    isDataLeftOut: false,
    status: 'Accepted',
  }),
  documentation: {
    component: 'DataTransferEvent',
    summary: 'A vendor’s message arrived',
    description: 'Sent when a charge point sends a DataTransfer, with what it was answered.',
  },
})

export const DATA_TRANSFER_EVENTS = [transferReceived] as const
