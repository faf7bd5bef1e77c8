import { z } from '@hono/zod-openapi'
import { time } from './common.ts'

const automaticSettlement = z.boolean().openapi({
  description:
    'Sessions that complete from now on are settled at once, with the figures they have then: an event of the completion, then one of the settlement.',
})

export const AccountSchema = z
  .strictObject({ id: z.string(), name: z.string(), automaticSettlement, createdAt: time() })
  .openapi('Account')

export const ChangeAccountSchema = z.strictObject({ automaticSettlement }).openapi('ChangeAccount')
