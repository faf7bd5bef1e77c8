import { z } from '@hono/zod-openapi'
import { CHANGE_STATES } from '../../domain/password-rotations/records.ts'
import { listOf, pageQuery, time, withRows } from '../schemas/common.ts'
import { SelectorSchema } from '../schemas/selector.ts'

export const CreateRotationSchema = z.strictObject({ selector: SelectorSchema }).openapi('CreatePasswordRotation')

const rotation = {
  id: z.string(),
  state: z
    .enum(['running', 'done', 'cancelled'])
    .openapi({ description: 'done: every charge point of it has proved its password, failed, or was skipped.' }),
  selector: SelectorSchema,
  counts: z
    .record(z.string(), z.int())
    .openapi({ description: 'Charge points by state; a state that none is in is left out.' }),
  createdAt: time(),
  updatedAt: time(),
}

const RotationRowSchema = z
  .strictObject({
    evseControllerId: z.string(),
    state: z.enum(CHANGE_STATES).openapi({
      description:
        'pending: not sent yet. sent: what came of it is not known. accepted: the charge point said so. done: it logged in with it.',
    }),
    reason: z.string().optional(),
    attempts: z.int().openapi({ description: 'How often it was sent.' }),
    updatedAt: time(),
  })
  .openapi('PasswordRotationRow')

export const RotationSchema = z.strictObject(rotation).openapi('PasswordRotation')
export const RotationWithRowsSchema = withRows('PasswordRotationWithRows', rotation, RotationRowSchema)
export const RotationListSchema = listOf('PasswordRotationList', RotationSchema)

export const rotationParams = z.object({ rotationId: z.string().max(100) })
export const rotationRowQuery = pageQuery.extend({ state: z.enum(CHANGE_STATES).optional() })
