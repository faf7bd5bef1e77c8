/** What vendors' messages are answered (TIMELINE-T1, TIMELINE-T2). */
import { z } from '@hono/zod-openapi'
import { json as described, time, typedText } from '../../application/schemas/common.ts'
import { type DataTransferAnswer, TRANSFER_STATUSES, vendorKey } from '../../domain/data-transfers/records.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { DESCRIPTION } from '../../domain/typed-text.ts'
import type { Api } from '../api-parts.ts'
import { json, noContent, notFound, orNotFound } from '../respond.ts'

const TAG = 'Data transfers'
const PATH = '/2/data-transfers/{vendorId}'

export function addDataTransfers(api: Api): void {
  const { endpoints, reads, writes, now } = api
  const shared = { path: PATH, tag: TAG, params: vendorParams } as const
  endpoints.add({
    ...shared,
    method: 'put',
    operationId: 'putDataTransfer',
    summary: 'Set the answer to a vendor’s messages',
    description:
      'From the next message on, in both versions. Without `messageIds` every message of the vendor is meant; with them others are answered UnknownMessageId. In OCPP 1.6 `data` is sent as text: what is no text as its JSON.',
    body: PutDataTransferSchema,
    responses: { 200: described(DataTransferAnswerSchema, 'The answer as it is stored') },
    async handle({ principal: { accountId }, params: { vendorId }, body }) {
      const answer: DataTransferAnswer = { accountId, vendor: vendorKey(vendorId), vendorId, ...body, updatedAt: now() }
      await writes.putRecords('data_transfers', [answer])
      return json(represent(answer))
    },
  })
  endpoints.add({
    ...shared,
    method: 'get',
    operationId: 'getDataTransfer',
    summary: 'Get the answer to a vendor’s messages',
    responses: { 200: described(DataTransferAnswerSchema, 'The answer') },
    async handle({ principal: { accountId }, params }) {
      const found = orNotFound(
        await reads.getRecord('data_transfers', { accountId, vendor: vendorKey(params.vendorId) }),
        'vendor',
      )
      return json(represent(found))
    },
  })
  endpoints.add({
    ...shared,
    method: 'delete',
    operationId: 'deleteDataTransfer',
    summary: 'Delete the answer to a vendor’s messages',
    responses: { 204: { description: 'Deleted' } },
    async handle({ principal: { accountId }, params }) {
      const key = { accountId, vendor: vendorKey(params.vendorId) }
      if (!(await reads.getRecord('data_transfers', key))) throw notFound('vendor')
      await writes.removeRecords('data_transfers', [key])
      return noContent()
    },
  })
}

function represent({ accountId: _, vendor: __, updatedAt, ...answer }: DataTransferAnswer): object {
  return { ...answer, updatedAt: isoTime(updatedAt) }
}

/** Both versions allow 255 characters; control characters cannot be typed. */
const vendorParams = z.object({ vendorId: typedText(DESCRIPTION) })

const status = z.enum(TRANSFER_STATUSES)
const data = z.unknown().optional().openapi({ description: 'Sent with the answer; anything that JSON can spell.' })
const messageIds = z
  .array(typedText({ most: 50 }))
  .min(1)
  .max(100)
  .optional()

const PutDataTransferSchema = z.strictObject({ status, data, messageIds }).openapi('PutDataTransfer')

const DataTransferAnswerSchema = z
  .strictObject({ vendorId: z.string(), status, data, messageIds, updatedAt: time() })
  .openapi('DataTransferAnswer')
