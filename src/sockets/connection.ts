/** One charge point's socket, a byte pipe between `ws` and the core: frames, liveness and back pressure. */

import { isUtf8 } from 'node:buffer'
import type { RawData, WebSocket } from 'ws'
import type { Clock, Core, SocketEvents } from '../domain/ports/core.ts'
import { NOT_UTF8 } from '../ocpp/rpc/frame.ts'
import { createTurn, type Pace, UNACCEPTED_FRAME_BYTES } from './unaccepted-pace.ts'

interface ConnectionSettings {
  readonly clock: Clock
  readonly pingIntervalMs: number
  /** OCPP-CN3: false for a charge point that is known to leave pings unanswered. */
  readonly expectsPong: boolean
  readonly backlog: Backlog
  /** OCPP-RP14 */
  readonly unacceptedPace: () => Pace
}

interface ConnectionEvents {
  /** The socket failed or broke its protocol; `closed` follows. */
  readonly failed: (error: Error) => void
  /** `reason` may be empty; it is ours where we closed the connection. */
  readonly closed: (code: number, reason: string) => void
}

/** OCPP-CN3 */
const MISSED_PONGS_LIMIT = 2
/** OCPP-CN1: a peer that is gone never answers a close frame. */
const CLOSE_TIMEOUT_MS = 2000
/** OCPP-CN7: a client that does not read its answers is dead or hostile, and would fill the memory. */
const BUFFERED_LIMIT_BYTES = 1024 * 1024
/** OCPP-CN7: frames that need no answer (results, pings) slow their sender, too; no station sends a tenth of this. */
const BEAT = { ms: 250, most: 250, mostOfUnaccepted: 10, pauseMs: 1000 }
/** Reading resumes after this even when answers are missing: a miscount must not strand a station. */
const MAX_PAUSE_MS = 10_000
/** RFC 6455 §5.5: a control frame has 125 bytes, two of them the code. */
const CLOSE_REASON_LIMIT_BYTES = 123

export class Connection {
  readonly number: number
  readonly #socket: WebSocket
  readonly #core: Pick<Core, 'submit' | 'alive'>
  readonly #settings: ConnectionSettings
  #heardAt: number
  #unheardPings = 0
  /** Frames without an answer since the beat began. */
  #unasked = 0
  #beatBeganAt = 0
  #paused: 'no' | 'flood' | 'beat' | 'held' = 'no'
  #retired = false
  #isStranger = false
  readonly #intake: Intake
  /** Closed by us, and why. */
  #closing: { readonly code: number; readonly reason: string } | undefined
  /** The socket is closed, and earlier messages wait for their turn. */
  #ended: (() => void) | undefined
  #cancelLiveness: () => void
  #cancelResume: (() => void) | undefined
  #cancelTerminate: (() => void) | undefined

  constructor(
    number: number,
    socket: WebSocket,
    core: Pick<Core, 'submit' | 'alive'>,
    settings: ConnectionSettings,
    events: ConnectionEvents,
  ) {
    this.number = number
    this.#socket = socket
    this.#core = core
    this.#settings = settings
    this.#heardAt = settings.clock.now()
    this.#intake = new Intake(settings.clock, settings.backlog, (text) => core.submit(number, text))
    this.#cancelLiveness = settings.clock.after(settings.pingIntervalMs, () => this.#checkLiveness())
    socket.on('message', (frame) => this.#receive(frame))
    // `ws` answers pings by itself.
    socket.on('ping', () => this.#signOfLife())
    socket.on('pong', () => this.#signOfLife())
    socket.on('error', (error) => {
      events.failed(error)
      this.#terminateSoon()
    })
    socket.on('close', (code, reason) => {
      this.#cancelLiveness()
      this.#cancelResume?.()
      this.#cancelTerminate?.()
      const { code: ended, reason: why } = this.#closing ?? { code, reason: reason.toString() }
      this.#end(() => events.closed(ended, why))
    })
  }

  /** OCPP-RP14 */
  setLimits(isUnaccepted: boolean): void {
    this.#isStranger = isUnaccepted
    this.#intake.pace = isUnaccepted ? this.#settings.unacceptedPace() : undefined
    this.#readOnWhenRoom()
  }

  /** The core has processed one text of this connection. */
  done(): void {
    this.#intake.done()
    this.#readOnWhenRoom()
  }

  send(text: string): void {
    const socket = this.#socket
    if (socket.readyState !== socket.OPEN) return
    if (socket.bufferedAmount > BUFFERED_LIMIT_BYTES) {
      this.close(1013, 'answers are not read')
      return
    }
    socket.send(text)
  }

  /** Ends the socket when the peer does not answer the close frame. */
  close(code: number, reason: string): void {
    // A close frame behind a pause would never be answered.
    this.#resume()
    this.#terminateSoon()
    this.#closing ??= { code, reason }
    this.#socket.close(code, shortened(reason))
  }

  /** Stops reading; what the charge point sends meanwhile waits in its socket and is sent again elsewhere. */
  hold(): void {
    this.#cancelResume?.()
    this.#paused = 'held'
    this.#socket.pause()
    this.#intake.dropWaiting()
  }

  /** Closes for good: late messages stay unanswered, so that the charge point sends them again (OCPP-CN6). */
  retire(code: number, reason: string): void {
    this.#retired = true
    this.#intake.dropWaiting()
    this.close(code, reason)
    this.#ended?.()
  }

  #receive(frame: RawData): void {
    this.#heard()
    if (this.#retired) return
    // OCPP-RP1: one Buffer per message, as `ws` gives it by default; binary frames are read as text.
    const bytes = frame as Buffer
    if (this.#isStranger && bytes.length > UNACCEPTED_FRAME_BYTES) {
      this.retire(1009, 'the charge point is not accepted yet: 64 KiB is the limit')
      return
    }
    const text = bytes.toString()
    if (text.trim() === '') {
      this.#signOfLife()
      return
    }
    if (!isAnswered(text)) this.#countUnasked()
    this.#intake.take(text.includes(NOT_UTF8) && !isUtf8(bytes) ? NOT_UTF8 + text : text, bytes.length)
    if (this.#intake.isTooMuch) this.retire(1013, 'more than can be held: send it again later')
    else if (this.#intake.isFull) this.#pause('flood', MAX_PAUSE_MS)
  }

  /** A ping, a pong, an empty text. Those faster than the beat are not news. */
  #signOfLife(): void {
    this.#heard()
    if (!this.#countUnasked() && !this.#retired) this.#core.alive(this.number)
  }

  #heard(): void {
    this.#heardAt = this.#settings.clock.now()
    this.#unheardPings = 0
  }

  /** OCPP-CN3: pings are sent only in silence; anything that arrives postpones the next one. */
  #checkLiveness(): void {
    const { clock, pingIntervalMs, expectsPong } = this.#settings
    // A clock that was set back must not postpone the next ping.
    this.#heardAt = Math.min(this.#heardAt, clock.now())
    const silenceMs = clock.now() - this.#heardAt
    // A socket that is not read is always silent.
    const isSilent = silenceMs >= pingIntervalMs && this.#paused === 'no'
    if (isSilent && expectsPong && this.#unheardPings >= MISSED_PONGS_LIMIT) {
      this.#closing ??= { code: 1006, reason: 'pings were not answered' }
      this.#socket.terminate()
      return
    }
    if (isSilent) this.#ping()
    const nextMs = silenceMs < pingIntervalMs ? pingIntervalMs - silenceMs : pingIntervalMs
    this.#cancelLiveness = clock.after(nextMs, () => this.#checkLiveness())
  }

  #ping(): void {
    this.#unheardPings++
    if (this.#socket.readyState === this.#socket.OPEN) this.#socket.ping()
  }

  #pause(reason: 'flood' | 'beat', longestMs: number): void {
    if (this.#paused !== 'no') return
    this.#paused = reason
    this.#socket.pause()
    this.#cancelResume = this.#settings.clock.after(longestMs, () => {
      if (reason === 'flood') this.#intake.forgetUnderWay()
      this.#resume()
      if (this.#intake.isFull) this.#pause('flood', MAX_PAUSE_MS)
    })
  }

  /** The core does not report these as done, so they are counted by time. @returns whether they are too many */
  #countUnasked(): boolean {
    const now = this.#settings.clock.now()
    // The second comparison: the clock was set back.
    if (now - this.#beatBeganAt >= BEAT.ms || now < this.#beatBeganAt) {
      this.#beatBeganAt = now
      this.#unasked = 0
    }
    if (++this.#unasked <= (this.#isStranger ? BEAT.mostOfUnaccepted : BEAT.most)) return false
    this.#pause('beat', BEAT.pauseMs)
    return true
  }

  #readOnWhenRoom(): void {
    if (this.#paused === 'flood' && this.#intake.hasRoom) this.#resume()
    if (!this.#intake.isWaiting) this.#ended?.()
  }

  /** Messages before a disconnect are still processed; those of an unaccepted charge point are not. */
  #end(closed: () => void): void {
    const end = (): void => {
      this.#ended = undefined
      cancel()
      this.#intake.dropWaiting()
      closed()
    }
    const cancel = this.#settings.clock.after(MAX_PAUSE_MS, end)
    this.#ended = end
    if (this.#retired || this.#isStranger || !this.#intake.isWaiting) end()
  }

  #resume(): void {
    this.#cancelResume?.()
    this.#cancelResume = undefined
    if (this.#paused === 'no') return
    this.#paused = 'no'
    this.#heard()
    this.#socket.resume()
  }

  #terminateSoon(): void {
    this.#cancelTerminate ??= this.#settings.clock.after(CLOSE_TIMEOUT_MS, () => this.#socket.terminate())
  }
}

/** For the core: ignores connections that are gone. */
export function socketEvents(connections: ReadonlyMap<number, Connection>): SocketEvents {
  return {
    send: (number, text) => connections.get(number)?.send(text),
    close: (number, code, reason) => connections.get(number)?.close(code, reason),
    done: (number) => connections.get(number)?.done(),
    setLimits: (number, isUnaccepted) => connections.get(number)?.setLimits(isUnaccepted),
  }
}

/** Calls, and unreadable texts: those are stored and answered as well. */
function isAnswered(text: string): boolean {
  return text.startsWith('[2,') || !/^\s*\[\s*[013-9]/.test(text)
}

function shortened(reason: string): string {
  let text = reason.slice(0, CLOSE_REASON_LIMIT_BYTES)
  while (Buffer.byteLength(text) > CLOSE_REASON_LIMIT_BYTES) text = text.slice(0, -1)
  return text
}

/** A larger message goes alone. */
const WINDOW = { messages: 64, bytes: 256 * 1024 }
/** Reading resumes when half of it is free. */
const RESUME = { messages: WINDOW.messages / 2, bytes: WINDOW.bytes / 2 }
/** For all connections together: beyond it large users are closed, and send again what was not answered. */
const BACKLOG = { all: 256 * 1024 * 1024, own: 4 * 1024 * 1024 }

/** Bytes waiting here, for all connections. */
export interface Backlog {
  bytes: number
}

/**
 * Messages of one connection that the core has not processed yet, bounded in number and bytes, so that no
 * station delays the others (OCPP-RP12); later ones wait here, in order, while the socket is not read
 * (OCPP-CN7). A paused socket still delivers what it has buffered, which decompressed may be megabytes.
 */
export class Intake {
  readonly #clock: Clock
  readonly #backlog: Backlog
  readonly #hand: (text: string) => void
  #underWay: number[] = []
  #bytesUnderWay = 0
  #waiting: { readonly text: string; readonly bytes: number }[] = []
  #waitingBytes = 0
  #isHanding = false
  #turn: ReturnType<typeof createTurn> | undefined

  constructor(clock: Clock, backlog: Backlog, hand: (text: string) => void) {
    this.#clock = clock
    this.#backlog = backlog
    this.#hand = hand
  }

  /** The socket must not be read. */
  get isFull(): boolean {
    return this.#waiting.length > 0 || this.#underWay.length >= WINDOW.messages || this.#bytesUnderWay >= WINDOW.bytes
  }

  /** Enough room to resume reading. */
  get hasRoom(): boolean {
    return this.#waiting.length === 0 && this.#underWay.length <= RESUME.messages && this.#bytesUnderWay <= RESUME.bytes
  }

  get isWaiting(): boolean {
    return this.#waiting.length > 0
  }

  /** The memory is full, and this connection is among its large users. */
  get isTooMuch(): boolean {
    return this.#backlog.bytes > BACKLOG.all && this.#waitingBytes > BACKLOG.own
  }

  /** OCPP-RP14: undefined for an accepted charge point. */
  set pace(pace: Pace | undefined) {
    this.#turn?.forget()
    this.#turn = pace && createTurn(this.#clock, pace, () => this.#advance())
    this.#advance()
  }

  take(text: string, bytes: number): void {
    if (this.#waiting.length === 0 && this.#turn === undefined && this.#fits(bytes)) {
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

  /** Drops lost counts: their answers did not come. */
  forgetUnderWay(): void {
    this.#underWay = []
    this.#bytesUnderWay = 0
    this.#advance()
  }

  dropWaiting(): void {
    this.#backlog.bytes -= this.#waitingBytes
    this.#waitingBytes = 0
    this.#waiting = []
    this.#turn?.forget()
  }

  #advance(): void {
    // A core in this thread may process a text before it was handed over completely.
    if (this.#isHanding) return
    for (;;) {
      const [next] = this.#waiting
      if (!next || !this.#fits(next.bytes) || this.#turn?.has(next.bytes) === false) return
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
}
