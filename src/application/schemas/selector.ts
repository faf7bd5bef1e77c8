/** The selector of configurations, campaigns and alert rules (CONFIG-A2). */
import { z } from '@hono/zod-openapi'

const MOST_IDS = 10_000
const LABEL_KEY = /^[a-z0-9_.-]{1,63}$/
const text = z.string().min(1).max(255)

export const SelectorSchema = z
  .strictObject({
    ids: z.array(text).min(1).max(MOST_IDS).optional(),
    labels: z
      .record(z.string().regex(LABEL_KEY, 'is no label: lower-case letters, digits, _ . and -'), z.string().max(255))
      .optional(),
    vendor: text.optional(),
    model: text.optional(),
    firmwareVersion: text.optional(),
  })
  .openapi('Selector', {
    description: 'Which charge points are meant: all that is given must hold. {}: all of the account.',
  })
