import { createCredential, revokeCredential } from '../../application/credentials/credentials.ts'
import { API_SCOPE_NAMES } from '../../domain/accounts/scopes.ts'
import { parseInstant } from '../../domain/message-log/search.ts'
import type { Credential } from '../../domain/ports/storage-records.ts'
import { type CliContext, orFail, UsageError } from './cli-context.ts'
import { commandGroup, OF_ACCOUNT, REQUIRED } from './declare.ts'
import { type AccountOption, changeAccount, listOfAccount } from './options.ts'
import { membersOf, type Printable } from './output/print.ts'

type CreateOptions = {
  name: string
  expires?: string | undefined
  expiresIn?: string | undefined
  scope?: readonly string[] | undefined
} & AccountOption

export const register = commandGroup('credential', 'API credentials of an account (pwk_…)', [
  {
    usage: 'create',
    does: 'create an API credential and print it once',
    takes: [
      ['--name <name>', 'what it is for', REQUIRED],
      ['--expires <time>', 'RFC 3339 time after which it is refused'],
      ['--expires-in <days>', 'days after which it is refused'],
      [
        '--scope <scope...>',
        'all that it may do; default: everything within the account',
        { choices: API_SCOPE_NAMES },
      ],
      ...OF_ACCOUNT,
    ],
    examples: [
      'pilotwire credential create --name billing',
      'pilotwire credential create --name report --expires-in 90 --scope sessions:read chargers:read',
      'pilotwire credential create --name trial --expires 2027-01-01T00:00:00Z --json',
    ],
    run: create,
  },
  {
    usage: 'list',
    does: 'list the API credentials of an account, without their secrets',
    takes: OF_ACCOUNT,
    examples: ['pilotwire credential list'],
    run: listOfAccount((reads, accountId) => reads.listCredentials(accountId), shown, [
      'id',
      'name',
      'scopes',
      'createdAt',
      'expiresAt',
      'lastUsedAt',
      'revokedAt',
    ]),
  },
  {
    usage: 'revoke <id>',
    does: 'refuse a credential from now on; takes its id or the credential itself',
    takes: OF_ACCOUNT,
    examples: ['pilotwire credential revoke 3k9v0c8f2m1x7a5d'],
    run: revoke,
  },
])

function create(context: CliContext, options: CreateOptions): Promise<Printable> {
  const { name, expiresIn: days, scope: scopes } = options
  const expiresAt = expiryOf(context, options)
  return changeAccount(context, options, async (access) => {
    const made = await createCredential(access, { accountId: access.accountId, name, days, expiresAt, scopes })
    const { text, credential } = orFail(made)
    return { ...shown(credential), credential: text }
  })
}

function expiryOf(context: CliContext, { expires, expiresIn }: CreateOptions): number | undefined {
  if (expires === undefined) return undefined
  if (expiresIn !== undefined) throw new UsageError('Give --expires or --expires-in, not both.')
  const at = parseInstant(expires)?.floorMs
  if (at !== undefined && at > context.now()) return at
  throw new UsageError('--expires must be a time to come, such as 2030-01-01T00:00:00Z')
}

function revoke(context: CliContext, text: string, options: AccountOption): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const revoked = await revokeCredential(access, access.accountId, text)
    return shown(orFail(revoked, { not_found: UNKNOWN }))
  })
}

const UNKNOWN = 'There is no such API credential in this account: see pilotwire credential list'

function shown(credential: Credential): Printable {
  return membersOf(credential, [
    'id',
    'accountId',
    'name',
    'scopes',
    'createdAt',
    'expiresAt',
    'lastUsedAt',
    'revokedAt',
  ])
}
