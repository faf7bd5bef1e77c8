/** The users of an account, for its unrestricted API credentials (ADMIN-A4). */

import { json as described, located } from '../../application/schemas/common.ts'
import {
  ChangeUserSchema,
  CreatedUserSchema,
  CreateUserSchema,
  UserListSchema,
  UserSchema,
  userParams,
} from '../../application/schemas/users.ts'
import { changeUser, createUser } from '../../application/users/users.ts'
import { passwordLinkAddress } from '../../domain/accounts/password-link.ts'
import { isRole } from '../../domain/accounts/roles.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Role, User } from '../../domain/ports/storage.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { json, orRefused } from '../respond.ts'

const TAG = 'Users'
const PATH = '/2/users'

export function addUsers(api: Api): void {
  addReading(api)
  addChanges(api)
}

function addReading({ endpoints, reads }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'listUsers',
    tag: TAG,
    summary: 'List users by e-mail address',
    access: credentialOnly,
    responses: { 200: described(UserListSchema, 'All users') },
    async handle({ principal }) {
      const users = await reads.listUsers(principal.accountId)
      return json({ data: await Promise.all(users.map((user) => represent(reads, user))), meta: {} })
    },
  })
  endpoints.add({
    method: 'get',
    path: `${PATH}/{userId}`,
    operationId: 'getUser',
    tag: TAG,
    summary: 'Get a user',
    access: credentialOnly,
    params: userParams,
    responses: { 200: described(UserSchema, 'The user') },
    async handle({ principal, params }) {
      const user = await reads.findUser(params.userId)
      if (user?.accountId !== principal.accountId) throw notFound('user')
      return json(await represent(reads, user))
    },
  })
}

function addChanges(api: Api): void {
  const { endpoints, reads, settings } = api
  endpoints.add({
    method: 'post',
    path: PATH,
    operationId: 'createUser',
    tag: TAG,
    summary: 'Create a user',
    description: 'Without a password the answer has a link, good once and for a week, with which the user chooses one.',
    access: credentialOnly,
    body: CreateUserSchema,
    problems: [409],
    responses: { 201: located(CreatedUserSchema, 'The user') },
    async handle({ principal, body }) {
      const order = { ...body, role: roleOf(body.role), accountId: principal.accountId }
      const { user, link } = orRefused(await createUser(api, order))
      const dashboard = settings.dashboardUrl ?? `${settings.baseUrl}/dashboard`
      const shown = {
        ...(await represent(reads, user)),
        ...(link !== undefined && { passwordLink: passwordLinkAddress(dashboard, link) }),
      }
      return json(shown, 201, { location: `${PATH}/${user.id}` })
    },
  })
  endpoints.add({
    method: 'patch',
    path: `${PATH}/{userId}`,
    operationId: 'changeUser',
    tag: TAG,
    summary: 'Change a user’s role, or disable or enable the user',
    description: 'Acts at once: on sign-ins, pages and tokens. The last enabled administrator stays one.',
    access: credentialOnly,
    params: userParams,
    body: ChangeUserSchema,
    problems: [409],
    responses: { 200: described(UserSchema, 'The user') },
    async handle({ principal, params, body }) {
      const change = { ...body, role: roleOf(body.role) }
      return json(await represent(reads, orRefused(await changeUser(api, principal.accountId, params.userId, change))))
    },
  })
}

/** The schema has checked it. */
function roleOf(text: string | undefined): Role | undefined {
  return text !== undefined && isRole(text) ? text : undefined
}

async function represent({ findSecondFactor }: Pick<Api['reads'], 'findSecondFactor'>, user: User): Promise<object> {
  const { id, email, name, role, disabledAt, createdAt } = user
  return {
    id,
    email,
    ...(name !== undefined && { name }),
    role,
    disabled: disabledAt !== undefined,
    secondFactor: (await findSecondFactor(id))?.confirmedAt !== undefined,
    createdAt: isoTime(createdAt),
  }
}
