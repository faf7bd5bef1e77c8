import { z } from '@hono/zod-openapi'
import { ROLES } from '../../domain/accounts/roles.ts'
import type { Role } from '../../domain/ports/storage-records.ts'
import { NAME } from '../../domain/typed-text.ts'
import { listOf, pageParameters, queryInstant, time, typedText } from './common.ts'

const role = z.enum(ROLES as [Role, ...Role[]]).openapi({
  description:
    '`administrator` does everything, `operator` acts on charge points, sessions and cards, `viewer` sees them, `member` signs in to applications only.',
})

const user = {
  id: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role,
  disabled: z.boolean(),
  secondFactor: z.boolean().openapi({ description: 'Signs in with a one-time code besides the password.' }),
  createdAt: time(),
}

export const UserSchema = z.strictObject(user).openapi('User')

export const CreatedUserSchema = z
  .strictObject({
    ...user,
    passwordLink: z
      .string()
      .optional()
      .openapi({ description: 'Where the user chooses a password, once, within a week. Shown here only.' }),
  })
  .openapi('CreatedUser')

export const UserListSchema = listOf('UserList', UserSchema)

export const CreateUserSchema = z
  .strictObject({
    email: z.string().min(1).max(254),
    name: typedText(NAME).optional(),
    role: role.optional().openapi({ description: '`member` unless given.' }),
    password: z
      .string()
      .max(4096)
      .optional()
      .openapi({ description: '8 to 1024 characters. Without it the answer has a link to choose one.' }),
  })
  .openapi('CreateUser')

export const ChangeUserSchema = z
  .strictObject({ role: role.optional(), disabled: z.boolean().optional() })
  .openapi('ChangeUser')

export const userParams = z.object({ userId: z.string() })

export const AuditEntrySchema = z
  .strictObject({
    id: z.string(),
    at: time(),
    actor: z.string().optional().openapi({ description: 'An e-mail address, or `pwk_…` without its secret.' }),
    role: z.string().optional().openapi({ description: 'Of the user then; `credential` or `application`.' }),
    from: z.string().optional().openapi({ description: 'The address that the order came from.' }),
    action: z.string().openapi({ description: 'An operation of this API, a form of the dashboard, or a sign-in.' }),
    subject: z.string().optional().openapi({ description: 'What it was done to.' }),
    outcome: z.enum(['done', 'refused', 'forbidden', 'failed', 'ordered', 'unknown']).openapi({
      description: '`ordered`: under way. `unknown`: the server stopped before it knew what became of it.',
    }),
  })
  .openapi('AuditEntry')

export const AuditListSchema = listOf('AuditList', AuditEntrySchema)

export const auditQuery = z.strictObject({
  from: queryInstant('Start, inclusive.').optional(),
  to: queryInstant('End, exclusive.').optional(),
  actor: z.string().min(1).max(300).optional(),
  ...pageParameters,
})
