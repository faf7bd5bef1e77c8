/**
 * Messages of one connection that the core has not processed yet. It is bounded in messages and in bytes, so that no
 * station delays the others (OCPP-RP12); what arrives beyond that waits here, in order, while the socket is not read
 * (OCPP-CN7). A socket that is not read still delivers what it had taken in, which compressed may be megabytes.
 */
import type { Clock } from '../domain/ports/clock.ts'
import type { Pace } from './unaccepted-pace.ts'

/** A larger message goes alone. */
const WINDOW = { messages: 64, bytes: 256 * 1024 }
/** Reading goes on when half of it is free. */
const RESUME = { messages: WINDOW.messages / 2, bytes: WINDOW.bytes / 2 }
/** Of all connections together: then those that hold much of it are closed, and send again what was not answered. */
const BACKLOG = { all: 256 * 1024 * 1024, own: 4 * 1024 * 1024 }

/** Bytes that wait here, of all connections. */
export interface Backlog {
  bytes: number
}

interface Waiting {
  readonly text: string
  readonly bytes: number
}

export class Intake {
  readonly #clock: Clock
  readonly #backlog: Backlog
  readonly #hand: (text: string) => void
  #underWay: number[] = []
  #bytesUnderWay = 0
  #waiting: Waiting[] = []
  #waitingBytes = 0
  #isHanding = false
  #pace: Pace | undefined
  /** The first one that waits got its place in the line of the unaccepted charge points. */
  #turn: 'none' | 'awaited' | 'come' = 'none'
  #cancelTurn: (() => void) | undefined

  constructor(clock: Clock, backlog: Backlog, hand: (text: string) => void) {
    this.#clock = clock
    this.#backlog = backlog
    this.#hand = hand
  }

  /** The socket must not be read. */
  get isFull(): boolean {
    return this.#waiting.length > 0 || this.#underWay.length >= WINDOW.messages || this.#bytesUnderWay >= WINDOW.bytes
  }

  /** There is room enough for reading to be worth it again. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#underWay.length <= RESUME.messages && this.#bytesUnderWay <= RESUME.bytes
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** Connections must be closed, and this one is among those that fill the memory. */
  get isTooMuch(): boolean {
    return this.#backlog.bytes > BACKLOG.all && this.#waitingBytes > BACKLOG.own
  }

  /** OCPP-RP14: undefined for a charge point that was accepted. */
  set pace(pace: Pace | undefined) {
    this.#pace = pace
    this.#forgetTurn()
    this.#advance()
  }

  take(text: string, bytes: number): void {
    if (this.#waiting.length === 0 && this.#pace === undefined && this.#fits(bytes)) {
      this.#handOver(text, bytes)
      return
    }
    this.#waiting.push({ text, bytes })
    this.#waitingBytes += bytes
    this.#backlog.bytes += bytes
    this.#advance()
  }

  done(): void {
    this.#bytesUnderWay -= this.#underWay.shift() ?? 0
    this.#advance()
  }

  /** What is under way is counted no longer: its answers did not come. */
  forgetUnderWay(): void {
    this.#underWay = []
    this.#bytesUnderWay = 0
    this.#advance()
  }

  dropWaiting(): void {
    this.#backlog.bytes -= this.#waitingBytes
    this.#waitingBytes = 0
    this.#waiting = []
    this.#forgetTurn()
  }

  #advance(): void {
    // A core in this thread may have processed a text before it was handed over completely.
    if (this.#isHanding) return
    for (;;) {
      const [next] = this.#waiting
      if (!next || !this.#fits(next.bytes) || !this.#isTurnOf(next)) return
      this.#waiting.shift()
      this.#waitingBytes -= next.bytes
      this.#backlog.bytes -= next.bytes
      this.#handOver(next.text, next.bytes)
    }
  }

  #fits(bytes: number): boolean {
    if (this.#underWay.length === 0) return true
    return this.#underWay.length < WINDOW.messages && this.#bytesUnderWay + bytes <= WINDOW.bytes
  }

  #handOver(text: string, bytes: number): void {
    this.#underWay.push(bytes)
    this.#bytesUnderWay += bytes
    const wasHanding = this.#isHanding
    this.#isHanding = true
    this.#hand(text)
    this.#isHanding = wasHanding
  }

  #isTurnOf({ bytes }: Waiting): boolean {
    if (!this.#pace || this.#turn === 'come') {
      this.#turn = 'none'
      return true
    }
    if (this.#turn === 'awaited') return false
    const waitMs = this.#pace(bytes)
    if (waitMs <= 0) return true
    this.#turn = 'awaited'
    this.#cancelTurn = this.#clock.after(waitMs, () => {
      this.#turn = 'come'
      this.#advance()
    })
    return false
  }

  #forgetTurn(): void {
    this.#cancelTurn?.()
    this.#cancelTurn = undefined
    this.#turn = 'none'
  }
}
