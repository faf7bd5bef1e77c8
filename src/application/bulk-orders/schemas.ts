import { z } from '@hono/zod-openapi'
import { ROW_STATES } from '../../domain/bulk-orders/records.ts'
import { AskForLogSchema } from '../logs/orders.ts'
import { ChangeChargePointSchema, SelectorSchema } from '../schemas/charge-points.ts'
import { SendCommandSchema } from '../schemas/commands.ts'
import { listOf, pageQuery, time, withRows } from '../schemas/common.ts'

const place = { evseId: z.int().min(0).optional(), connectorId: z.int().min(0).optional() }
const { method, request, ttl } = SendCommandSchema.shape

const WhatSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('reset'), type: z.enum(['soft', 'hard']) }),
    z.strictObject({ kind: z.literal('unlock'), evseId: place.evseId, connectorId: z.int().min(1) }),
    z.strictObject({ kind: z.literal('availability'), available: z.boolean(), ...place }),
    z.strictObject({ kind: z.literal('command'), method, request }),
    z.strictObject({ kind: z.literal('label'), labels: ChangeChargePointSchema.shape.labels.unwrap() }),
    z.strictObject({ kind: z.literal('log'), ...AskForLogSchema.shape }),
    z.strictObject({ kind: z.literal('configuration'), name: z.string().min(1).max(200) }),
    z.strictObject({ kind: z.literal('firmware'), firmwareId: z.string().min(1).max(100) }),
  ])
  .openapi('BulkWhat', {
    description:
      'What each charge point is ordered. reset, unlock, availability and command are one command each, in the words of its version; label merges labels; log asks for a file; configuration adds the charge points to those that the configuration names; firmware starts a campaign of one wave.',
  })

export const CreateBulkOrderSchema = z
  .strictObject({
    selector: SelectorSchema.optional(),
    ids: z.array(z.string().min(1).max(255)).min(1).max(10_000).optional(),
    order: WhatSchema,
    ttl,
    dryRun: z
      .boolean()
      .optional()
      .openapi({ description: 'Nothing is ordered: the answer counts, and says who cannot carry it out and why.' }),
  })
  .openapi('CreateBulkOrder', { description: 'One of `selector` and `ids` says which charge points are meant.' })

const counts = z
  .record(z.string(), z.int())
  .openapi({ description: 'Charge points by state; a state that none is in is left out. They add up to `total`.' })

export const BulkRowSchema = z
  .strictObject({
    evseControllerId: z.string(),
    state: z.enum(ROW_STATES).openapi({
      description:
        'waiting: for the charge point, or for its turn. sent: its answer is awaited. refused: it was not sent. failed: it was, or could not be in time.',
    }),
    reason: z.string().optional().openapi({ description: 'Why it did not carry it out.' }),
    answer: z
      .string()
      .optional()
      .openapi({ description: 'What the charge point answered, in its own words: its status, and why.' }),
    backAfterSeconds: z.int().optional().openapi({
      description:
        'Of a reset: from its answer until it booted again. Absent until then, and where it took over an hour.',
    }),
    commandId: z.string().optional().openapi({ description: 'Its command in the message log.' }),
    updatedAt: time().optional(),
  })
  .openapi('BulkOrderRow')

export const BulkPreviewSchema = z
  .strictObject({ counts, total: z.int(), data: z.array(BulkRowSchema) })
  .openapi('BulkOrderPreview')

const order = {
  id: z.string(),
  state: z.enum(['running', 'done', 'cancelled']).openapi({
    description: 'done: every charge point of it has an end. cancelled: what was sent by then is still answered.',
  }),
  reason: z.string().optional().openapi({ description: 'Why it was cancelled, where no person did.' }),
  selector: SelectorSchema,
  order: z.looseObject({ kind: z.string() }).openapi({
    description: 'As it was ordered; secrets are masked, and `removed` names the labels that were null.',
  }),
  counts,
  total: z.int(),
  expiresAt: time().openapi({ description: 'What waits longer is given up.' }),
  createdAt: time(),
  updatedAt: time(),
}

export const BulkOrderSchema = z.strictObject(order).openapi('BulkOrder')
export const BulkOrderWithRowsSchema = withRows('BulkOrderWithRows', order, BulkRowSchema)
export const BulkOrderListSchema = listOf('BulkOrderList', BulkOrderSchema)

export const bulkOrderParams = z.object({ bulkOrderId: z.string().max(100) })
export const bulkRowQuery = pageQuery.extend({ state: z.enum(ROW_STATES).optional() })
