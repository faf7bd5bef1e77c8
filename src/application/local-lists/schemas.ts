import { z } from '@hono/zod-openapi'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { time, typedText } from '../schemas/common.ts'
import { SelectorSchema } from '../schemas/selector.ts'

const id = typedText(ID_TOKEN)

const tokens = z
  .union([z.literal('all'), z.strictObject({ groupId: id }), z.strictObject({ ids: z.array(id).min(1).max(1000) })])
  .openapi('ListedTokens', {
    description: 'All id tokens of the account, those of a group, or these. Codes typed by hand are never listed.',
  })

export const PutLocalListSchema = z.strictObject({ selector: SelectorSchema, tokens }).openapi('PutLocalList')

export const LocalListSchema = z
  .strictObject({
    name: z.string(),
    selector: SelectorSchema,
    tokens,
    changedAt: time().openapi({ description: 'When an entry of it changed last.' }),
    createdAt: time(),
    updatedAt: time(),
  })
  .openapi('LocalList')
