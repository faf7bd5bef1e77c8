/** The changes of one decision in the making: reads see earlier ones, only changed records leave. For one message. */

import { addedToSums } from '../budgets/rules.ts'
import type { MeterState } from '../energy/meter.ts'
import { type EvsePosition, samePlace } from '../energy/place.ts'
import type { BlockDraft } from '../ports/blocks.ts'
import type { IdToken } from '../ports/id-tokens.ts'
import type {
  ChargePointState,
  ChargePointStatus,
  Connector,
  Flag,
  Outcome,
  Session,
  StationTime,
  Transaction,
} from '../ports/sessions.ts'
import type { EventData } from '../ports/storage-webhooks.ts'
import {
  declarationOf,
  keyText,
  type RecordChange,
  type RecordKey,
  type RecordKind,
  type RecordOfKind,
} from '../records/records.ts'
import { wasAway } from '../timeline/rules.ts'
import type { Changes, Decision, DecisionContext, Request } from './decision.ts'
import { representationsDiffer } from './figures/representation.ts'
import { connectorKey, sessionRecord, transactionRecord } from './records.ts'

/** A transaction whose meter is known; everything in this room made it so. */
export type MeteredTransaction = Transaction<MeterState>

export class Draft implements BlockDraft {
  readonly state: ChargePointState
  readonly context: DecisionContext
  #status: ChargePointStatus | undefined
  // Made when first needed: most messages change one or two records.
  #connectors: Map<string, Connector> | undefined
  #transactions: Map<string, MeteredTransaction> | undefined
  #sessions: Map<string, Session> | undefined
  #idTokens: IdToken[] | undefined
  #requests: Request[] | undefined
  #records: RecordChange[] | undefined
  /** Of `#records` the newest of each key, as far as they were asked for. */
  #newest: Map<string, RecordChange> | undefined
  #noted = 0
  #events: EventData[] | undefined

  constructor(state: ChargePointState, context: DecisionContext) {
    this.state = state
    this.context = context
  }

  get now(): number {
    return this.context.now
  }

  get voltage(): number {
    return this.context.settings.voltage
  }

  get commandId(): number | undefined {
    return this.context.commandId
  }

  get status(): ChargePointStatus {
    return this.#status ?? this.state.status
  }

  set status(status: ChargePointStatus) {
    this.#status = status
  }

  connector(evseId: number | undefined, connectorId: number): Connector | undefined {
    const key = connectorKey(evseId, connectorId)
    return this.#connectors?.get(key) ?? this.state.connectors.get(key)
  }

  putConnector(connector: Connector): void {
    this.#connectors ??= new Map()
    this.#connectors.set(connectorKey(connector.evseId, connector.connectorId), connector)
  }

  transaction(id: string): MeteredTransaction | undefined {
    return this.#transactions?.get(id) ?? (this.state.transactions.get(id) as MeteredTransaction | undefined)
  }

  transactions(): readonly MeteredTransaction[] {
    const transactions: MeteredTransaction[] = []
    for (const [id, transaction] of this.state.transactions) {
      transactions.push(this.#transactions?.get(id) ?? (transaction as MeteredTransaction))
    }
    return transactions
  }

  putTransaction(transaction: MeteredTransaction): void {
    const before = this.transaction(transaction.transactionId)
    // Samples and sequence numbers are what most messages bring: no need to compare the rest.
    const moved = before?.meter !== transaction.meter || before.sequence !== transaction.sequence
    if (!moved && sameMembers(before, transaction)) return
    this.#transactions ??= new Map()
    this.#transactions.set(transaction.transactionId, transactionRecord(transaction))
  }

  session(id: string): Session | undefined {
    return this.#sessions?.get(id) ?? this.state.sessions.get(id)
  }

  sessions(): readonly Session[] {
    const sessions: Session[] = []
    for (const [id, session] of this.state.sessions) sessions.push(this.#sessions?.get(id) ?? session)
    return sessions
  }

  /** As `sessions`, if there are some of remote starts: most charges are begun at the connector. */
  sessionsOfOrders(): readonly Session[] {
    for (const { remoteStart } of this.state.sessions.values()) if (remoteStart) return this.sessions()
    return NONE
  }

  /** Its version rises by one when it looks different from outside than before this decision (API-G2). */
  putSession(session: Session): void {
    const present = this.session(session.id)
    if (present === session) return
    const before = this.state.sessions.get(session.id)
    const version = before && representationsDiffer(before, session) ? before.version + 1 : (before?.version ?? 1)
    const after = sessionRecord(session, version)
    if (present?.version === version && sameMembers(present, after)) return
    this.#sessions ??= new Map()
    this.#sessions.set(session.id, after)
  }

  addIdToken(token: IdToken): void {
    this.#idTokens = added(this.#idTokens, token)
  }

  /** As it is now: what this decision changed of it counts. */
  record<Kind extends RecordKind>(kind: Kind, key: RecordKey<Kind>): RecordOfKind<Kind> | undefined {
    const changed = this.#records && this.#changedRecord(this.#records, kind, key)
    if (changed) return 'put' in changed ? (changed.put as RecordOfKind<Kind>) : undefined
    return this.state.records.find(kind, key)
  }

  /** Each change is looked at once, however often this is asked. */
  #changedRecord<Kind extends RecordKind>(
    all: readonly RecordChange[],
    kind: Kind,
    key: RecordKey<Kind>,
  ): RecordChange | undefined {
    this.#newest ??= new Map()
    for (; this.#noted < all.length; this.#noted++) {
      const change = all[this.#noted]
      if (!change) continue
      const declaration = declarationOf(change.kind)
      this.#newest.set(change.kind + keyText(declaration, 'put' in change ? change.put : change.remove), change)
    }
    return this.#newest.get(kind + keyText(declarationOf(kind), key))
  }

  changeRecord(change: RecordChange): void {
    this.#records = added(this.#records, change)
  }

  changeTime(locationId: string, at: number): number {
    return this.context.changeTime?.(locationId, at) ?? at
  }

  tell(event: EventData): void {
    this.#events = added(this.#events, event)
  }

  ask(request: Request): void {
    this.#requests = added(this.#requests, request)
  }

  /** What its sessions add to the sums of budgets: made anew each time, as a decision may be asked for twice. */
  #withBudgets(): readonly RecordChange[] | undefined {
    const { now, settings } = this.context
    let sums: RecordChange[] | undefined
    for (const session of this.#sessions?.values() ?? NONE) {
      if (session.limits?.budgetOf === undefined) continue
      const before = this.state.sessions.get(session.id)
      for (const put of addedToSums(before, session, now, settings.timeZone)) {
        sums = added(sums, { kind: 'budget_sums', put })
      }
    }
    return sums ? [...(this.#records ?? []), ...sums] : this.#records
  }

  decision(outcome: Outcome): Decision {
    const changes: Changes = {
      status: this.#status,
      connectors: valuesOf(this.#connectors),
      transactions: valuesOf(this.#transactions),
      sessions: valuesOf(this.#sessions),
      idTokens: this.#idTokens,
      records: this.#withBudgets(),
      events: this.#events,
    }
    return this.#requests ? { outcome, changes, requests: this.#requests } : { outcome, changes }
  }
}

const NONE: readonly Session[] = []

function valuesOf<T>(records: ReadonlyMap<string, T> | undefined): readonly T[] | undefined {
  return records && [...records.values()]
}

function sameMembers<T extends object>(before: T | undefined, after: T): boolean {
  if (!before) return false
  if (before === after) return true
  for (const name in after) if (before[name] !== after[name]) return false
  // One that was stored without its absent members is the same.
  for (const name in before) if (before[name] !== after[name]) return false
  return true
}

/** Findings about a transaction (SESSION-S2): in their order, and the same set while nothing is new. */
export function withFlags(flags: readonly Flag[], more: readonly Flag[]): readonly Flag[] {
  if (more.length === 0) return flags
  const fresh = more.filter((flag, index) => !flags.includes(flag) && more.indexOf(flag) === index)
  return fresh.length === 0 ? flags : [...flags, ...fresh]
}

/** The same set where it has no such finding. */
export function withoutFlag(flags: readonly Flag[], flag: Flag): readonly Flag[] {
  return flags.includes(flag) ? flags.filter((other) => other !== flag) : flags
}

export function setFlag(flags: readonly Flag[], flag: Flag, present: boolean): readonly Flag[] {
  return present ? withFlags(flags, [flag]) : withoutFlag(flags, flag)
}

/** The list with one more. A first one makes a list for one: an empty one that grows has room for 17. */
export function added<T>(list: T[] | undefined, one: T): T[] {
  if (!list) return [one]
  list.push(one)
  return list
}

/** The transactions that run on an outlet. */
export function openTransactionsAt(draft: Draft, place: EvsePosition): readonly MeteredTransaction[] {
  const found: MeteredTransaction[] = []
  for (const transaction of draft.transactions()) {
    if (transaction.open && samePlace(transaction, place)) found.push(transaction)
  }
  return found
}

/** The one that runs there now: a transaction that is only replayed from a queue is history (SESSION-A6). */
export function runningTransactionAt(draft: Draft, place: EvsePosition): MeteredTransaction | undefined {
  const open = openTransactionsAt(draft, place)
  return open.find(({ flags }) => !flags.includes('historical')) ?? open[0]
}

// SESSION-T1: when something happened, the one rule. Station times tell events apart (ENERGY-W1, ENERGY-W2).

/** The station itself said when it happened. */
export function hasOwnTime({ original, repaired }: StationTime): boolean {
  return original !== undefined && !repaired
}

/**
 * By our clock: never after its receipt, and a clock known to be behind is corrected. One ahead is not: until it is
 * known to be right again, the present would look late. Without a usable time it happened when it came.
 */
export function happenedAt(at: StationTime, { clockAheadMs = 0 }: Pick<ChargePointStatus, 'clockAheadMs'>): number {
  return hasOwnTime(at) ? Math.min(at.occurredAt - Math.min(0, clockAheadMs), at.receivedAt) : at.receivedAt
}

/** How far a clock may be off that is not known to be wrong. */
const CLOCK_TOLERANCE_MS = 5 * 60_000

/** Whatever the clocks, before `time`. What happened while the station was away certainly waited in its queue. */
export function happenedBefore(draft: BlockDraft, at: StationTime, time: number): boolean {
  const happened = happenedAt(at, draft.state.status)
  if (happened >= time) return false
  return at.isQueued === true || happened < time - CLOCK_TOLERANCE_MS || wasAway(draft, happened)
}
