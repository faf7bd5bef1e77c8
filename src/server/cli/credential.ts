import { type Command, Option } from 'commander'
import { createCredential, revokeCredential } from '../../application/credentials/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { parseInstant } from '../../domain/message-log/instant.ts'
import type { Credential } from '../../domain/ports/storage.ts'
import { type CliContext, examples, orFail, UsageError } from './cli-context.ts'
import { ACCOUNT_FLAG, type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type CreateOptions = {
  name: string
  expires?: string | undefined
  expiresIn?: string | undefined
  scope?: readonly string[] | undefined
} & AccountOption &
  JsonOption

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
  const { name, expiresIn: days, scope: scopes } = options
  const expiresAt = expiryOf(context, options)
  await changeAccount(context, options, async (access) => {
    const made = await createCredential(access, { accountId: access.accountId, name, days, expiresAt, scopes })
    const { text, credential } = orFail(made)
    printObject(context, { ...shown(credential), credential: text }, options.json)
  })
}

function expiryOf(context: CliContext, { expires, expiresIn }: CreateOptions): number | undefined {
  if (expires === undefined) return undefined
  if (expiresIn !== undefined) throw new UsageError('Give --expires or --expires-in, not both.')
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
  await changeAccount(context, options, async (access) => {
    const revoked = await revokeCredential(access, access.accountId, text)
    printObject(context, shown(orFail(revoked, { not_found: UNKNOWN })), options.json)
  })
}

const UNKNOWN = 'There is no such API credential in this account: see pilotwire credential list'

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
