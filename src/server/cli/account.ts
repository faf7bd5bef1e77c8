import { createAccountRecord } from '../../domain/accounts/user.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Account } from '../../domain/ports/storage-records.ts'
import type { CliContext } from './cli-context.ts'
import { withReads, withWrites } from './database.ts'
import { commandGroup, type Listed, OF_ACCOUNT, REQUIRED } from './declare.ts'
import { type AccountOption, chooseAccount } from './options.ts'
import { membersOf, type Printable } from './output/print.ts'

type SetOptions = { automaticSettlement: 'on' | 'off' } & AccountOption

export const register = commandGroup('account', 'customers: owners of charge points, users and credentials', [
  {
    usage: 'create',
    does: 'create an account',
    takes: [['--name <name>', 'name, 1 to 100 characters', REQUIRED]],
    examples: ['pilotwire account create --name "Depot North"'],
    run: create,
  },
  {
    usage: 'list',
    does: 'list accounts',
    examples: ['pilotwire account list --json'],
    run: list,
  },
  {
    usage: 'set',
    does: 'change a setting of an account',
    takes: [
      [
        '--automatic-settlement <on|off>',
        'settle sessions when they complete',
        { required: true, choices: ['on', 'off'] },
      ],
      ...OF_ACCOUNT,
    ],
    examples: ['pilotwire account set --automatic-settlement on'],
    run: set,
  },
])

function create(context: CliContext, { name }: { name: string }): Promise<Printable> {
  return withWrites(context, async ({ writes }) => {
    const account = createAccountRecord(newUuid(context.now(), context.random), name, context.now())
    await writes.createAccount(account)
    return shown(account)
  })
}

function list(context: CliContext): Promise<Listed> {
  return withReads(context, async ({ reads }) => ({
    rows: (await reads.listAccounts()).map(shown),
    columns: ['id', 'name', 'createdAt'],
  }))
}

function set(context: CliContext, { automaticSettlement, account }: SetOptions): Promise<Printable> {
  return withWrites(context, async ({ writes, reads }) => {
    const { id } = await chooseAccount(reads, account)
    const changed = await writes.updateAccount(id, { automaticSettlement: automaticSettlement === 'on' })
    if (!changed) throw new Error('The account is gone.')
    return shown(changed)
  })
}

function shown({ automaticSettlement, ...account }: Account): Printable {
  const { id, name, createdAt } = membersOf(account, ['id', 'name', 'createdAt'])
  return { id, name, ...(automaticSettlement && { automaticSettlement }), createdAt }
}
