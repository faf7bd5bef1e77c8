/** The users of an account, for its unrestricted API credentials (ADMIN-A4). */
import {
  ChangeUserSchema,
  CreatedUserSchema,
  CreateUserSchema,
  UserListSchema,
  UserSchema,
  userParams,
} from '../../application/schemas/users.ts'
import { changeUser, createUser, findUser } from '../../application/users/users.ts'
import { passwordLinkAddress } from '../../domain/accounts/password-link.ts'
import { isRole } from '../../domain/accounts/roles.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Role, User } from '../../domain/ports/storage.ts'
import type { Api } from '../api-parts.ts'
import { resource } from '../resource.ts'
import { orRefused } from '../respond.ts'

const COMMON = { tag: 'Users', path: '/2/users' } as const

export function addUsers(api: Api): void {
  const { reads, settings } = api
  const users = resource(api, COMMON)
  const user = resource(api, { ...COMMON, path: `${COMMON.path}/{userId}`, params: userParams })
  users.get('', 'listUsers', 'List users by e-mail address', {
    ok: [UserListSchema, 'All users'],
    async handle({ principal }) {
      const all = await reads.listUsers(principal.accountId)
      return { data: await Promise.all(all.map((one) => represent(reads, one))), meta: {} }
    },
  })
  user.get('', 'getUser', 'Get a user', {
    ok: [UserSchema, 'The user'],
    handle: async ({ principal, params }) =>
      represent(reads, orRefused(await findUser(api, principal.accountId, params.userId))),
  })
  users.post('', 'createUser', 'Create a user', {
    description: 'Without a password the answer has a link, good once and for a week, with which the user chooses one.',
    body: CreateUserSchema,
    problems: [409],
    created: [CreatedUserSchema, 'The user'],
    async handle({ principal: { accountId }, body }) {
      const made = orRefused(await createUser(api, { ...body, role: roleOf(body.role), accountId }))
      const dashboard = settings.dashboardUrl ?? `${settings.baseUrl}/dashboard`
      const passwordLink = made.link === undefined ? undefined : passwordLinkAddress(dashboard, made.link)
      return { ...(await represent(reads, made.user)), passwordLink }
    },
  })
  user.patch('', 'changeUser', 'Change a user’s role, or disable or enable the user', {
    description: 'Acts at once: on sign-ins, pages and tokens. The last enabled administrator stays one.',
    body: ChangeUserSchema,
    problems: [409],
    ok: [UserSchema, 'The user'],
    async handle({ principal, params, body }) {
      const change = { ...body, role: roleOf(body.role) }
      return represent(reads, orRefused(await changeUser(api, principal.accountId, params.userId, change)))
    },
  })
}

function roleOf(text: string | undefined): Role | undefined {
  return text !== undefined && isRole(text) ? text : undefined
}

async function represent({ findSecondFactor }: Pick<Api['reads'], 'findSecondFactor'>, user: User): Promise<object> {
  const { id, email, name, role, disabledAt, createdAt } = user
  const secondFactor = (await findSecondFactor(id))?.confirmedAt !== undefined
  return { id, email, name, role, disabled: disabledAt !== undefined, secondFactor, createdAt: isoTime(createdAt) }
}
