/** The selector of configurations, campaigns and alert rules (CONFIG-A2). */
import { z } from '@hono/zod-openapi'
import { DESCRIPTION } from '../../domain/typed-text.ts'
import { labelsSchema } from './charge-points.ts'
import { typedText } from './common.ts'

const MAX_IDS = 10_000
const text = typedText(DESCRIPTION)

const ids = z.array(text).min(1).max(MAX_IDS).optional()
const labels = labelsSchema(z.string()).optional()

export const SelectorSchema = z
  .strictObject({
    ids,
    labels,
    vendor: text.optional(),
    model: text.optional(),
    firmwareVersion: text.optional(),
    not: z.strictObject({ ids, labels }).optional().openapi({
      description: 'Charge points to leave out, by id or by label.',
    }),
  })
  .openapi('Selector', {
    description: 'Which charge points are meant: all that is given must hold. {}: all of the account.',
  })
