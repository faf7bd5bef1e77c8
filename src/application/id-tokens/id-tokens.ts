/** Cards and tokens of an account: added, changed, deleted and taken from a file (API-A7, ADMIN-G1, ADMIN-G2). */
import { isoTime } from '../../domain/iso-time.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Writes } from '../../domain/ports/storage.ts'
import type { Refusal } from '../../domain/ports/storage-records.ts'
import { noSuch, refuse, refuseFaults } from '../../domain/refuse.ts'
import { showBudget, showLimits } from '../../domain/sessions/limits/limits.ts'
import { type EntriesContext, tokensChanged } from '../local-lists/entries.ts'
import { ID_TOKEN_DEFAULTS, type IdTokenTexts, readIdToken } from './attributes.ts'
import { type LineFault, type ReadCards, readCardFile } from './import.ts'

/** What a change of a card needs; its entries in local lists follow it (LIST-A4). */
interface IdTokenContext extends Omit<EntriesContext, 'writes'> {
  readonly writes: EntriesContext['writes'] &
    Pick<Writes, 'createIdToken' | 'updateIdToken' | 'deleteIdToken' | 'importIdTokens'>
}

type NewIdToken = Pick<IdToken, 'accountId' | 'id'> & Partial<Omit<IdToken, 'createdAt'>>

export type IdTokenChange = Parameters<Writes['updateIdToken']>[2]

export async function createIdToken(parts: IdTokenContext, order: NewIdToken): Promise<IdToken | Refusal> {
  const { type = ID_TOKEN_DEFAULTS.type, status = ID_TOKEN_DEFAULTS.status, budget } = order
  const createdAt = parts.now()
  const token: IdToken = { ...order, type, status, budget: budget && { ...budget, since: createdAt }, createdAt }
  if ((await parts.writes.createIdToken(token)) === 'exists')
    return refuse(409, 'id_token_exists', `The id token ${token.id} exists already; change it with PATCH.`)
  await tokensChanged(parts, token.accountId, [token.id])
  return token
}

export async function typeIdToken(
  parts: IdTokenContext,
  accountId: string,
  texts: IdTokenTexts,
): Promise<IdToken | Refusal> {
  const read = readIdToken(texts, { accountId, createdAt: parts.now() })
  return 'faults' in read ? refuseFaults(read.faults) : createIdToken(parts, read)
}

export async function findIdToken(
  { reads }: Pick<IdTokenContext, 'reads'>,
  accountId: string,
  id: string,
): Promise<IdToken | Refusal> {
  return (await reads.findIdToken(accountId, id)) ?? noSuch('id token')
}

const NO_TARIFF = { pointer: '/tariffId', code: 'no_tariff', message: 'is no tariff of the account' }

export async function changeIdToken(
  parts: IdTokenContext,
  { accountId, id }: Pick<IdToken, 'accountId' | 'id'>,
  change: IdTokenChange,
): Promise<IdToken | Refusal> {
  const { budget, tariffId } = change
  const tariff = tariffId && (await parts.reads.findTariff(accountId, tariffId))
  if (tariffId && (!tariff || tariff.chargePointId !== undefined))
    return refuse(422, 'no_tariff', 'A card has a tariff of its account, not of one charge point.', [NO_TARIFF])
  const before = budget ? (await parts.reads.findIdToken(accountId, id))?.budget : undefined
  const since = before ? before.since : parts.now()
  const changed = await parts.writes.updateIdToken(
    accountId,
    id,
    budget ? { ...change, budget: { ...budget, since } } : change,
  )
  if (changed) await tokensChanged(parts, accountId, [id])
  return changed ?? noSuch('id token')
}

/** What was typed beside what is left as it was; an empty text removes an optional attribute. */
export async function retypeIdToken(
  parts: IdTokenContext,
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
  parts: IdTokenContext,
  accountId: string,
  id: string,
): Promise<Refusal | undefined> {
  if (!(await parts.writes.deleteIdToken(accountId, id))) return noSuch('id token')
  await tokensChanged(parts, accountId, [id])
  return undefined
}

export interface ImportedIdTokens {
  readonly created: number
  readonly changed: number
  readonly unchanged: number
}

export async function importIdTokens(
  parts: IdTokenContext,
  accountId: string,
  csv: string,
): Promise<ImportedIdTokens | { readonly faults: readonly LineFault[] }> {
  const read = readCardFile(csv, { accountId, createdAt: parts.now() })
  if ('faults' in read) return read
  return storeIdTokens(parts, read)
}

export async function storeIdTokens(parts: IdTokenContext, { tokens, columns }: ReadCards): Promise<ImportedIdTokens> {
  const { created, changed } = await parts.writes.importIdTokens(tokens, columns)
  const [first] = tokens
  if (first && created + changed > 0)
    await tokensChanged(
      parts,
      first.accountId,
      tokens.map(({ id }) => id),
    )
  return { created, changed, unchanged: tokens.length - created - changed }
}

export function representIdToken({ accountId: _, expiresAt, sessionLimits, budget, createdAt, ...token }: IdToken) {
  return {
    ...token,
    sessionLimits: sessionLimits && showLimits(sessionLimits),
    budget: budget && showBudget(budget),
    expiresAt: isoTime(expiresAt),
    createdAt: isoTime(createdAt),
  }
}
