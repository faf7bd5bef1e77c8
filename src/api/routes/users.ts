/** The users of an account, for its unrestricted API credentials (ADMIN-A4). */

import { z } from '@hono/zod-openapi'
import { shown, time } from '../../application/schemas/common.ts'
import {
  AuditEntrySchema,
  AuditListSchema,
  auditQuery,
  ChangeUserSchema,
  CreatedUserSchema,
  CreateUserSchema,
  UserListSchema,
  UserSchema,
  userParams,
} from '../../application/schemas/users.ts'
import { changeUser, createUser, findUser } from '../../application/users/users.ts'
import { passwordLinkAddress } from '../../domain/accounts/password-link.ts'
import type { AuditRow } from '../../domain/ports/storage-administration.ts'
import type { Account, User } from '../../domain/ports/storage-records.ts'
import type { Api } from '../api-parts.ts'
import { windowFaults } from '../requests/validation.ts'
import { isNumber, pageOf, resource } from '../resource.ts'
import { orNotFound, orRefused } from '../respond.ts'

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
      const made = orRefused(await createUser(api, { ...body, accountId }))
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
    handle: async ({ principal, params, body }) =>
      represent(reads, orRefused(await changeUser(api, principal.accountId, params.userId, body))),
  })
}

async function represent({ findSecondFactor }: Pick<Api['reads'], 'findSecondFactor'>, user: User): Promise<object> {
  const secondFactor = (await findSecondFactor(user.id))?.confirmedAt !== undefined
  return shown(UserSchema, user, { disabled: user.disabledAt !== undefined, secondFactor })
}

/** The account of an API credential, and what it decides for all its sessions (COST-L4). */
export function addAccount({ endpoints, reads, writes }: Api): void {
  const account = resource({ endpoints }, { tag: 'Account', path: '/2/account' })
  account.get('', 'getAccount', 'Get the account', {
    ok: [AccountSchema, 'The account'],
    handle: async ({ principal }) => representAccount(await reads.findAccount(principal.accountId)),
  })
  account.patch('', 'changeAccount', 'Change the settings of the account', {
    body: ChangeAccountSchema,
    ok: [AccountSchema, 'The account'],
    handle: async ({ principal, body }) => representAccount(await writes.updateAccount(principal.accountId, body)),
  })
}

function representAccount(account: Account | undefined): object {
  const found = orNotFound(account, 'account')
  return shown(AccountSchema, found, { automaticSettlement: found.automaticSettlement ?? false })
}

const automaticSettlement = z.boolean().openapi({
  description:
    'Sessions that complete from now on are settled at once, with the figures they have then: an event of the completion, then one of the settlement.',
})

const AccountSchema = z
  .strictObject({ id: z.string(), name: z.string(), automaticSettlement, createdAt: time() })
  .openapi('Account')

const ChangeAccountSchema = z.strictObject({ automaticSettlement }).openapi('ChangeAccount')

/** Who did what in an account, newest first (ADMIN-C3). */
export function addAudit(api: Api): void {
  const entries = resource(api, { tag: 'Audit log', path: '/2/audit' })
  entries.get('', 'listAudit', 'List audit entries, newest first', {
    query: auditQuery,
    inspect: ({ query }) => ({ faults: windowFaults(query, '?to') }),
    ok: [AuditListSchema, 'A page of the audit log'],
    handle: (request) => {
      const { from, to, actor } = request.query
      const { accountId } = request.principal
      return pageOf(api, request, {
        name: 'audit',
        place: ({ id }: AuditRow) => [id] as const,
        isPlace: isNumber,
        rows: (limit, below) => api.reads.searchAudit({ accountId, from, to, actor, belowId: below?.[0], limit }),
        show: (rows) =>
          rows.map((row) =>
            shown(AuditEntrySchema, row, {
              id: String(row.id),
              from: row.ip,
              action: row.kind,
              outcome: row.outcome ?? 'done',
            }),
          ),
      })
    },
  })
}
