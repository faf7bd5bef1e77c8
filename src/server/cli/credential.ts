import { type Command, Option } from 'commander'
import { createCredential, daysFrom, MOST_CREDENTIAL_DAYS, parseCredential } from '../../domain/accounts/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { checkedName } from '../../domain/accounts/user.ts'
import { parseInstant } from '../../domain/message-log/instant.ts'
import type { Credential } from '../../domain/ports/storage.ts'
import { type CliContext, examples, UsageError } from './cli-context.ts'
import { ACCOUNT_FLAG, type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type CreateOptions = {
  name: string
  expires?: string | undefined
  expiresIn?: string | undefined
  scope?: readonly string[] | undefined
} & AccountOption &
  JsonOption

const DAY_MS = 86_400_000

export function register(program: Command, context: CliContext): void {
  const credential = program.command('credential').description('API credentials of an account (pwk_…)')
  examples(
    credential
      .command('create')
      .description('create an API credential and print it once')
      .requiredOption('--name <name>', 'what it is for')
      .option('--expires <time>', 'RFC 3339 time after which it is refused')
      .option('--expires-in <days>', 'days after which it is refused')
      .addOption(
        new Option('--scope <scope...>', 'all that it may do; default: everything within the account').choices(
          API_SCOPE_NAMES,
        ),
      )
      .option(...ACCOUNT_FLAG)
      .option(...JSON_FLAG),
    'pilotwire credential create --name billing',
    'pilotwire credential create --name report --expires-in 90 --scope sessions:read chargers:read',
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
  const expiresAt = expiryOf(context, options)
  await changeAccount(context, options, async ({ writes, accountId }) => {
    const { text, credential } = createCredential(context.random, {
      accountId,
      name,
      createdAt: context.now(),
      ...(expiresAt !== undefined && { expiresAt }),
      ...(options.scope && { scopes: options.scope }),
    })
    await writes.createCredential(credential)
    printObject(context, { ...shown(credential), credential: text }, options.json)
  })
}

function expiryOf(context: CliContext, { expires, expiresIn }: CreateOptions): number | undefined {
  if (expires !== undefined && expiresIn !== undefined)
    throw new UsageError('Give --expires or --expires-in, not both.')
  if (expiresIn !== undefined) {
    const days = daysFrom(expiresIn)
    if (days !== undefined) return context.now() + days * DAY_MS
    throw new UsageError(`--expires-in must be a whole number of days from 1 to ${MOST_CREDENTIAL_DAYS}`)
  }
  if (expires === undefined) return undefined
  const at = parseInstant(expires)?.floorMs
  if (at !== undefined && at > context.now()) return at
  throw new UsageError('--expires must be a time to come, such as 2030-01-01T00:00:00Z')
}

async function list(context: CliContext, options: AccountOption & JsonOption): Promise<void> {
  await withAccount(context, options, async ({ reads, accountId }) => {
    const credentials = (await reads.listCredentials(accountId)).map(shown)
    printList(
      context,
      credentials,
      ['id', 'name', 'scopes', 'createdAt', 'expiresAt', 'lastUsedAt', 'revokedAt'],
      options.json,
    )
  })
}

async function revoke(context: CliContext, text: string, options: AccountOption & JsonOption): Promise<void> {
  const id = parseCredential(text)?.id ?? text
  await changeAccount(context, options, async ({ reads, writes, accountId }) => {
    await writes.revokeCredential(accountId, id, context.now())
    const credential = await reads.findCredential(id)
    if (credential?.accountId !== accountId) {
      throw new Error(`There is no API credential with the id ${id} in this account: see pilotwire credential list`)
    }
    printObject(context, shown(credential), options.json)
  })
}

function shown({ id, accountId, name, scopes, createdAt, expiresAt, lastUsedAt, revokedAt }: Credential): Printable {
  return {
    id,
    accountId,
    name,
    scopes,
    createdAt: shownTime(createdAt),
    expiresAt: shownTime(expiresAt),
    lastUsedAt: shownTime(lastUsedAt),
    revokedAt: shownTime(revokedAt),
  }
}
