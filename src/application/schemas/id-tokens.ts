/** Authorisation tokens: RFID cards and their kin. */
import { z } from '@hono/zod-openapi'
import { ID_TOKEN_STATUSES, ID_TOKEN_TYPES } from '../id-tokens/attributes.ts'
import { cursorParameter, instant, limitParameter, listOf, time } from './common.ts'

const type = z.enum(ID_TOKEN_TYPES)
const status = z.enum(ID_TOKEN_STATUSES)
const identifier = z.string().min(1).max(36)

export const IdTokenSchema = z
  .strictObject({
    id: z.string(),
    type: z.string(),
    status,
    expiresAt: time().optional(),
    groupId: z.string().optional(),
    createdAt: time(),
  })
  .openapi('IdToken')

export const IdTokenListSchema = listOf('IdTokenList', IdTokenSchema)

export const CreateIdTokenSchema = z
  .strictObject({
    id: identifier
      .regex(/^(?!\.{1,2}$)/, 'cannot be a path segment')
      .openapi({ description: 'Compared without regard to case.' }),
    type: type.optional().openapi({ description: 'ISO14443 unless given.' }),
    status: status.optional().openapi({ description: 'Accepted unless given.' }),
    expiresAt: instant('Refused as expired from this time on.').optional(),
    groupId: identifier.optional(),
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
    groupId: identifier.nullable().optional(),
  })
  .openapi('ChangeIdToken')

export const idTokenParams = z.object({ idToken: z.string() })
export const idTokenQuery = z.strictObject({ limit: limitParameter, cursor: cursorParameter })

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
