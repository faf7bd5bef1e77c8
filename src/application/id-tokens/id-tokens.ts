/** Cards and tokens of an account: added, changed, deleted and taken from a file (API-A7, ADMIN-G1, ADMIN-G2). */
import { isoTime } from '../../domain/message-log/shown-command.ts'
import type { Refusal } from '../../domain/ports/refusal.ts'
import type { IdToken } from '../../domain/ports/sessions.ts'
import type { Reads, Writes } from '../../domain/ports/storage.ts'
import { noSuch, refuse, refuseFaults } from '../refuse.ts'
import { ID_TOKEN_DEFAULTS, type IdTokenTexts, readIdToken } from './attributes.ts'
import { type LineFault, type ReadCards, readCardFile } from './import.ts'

interface IdTokenParts {
  readonly reads: Pick<Reads, 'findIdToken'>
  readonly writes: Pick<Writes, 'createIdToken' | 'updateIdToken' | 'deleteIdToken' | 'importIdTokens'>
  readonly now: () => number
}

type Writing = Pick<IdTokenParts, 'writes' | 'now'>

/** Of one that is new; what is left out has its default. */
export interface NewIdToken extends Pick<IdToken, 'accountId' | 'id'> {
  readonly type?: string | undefined
  readonly status?: IdToken['status'] | undefined
  readonly expiresAt?: number | undefined
  readonly groupId?: string | undefined
}

/** What changes; null removes an optional attribute. */
export type IdTokenChange = Parameters<Writes['updateIdToken']>[2]

export async function createIdToken(
  { writes, now }: Writing,
  { expiresAt, groupId, ...order }: NewIdToken,
): Promise<IdToken | Refusal> {
  const token: IdToken = {
    ...{ accountId: order.accountId, id: order.id, createdAt: now() },
    ...{ type: order.type ?? ID_TOKEN_DEFAULTS.type, status: order.status ?? ID_TOKEN_DEFAULTS.status },
    ...(expiresAt !== undefined && { expiresAt }),
    ...(groupId !== undefined && { groupId }),
  }
  if ((await writes.createIdToken(token)) === 'created') return token
  return refuse(409, 'id_token_exists', `The id token ${token.id} exists already; change it with PATCH.`)
}

/** One that was typed, in a form or on a command line. */
export async function typeIdToken(parts: Writing, accountId: string, texts: IdTokenTexts): Promise<IdToken | Refusal> {
  const read = readIdToken(texts, { accountId, createdAt: parts.now() })
  return 'faults' in read ? refuseFaults(read.faults) : createIdToken(parts, read)
}

export async function findIdToken(
  { reads }: Pick<IdTokenParts, 'reads'>,
  accountId: string,
  id: string,
): Promise<IdToken | Refusal> {
  return (await reads.findIdToken(accountId, id)) ?? noSuch('id token')
}

export async function changeIdToken(
  { writes }: Pick<IdTokenParts, 'writes'>,
  { accountId, id }: Pick<IdToken, 'accountId' | 'id'>,
  change: IdTokenChange,
): Promise<IdToken | Refusal> {
  return (await writes.updateIdToken(accountId, id, change)) ?? noSuch('id token')
}

/** What was typed beside what is left as it was; an empty text removes an optional attribute. */
export async function retypeIdToken(
  parts: Pick<IdTokenParts, 'writes'>,
  before: IdToken,
  texts: Omit<IdTokenTexts, 'id'>,
): Promise<IdToken | Refusal> {
  const { accountId, id, createdAt, type, status, expiresAt: until, groupId: group = '' } = before
  const standing = { id, type, status, expiresAt: until === undefined ? '' : isoTime(until), groupId: group }
  const read = readIdToken({ ...standing, ...texts }, { accountId, createdAt })
  if ('faults' in read) return refuseFaults(read.faults)
  const { expiresAt = null, groupId = null } = read
  return changeIdToken(parts, before, { type: read.type, status: read.status, expiresAt, groupId })
}

export async function deleteIdToken(
  { writes }: Pick<IdTokenParts, 'writes'>,
  accountId: string,
  id: string,
): Promise<Refusal | undefined> {
  return (await writes.deleteIdToken(accountId, id)) ? undefined : noSuch('id token')
}

/** How many cards of a file were made and changed. */
export interface ImportedIdTokens {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

/** Takes a file whole, or says by line what is wrong with it. */
export async function importIdTokens(
  { writes, now }: Writing,
  accountId: string,
  csv: string,
): Promise<ImportedIdTokens | { readonly faults: readonly LineFault[] }> {
  const read = readCardFile(csv, { accountId, createdAt: now() })
  if ('faults' in read) return read
  return storeIdTokens(writes, read)
}

/** Those of a file that was read. */
export async function storeIdTokens(
  writes: IdTokenParts['writes'],
  { tokens, columns }: ReadCards,
): Promise<ImportedIdTokens> {
  const { created, changed } = await writes.importIdTokens(tokens, columns)
  return { created, changed, unchanged: tokens.length - created - changed }
}

/** As the API and the command line show it. */
export function representIdToken({ accountId: _, expiresAt, createdAt, ...token }: IdToken) {
  return {
    ...token,
    expiresAt: expiresAt === undefined ? undefined : isoTime(expiresAt),
    createdAt: isoTime(createdAt),
  }
}
