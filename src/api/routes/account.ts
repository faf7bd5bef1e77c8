/** The account of an API credential, and what it decides for all its sessions (COST-L4). */
import { z } from '@hono/zod-openapi'
import { time } from '../../application/schemas/common.ts'
import { isoTime } from '../../domain/iso-time.ts'
import type { Account } from '../../domain/ports/storage.ts'
import type { Api } from '../api-parts.ts'
import { notFound } from '../problem.ts'
import { resource } from '../resource.ts'

export function addAccount({ endpoints, reads, writes }: Api): void {
  const account = resource({ endpoints }, { tag: 'Account', path: '/2/account' })
  account.get('', 'getAccount', 'Get the account', {
    ok: [AccountSchema, 'The account'],
    handle: async ({ principal }) => represent(await reads.findAccount(principal.accountId)),
  })
  account.patch('', 'changeAccount', 'Change the settings of the account', {
    body: ChangeAccountSchema,
    ok: [AccountSchema, 'The account'],
    handle: async ({ principal, body }) => represent(await writes.updateAccount(principal.accountId, body)),
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
