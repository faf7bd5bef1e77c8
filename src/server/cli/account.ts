import { type Command, Option } from 'commander'
import { createAccountRecord } from '../../domain/accounts/user.ts'
import { isoTime } from '../../domain/iso-time.ts'
import { newUuid } from '../../domain/message-log/log-id.ts'
import type { Account } from '../../domain/ports/storage-records.ts'
import type { CliContext } from './cli-context.ts'
import { withReads, withWrites } from './database.ts'
import { declare, type Listed, ofAccount } from './declare.ts'
import { type AccountOption, chooseAccount } from './options/choose-account.ts'
import type { Printable } from './output/print.ts'

type SetOptions = { automaticSettlement: 'on' | 'off' } & AccountOption

export function register(program: Command, context: CliContext): void {
  const account = program.command('account').description('customers: owners of charge points, users and credentials')
  declare(account, context, {
    usage: 'create',
    does: 'create an account',
    takes: (command) => command.requiredOption('--name <name>', 'name, 1 to 100 characters'),
    examples: ['pilotwire account create --name "Depot North"'],
    run: create,
  })
  declare(account, context, {
    usage: 'list',
    does: 'list accounts',
    examples: ['pilotwire account list --json'],
    run: list,
  })
  declare(account, context, {
    usage: 'set',
    does: 'change a setting of an account',
    takes: (command) =>
      ofAccount(
        command.addOption(
          new Option('--automatic-settlement <on|off>', 'settle sessions when they complete')
            .choices(['on', 'off'])
            .makeOptionMandatory(),
        ),
      ),
    examples: ['pilotwire account set --automatic-settlement on'],
    run: set,
  })
}

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

function shown({ id, name, automaticSettlement, createdAt }: Account): Printable {
  return { id, name, ...(automaticSettlement && { automaticSettlement }), createdAt: isoTime(createdAt) }
}
