/** The selector of configurations, campaigns and alert rules (CONFIG-A2). */
import { z } from '@hono/zod-openapi'

const MOST_IDS = 10_000
const LABEL_KEY = /^[a-z0-9_.-]{1,63}$/
const text = z.string().min(1).max(255)

const ids = z.array(text).min(1).max(MOST_IDS).optional()
const labels = z
  .record(z.string().regex(LABEL_KEY, 'is no label: lower-case letters, digits, _ . and -'), z.string().max(255))
  .optional()

export const SelectorSchema = z
  .strictObject({
    ids,
    labels,
    vendor: text.optional(),
    model: text.optional(),
    firmwareVersion: text.optional(),
    not: z.strictObject({ ids, labels }).optional().openapi({
      description: 'Who is left out: whoever has one of these ids, or one of these labels.',
    }),
  })
  .openapi('Selector', {
    description: 'Which charge points are meant: all that is given must hold. {}: all of the account.',
  })
