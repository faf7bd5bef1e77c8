/**
 * The CALLs that wait for one charge point. At most one is open per connection (OCPP-RP4); stops go before starts
 * before the rest; an answer after the time-out is still matched (OCPP-RP8). Pure bookkeeping: sending and storing is
 * done outside.
 */
import type { OutgoingCall } from '../../ocpp/version.ts'
import type { CommandAnswer } from '../../ports/storage.ts'
import type { Input } from '../../sessions/decision.ts'

export type Settlement =
  | { readonly status: 'success'; readonly payload: unknown; readonly payloadText: string }
  | { readonly status: 'error'; readonly code: string; readonly description: string; readonly details: unknown }
  | { readonly status: 'timeout' }
  /** `unsent`: it never left; otherwise the outcome is unknown. */
  | { readonly status: 'dropped'; readonly unsent?: true }

export interface OutgoingCommand {
  /** Log id of its row. */
  readonly id: number
  readonly messageId: string
  readonly call: OutgoingCall
  /** The version it was written and checked for. */
  readonly protocol: string
  readonly priority: 'stop' | 'start' | 'rest'
  /** Not sent after this time; the row becomes `dropped`. */
  readonly expiresAt: number
  /** The transaction that it is to stop: never two such calls at once (SESSION-S10). */
  readonly stops?: string
  /** What it was for came about without it: it is not sent any more. */
  readonly isOver?: () => boolean
  /** What the answer means for a session. */
  readonly followUp?: (settlement: Settlement) => Input | undefined
  /** Its settlement was committed; `late` when a time-out was reported before. */
  readonly settled: (settlement: Settlement, late: boolean, answer: CommandAnswer) => void
}

/** SESSION-O5: a station that never comes back must not fill the memory. */
export const OUTGOING_LIMIT = 100
/** OCPP-RP8: how many timed-out calls may still be answered late. */
const LATE_KEPT = 32

const RANK = { stop: 0, start: 1, rest: 2 }

export class OutgoingQueue {
  #waiting: OutgoingCommand[] = []
  #open: OutgoingCommand | undefined
  #reserved = 0
  readonly #timedOut = new Map<string, OutgoingCommand>()

  get open(): OutgoingCommand | undefined {
    return this.#open
  }

  get size(): number {
    return this.#waiting.length + (this.#open ? 1 : 0)
  }

  /** Earliest expiry among those that wait. */
  get nextExpiry(): number | undefined {
    return this.#waiting.length === 0 ? undefined : Math.min(...this.#waiting.map((command) => command.expiresAt))
  }

  /** A stop of this transaction waits or is unanswered. */
  stops(transactionId: string): boolean {
    return this.#open?.stops === transactionId || this.#waiting.some(({ stops }) => stops === transactionId)
  }

  /** A place for a command whose row is about to be committed; false when the queue is full (SESSION-O5). */
  reserve(): boolean {
    if (this.size + this.#reserved >= OUTGOING_LIMIT) return false
    this.#reserved++
    return true
  }

  /** The row was not stored after all. */
  release(): void {
    this.#reserved--
  }

  /** Takes the reserved place. */
  add(command: OutgoingCommand): void {
    this.#reserved--
    const before = this.#waiting.findIndex((other) => RANK[other.priority] > RANK[command.priority])
    if (before < 0) this.#waiting.push(command)
    else this.#waiting.splice(before, 0, command)
  }

  /** The command to send now, which becomes the open one; undefined while another is open or none may be sent. */
  takeNext(maySend: (command: OutgoingCommand) => boolean = () => true): OutgoingCommand | undefined {
    if (this.#open) return undefined
    const next = this.#waiting.findIndex(maySend)
    if (next >= 0) [this.#open] = this.#waiting.splice(next, 1)
    return this.#open
  }

  /** The command that an answer with this id belongs to, open or timed out; it is then done. */
  takeAnswered(messageId: string): { readonly command: OutgoingCommand; readonly late: boolean } | undefined {
    if (this.#open?.messageId === messageId) {
      const command = this.#open
      this.#open = undefined
      return { command, late: false }
    }
    const command = this.#timedOut.get(messageId)
    if (!command) return undefined
    this.#timedOut.delete(messageId)
    return { command, late: true }
  }

  /** OCPP-RP7: the open command had its time; a late answer may still come. */
  takeTimedOut(messageId: string): OutgoingCommand | undefined {
    const command = this.#open
    if (command?.messageId !== messageId) return undefined
    this.#open = undefined
    this.#timedOut.set(messageId, command)
    if (this.#timedOut.size > LATE_KEPT) {
      const oldest = this.#timedOut.keys().next()
      if (!oldest.done) this.#timedOut.delete(oldest.value)
    }
    return command
  }

  /** OCPP-RP9: the connection ended; the outcome of the open command is unknown. */
  takeDropped(): OutgoingCommand | undefined {
    const command = this.#open
    this.#open = undefined
    return command
  }

  takeExpired(now: number): readonly OutgoingCommand[] {
    return this.#takeWaiting((command) => command.expiresAt <= now)
  }

  takeOver(): readonly OutgoingCommand[] {
    return this.#takeWaiting((command) => command.isOver?.() === true)
  }

  /** OCPP-RP13: the charge point speaks another version than the one they were written for. */
  takeForeign(protocol: string): readonly OutgoingCommand[] {
    return this.#takeWaiting((command) => command.protocol !== protocol)
  }

  #takeWaiting(isTaken: (command: OutgoingCommand) => boolean): readonly OutgoingCommand[] {
    const taken = this.#waiting.filter(isTaken)
    if (taken.length > 0) this.#waiting = this.#waiting.filter((command) => !isTaken(command))
    return taken
  }

  /** Everything that will never be sent: the charge point was deleted or the process stops. */
  takeAll(): readonly OutgoingCommand[] {
    const all = [...(this.#open ? [this.#open] : []), ...this.#waiting]
    this.#open = undefined
    this.#waiting = []
    return all
  }
}
