import type { IdToken } from '../ports/id-tokens.ts'
import { flag, type InputsOf, integer, json, optional, type RecordOf, record, since, text } from '../records/record.ts'
import type { Selector } from '../records/selector.ts'

/** Which cards are in a list. */
export type ListedTokens = 'all' | { readonly groupId: string } | { readonly ids: readonly string[] }

/** What a charge point is sent about a card. */
export type ListEntry = Pick<IdToken, 'id' | 'type' | 'status' | 'expiresAt' | 'groupId'>

/** Lists by account and name (LIST-A1). */
export const localLists = record('local_lists', {
  key: ['accountId', 'name'],
  columns: {
    accountId: text(),
    name: text(),
    selector: json<Selector>(),
    tokens: json<ListedTokens>(),
    /** Of its newest entry; rises with every change of one. */
    contentAt: integer(),
    createdAt: integer(),
    updatedAt: integer(),
    /** Whose application it is of: it ends with the grant (OIDC-C12). */
    grantId: optional(text()),
  },
  indexes: [['contentAt']],
})

export type LocalList = RecordOf<typeof localLists>

/** Entries of each list, once for all charge points, with the time of each one's last change (LIST-A4). */
export const localListEntries = record('local_list_entries', {
  key: ['accountId', 'list', 'idToken'],
  columns: {
    accountId: text(),
    list: text(),
    /** In lower case (TOKEN-Z1). */
    idToken: text(),
    entry: json<ListEntry>(),
    gone: flag(),
    changedAt: integer(),
  },
  indexes: [['accountId', 'list', 'changedAt']],
})

export type StoredEntry = RecordOf<typeof localListEntries>

/** What is being sent, in parts. */
export interface ListSeries {
  /** It brings the charge point up to then. */
  readonly upTo: number
  readonly isFull: boolean
  /** The last card that it took, in lower case. */
  readonly after: string
}

/** What a charge point is to have, and what it has. */
export const stationLists = record('station_lists', {
  key: ['chargePointId'],
  columns: {
    chargePointId: text(),
    accountId: text(),
    list: optional(text()),
    wantedAt: integer(),
    /** What it accepted last, perhaps in part. Absent: nothing of ours. */
    held: optional(text()),
    /** Up to when it has all of that. Absent: it gets the whole list. */
    heldAt: optional(integer()),
    series: optional(json<ListSeries>()),
    /** Number of the newest list that it accepted or reported. */
    version: integer(),
    /** It is asked for that number before anything else. */
    asksVersion: flag(),
    state: text<'pending' | 'applied' | 'rejected' | 'unsupported'>(),
    reason: optional(text()),
    attempts: integer(),
    nextAttemptAt: integer(),
    updatedAt: integer(),
    /** Cards to forget, in lower case, since when: they stay out until their entry changes (DRIVER-I4). */
    forgotten: since(2, optional(json<readonly { readonly idToken: string; readonly at: number }[]>())),
  },
  indexes: [['accountId', 'chargePointId']],
  loadedWith: 'chargePoint',
  upgrades: [(older) => older],
})

export type StationList = RecordOf<typeof stationLists>

/** What a SendLocalList carries. */
export interface SentList {
  readonly list?: string | undefined
  readonly version: number
  readonly series: ListSeries
  readonly isLast: boolean
}

/** Outcome of a call. `unsent`: it never left. */
export type ListAnswer = 'accepted' | 'refused' | 'unsupported' | 'unsent'

/** What happens to the list of one charge point. */
export type LocalListInput = InputsOf<{
  localListRequested: { list?: string | undefined; contentAt: number }
  localListAnswered: { sent: SentList; answer: ListAnswer; reason?: string | undefined }
  /** Nothing of what changed concerns this charge point. */
  localListUnchanged: { upTo: number }
  /** `version` is absent where the call led to nothing. */
  localListVersionReported: { version?: number | undefined; answer: ListAnswer; reason?: string | undefined }
}>

/** Typed codes are secrets and are never listed; `noauthorization` is no card. */
const NOT_LISTED = new Set(['keycode', 'noauthorization'])

/** LIST-A1, LIST-A3: the entry of a card in such a list; undefined: it is not listed. */
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

/** The entry to store; undefined: nothing changed. */
export function changedEntry(
  place: Pick<StoredEntry, 'accountId' | 'list' | 'idToken' | 'changedAt'>,
  before: StoredEntry | undefined,
  entry: ListEntry | undefined,
): StoredEntry | undefined {
  if (!entry) return before && !before.gone ? { ...before, ...place, gone: true } : undefined
  const isSame = before && !before.gone && JSON.stringify(before.entry) === JSON.stringify(entry)
  return isSame ? undefined : { ...place, entry, gone: false }
}
