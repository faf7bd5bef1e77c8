/** Bodies and parameters of /2/grants (OIDC-C9): they validate what comes in and describe it in `/openapi.json`. */
import { z } from '@hono/zod-openapi'
import { time } from '../../application/schemas/common.ts'
import { SCOPES } from '../../domain/grants/scopes.ts'

const evseControllers = z.union([z.literal('all'), z.array(z.string())]).openapi({
  description: 'The charge points that the user shares: all, also those added later, or the ones named.',
})

export const GrantSchema = z
  .strictObject({
    id: z.string(),
    userId: z.string(),
    clientId: z.string(),
    clientName: z.string().optional(),
    scopes: z.array(z.string()).openapi({ example: SCOPES.slice(0, 2) }),
    evseControllers: evseControllers.optional(),
    createdAt: time(),
    updatedAt: time(),
    lastUsedAt: time().optional(),
    lastIp: z.string().optional(),
  })
  .openapi('Grant')

/** All of them: an account’s grants are as many as its users have connected applications. */
export const GrantListSchema = z.object({ data: z.array(GrantSchema), meta: z.strictObject({}) }).openapi('GrantList')

export const ChangeGrantSchema = z.strictObject({ evseControllers }).openapi('ChangeGrant')

export const grantParams = z.object({ grantId: z.string() })

export const grantQuery = z.strictObject({
  userId: z.string().optional().openapi({ description: 'Only this user’s. For API credentials.' }),
  clientId: z.string().optional().openapi({ description: 'Only this application’s. For API credentials.' }),
})
