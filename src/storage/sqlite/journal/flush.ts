/** Flushes in parts of a few milliseconds, a transaction each, by table and key, so that one part writes a page. */
import type { Database } from 'better-sqlite3'
import type { StoredEvent } from '../../cold/webhooks/record-event.ts'
import { EnergySlots } from '../../documents/energy-slots.ts'
import type { PendingDocuments } from '../../documents/pending-documents.ts'
import { SEARCH_ENTRY } from '../../rows/command-row.ts'
import { type Bases, type DocumentWriters, writeDocuments, writeOthers, writeSessionOf } from './document-writers.ts'
import type { PlacedMark } from './journal-entry.ts'

/** A group that arrives meanwhile waits no longer than for another group (BENCH-B11). */
const PART_MS = 3
/** Per charge point: about a millisecond. A station may send thousands of messages in a second. */
const ENTRIES_AT_ONCE = 500
/** Per account. */
const EVENTS_AT_ONCE = 250

export type PutRow = (firstCommand: number | null, documents: string) => number

interface FlushContext {
  readonly db: Database
  readonly writers: DocumentWriters
  readonly pending: PendingDocuments
  readonly waiting: WaitingChanges
  readonly bases: Bases
  readonly putRow: PutRow
  /** The `writer` of this process's rows. */
  readonly writer: number
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number
}

export interface Round {
  /** Throws when the database refuses; this part then still waits. */
  readonly part: () => void
  readonly isDone: () => boolean
}

type Step = (slots: EnergySlots) => (() => void) | undefined

export function createFlush({ db, writers, pending, waiting, bases, putRow, writer, now }: FlushContext) {
  // IGNORE: a command line tool beside the server may have placed the same rows.
  const index = db.prepare(`INSERT OR IGNORE INTO commands_search
    SELECT ${SEARCH_ENTRY} FROM commands WHERE id IN (SELECT value FROM json_each(?))`)
  const removeRows = db.prepare('DELETE FROM journal WHERE id <= ? AND writer = ?')

  const entries =
    (chargePointId: string, of: WaitingOfChargePoint, commands: readonly number[]): Step =>
    () => {
      const last = commands.at(-1) ?? 0
      if (waiting.of(chargePointId) !== of || (of.commands[0] ?? Number.POSITIVE_INFINITY) > last) return undefined
      index.run(JSON.stringify(commands))
      return () => {
        const left = of.commands.findIndex((id) => id > last)
        of.commands.splice(0, left < 0 ? of.commands.length : left)
      }
    }
  const events =
    (accountId: string, placed: readonly StoredEvent[]): Step =>
    () => {
      for (const event of placed) writers.event(event)
      return () => pending.dropEvents(accountId, placed)
    }
  const session =
    (chargePointId: string, id: string): Step =>
    (slots) => {
      const documents = pending.of(chargePointId)
      const newest = documents?.sessions.get(id)
      if (!documents || !newest) return undefined
      writeSessionOf(writers, documents, newest, slots)
      return () => pending.dropSession(chargePointId, id)
    }
  const others =
    (chargePointId: string): Step =>
    () => {
      const documents = pending.of(chargePointId)
      if (!documents) return undefined
      writeOthers(writers, chargePointId, documents)
      return () => pending.dropOthers(chargePointId)
    }
  const documentsOf =
    (chargePointId: string): Step =>
    (slots) => {
      const documents = pending.of(chargePointId)
      if (!documents) return undefined
      writeDocuments(writers, chargePointId, documents, slots)
      return () => pending.drop(chargePointId)
    }

  /** Nothing waits in the journal's rows up to this one any more. */
  const clear =
    (last: number): Step =>
    () => {
      removeRows.run(last, writer)
      return () => waiting.cleared(last)
    }
  /** All of these are placed, but their rows must stay for others. */
  const mark =
    (ids: readonly string[]): Step =>
    () => {
      const changes = ids.map((id) => waiting.of(id)?.changes ?? 0)
      const isAll = changes.reduce((sum, count) => sum + count, 0) === waiting.changes
      const last = waiting.newest
      const following = isAll ? clear(last)(new EnergySlots()) : putMark(ids)
      return () => {
        following?.()
        ids.forEach((id, at) => {
          waiting.placed(id, changes[at] ?? 0, last)
        })
      }
    }
  const putMark = (ids: readonly string[]): (() => void) => {
    const marks = ids.map((chargePointId): PlacedMark => ({ chargePointId, placed: true }))
    const row = putRow(null, JSON.stringify(marks))
    return () => waiting.noticeRow(row)
  }
  const entriesOf = (id: string, of: WaitingOfChargePoint): readonly Step[] =>
    inPieces(of.commands, ENTRIES_AT_ONCE).map((piece) => entries(id, of, piece))
  const eventSteps = (): readonly Step[] =>
    [...pending.events()].flatMap(([accountId, waiting]) =>
      inPieces(waiting, EVENTS_AT_ONCE).map((piece) => events(accountId, piece)),
    )
  const all = (ids: readonly string[]): readonly Step[] => {
    const found = ids.flatMap((id) => {
      const of = waiting.of(id)
      return of ? [{ id, of }] : []
    })
    if (found.length === 0) return []
    bases.clear()
    return [
      // For all charge points: a mark says that everything before it is placed, with its events (HOOK-F9).
      ...eventSteps(),
      ...found.flatMap(({ id, of }) => [...entriesOf(id, of), documentsOf(id)]),
      mark(found.map(({ id }) => id)),
    ]
  }

  const begin = (): Round => {
    bases.clear()
    const last = waiting.newest
    const known = [...waiting.chargePoints()].map(([id, of]) => ({ id, of, changes: of.changes }))
    const sessions = known
      .flatMap(({ id }) => [...(pending.of(id)?.sessions.keys() ?? [])].map((sessionId) => ({ id, sessionId })))
      .sort((one, other) => (one.sessionId < other.sessionId ? -1 : 1))
    const settle: Step = (slots) => {
      const following = clear(last)(slots)
      return () => {
        following?.()
        // Without what another process placed meanwhile.
        for (const { id, of, changes } of known)
          if (waiting.of(id) === of && of.since <= last) waiting.placed(id, changes, last)
      }
    }
    const steps = [
      ...eventSteps(),
      ...known.flatMap(({ id, of }) => entriesOf(id, of)),
      ...sessions.map(({ id, sessionId }) => session(id, sessionId)),
      ...known.map(({ id }) => others(id)),
      settle,
    ]
    let at = 0
    return {
      part: () => {
        at = place(steps, at, untilOver())
      },
      isDone: () => at === steps.length,
    }
  }

  const transaction = db.transaction((steps: readonly Step[], from: number, isOver: () => boolean) => {
    const slots = new EnergySlots()
    const following: (() => void)[] = []
    let at = from
    while (at < steps.length && !(following.length > 0 && isOver())) {
      const follows = steps[at]?.(slots)
      if (follows) following.push(follows)
      at++
    }
    writers.slots(slots)
    return { at, following }
  })
  /**
   * Without a sync of the disk: after a power cut the changes wait in the journal again. The next group's commit syncs
   * the same file, and with it everything before. @returns the step where it stopped
   */
  const place = (steps: readonly Step[], from: number, isOver: () => boolean): number => {
    // Part of a larger transaction, which is synced as a whole.
    if (db.inTransaction) return settled(transaction(steps, from, isOver))
    const before = String(db.pragma('synchronous', { simple: true }))
    db.pragma('synchronous = NORMAL')
    try {
      return settled(transaction.immediate(steps, from, isOver))
    } finally {
      db.pragma(`synchronous = ${before}`)
    }
  }
  const untilOver = (): (() => boolean) => {
    const end = now() + PART_MS
    return () => now() >= end
  }

  return {
    begin,
    /** The next part of one charge point; throws when the database refuses, and everything still waits. */
    partOf: (chargePointId: string): void => void place(all([chargePointId]), 0, untilOver()),
    chargePoints: (ids: readonly string[]): void => void place(all(ids), 0, () => false),
  }
}

function inPieces<One>(all: readonly One[], size: number): readonly (readonly One[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, at) => all.slice(at * size, (at + 1) * size))
}

function settled({ at, following }: { readonly at: number; readonly following: readonly (() => void)[] }): number {
  for (const follow of following) follow()
  return at
}

/** Each charge point's changes in the journal, as far as this process wrote them (STORE-J4). */
interface WaitingOfChargePoint {
  /** Log ids, rising, that are not in the search yet. */
  readonly commands: number[]
  /** The journal row with the first waiting change. */
  since: number
  changes: number
}

export class WaitingChanges {
  readonly #ofChargePoint = new Map<string, WaitingOfChargePoint>()
  #changes = 0
  #newest = 0
  #cleared = 0

  get changes(): number {
    return this.#changes
  }

  /** The greatest id of a row so far, a mark's included. */
  get newest(): number {
    return this.#newest
  }

  hasRowsUpTo(row: number): boolean {
    return this.#cleared < Math.min(row, this.#newest)
  }

  chargePoints(): Iterable<readonly [chargePointId: string, WaitingOfChargePoint]> {
    return this.#ofChargePoint
  }

  of(chargePointId: string): WaitingOfChargePoint | undefined {
    return this.#ofChargePoint.get(chargePointId)
  }

  noticeRow(id: number): void {
    this.#newest = id
  }

  add(chargePointId: string, command: number | undefined): void {
    let known = this.#ofChargePoint.get(chargePointId)
    if (!known) {
      known = { commands: [], since: this.#newest, changes: 0 }
      this.#ofChargePoint.set(chargePointId, known)
    }
    if (command !== undefined) known.commands.push(command)
    known.changes++
    this.#changes++
  }

  /** The first `changes` of a charge point are placed, with all rows up to this one. */
  placed(chargePointId: string, changes: number, row: number): void {
    const known = this.#ofChargePoint.get(chargePointId)
    if (!known) return
    known.changes -= changes
    known.since = row + 1
    this.#changes -= changes
    if (known.changes === 0) this.#ofChargePoint.delete(chargePointId)
  }

  /** Its rows up to this one are no longer in the journal. */
  cleared(row: number): void {
    this.#cleared = Math.max(this.#cleared, row)
  }
}
