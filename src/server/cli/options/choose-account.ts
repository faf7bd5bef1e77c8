import type { Reads } from '../../../domain/ports/storage.ts'
import type { Account } from '../../../domain/ports/storage-records.ts'
import { type CliContext, UsageError } from '../cli-context.ts'
import { type ReadAccess, type WriteAccess, withReads, withWrites } from '../database.ts'

export const ACCOUNT_FLAG = ['--account <account>', 'id or name; needed only where there is more than one'] as const

export interface AccountOption {
  readonly account?: string | undefined
}

/** The account a command acts for: the only one, or the one that --account names. */
export async function chooseAccount(reads: Reads, requested: string | undefined): Promise<Account> {
  const accounts = await reads.listAccounts()
  const [first] = accounts
  if (!first) {
    throw new Error(
      'There is no account yet: start the server once (pilotwire serve) or run pilotwire account create --name "…".',
    )
  }
  if (requested === undefined) {
    if (accounts.length === 1) return first
    throw new UsageError(`There is more than one account: say which with --account. ${listed(accounts)}`)
  }
  const matches = accounts.filter(({ id, name }) => id === requested || name === requested)
  const [match] = matches
  if (match && matches.length === 1) return match
  throw new UsageError(
    match
      ? `More than one account is called ${JSON.stringify(requested)}: use its id. ${listed(matches)}`
      : `There is no account ${JSON.stringify(requested)}. ${listed(accounts)}`,
  )
}

export function withAccount<T>(
  context: CliContext,
  { account }: AccountOption,
  work: (access: ReadAccess & { readonly accountId: string }) => Promise<T>,
): Promise<T> {
  return withReads(context, async (access) =>
    work({ ...access, accountId: (await chooseAccount(access.reads, account)).id }),
  )
}

export function changeAccount<T>(
  context: CliContext,
  { account }: AccountOption,
  work: (access: WriteAccess & Pick<CliContext, 'now' | 'random'> & { readonly accountId: string }) => Promise<T>,
): Promise<T> {
  const { now, random } = context
  return withWrites(context, async (access) =>
    work({ ...access, now, random, accountId: (await chooseAccount(access.reads, account)).id }),
  )
}

function listed(accounts: readonly Account[]): string {
  return `Known: ${accounts.map(({ id, name }) => `${id} (${name})`).join(', ')}.`
}
