/** Answers to vendors' messages as the API takes and shows them (TIMELINE-T2). */
import { z } from '@hono/zod-openapi'
import { time } from '../../http/schemas/common.ts'
import { TRANSFER_STATUSES } from './records.ts'

/** Both versions allow 255 characters; nobody could type control characters. */
export const vendorParams = z.object({
  vendorId: z
    .string()
    .min(1)
    .max(255)
    .regex(/^\P{Cc}*$/u, 'must not hold control characters'),
})

const status = z.enum(TRANSFER_STATUSES)
const data = z.unknown().optional().openapi({ description: 'Sent with the answer; anything that JSON can spell.' })
const messageIds = z.array(z.string().min(1).max(50)).min(1).max(100).optional()

export const PutDataTransferSchema = z.strictObject({ status, data, messageIds }).openapi('PutDataTransfer')

export const DataTransferAnswerSchema = z
  .strictObject({ vendorId: z.string(), status, data, messageIds, updatedAt: time() })
  .openapi('DataTransferAnswer')
