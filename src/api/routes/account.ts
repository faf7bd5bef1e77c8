/** The account of an API credential, and what it decides for all its sessions (COST-L4). */
import { z } from '@hono/zod-openapi'
import { json as described, time } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Account } from '../../domain/ports/storage.ts'
import { credentialOnly } from '../access/access.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { json } from '../respond.ts'

const TAG = 'Account'
const PATH = '/2/account'

export function addAccount({ endpoints, reads, writes }: Api): void {
  endpoints.add({
    method: 'get',
    path: PATH,
    operationId: 'getAccount',
    tag: TAG,
    summary: 'Get the account',
    access: credentialOnly,
    responses: { 200: described(AccountSchema, 'The account') },
    handle: async ({ principal }) => json(represent(await reads.findAccount(principal.accountId))),
  })
  endpoints.add({
    method: 'patch',
    path: PATH,
    operationId: 'changeAccount',
    tag: TAG,
    summary: 'Change the settings of the account',
    access: credentialOnly,
    body: ChangeAccountSchema,
    responses: { 200: described(AccountSchema, 'The account') },
    handle: async ({ principal, body }) => json(represent(await writes.updateAccount(principal.accountId, body))),
  })
}

function represent(account: Account | undefined): object {
  if (!account) throw notFound('account')
  const { id, name, automaticSettlement = false, createdAt } = account
  return { id, name, automaticSettlement, createdAt: isoTime(createdAt) }
}

const automaticSettlement = z.boolean().openapi({
  description:
    'Sessions that complete from now on are settled at once, with the figures they have then: an event of the completion, then one of the settlement.',
})

const AccountSchema = z
  .strictObject({ id: z.string(), name: z.string(), automaticSettlement, createdAt: time() })
  .openapi('Account')

const ChangeAccountSchema = z.strictObject({ automaticSettlement }).openapi('ChangeAccount')
