import type { Command } from 'commander'
import { createCredential, parseCredential } from '../accounts/credentials.ts'
import { checkedName } from '../accounts/user.ts'
import { parseInstant } from '../commands/instant.ts'
import type { Credential } from '../ports/storage.ts'
import { type CliContext, examples, UsageError } from './context.ts'
import { withReads, withWrites } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, chooseAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type CreateOptions = { name: string; expires?: string } & AccountOption & JsonOption

export function register(program: Command, context: CliContext): void {
  const credential = program.command('credential').description('API credentials of an account (pwk_…)')
  examples(
    credential
      .command('create')
      .description('create an API credential and print it once')
      .requiredOption('--name <name>', 'what it is for')
      .option('--expires <time>', 'RFC 3339 time after which it is refused')
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire credential create --name billing',
    'pilotwire credential create --name trial --expires 2027-01-01T00:00:00Z --json',
  ).action((options: CreateOptions) => create(context, options))
  examples(
    credential
      .command('list')
      .description('list the API credentials of an account, without their secrets')
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire credential list',
  ).action((options: AccountOption & JsonOption) => list(context, options))
  examples(
    credential
      .command('revoke <id>')
      .description('refuse a credential from now on; takes its id or the credential itself')
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire credential revoke 3k9v0c8f2m1x7a5d',
  ).action((id: string, options: AccountOption & JsonOption) => revoke(context, id, options))
}

async function create(context: CliContext, options: CreateOptions): Promise<void> {
  const name = checkedName(options.name)
  const expiresAt = options.expires === undefined ? undefined : parseInstant(options.expires)?.floorMs
  if (options.expires !== undefined && (expiresAt === undefined || expiresAt <= context.now())) {
    throw new UsageError('--expires must be a time to come, such as 2030-01-01T00:00:00Z')
  }
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const { text, credential } = createCredential(context.random, {
      accountId: account.id,
      name,
      createdAt: context.now(),
      ...(expiresAt !== undefined && { expiresAt }),
    })
    await writes.createCredential(credential)
    printObject(context, { ...shown(credential), credential: text }, options.json)
  })
}

async function list(context: CliContext, options: AccountOption & JsonOption): Promise<void> {
  await withReads(context, async ({ reads }) => {
    const account = await chooseAccount(reads, options.account)
    const credentials = (await reads.listCredentials(account.id)).map(shown)
    printList(context, credentials, ['id', 'name', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'], options.json)
  })
}

async function revoke(context: CliContext, text: string, options: AccountOption & JsonOption): Promise<void> {
  const id = parseCredential(text)?.id ?? text
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    await writes.revokeCredential(account.id, id, context.now())
    const credential = await reads.findCredential(id)
    if (credential?.accountId !== account.id) {
      throw new Error(`There is no API credential with the id ${id} in this account: see pilotwire credential list`)
    }
    printObject(context, shown(credential), options.json)
  })
}

function shown({ id, accountId, name, createdAt, expiresAt, lastUsedAt, revokedAt }: Credential): Printable {
  return {
    id,
    accountId,
    name,
    createdAt: shownTime(createdAt),
    ...(expiresAt !== undefined && { expiresAt: shownTime(expiresAt) }),
    ...(lastUsedAt !== undefined && { lastUsedAt: shownTime(lastUsedAt) }),
    ...(revokedAt !== undefined && { revokedAt: shownTime(revokedAt) }),
  }
}
