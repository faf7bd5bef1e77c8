/** Cards and tokens of an account (ADMIN-G1, ADMIN-G2). */
import { readFileSync } from 'node:fs'
import type { Command } from 'commander'
import type { IdTokenTexts } from '../../application/id-tokens/attributes.ts'
import {
  deleteIdToken,
  findIdToken,
  importIdTokens,
  representIdToken,
  retypeIdToken,
  typeIdToken,
} from '../../application/id-tokens/id-tokens.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { type CliContext, EXIT, examples, orFail, UsageError } from './cli-context.ts'
import { ACCOUNT_FLAG, type AccountOption, changeAccount, withAccount } from './options/choose-account.ts'
import { ExitCode } from './output/exit-code.ts'
import { JSON_FLAG, type JsonOption, type Printable, printList, printObject } from './output/print.ts'

type Common = AccountOption & JsonOption
type Attributes = {
  type?: string | undefined
  status?: string | undefined
  expires?: string | undefined
  group?: string | undefined
}
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

function add(context: CliContext, id: string, options: Attributes & Common): Promise<void> {
  return changeAccount(context, options, async (access) => {
    const made = await typeIdToken(access, access.accountId, { id, ...textsOf(options) })
    printObject(context, shown(orFail(made, hintsOf(id))), options.json)
  })
}

function list(context: CliContext, options: Common): Promise<void> {
  return withAccount(context, options, async ({ reads, accountId }) => {
    const rows = (await allTokens(reads, accountId)).map(shown)
    printList(context, rows, ['id', 'type', 'status', 'expiresAt', 'groupId', 'createdAt'], options.json)
  })
}

async function allTokens(reads: Reads, accountId: string): Promise<readonly IdToken[]> {
  const all: IdToken[] = []
  for (;;) {
    const afterId = all.at(-1)?.id
    const page = await reads.listIdTokens(accountId, { limit: PAGE, afterId })
    all.push(...page)
    if (page.length < PAGE) return all
  }
}

function set(context: CliContext, id: string, options: Attributes & Common): Promise<void> {
  return changeAccount(context, options, async (access) => {
    const before = orFail(await findIdToken(access, access.accountId, id), hintsOf(id))
    const changed = await retypeIdToken(access, before, textsOf(options))
    printObject(context, shown(orFail(changed, hintsOf(id))), options.json)
  })
}

function remove(context: CliContext, id: string, options: Common): Promise<void> {
  return changeAccount(context, options, async (access) => {
    const token = orFail(await findIdToken(access, access.accountId, id), hintsOf(id))
    orFail((await deleteIdToken(access, access.accountId, id)) ?? {}, hintsOf(id))
    printObject(context, shown(token), options.json)
  })
}

async function importFile(context: CliContext, file: string, options: Common): Promise<void> {
  const text = textOf(file)
  await changeAccount(context, options, async (access) => {
    const imported = await importIdTokens(access, access.accountId, text)
    if (!('faults' in imported)) return printObject(context, { ...imported }, options.json)
    for (const { line, message } of imported.faults) context.note(`line ${line}: ${message}`)
    context.note('error: nothing was imported.')
    throw new ExitCode(EXIT.failure)
  })
}

function textOf(file: string): string {
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw new UsageError(`${file} cannot be read: ${error instanceof Error ? error.message : error}`)
  }
}

function textsOf({ type, status, expires, group }: Attributes): Omit<IdTokenTexts, 'id'> {
  return {
    ...(type !== undefined && { type }),
    ...(status !== undefined && { status }),
    ...(expires !== undefined && { expiresAt: expires }),
    ...(group !== undefined && { groupId: group }),
  }
}

function hintsOf(id: string): Readonly<Record<string, string>> {
  return {
    id_token_exists: `There is a card ${id} already: change it with pilotwire id-token set ${id}`,
    not_found: `There is no card ${id} in this account: see pilotwire id-token list`,
  }
}

function shown(token: IdToken): Printable {
  const { id, ...rest } = representIdToken(token)
  return { id, accountId: token.accountId, ...rest }
}
