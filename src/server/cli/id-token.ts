/** Cards and tokens of an account (ADMIN-G1, ADMIN-G2). */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import { type IdTokenTexts, readIdToken } from '../../application/id-tokens/attributes.ts'
import { readCardFile } from '../../application/id-tokens/import.ts'
import type { IdToken } from '../../domain/ports/sessions.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { type CliContext, EXIT, examples, UsageError } from './cli-context.ts'
import { withReads, withWrites } from './database.ts'
import { ACCOUNT_FLAG, type AccountOption, chooseAccount } from './options/choose-account.ts'
import { ExitCode } from './output/exit-code.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject, shownTime } from './output/print.ts'

type Common = AccountOption & JsonOption
type Attributes = { type?: string; status?: string; expires?: string; group?: string }
const PAGE = 500

export function register(program: Command, context: CliContext): void {
  const idToken = program.command('id-token').description('cards and tokens that may charge')
  examples(
    common(attributes(idToken.command('add <id>').description('let a card charge'))),
    'pilotwire id-token add 04A2B3C4D5E6F7 --group fleet --expires 2027-01-01T00:00:00Z',
  ).action((id: string, options: Attributes & Common) => add(context, id, options))
  common(idToken.command('list').description('list the cards of an account')).action((options: Common) =>
    list(context, options),
  )
  examples(
    common(attributes(idToken.command('set <id>').description('change a card; an empty text removes an attribute'))),
    'pilotwire id-token set 04A2B3C4D5E6F7 --status Blocked',
    'pilotwire id-token set 04A2B3C4D5E6F7 --expires ""',
  ).action((id: string, options: Attributes & Common) => set(context, id, options))
  common(idToken.command('remove <id>').description('delete a card')).action((id: string, options: Common) =>
    remove(context, id, options),
  )
  examples(
    common(
      idToken
        .command('import <file>')
        .description(
          'add and change cards from CSV, all or none; - reads standard input; columns: id and any of type, status, expiresAt, groupId',
        ),
    ),
    'pilotwire id-token import cards.csv',
  ).action((file: string, options: Common) => importFile(context, file, options))
}

function attributes(command: Command): Command {
  return command
    .option('--type <type>', 'as in OCPP 2.0.1; default: ISO14443')
    .option('--status <status>', 'Accepted (default), Blocked, Expired, Invalid or NoCredit')
    .option('--expires <time>', 'RFC 3339 time after which it is refused')
    .option('--group <id>', 'cards of one group stop each other’s sessions')
}

function common(command: Command): Command {
  return command.option(...ACCOUNT_FLAG).option(...JSON_FLAG)
}

async function add(context: CliContext, id: string, options: Attributes & Common): Promise<void> {
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const token = tokenOf({ id, ...textsOf(options) }, { accountId: account.id, createdAt: context.now() })
    if ((await writes.createIdToken(token)) === 'exists') {
      throw new Error(`There is a card ${id} already: change it with pilotwire id-token set ${id}`)
    }
    printObject(context, shown(token), options.json)
  })
}

async function list(context: CliContext, options: Common): Promise<void> {
  await withReads(context, async ({ reads }) => {
    const account = await chooseAccount(reads, options.account)
    const rows = (await allTokens(reads, account.id)).map(shown)
    printList(context, rows, ['id', 'type', 'status', 'expiresAt', 'groupId', 'createdAt'], options.json)
  })
}

async function allTokens(reads: Reads, accountId: string): Promise<readonly IdToken[]> {
  const all: IdToken[] = []
  for (;;) {
    const afterId = all.at(-1)?.id
    const page = await reads.listIdTokens(accountId, { limit: PAGE, ...(afterId !== undefined && { afterId }) })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

async function set(context: CliContext, id: string, options: Attributes & Common): Promise<void> {
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const before = await reads.findIdToken(account.id, id)
    if (!before) throw missing(id)
    const { expiresAt, groupId } = before
    const texts = {
      id: before.id,
      type: before.type,
      status: before.status,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
      ...(groupId !== undefined && { groupId }),
      ...textsOf(options),
    }
    const token = tokenOf(texts, { accountId: account.id, createdAt: before.createdAt })
    const { type, status } = token
    const change = { type, status, expiresAt: token.expiresAt ?? null, groupId: token.groupId ?? null }
    const changed = await writes.updateIdToken(account.id, before.id, change)
    if (!changed) throw missing(id)
    printObject(context, shown(changed), options.json)
  })
}

async function remove(context: CliContext, id: string, options: Common): Promise<void> {
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const token = await reads.findIdToken(account.id, id)
    if (!token || !(await writes.deleteIdToken(account.id, id))) throw missing(id)
    printObject(context, shown(token), options.json)
  })
}

async function importFile(context: CliContext, file: string, options: Common): Promise<void> {
  const text = textOf(file)
  await withWrites(context, async ({ reads, writes }) => {
    const account = await chooseAccount(reads, options.account)
    const read = readCardFile(text, { accountId: account.id, createdAt: context.now() })
    if ('faults' in read) {
      for (const { line, message } of read.faults) context.note(`line ${line}: ${message}`)
      context.note('error: nothing was imported.')
      throw new ExitCode(EXIT.failure)
    }
    const { created, changed } = await writes.importIdTokens(read.tokens, read.columns)
    printObject(context, { created, changed, unchanged: read.tokens.length - created - changed }, options.json)
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function textsOf({ type, status, expires, group }: Attributes): IdTokenTexts {
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(group !== undefined && { groupId: group }),
  }
}

function tokenOf(texts: IdTokenTexts, owner: { readonly accountId: string; readonly createdAt: number }): IdToken {
  const read = readIdToken(texts, owner)
  if (!('faults' in read)) return read
  throw new UsageError(read.faults.map(({ pointer, message }) => `${pointer.slice(1)} ${message}.`).join(' '))
}

function missing(id: string): Error {
  return new Error(`There is no card ${id} in this account: see pilotwire id-token list`)
}

function shown({ id, accountId, type, status, expiresAt, groupId, createdAt }: IdToken): Printable {
  return {
    id,
    accountId,
    type,
    status,
    ...(expiresAt !== undefined && { expiresAt: shownTime(expiresAt) }),
    ...(groupId !== undefined && { groupId }),
    createdAt: shownTime(createdAt),
  }
}
