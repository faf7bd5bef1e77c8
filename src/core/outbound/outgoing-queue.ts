/** A charge point's CALLs: stops, then starts, then the rest (OCPP-RP4, OCPP-RP8). It neither sends nor stores. */

import type { Priority, StoredCall } from '../../domain/outgoing-calls/records.ts'
import type { CommandAnswer } from '../../domain/ports/storage-records.ts'
import type { OutgoingCall, Payload } from '../../ocpp/translate/payload.ts'
import type { CallOutcome } from './call-outcome.ts'

export interface QueuedCall {
  /** As waiting; the database says that it was sent before it leaves (OCPP-RP15). */
  readonly stored: StoredCall
  readonly call: OutgoingCall
  /** Its charge point's connection at the time of the order; unknown after a restart. */
  readonly connection: number | undefined
  /** For a caller in this process, after the commit; `late` when a time-out was reported before. */
  readonly answered?: (answer: CommandAnswer, outcome: CallOutcome, late: boolean) => void
}

/** The right to send one call on this connection; its commit is under way. */
export interface Claim {
  readonly connection: number
}

/** SESSION-O5: bounds the memory of a station that never comes back. */
export const OUTGOING_LIMIT = 100
/** OCPP-RP8: how many timed-out calls may still be answered late. */
const LATE_KEPT = 32

const RANK: Readonly<Record<Priority, number>> = { stop: 0, start: 1, rest: 2 }

interface Answered {
  readonly call: QueuedCall
  readonly late: boolean
}

export class OutgoingQueue {
  #waiting: QueuedCall[] = []
  #open: QueuedCall | undefined
  #claim: Claim | undefined
  #reserved = 0
  /** Lazy: an empty Map in each of many stations adds up. */
  #timedOut: Map<string, QueuedCall> | undefined

  get open(): QueuedCall | undefined {
    return this.#open
  }

  get size(): number {
    return this.#waiting.length + (this.#open ? 1 : 0)
  }

  get nextExpiry(): number | undefined {
    return this.#waiting.length === 0 ? undefined : Math.min(...this.#waiting.map(expiryOf))
  }

  /** SESSION-S10: a transaction has at most one waiting or open stop. */
  stops(transactionId: string): boolean {
    return [...this.#waiting, ...(this.#open ? [this.#open] : [])].some(({ stored: { purpose } }) => {
      const isStop = purpose.kind === 'stop' || purpose.kind === 'stopBeforeItBegins'
      return isStop && purpose.transactionId === transactionId
    })
  }

  /** Reserves a slot for a call whose row is about to be committed; false when the queue is full (SESSION-O5). */
  reserve(): boolean {
    if (this.size + this.#reserved >= OUTGOING_LIMIT) return false
    this.#reserved++
    return true
  }

  release(): void {
    this.#reserved--
  }

  add(call: QueuedCall): void {
    this.#reserved--
    this.restore(call)
  }

  restore(call: QueuedCall): void {
    const rank = RANK[call.stored.priority]
    const before = this.#waiting.findIndex(({ stored }) => RANK[stored.priority] > rank)
    if (before < 0) this.#waiting.push(call)
    else this.#waiting.splice(before, 0, call)
  }

  waits(call: QueuedCall): boolean {
    return this.#waiting.includes(call)
  }

  has(id: number): boolean {
    return this.#open?.stored.id === id || this.#waiting.some(({ stored }) => stored.id === id)
  }

  next(maySend: (call: QueuedCall) => boolean): QueuedCall | undefined {
    return this.#waiting.find(maySend)
  }

  claim(connection: number): Claim | undefined {
    if (this.#open || this.#claim) return undefined
    this.#claim = { connection }
    return this.#claim
  }

  /** For a call outside the queue: nothing may be before it. */
  claimAtOnce(connection: number): Claim | undefined {
    return this.#waiting.length > 0 || this.#reserved > 0 ? undefined : this.claim(connection)
  }

  giveUp(claim: Claim): void {
    if (this.#claim === claim) this.#claim = undefined
  }

  /** Makes it the open call; false when its connection ended or it was removed meanwhile. */
  leave(claim: Claim, call: QueuedCall): boolean {
    if (this.#claim !== claim || !this.waits(call)) return false
    this.#claim = undefined
    this.#waiting = this.#waiting.filter((other) => other !== call)
    this.#open = call
    return true
  }

  /** Takes the open or timed-out call with this id. */
  takeAnswered(messageId: string): Answered | undefined {
    // Ours are in lower case; some stations echo them in capitals.
    return this.#take(messageId) ?? this.#take(messageId.toLowerCase())
  }

  #take(messageId: string): Answered | undefined {
    if (this.#open?.stored.messageId === messageId) {
      const call = this.#open
      this.#open = undefined
      return { call, late: false }
    }
    const call = this.#timedOut?.get(messageId)
    if (!call) return undefined
    this.#timedOut?.delete(messageId)
    return { call, late: true }
  }

  /** OCPP-RP7: a late answer may still come. */
  takeTimedOut(messageId: string): QueuedCall | undefined {
    const call = this.#open
    if (call?.stored.messageId !== messageId) return undefined
    this.#open = undefined
    this.#timedOut ??= new Map()
    this.#timedOut.set(messageId, call)
    if (this.#timedOut.size > LATE_KEPT) {
      const oldest = this.#timedOut.keys().next()
      if (!oldest.done) this.#timedOut.delete(oldest.value)
    }
    return call
  }

  /** OCPP-RP9: takes the open call, whose outcome is unknown; one that was about to leave waits again. */
  takeDropped(): QueuedCall | undefined {
    const call = this.#open
    this.#open = undefined
    this.#claim = undefined
    return call
  }

  takeExpired(now: number): readonly QueuedCall[] {
    return this.takeWaiting((call) => expiryOf(call) <= now)
  }

  /** OCPP-RP13: calls written for another version than the charge point speaks. */
  takeForeign(protocol: string): readonly QueuedCall[] {
    return this.takeWaiting(({ stored }) => stored.protocol !== protocol)
  }

  takeWaiting(isTaken: (call: QueuedCall) => boolean): readonly QueuedCall[] {
    const taken = this.#waiting.filter(isTaken)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((call) => !taken.includes(call))
    return taken
  }
}

function expiryOf({ stored }: QueuedCall): number {
  return stored.expiresAt ?? Number.POSITIVE_INFINITY
}

/** What an unaccepted charge point may send because we asked (OCPP-DR9): a triggered message, report pages (B02). */
const REPORTS = new Set(['GetBaseReport', 'GetReport'])
/** A trigger without a place is followed by one of these for each place. */
const BY_PLACE = new Set(['StatusNotification', 'MeterValues', 'TransactionEvent'])

/** Bounds orders whose reports never came. */
const MAX_REPORTS = 16
/** Far more than any report has. */
const MAX_PAGES = 10_000

export class AskedFor {
  readonly #left = new Map<string, number>()
  /** By requestId. Pages may arrive out of order: a report is complete with all pages up to the last (B02). */
  readonly #reports = new Map<unknown, { readonly seen: Set<unknown>; pages: number }>()

  /** Before the command leaves: the answer may be fast. */
  add({ method, request }: OutgoingCall): void {
    if (REPORTS.has(method)) {
      this.#reports.set(request.requestId, { seen: new Set(), pages: Number.POSITIVE_INFINITY })
      const [oldest] = this.#reports.keys()
      if (this.#reports.size > MAX_REPORTS) this.#reports.delete(oldest)
    }
    const { requestedMessage } = request
    if (!isTrigger(method) || typeof requestedMessage !== 'string') return
    const named = request.connectorId !== undefined || request.evse !== undefined
    const times = BY_PLACE.has(requestedMessage) && !named ? Number.POSITIVE_INFINITY : 1
    for (const action of followers(requestedMessage)) this.#left.set(action, (this.#left.get(action) ?? 0) + times)
  }

  includes(action: string): boolean {
    return this.#left.has(action) || (action === 'NotifyReport' && this.#reports.size > 0)
  }

  arrived(action: string, payload: Payload): void {
    if (action === 'NotifyReport') this.#pageArrived(payload)
    const left = this.#left.get(action)
    if (left === undefined) return
    if (left <= 1) this.#left.delete(action)
    else this.#left.set(action, left - 1)
  }

  #pageArrived({ requestId, seqNo, tbc }: Payload): void {
    const report = this.#reports.get(requestId)
    if (!report) return
    if (Number.isSafeInteger(seqNo)) report.seen.add(seqNo)
    if (tbc !== true) report.pages = typeof seqNo === 'number' ? seqNo + 1 : 0
    if (report.seen.size >= Math.min(report.pages, MAX_PAGES)) this.#reports.delete(requestId)
  }
}

export function asksForMessages({ method }: Pick<OutgoingCall, 'method'>): boolean {
  return REPORTS.has(method) || isTrigger(method)
}

function isTrigger(method: string): boolean {
  return method === 'TriggerMessage' || method === 'ExtendedTriggerMessage'
}

/** A trigger's answers: the message of that name, except where the name is a topic. */
function followers(requestedMessage: string): readonly string[] {
  if (requestedMessage.startsWith('Sign')) return ['SignCertificate']
  if (requestedMessage === 'FirmwareStatusNotification') return [requestedMessage, `Signed${requestedMessage}`]
  return [requestedMessage]
}
