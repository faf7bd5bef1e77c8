import type { Command } from 'commander'
import { createAccountRecord } from '../accounts/user.ts'
import { newUuid } from '../commands/uuid.ts'
import type { Account } from '../storage/store.ts'
import { type CliContext, examples } from './context.ts'
import { withReads, withWrites } from './database.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './print.ts'

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

function shown({ id, name, createdAt }: Account): Printable {
  return { id, name, createdAt: shownTime(createdAt) }
}
