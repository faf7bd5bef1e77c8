import type { Protocol, ShownAtLogin } from '../../domain/ports/core.ts'
import { errorText, type Frame, NOT_UTF8, readFrames } from '../../ocpp/rpc/frame.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import { versions } from '../../ocpp/versions.ts'
import type { CoreContext } from '../context.ts'
import { type Job, LARGE_BYTES } from '../groups/engine.ts'
import {
  answerRefused,
  inboundCall,
  MALFORMED_METHOD,
  type TextFacts,
  textRow,
  UNANSWERED_METHOD,
} from '../inbound/inbound.ts'
import { type Arrival, type ArrivedCall, frameProcessed } from '../inbound/read-call.ts'
import type { Station } from '../memory/station.ts'
import type { CallOutcome } from '../outbound/call-outcome.ts'
import { answered, dropOpenCall } from '../outbound/outbound.ts'
import { afterCommit } from '../reconcile/subjects.ts'
import type { BootTrigger } from './admission.ts'
import { holdUntilFirstMessage } from './first-word.ts'
import { ABNORMAL, closeReason, happened } from './unaccepted.ts'

interface Connection {
  readonly number: number
  readonly stationId: string
  readonly version: OcppVersion
  /** OCPP-RP10: unreadable frames in a row. */
  malformed: number
  /** OCPP-RP8, OCPP-RP11: frames that answer no open call. */
  stray: number
  /** Calls behind one whose answer may wait for a service: a station has one open call (OCPP21-C8). */
  behind?: ArrivedCall[] | undefined
}

/** OCPP-LG6: at most one write of the last sign of life in this time; the log has the exact times. */
const LAST_SEEN_INTERVAL_MS = 60_000
/** OCPP-CN7: a paused socket is read again after a while; who waits for its answers has one call here. */
const BEHIND = { calls: 256, characters: 2 * 1024 * 1024 }
/** Limit of warnings per connection in the program's log; the message log has more (row-limit.ts). */
const STRAY_LOGGED = 10

export interface Connections {
  readonly count: () => number
  opened(connection: number, chargePointId: string, protocol: Protocol, shown?: ShownAtLogin): void
  closed(connection: number, code?: number, reason?: string): void
  submit(connection: number, text: string): void
  alive(connection: number): void
  whenRead(): Promise<void>
  /** Includes replaced connections. @param code RFC 6455 §7.4 */
  closeAll(chargePointId: string, reason: string, code?: number): void
  /** Spread over some seconds, so that the stations do not come back together. */
  closeSpread(code: number, reason: string): void
}

const CLOSE_SPREAD = { perConnectionMs: 5, longestMs: 5000 }

export function createConnections(context: CoreContext, bootTrigger: BootTrigger): Connections {
  const { clock, counters, engine, log, logIds, settings, sockets, stations } = context
  const connections = new Map<number, Connection>()
  // OCPP-RP12: a megabyte takes many milliseconds to read; other connections get turns in between.
  const turns = createTurns(setImmediate, (error) =>
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'a text could not be read'),
  )

  const seen = (station: Station): void => {
    if (station.seen(clock.now()) < LAST_SEEN_INTERVAL_MS) return
    station.lastSeenStored()
    engine.enqueue(storeStatus(station.id))
  }

  const countReplacement = (station: Station): void => {
    const count = station.replacements.note(clock.now())
    if (count === undefined) return
    log.warn(
      { chargePoint: station.id, count },
      'connection replaced again and again: shared identity or stolen credentials?',
    )
  }

  const submitCall = (from: Connection, arrived: ArrivedCall, accountId: string | undefined): void => {
    const { version, frame } = arrived
    if (from.behind && !frame.isSend) {
      const characters = from.behind.reduce((sum, one) => sum + one.frame.payloadText.length, frame.payloadText.length)
      const isFull = from.behind.length >= BEHIND.calls || characters > BEHIND.characters
      from.behind = isFull ? [] : [...from.behind, arrived]
      if (isFull) sockets.close(from.number, 1013, 'more than can be held: send it again later')
      return
    }
    const mayAsk = context.asksNumbers || !context.stations.partnerTokens.isNone
    const mayWait = mayAsk && !frame.isSend && context.lateAnswers.mayWait(version, frame.action, accountId)
    if (mayWait) from.behind = []
    const settled = (): void => {
      const { behind = [] } = from
      from.behind = undefined
      for (const one of behind) submitCall(from, one, accountId)
    }
    engine.enqueue(inboundCall(context, mayWait ? { ...arrived, settled } : arrived))
  }

  const receive = (
    from: Connection,
    station: Station | undefined,
    frame: Frame,
    text: string,
    arrival: Arrival,
  ): void => {
    counters.messages++
    const { number: connection, stationId, version } = from
    const unanswered = (description: string, messageId: string, answerText?: string): void => {
      if (++from.stray <= STRAY_LOGGED)
        log.warn({ chargePoint: stationId, messageId: messageId.slice(0, 60) }, description)
      engine.enqueue(
        unansweredFrame(context, { stationId, version, text, arrival, messageId, description, answerText }),
      )
    }
    const settled = (messageId: string, outcome: CallOutcome): void => {
      if (station && answered(context, station, messageId, outcome)) frameProcessed(sockets, arrival)
      else unanswered(ANSWERS_NOTHING, messageId)
    }
    // OCPP-RP10: a frame with a message id is OCPP.
    if (frame.type !== 'malformed' || frame.idText !== undefined) from.malformed = 0
    switch (frame.type) {
      case 'call':
        if (frame.isSend && !version.abilities.hasSend) {
          unanswered(NOT_SPOKEN, frame.messageId)
          return
        }
        submitCall(
          from,
          { connection, stationId, version, frame, receivedAt: clock.now(), arrival },
          station?.chargePoint.accountId,
        )
        if (station?.neverBooted) bootTrigger.heard(station, frame.action)
        return
      case 'result':
        settled(frame.messageId, { status: 'success', ...frame })
        return
      case 'error':
        settled(frame.messageId, { status: 'error', ...frame })
        return
      case 'unknownType': {
        const code = version.code('unknownMessageType')
        const description = `Message type ${frame.messageType} is not known.`
        unanswered(description, '-1', code && errorText(frame.idText, code, description))
        return
      }
      case 'malformed':
        if (frame.idText === undefined) from.malformed++
        engine.enqueue(malformedFrame(context, { stationId, version, text, frame, inARow: from.malformed, arrival }))
        return
      case 'resultError': {
        const row = station?.answeredRows?.take(frame.messageId)
        if (row) engine.enqueue(answerRefused(context, stationId, row, frame, arrival))
        else unanswered(version.abilities.hasSend ? ANSWERS_NOTHING : NOT_SPOKEN, frame.messageId)
        return
      }
      case 'empty':
        frameProcessed(sockets, arrival)
    }
  }

  const read = (from: Connection, submitted: string): void => {
    const station = stations.known(from.stationId)
    if (station) seen(station)
    const isStrict = (station?.chargePoint.validation ?? settings.validation) === 'strict'
    const notUtf8 = submitted.startsWith(NOT_UTF8)
    const text = notUtf8 ? submitted.slice(NOT_UTF8.length) : submitted
    const frames = readFrames(text, { lenient: !isStrict, notUtf8 })
    const arrival = { connection: from.number, left: frames.length }
    for (const frame of frames) receive(from, station, frame, text, arrival)
  }

  const ended = (stationId: string, code: number, reason: string | undefined): void => {
    const id = logIds.next(clock.now())
    engine.enqueue(happened(context, stationId, { kind: 'disconnected', id, code, reason: closeReason(reason) }))
  }

  const close = (connection: number, code: number, reason: string | undefined): void => {
    const known = connections.get(connection)
    connections.delete(connection)
    const station = known && stations.known(known.stationId)
    if (!station || station.connection !== connection) return
    station.closed(clock.now())
    dropOpenCall(context, station)
    engine.enqueue(storeStatus(station.id))
    ended(station.id, code, reason)
  }

  return {
    count: () => connections.size,

    opened(connection, chargePointId, protocol, shown) {
      const version = versions[protocol]
      connections.set(connection, { number: connection, stationId: chargePointId, version, malformed: 0, stray: 0 })
      const station = stations.known(chargePointId)
      if (!station) return sockets.close(connection, 1011, 'the charge point was removed')
      const now = clock.now()
      const replaced = station.opened(connection, version, shown, now)
      if (replaced !== undefined) {
        dropOpenCall(context, station)
        sockets.close(replaced, 1000, 'replaced')
        ended(chargePointId, 1000, 'replaced')
        countReplacement(station)
      }
      engine.enqueue(storeStatus(chargePointId))
      const id = logIds.next(now)
      engine.enqueue(happened(context, chargePointId, { kind: 'connected', id, protocol }))
      bootTrigger.opened(station)
      holdUntilFirstMessage(context, station, connection)
      afterCommit(context, station, 'opened')
    },

    closed(connection, code = ABNORMAL, reason) {
      // Frames received before the close are processed first.
      if (turns.waiting.has(connection)) turns.add(connection, () => close(connection, code, reason))
      else close(connection, code, reason)
    },

    submit(connection, text) {
      const from = connections.get(connection)
      if (!from) return
      if (text.length < LARGE_BYTES && !turns.waiting.has(connection)) read(from, text)
      else turns.add(connection, () => read(from, text))
    },

    whenRead: turns.whenEmpty,

    alive(connection) {
      const from = connections.get(connection)
      const station = from && stations.known(from.stationId)
      if (station) seen(station)
    },

    closeAll(chargePointId, reason, code = 1008) {
      for (const { number, stationId } of connections.values()) {
        if (stationId === chargePointId) sockets.close(number, code, reason)
      }
    },

    closeSpread(code, reason) {
      const all = [...connections.keys()]
      const spreadMs = Math.min(all.length * CLOSE_SPREAD.perConnectionMs, CLOSE_SPREAD.longestMs)
      all.forEach((connection, index) => {
        clock.after(Math.floor((index / all.length) * spreadMs), () => sockets.close(connection, code, reason))
      })
    },
  }
}

function storeStatus(stationId: string): Job {
  return {
    stationId,
    decide(station: Station) {
      if (!station.state) return undefined
      const { status: known } = station.state
      const protocol = station.version?.protocol ?? known.protocol
      const status = { ...known, lastSeenAt: station.lastSeenAt, protocol }
      station.lastSeenStored()
      station.state.apply({ status })
      return { chargePointId: stationId, status }
    },
  }
}

const ANSWERS_NOTHING = 'It answers no call that waits for an answer.'
const NOT_SPOKEN = 'A message of OCPP 2.1 is not answered here.'

// Texts that answer no CALL: unreadable ones (OCPP-RP10), and stray results (OCPP-RP8, OCPP-RP11).

/** OCPP-RP10: then the peer does not speak OCPP. */
const IN_A_ROW_LIMIT = 10

interface Arrived {
  readonly stationId: string
  readonly version: OcppVersion
  readonly text: string
  readonly arrival: Arrival
}

/** Stored for the installer; answered where the version says so. */
function malformedFrame(
  context: CoreContext,
  arrived: Arrived & { readonly frame: Extract<Frame, { type: 'malformed' }>; readonly inARow: number },
): Job {
  const { stationId, version, text, frame, inARow, arrival } = arrived
  const { connection } = arrival
  const code = version.code('unreadable') ?? 'GenericError'
  context.counters.malformedFrames++
  const facts = { stationId, version, method: MALFORMED_METHOD, code, description: frame.reason }
  return textJob(context, arrived, facts, text, () => {
    context.sockets.send(connection, errorText(frame.idText ?? '"-1"', code, frame.reason))
    if (inARow >= IN_A_ROW_LIMIT) context.sockets.close(connection, 1002, 'no OCPP messages')
  })
}

function unansweredFrame(
  context: CoreContext,
  arrived: Arrived & {
    readonly messageId?: string
    readonly description: string
    readonly answerText?: string | undefined
  },
): Job {
  const { stationId, version, text, messageId, description, answerText, arrival } = arrived
  const code = version.code('unknownMessageType') ?? 'GenericError'
  const facts = { stationId, version, method: UNANSWERED_METHOD, messageId, code, description }
  return textJob(context, arrived, facts, text, () => {
    if (answerText !== undefined) context.sockets.send(arrival.connection, answerText)
  })
}

function textJob(
  context: CoreContext,
  { stationId, arrival }: Arrived,
  facts: TextFacts,
  text: string,
  answer: () => void,
): Job {
  let isKept: boolean | undefined
  const settled = (): void => {
    answer()
    frameProcessed(context.sockets, arrival)
  }
  return {
    stationId,
    bytes: text.length,
    decide(station: Station) {
      isKept ??= context.rowLimit.mayKeep(station, text.length)
      if (!isKept) return undefined
      return { chargePointId: stationId, command: textRow(context, facts, text) }
    },
    committed: settled,
    failed: settled,
  }
}

/** Work in pieces: one per event loop turn, round-robin over the keys, in order within a key (OCPP-RP12). */
interface Turns {
  add(key: number, run: () => void): void
  readonly waiting: ReadonlyMap<number, unknown>
  whenEmpty(): Promise<void>
}

export function createTurns(later: (run: () => void) => void, report: (error: unknown) => void): Turns {
  const waiting = new Map<number, (() => void)[]>()
  const idle: (() => void)[] = []

  let isScheduled = false
  const schedule = (): void => {
    if (isScheduled) return
    isScheduled = true
    later(takeTurn)
  }
  const takeTurn = (): void => {
    isScheduled = false
    const [next] = waiting
    if (!next) return
    const [key, pieces] = next
    const run = pieces.shift()
    waiting.delete(key)
    if (pieces.length > 0) waiting.set(key, pieces)
    try {
      run?.()
    } catch (error) {
      report(error)
    }
    if (waiting.size > 0) schedule()
    else for (const resolve of idle.splice(0)) resolve()
  }

  return {
    add(key, run) {
      schedule()
      const pieces = waiting.get(key)
      if (pieces) pieces.push(run)
      else waiting.set(key, [run])
    },
    waiting,
    whenEmpty() {
      if (waiting.size === 0) return Promise.resolve()
      return new Promise((resolve) => {
        idle.push(resolve)
      })
    },
  }
}
