/** Cards and tokens of an account (ADMIN-G1, ADMIN-G2). */
import { readFileSync } from 'node:fs'
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
import { everyRow } from '../../domain/selector.ts'
import { type CliContext, EXIT, orFail, UsageError } from './cli-context.ts'
import { commandGroup, OF_ACCOUNT } from './declare.ts'
import { type AccountOption, changeAccount, listOfAccount } from './options.ts'
import { ExitCode, type Printable } from './output/print.ts'

type Attributes = Partial<Record<'type' | 'status' | 'expires' | 'group', string>>

const ATTRIBUTES = [
  ['--type <type>', 'as in OCPP 2.0.1; default: ISO14443'],
  ['--status <status>', 'Accepted (default), Blocked, Expired, Invalid or NoCredit'],
  ['--expires <time>', 'RFC 3339 time after which it is refused'],
  ['--group <id>', 'cards of one group stop each other’s sessions'],
  ...OF_ACCOUNT,
] as const

export const register = commandGroup('id-token', 'cards and tokens that may charge', [
  {
    usage: 'add <id>',
    does: 'let a card charge',
    takes: ATTRIBUTES,
    examples: ['pilotwire id-token add 04A2B3C4D5E6F7 --group fleet --expires 2027-01-01T00:00:00Z'],
    run: add,
  },
  {
    usage: 'list',
    does: 'list the cards of an account',
    takes: OF_ACCOUNT,
    run: listOfAccount(allIdTokens, shown, ['id', 'type', 'status', 'expiresAt', 'groupId', 'createdAt']),
  },
  {
    usage: 'set <id>',
    does: 'change a card; an empty text removes an attribute',
    takes: ATTRIBUTES,
    examples: [
      'pilotwire id-token set 04A2B3C4D5E6F7 --status Blocked',
      'pilotwire id-token set 04A2B3C4D5E6F7 --expires ""',
    ],
    run: set,
  },
  { usage: 'remove <id>', does: 'delete a card', takes: OF_ACCOUNT, run: remove },
  {
    usage: 'import <file>',
    does: 'add and change cards from CSV, all or none; - reads standard input; columns: id and any of type, status, expiresAt, groupId',
    takes: OF_ACCOUNT,
    examples: ['pilotwire id-token import cards.csv'],
    run: importFile,
  },
])

function allIdTokens(reads: Reads, accountId: string): Promise<readonly IdToken[]> {
  return everyRow((last, limit) => reads.listIdTokens(accountId, { limit, afterId: last?.id }))
}

function add(context: CliContext, id: string, options: Attributes & AccountOption): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const made = await typeIdToken(access, access.accountId, { id, ...textsOf(options) })
    return shown(orFail(made, hintsOf(id)))
  })
}

function set(context: CliContext, id: string, options: Attributes & AccountOption): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const before = orFail(await findIdToken(access, access.accountId, id), hintsOf(id))
    const changed = await retypeIdToken(access, before, textsOf(options))
    return shown(orFail(changed, hintsOf(id)))
  })
}

function remove(context: CliContext, id: string, options: AccountOption): Promise<Printable> {
  return changeAccount(context, options, async (access) => {
    const token = orFail(await findIdToken(access, access.accountId, id), hintsOf(id))
    orFail((await deleteIdToken(access, access.accountId, id)) ?? {}, hintsOf(id))
    return shown(token)
  })
}

async function importFile(context: CliContext, file: string, options: AccountOption): Promise<Printable> {
  const text = textOf(file)
  return changeAccount(context, options, async (access) => {
    const imported = await importIdTokens(access, access.accountId, text)
    if (!('faults' in imported)) return { ...imported }
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
