/** Keeps list entries equal to cards (LIST-A3, LIST-A4): entry and list time are written together, conditionally. */

import { changedEntry, entryOf, type LocalList, type StoredEntry } from '../../domain/local-lists/records.ts'
import type { IdToken } from '../../domain/ports/id-tokens.ts'
import type { Reads } from '../../domain/ports/storage.ts'
import { allRecords } from '../../domain/records/all-records.ts'
import { everyPage } from '../../domain/selector.ts'
import type { UseCaseContext, WithSettings } from '../context.ts'
import { budgetStanding } from '../id-tokens/budget.ts'

export type EntriesContext = Pick<UseCaseContext, 'reads' | 'writes' | 'now'> & WithSettings<'timeZone'>

const PAGE = 500
/** Of one transaction: messages wait for it. */
const SLICE = 500
const ATTEMPTS = 10
const FEW = 100

export async function listsOf(
  { reads }: Pick<EntriesContext, 'reads'>,
  accountId: string,
): Promise<readonly LocalList[]> {
  return reads.listRecords('local_lists', { where: { accountId }, limit: PAGE })
}

/** Cards were changed: their entries follow. @param ids absent: any of them may have been */
export async function tokensChanged(place: EntriesContext, accountId: string, ids?: readonly string[]): Promise<void> {
  const some = ids && ids.length <= FEW ? ids : undefined
  for (const list of await listsOf(place, accountId)) await refreshList(place, list, some)
}

export async function refreshList(place: EntriesContext, list: LocalList, ids?: readonly string[]): Promise<LocalList> {
  let current = list
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const changed = await changesOf(place, current, ids)
    const after = await write(place, current, changed)
    if (after) return after
    const [found] = await place.reads.listRecords('local_lists', {
      where: { accountId: list.accountId, name: list.name },
      limit: 1,
    })
    if (!found) return current
    current = found
  }
  throw new Error(`the entries of the list ${list.name} are changed all the time`)
}

/** Undefined: another writer came first. */
async function write(
  { writes, now }: EntriesContext,
  list: LocalList,
  changed: readonly StoredEntry[],
): Promise<LocalList | undefined> {
  let current = list
  for (let from = 0; from < changed.length; from += SLICE) {
    const after = { ...current, contentAt: Math.max(now(), current.contentAt + 1) }
    const entries = changed.slice(from, from + SLICE).map((entry) => ({ ...entry, changedAt: after.contentAt }))
    const puts = entries.map((put) => ({ kind: 'local_list_entries', put }) as const)
    const seen = { kind: 'local_lists', put: current } as const
    if (!(await writes.changeRecordsIf([...puts, { kind: 'local_lists', put: after }], seen))) return undefined
    current = after
  }
  return current
}

export async function writeEntries(place: EntriesContext, list: LocalList): Promise<void> {
  const changed = await changesOf(place, list, undefined)
  for (let from = 0; from < changed.length; from += SLICE) {
    await place.writes.putRecords('local_list_entries', changed.slice(from, from + SLICE))
  }
}

async function changesOf(
  place: EntriesContext,
  { accountId, name: list, tokens: listed, contentAt: changedAt }: LocalList,
  ids: readonly string[] | undefined,
): Promise<readonly StoredEntry[]> {
  const before = new Map((await entriesOf(place, accountId, list, ids)).map((entry) => [entry.idToken, entry]))
  const found = new Map<string, IdToken>()
  for (const token of await tokensOf(place, accountId, ids)) {
    found.set(token.id.toLowerCase(), await withCredit(place, token))
  }
  const all = new Set([...before.keys(), ...found.keys()])
  return [...all].flatMap((idToken) => {
    const entry = entryOf(listed, found.get(idToken))
    return changedEntry({ accountId, list, idToken, changedAt }, before.get(idToken), entry) ?? []
  })
}

/** LIST-A11: where a charge point decides alone, a card whose budget is used up must not be accepted either. */
async function withCredit(
  { reads, now, settings: { timeZone = 'UTC' } }: EntriesContext,
  token: IdToken,
): Promise<IdToken> {
  const standing = token.status === 'Accepted' ? await budgetStanding({ reads }, token, now(), timeZone) : undefined
  return standing?.isUsedUp ? { ...token, status: 'NoCredit' } : token
}

function entriesOf(
  { reads }: EntriesContext,
  accountId: string,
  list: string,
  ids: readonly string[] | undefined,
): Promise<readonly StoredEntry[]> {
  const idToken = ids && { in: ids.map((id) => id.toLowerCase()) }
  return allRecords(reads, 'local_list_entries', { accountId, list, ...(idToken && { idToken }) })
}

async function tokensOf(
  { reads }: EntriesContext,
  accountId: string,
  ids: readonly string[] | undefined,
): Promise<readonly IdToken[]> {
  if (ids) return (await Promise.all(ids.map((id) => reads.findIdToken(accountId, id)))).flatMap((found) => found ?? [])
  const found: IdToken[] = []
  for await (const page of idTokenPages(reads, accountId)) found.push(...page)
  return found
}

export function idTokenPages(
  reads: Pick<Reads, 'listIdTokens'>,
  accountId: string,
): AsyncGenerator<readonly IdToken[], void> {
  return everyPage((last, limit) => reads.listIdTokens(accountId, { limit, afterId: last?.id }))
}
