/** What vendors' messages are answered (TIMELINE-T1, TIMELINE-T2). */
import { z } from '@hono/zod-openapi'
import { shown, time, typedText } from '../../application/schemas/common.ts'
import { type DataTransferAnswer, TRANSFER_STATUSES, vendorKey } from '../../domain/data-transfers/records.ts'
import { DESCRIPTION } from '../../domain/typed-text.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { orNotFound } from '../respond.ts'

export function addDataTransfers(api: Api): void {
  const { reads, writes, now } = api
  const answers = resource(api, {
    tag: 'Data transfers',
    path: '/2/data-transfers/{vendorId}',
    params: vendorParams,
    find: async ({ principal: { accountId }, params: { vendorId } }) => ({
      key: { accountId, vendor: vendorKey(vendorId) },
    }),
  })
  answers.put('', 'putDataTransfer', 'Set the answer to a vendor’s messages', {
    description:
      'From the next message on, in both versions. Without `messageIds` every message of the vendor is meant; with them others are answered UnknownMessageId. In OCPP 1.6 `data` is sent as text: what is no text as its JSON.',
    body: PutDataTransferSchema,
    ok: [DataTransferAnswerSchema, 'The answer as it is stored'],
    async handle({ key, params, body }) {
      const answer: DataTransferAnswer = { ...key, ...params, ...body, updatedAt: now() }
      await writes.putRecords('data_transfers', [answer])
      return shown(DataTransferAnswerSchema, answer)
    },
  })
  answers.get('', 'getDataTransfer', 'Get the answer to a vendor’s messages', {
    ok: [DataTransferAnswerSchema, 'The answer'],
    handle: async ({ key }) =>
      shown(DataTransferAnswerSchema, orNotFound(await reads.getRecord('data_transfers', key), 'vendor')),
  })
  answers.delete('', 'deleteDataTransfer', 'Delete the answer to a vendor’s messages', {
    done: 'Deleted',
    async handle({ key }) {
      orNotFound(await reads.getRecord('data_transfers', key), 'vendor')
      await writes.removeRecords('data_transfers', [key])
    },
  })
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
