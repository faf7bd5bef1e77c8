/** What flags that several commands have stand for: an account, a password, a time. */
import { readFileSync } from 'node:fs'
import { parseInstant } from '../../domain/message-log/search.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import type { Account } from '../../domain/ports/storage-records.ts'
import { type CliContext, UsageError } from './cli-context.ts'
import { type ReadAccess, type WriteAccess, withReads, withWrites } from './database.ts'
import type { Listed } from './declare.ts'
import type { Printable } from './output/print.ts'

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

/** A list of what an account has. @param columns those that people see */
export function listOfAccount<Row>(
  read: (reads: Reads, accountId: string) => Promise<readonly Row[]>,
  shown: (row: Row) => Printable,
  columns: readonly string[],
) {
  return (context: CliContext, options: AccountOption): Promise<Listed> =>
    withAccount(context, options, async ({ reads, accountId }) => ({
      rows: (await read(reads, accountId)).map(shown),
      columns,
    }))
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

export interface PasswordOptions {
  readonly password?: string | undefined
  readonly passwordFile?: string | undefined
}

/** The password that was given, without a line end; undefined: generate one. */
export function givenPassword({ password, passwordFile }: PasswordOptions): string | undefined {
  if (passwordFile === undefined) return password
  if (password !== undefined) throw new UsageError('Give --password or --password-file, not both.')
  try {
    return readFileSync(passwordFile === '-' ? 0 : passwordFile, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new UsageError(`--password-file cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** An RFC 3339 time, a date (UTC) or an age (`30m`, `24h`, `7d`) in ms since the epoch; finer parts round up. */
export function readMoment(flag: string, text: string, now: number): number {
  const ago = /^(\d{1,6})([mhd])$/.exec(text)
  if (ago) return now - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]
  const moment = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (moment) return moment.ceilMs
  throw new UsageError(
    `${flag} ${JSON.stringify(text)} is no time: expected something like 2026-08-01T00:00:00Z, 2026-08-01 or 24h.`,
  )
}
