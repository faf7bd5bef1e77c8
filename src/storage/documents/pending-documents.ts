/** The newest documents of the journal that the tables lack: what a flush writes, and look-ups must see before it. */

import { knownUntil } from '../../domain/energy/meter.ts'
import { type MeterState, powerMilliW } from '../../domain/energy/power.ts'
import type { ChargePointStatus, Connector, Session, Transaction } from '../../domain/ports/sessions.ts'
import type { ChangeSet } from '../../domain/ports/storage-records.ts'
import { declarationOf, isPlacedLater, keyText, type RecordChange } from '../../domain/records/records.ts'
import { connectorKey } from '../../domain/sessions/records.ts'
import { eventRow, type StoredEvent } from '../cold/webhooks/record-event.ts'
import type { EnergyPoint } from './energy-slots.ts'

/** The versioned members of a change set, and its records placed later; the rest goes to its table at once. */
type DocumentKind = 'status' | 'connectors' | 'transactions' | 'sessions' | 'records'

/** A kind missing in its construction, spelling or restoration does not compile. */
export type Documents = Pick<ChangeSet, 'chargePointId'> & { readonly [Kind in DocumentKind]: ChangeSet[Kind] } & {
  readonly events: readonly StoredEvent[] | undefined
}

export interface PendingOfChargePoint extends Record<DocumentKind, unknown> {
  status: ChargePointStatus | undefined
  readonly connectors: Map<string, Connector>
  readonly transactions: Map<string, Transaction>
  readonly sessions: Map<string, Session>
  /** By kind and key; put or removed. */
  readonly records: Map<string, RecordChange>
  /** The course of sessions' energy, oldest first. */
  readonly courses: Map<string, EnergyPoint[]>
}

export function hasDocuments({ status, connectors, transactions, sessions, records }: ChangeSet): boolean {
  return Boolean(status || connectors || transactions || sessions || records?.some(waits))
}

const waits = ({ kind }: RecordChange): boolean => isPlacedLater(kind)

/** Hardly ever reached between two flushes; of a long queue that arrives at once the last point is kept. */
const MAX_POINTS = 500

/** @param hasWebhook events of such an account never wait (HOOK-F9) */
export function documentsOf(set: ChangeSet, hasWebhook: (accountId: string) => boolean): Documents | undefined {
  const { chargePointId, status, connectors, transactions, sessions } = set
  const waiting = set.events?.filter(({ accountId }) => !hasWebhook(accountId)) ?? []
  if (waiting.length === 0 && !hasDocuments(set)) return undefined
  const events = waiting.length > 0 ? waiting.map((event) => eventRow(event, event.data)) : undefined
  const records = set.records?.some(waits) ? set.records.filter(waits) : undefined
  return { chargePointId, status, connectors, transactions, sessions, records, events }
}

/** Throws for what the tables would refuse after its message was answered: SQLite stores a NaN as NULL. */
export function requireStorable({ connectors = [], sessions = [], events = [] }: ChangeSet): void {
  for (const { connectorId, updatedAt } of connectors) requireFinite(connectorId, updatedAt)
  for (const { energyMilliWh, createdAt, version } of sessions) requireFinite(energyMilliWh, createdAt, version)
  for (const { time } of events) requireFinite(time)
}

function requireFinite(...numbers: readonly number[]): void {
  if (!numbers.every(Number.isFinite)) throw new RangeError('A document holds a number that cannot be stored.')
}

function recordText(change: RecordChange): string {
  return `${change.kind} ${keyText(declarationOf(change.kind), 'put' in change ? change.put : change.remove)}`
}

type Transactions = ReadonlyMap<string, Transaction>

/** The latest reported power, in milliwatts; undefined when none was, or nothing is new (CONSOLE-A2). */
export function powerOf(session: Session, transactions: Transactions): number | undefined {
  const newest = meterOf(session, transactions)?.newest
  return newest && powerMilliW(newest)
}

/** Station time up to which the session's energy is known; undefined when this change does not concern it. */
function measuredAt(session: Session, transactions: Transactions): number | undefined {
  const meter = meterOf(session, transactions)
  const sampledAt = meter && knownUntil(meter)
  const { stoppedAt } = session
  return stoppedAt === undefined ? sampledAt : Math.max(stoppedAt, sampledAt ?? stoppedAt)
}

function meterOf({ transactionId }: Session, transactions: Transactions): Partial<MeterState> | undefined {
  return transactionId === undefined ? undefined : (transactions.get(transactionId)?.meter as Partial<MeterState>)
}

function addPoint(courses: PendingOfChargePoint['courses'], sessionId: string, point: EnergyPoint): void {
  const course = courses.get(sessionId)
  if (!course) courses.set(sessionId, [point])
  else if (course.at(-1)?.at === point.at || course.length >= MAX_POINTS) course[course.length - 1] = point
  else course.push(point)
}

export class PendingDocuments {
  readonly #ofChargePoint = new Map<string, PendingOfChargePoint>()
  readonly #sessions = new Map<string, Session>()
  /** By account: the feeds are in commit order. */
  readonly #events = new Map<string, StoredEvent[]>()

  add({ chargePointId, status, connectors, transactions, sessions, records, events }: Documents): void {
    const known = this.#of(chargePointId)
    if (status) known.status = status
    for (const connector of connectors ?? [])
      known.connectors.set(connectorKey(connector.evseId, connector.connectorId), connector)
    for (const transaction of transactions ?? []) known.transactions.set(transaction.transactionId, transaction)
    for (const session of sessions ?? []) {
      known.sessions.set(session.id, session)
      this.#sessions.set(session.id, session)
      const at = measuredAt(session, known.transactions)
      if (at !== undefined) addPoint(known.courses, session.id, { at, milliWh: session.energyMilliWh })
    }
    for (const change of records ?? []) known.records.set(recordText(change), change)
    for (const event of events ?? []) {
      const before = this.#events.get(event[1])
      if (before) before.push(event)
      else this.#events.set(event[1], [event])
    }
  }

  events(): Iterable<readonly [accountId: string, events: readonly StoredEvent[]]> {
    return this.#events
  }

  eventsOf(accountId: string): readonly StoredEvent[] {
    return this.#events.get(accountId) ?? []
  }

  /** These are placed, unless dropped meanwhile. */
  dropEvents(accountId: string, placed: readonly StoredEvent[]): void {
    const known = this.#events.get(accountId)
    if (known?.[0] !== placed[0]) return
    if (known && known.length > placed.length) known.splice(0, placed.length)
    else this.#events.delete(accountId)
  }

  session(id: string): Session | undefined {
    return this.#sessions.get(id)
  }

  transaction(chargePointId: string, transactionId: string): Transaction | undefined {
    return this.#ofChargePoint.get(chargePointId)?.transactions.get(transactionId)
  }

  /** The newest, should a key ever have been used twice. */
  transactionByStartKey(chargePointId: string, startKey: string): Transaction | undefined {
    const transactions = this.#ofChargePoint.get(chargePointId)?.transactions
    return transactions && [...transactions.values()].findLast((transaction) => transaction.startKey === startKey)
  }

  of(chargePointId: string): PendingOfChargePoint | undefined {
    return this.#ofChargePoint.get(chargePointId)
  }

  chargePoints(): Iterable<string> {
    return this.#ofChargePoint.keys()
  }

  drop(chargePointId: string): void {
    const known = this.#ofChargePoint.get(chargePointId)
    if (!known) return
    for (const id of known.sessions.keys()) this.#sessions.delete(id)
    this.#ofChargePoint.delete(chargePointId)
  }

  /** Its session is placed. */
  dropSession(chargePointId: string, id: string): void {
    const known = this.#ofChargePoint.get(chargePointId)
    known?.sessions.delete(id)
    known?.courses.delete(id)
    this.#sessions.delete(id)
  }

  /** Everything but its sessions is placed. A transaction stays with its session, whose power it has. */
  dropOthers(chargePointId: string): void {
    const known = this.#ofChargePoint.get(chargePointId)
    if (!known) return
    if (known.sessions.size === 0) {
      this.#ofChargePoint.delete(chargePointId)
      return
    }
    known.status = undefined
    known.connectors.clear()
    known.records.clear()
    for (const { transactionId, sessionId } of known.transactions.values())
      if (!known.sessions.has(sessionId)) known.transactions.delete(transactionId)
  }

  #of(chargePointId: string): PendingOfChargePoint {
    const known = this.#ofChargePoint.get(chargePointId)
    if (known) return known
    const fresh = {
      status: undefined,
      connectors: new Map(),
      transactions: new Map(),
      sessions: new Map(),
      records: new Map(),
      courses: new Map(),
    }
    this.#ofChargePoint.set(chargePointId, fresh)
    return fresh
  }
}
