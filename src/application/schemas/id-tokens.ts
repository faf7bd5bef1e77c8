import { z } from '@hono/zod-openapi'
import { ID_TOKEN } from '../../domain/typed-text.ts'
import { CARD_TYPES, ID_TOKEN_STATUSES, idTokenFault } from '../id-tokens/attributes.ts'
import { BudgetSchema, ChargeLimitsSchema, readBudget, readLimits } from './charge-limits.ts'
import { instant, listOf, prioritySchema, time, typedText } from './common.ts'

const type = z.enum(CARD_TYPES)
const status = z.enum(ID_TOKEN_STATUSES)
const groupId = typedText(ID_TOKEN)

export const language = z
  .string()
  .max(8)
  .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, 'must be a language such as de or de-AT')
  .openapi({ description: 'RFC 5646.', example: 'de' })

const sessionLimits = ChargeLimitsSchema.transform(readLimits)
const budget = BudgetSchema.transform(readBudget)
export const IdTokenSchema = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    status,
    expiresAt: time().optional(),
    groupId: z.string().optional(),
    sessionLimits: ChargeLimitsSchema.optional(),
    budget: BudgetSchema.optional(),
    priority: prioritySchema.optional(),
    language: z.string().optional(),
    tariffId: z.string().optional(),
    createdAt: time(),
  })
  .openapi('IdToken')

export const IdTokenListSchema = listOf('IdTokenList', IdTokenSchema)

export const CreateIdTokenSchema = z
  .strictObject({
    id: typedText(ID_TOKEN, idTokenFault).openapi({ description: 'Compared ignoring case.' }),
    type: type.optional().openapi({ description: 'ISO14443 unless given.' }),
    status: status.optional().openapi({ description: 'Accepted unless given.' }),
    expiresAt: instant('Refused as expired from this time on.').optional(),
    groupId: groupId.optional(),
    sessionLimits: sessionLimits.optional(),
    budget: budget.optional(),
    priority: prioritySchema.optional(),
    language: language.optional(),
  })
  .openapi('CreateIdToken')

export const ChangeIdTokenSchema = z
  .strictObject({
    type: type.optional(),
    status: status.optional(),
    expiresAt: instant('null: no expiry.')
      .nullable()
      .optional()
      .openapi({ type: ['string', 'null'] }),
    groupId: groupId.nullable().optional(),
    sessionLimits: sessionLimits.nullable().optional(),
    budget: budget.nullable().optional(),
    priority: prioritySchema.nullable().optional(),
    language: language.nullable().optional(),
    tariffId: z
      .string()
      .nullable()
      .optional()
      .openapi({ description: 'A tariff of the account that prices the charges of this card, before all others.' }),
  })
  .openapi('ChangeIdToken')

export const idTokenParams = z.object({ idToken: z.string() })

export const ImportIdTokensSchema = z
  .strictObject({
    csv: z.string().openapi({
      description:
        'CSV whose first line names the columns: `id` and any of `type`, `status`, `expiresAt`, `groupId`. All of it is taken or nothing.',
      example: 'id,status\n04A2B3C4D5E6F7,Accepted',
    }),
  })
  .openapi('ImportIdTokens')

export const ImportedIdTokensSchema = z
  .strictObject({
    created: z.int(),
    changed: z.int(),
    unchanged: z.int(),
  })
  .openapi('ImportedIdTokens')
