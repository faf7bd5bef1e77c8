import { type Command, Option } from 'commander'
import { createAccountRecord } from '../../domain/accounts/user.ts'
import { newUuid } from '../../domain/message-log/uuid.ts'
import type { Account } from '../../domain/ports/storage.ts'
import { type CliContext, examples } from './cli-context.ts'
import { withReads, withWrites } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, chooseAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type SetOptions = { automaticSettlement: 'on' | 'off' } & AccountOption & JsonOption

export function register(program: Command, context: CliContext): void {
  const account = program.command('account').description('customers: owners of charge points, users and credentials')
  examples(
    account
      .command('create')
      .description('create an account')
      .requiredOption('--name <name>', 'name, 1 to 100 characters')
      .option(...JSON_FLAG),
    'pilotwire account create --name "Depot North"',
  ).action((options: { name: string } & JsonOption) => create(context, options))
  examples(
    account
      .command('list')
      .description('list accounts')
      .option(...JSON_FLAG),
    'pilotwire account list --json',
  ).action((options: JsonOption) => list(context, options))
  examples(
    account
      .command('set')
      .description('change a setting of an account')
      .addOption(
        new Option('--automatic-settlement <on|off>', 'settle sessions when they complete')
          .choices(['on', 'off'])
          .makeOptionMandatory(),
      )
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire account set --automatic-settlement on',
  ).action((options: SetOptions) => set(context, options))
}

async function create(context: CliContext, { name, json }: { name: string } & JsonOption): Promise<void> {
  await withWrites(context, async ({ writes }) => {
    const account = createAccountRecord(newUuid(context.now(), context.random), name, context.now())
    await writes.createAccount(account)
    printObject(context, shown(account), json)
  })
}

async function list(context: CliContext, { json }: JsonOption): Promise<void> {
  await withReads(context, async ({ reads }) => {
    printList(context, (await reads.listAccounts()).map(shown), ['id', 'name', 'createdAt'], json)
  })
}

async function set(context: CliContext, { automaticSettlement, account, json }: SetOptions): Promise<void> {
  await withWrites(context, async ({ writes, reads }) => {
    const { id } = await chooseAccount(reads, account)
    const changed = await writes.updateAccount(id, { automaticSettlement: automaticSettlement === 'on' })
    if (!changed) throw new Error('The account is gone.')
    printObject(context, shown(changed), json)
  })
}

function shown({ id, name, automaticSettlement, createdAt }: Account): Printable {
  return { id, name, ...(automaticSettlement && { automaticSettlement }), createdAt: shownTime(createdAt) }
}
