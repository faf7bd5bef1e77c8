/** Which cards are in a list, and what is said of them there (LIST-A1, LIST-A3). Pure. */
import type { IdToken } from '../ports/id-tokens.ts'
import type { ListEntry, ListedTokens, StoredEntry } from './records.ts'

/** Codes that somebody types are secrets and stay here; no card at all is none. */
const NOT_LISTED = new Set(['keycode', 'noauthorization'])

export function entryOf(tokens: ListedTokens, token: IdToken | undefined): ListEntry | undefined {
  if (!token || NOT_LISTED.has(token.type.toLowerCase()) || !isListed(tokens, token)) return undefined
  const { id, type, status, expiresAt, groupId } = token
  return { id, type, status, expiresAt, groupId }
}

function isListed(tokens: ListedTokens, { id, groupId }: IdToken): boolean {
  if (tokens === 'all') return true
  if ('groupId' in tokens) return groupId === tokens.groupId
  return idsOf(tokens.ids).has(id.toLowerCase())
}

const sets = new WeakMap<readonly string[], ReadonlySet<string>>()

function idsOf(ids: readonly string[]): ReadonlySet<string> {
  const set = sets.get(ids) ?? new Set(ids.map((id) => id.toLowerCase()))
  sets.set(ids, set)
  return set
}

export function changedEntry(
  place: Pick<StoredEntry, 'accountId' | 'list' | 'idToken' | 'changedAt'>,
  before: StoredEntry | undefined,
  entry: ListEntry | undefined,
): StoredEntry | undefined {
  if (!entry) return before && !before.gone ? { ...before, ...place, gone: true } : undefined
  const isSame = before && !before.gone && JSON.stringify(before.entry) === JSON.stringify(entry)
  return isSame ? undefined : { ...place, entry, gone: false }
}
