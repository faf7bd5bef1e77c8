/** A group's changes in the journal's spelling: the minimum from which a later start can restore the documents. */

import type { Session, Transaction } from '../../../domain/ports/sessions.ts'
import type { ChangeSet, DecidedBy } from '../../../domain/ports/storage-records.ts'
import type { Documents } from '../../documents/pending-documents.ts'
import { type Bases, type BasesOfChargePoint, holds } from './document-writers.ts'

/** The newest version of a document before an entry. */
export interface Known {
  readonly transaction: (chargePointId: string, transactionId: string) => Transaction | undefined
  readonly session: (id: string) => Session | undefined
}

type Whole<Record> = { readonly whole: Record }
type Since<Record> = Difference<Record> & { readonly id: string }

/** Documents of a message: whole the first time, else the difference. */
export interface JournalEntry extends Omit<Documents, 'transactions' | 'sessions'> {
  readonly transactions?: readonly (Whole<Transaction> | Since<Transaction>)[] | undefined
  readonly sessions?: readonly (Whole<Session> | Since<Session>)[] | undefined
}

/** Earlier rows are in place though still in the journal: replaying them would undo or duplicate (STORE-J2). */
export interface PlacedMark {
  readonly chargePointId: string
  readonly placed: true
}

/**
 * A message that is decided again (STORE-J6): its log id less the row's first one, the milliseconds from its arrival to
 * its decision, and the sum of its `CHANGED`.
 */
export type DecidedAgain = readonly [command: number, waitedMs: number, changed: number]

/** The settings of the following decisions. */
interface SettingsEntry {
  readonly settings: DecidedBy['settings']
}

export type Spelled = JournalEntry | PlacedMark | DecidedAgain | SettingsEntry

export const CHANGED = { connectors: 1, transactions: 2, sessions: 4, records: 8, events: 16 } as const

interface SpelledSet {
  readonly documents: Documents | undefined
  /** Set if the row has the settings, and perhaps the charge point's status. */
  readonly written?: { readonly hasStatus: boolean }
}

/** @param pending what waited before this group; a second change within a group is written whole */
export function spelled(
  group: readonly ChangeSet[],
  documentsOf: (set: ChangeSet) => Documents | undefined,
  pending: Known,
  bases: Bases,
) {
  const entries: Spelled[] = []
  const sets: SpelledSet[] = []
  // Log ids rise in commit order: the first one is the lowest.
  let first: number | undefined
  const met = new Set<string>()
  let { settings } = bases
  for (const set of group) {
    const { chargePointId, command, decidedBy } = set
    if (command) first ??= command.id
    const documents = documentsOf(set)
    const known = bases.of(chargePointId)
    const isHeld = decidedBy !== undefined && known !== undefined && holds(known, set)
    if (!documents) sets.push(NOTHING)
    else if (isHeld && known.status && command && first !== undefined) {
      if (settings !== decidedBy.settings) {
        settings = decidedBy.settings
        entries.push({ settings: { sessions: settings.sessions, figuresIntervalMs: settings.figuresIntervalMs } })
      }
      entries.push([command.id - first, (command.answeredAt ?? 0) - decidedBy.receivedAt, changedBy(documents)])
      sets.push({ documents })
      met.add(chargePointId)
    } else {
      // From the next message on its decisions can follow.
      const status = documents.status ?? (isHeld ? decidedBy.status : undefined)
      entries.push(entryOf(documents, status, met.has(chargePointId) ? undefined : known, pending))
      met.add(chargePointId)
      sets.push({ documents, written: { hasStatus: status !== undefined } })
    }
  }
  return {
    entries,
    sets,
    first,
    noted: () => {
      bases.settings = settings
      for (const { documents, written } of sets) if (documents && written) bases.note(documents, written.hasStatus)
    },
  }
}

const NOTHING: SpelledSet = { documents: undefined }

function changedBy({ connectors, transactions, sessions, records, events }: Documents): number {
  let changed = 0
  if (connectors) changed += CHANGED.connectors
  if (transactions) changed += CHANGED.transactions
  if (sessions) changed += CHANGED.sessions
  if (records) changed += CHANGED.records
  if (events) changed += CHANGED.events
  return changed
}

function entryOf(
  { chargePointId, connectors, transactions, sessions, records, events }: Documents,
  status: Documents['status'],
  bases: BasesOfChargePoint | undefined,
  pending: Known,
): JournalEntry {
  return {
    chargePointId,
    status,
    connectors,
    records,
    events,
    transactions: transactions?.map((after) => {
      const id = after.transactionId
      return since(id, bases?.transactions.has(id) ? pending.transaction(chargePointId, id) : undefined, after)
    }),
    sessions: sessions?.map((after) =>
      since(after.id, bases?.sessions.has(after.id) ? pending.session(after.id) : undefined, after),
    ),
  }
}

/** `known` has the documents of all earlier entries. */
export function restored({ transactions, sessions, ...rest }: JournalEntry, known: Known): Documents {
  return {
    ...rest,
    transactions: transactions?.map((entry) =>
      'whole' in entry ? entry.whole : merged(known.transaction(rest.chargePointId, entry.id), entry),
    ),
    sessions: sessions?.map((entry) => ('whole' in entry ? entry.whole : merged(known.session(entry.id), entry))),
  }
}

function since<Record extends object>(id: string, before: Record | undefined, after: Record) {
  return before ? Object.assign(difference(before, after), { id }) : { whole: after }
}

function merged<Record extends object>(before: Record | undefined, change: Since<Record>): Record {
  if (!before) throw new Error(`The journal changes ${change.id} before it holds it: restore a backup.`)
  return withDifference(before, change)
}

/**
 * What is new in a record: most messages change two or three of a transaction's twenty members, and add to or change
 * the end of its lists. So what is written with a message does not grow with its history (SESSION-S7).
 */
interface Difference<Record> {
  readonly set?: Partial<Record> | undefined
  readonly gone?: readonly string[] | undefined
  /** Additions to the ends of lists: in journals of versions without `ends`. */
  readonly added?: { readonly [Name in keyof Record]?: readonly unknown[] } | undefined
  /** Lists with an unchanged beginning: its length, and the new rest. */
  readonly ends?: { readonly [Name in keyof Record]?: readonly [kept: number, end: readonly unknown[]] } | undefined
  readonly within?: { readonly [Name in keyof Record]?: Difference<object> } | undefined
}

type Growing<T> = { -readonly [Name in keyof T]: T[Name] }

/**
 * Compares the items of lists and records one by one, never deeper than needed: unchanged ones are the same object.
 * It has new states, never increments. So a row of differences in their order leads to the last version from
 * the first one, and from every later one as well: a flush may put a document in its table while the differences to it
 * are still in the journal (STORE-J2).
 */
export function difference<Record extends object>(before: Record, after: Record): Difference<Record> {
  const found: Growing<Difference<Record>> = {}
  for (const name in after) {
    const is = after[name]
    const was = before[name]
    if (is === was || is === undefined) continue
    if (Array.isArray(is)) {
      const kept = Array.isArray(was) ? sharedBeginning(was, is) : 0
      if (kept === 0) put(found, 'set', name, is)
      else if (kept < is.length || kept < (was as readonly unknown[]).length)
        put(found, 'ends', name, [kept, is.slice(kept)])
    } else if (isRecord(is) && isRecord(was)) put(found, 'within', name, difference(was, is))
    else put(found, 'set', name, is)
  }
  for (const name in before) {
    if (before[name] === undefined || after[name] !== undefined) continue
    found.gone = found.gone === undefined ? [name] : [...found.gone, name]
  }
  return found
}

function put(found: object, part: 'set' | 'ends' | 'within', name: string, value: unknown): void {
  const parts = found as { [Part in typeof part]?: { [name: string]: unknown } }
  const of = parts[part]
  if (of) of[name] = value
  else parts[part] = { [name]: value }
}

export function withDifference<Record extends object>(before: Record, change: Difference<Record>): Record {
  const { set, gone = [], added, ends, within } = change
  const after: Record = { ...before, ...set }
  for (const name in added) {
    const was = before[name]
    if (Array.isArray(was)) after[name] = [...was, ...(added[name] ?? [])] as Record[typeof name]
  }
  for (const name in ends) {
    const was = before[name]
    const [kept, end] = ends[name] ?? [0, []]
    if (Array.isArray(was)) after[name] = [...was.slice(0, kept), ...end] as Record[typeof name]
  }
  for (const name in within) {
    const was = before[name]
    const inner = within[name]
    if (isRecord(was) && inner) after[name] = withDifference(was, inner) as Record[typeof name]
  }
  for (const name of gone) delete after[name as keyof Record]
  return after
}

function sharedBeginning(was: readonly unknown[], is: readonly unknown[]): number {
  const most = Math.min(was.length, is.length)
  for (let at = 0; at < most; at++) if (was[at] !== is[at]) return at
  return most
}

function isRecord(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
