/**
 * The sockets as the core sees them: numbers, each of which speaks for a charge point. What comes in becomes a job in the
 * engine's queue; one connection per charge point is current (CN1).
 */
import type { Frame } from '../ocpp/rpc/frame.ts'
import { errorText, readFrames } from '../ocpp/rpc/frame.ts'
import type { OcppVersion, Protocol } from '../ocpp/version.ts'
import { versions } from '../ocpp/versions.ts'
import type { BootTrigger } from './boot-trigger.ts'
import type { CoreContext } from './context.ts'
import type { Job } from './engine.ts'
import { awaitFirstWord } from './first-word.ts'
import { inboundCall } from './inbound.ts'
import { malformedFrame } from './malformed.ts'
import { answered, dropOpenCall } from './outbound.ts'
import type { Settlement } from './outgoing.ts'
import type { Station } from './station.ts'

interface Connection {
  readonly number: number
  readonly stationId: string
  readonly version: OcppVersion
  /** RP10: unreadable frames in a row. */
  malformed: number
  /** RP8, RP11: frames that belong to nothing. */
  stray: number
}

/** LG6: the last sign of life is written at most this often; the log has the exact time of each message. */
const LAST_SEEN_INTERVAL_MS = 60_000
/** Of one connection: the first ones tell what is wrong, and more would fill the log's disk. */
const STRAY_LOGGED = 10
/** CN2: more replacements in a minute than this mean a shared identity or stolen credentials. */
const REPLACEMENTS_ALERT = 10
const REPLACEMENTS_WINDOW_MS = 60_000

export interface Connections {
  readonly count: () => number
  opened(connection: number, chargePointId: string, protocol: Protocol): void
  closed(connection: number): void
  /** A text arrived. */
  submit(connection: number, text: string): void
  /** A pong arrived. */
  alive(connection: number): void
  /** All of this charge point, replaced ones included. */
  closeAll(chargePointId: string, reason: string): void
}

export function createConnections(context: CoreContext, bootTrigger: BootTrigger): Connections {
  const { clock, counters, engine, log, settings, sockets, stations } = context
  const connections = new Map<number, Connection>()

  const seen = (station: Station): void => {
    station.lastSeenAt = clock.now()
    if (station.lastSeenAt - station.lastSeenStoredAt < LAST_SEEN_INTERVAL_MS) return
    station.lastSeenStoredAt = station.lastSeenAt
    engine.enqueue(storeStatus(station.id))
  }

  const countReplacement = (station: Station): void => {
    const now = clock.now()
    station.replacedAt = [...station.replacedAt.filter((at) => at > now - REPLACEMENTS_WINDOW_MS && at <= now), now]
    if (station.replacedAt.length <= REPLACEMENTS_ALERT) return
    log.warn(
      { chargePoint: station.id, perMinute: station.replacedAt.length },
      'connection replaced again and again: shared identity or stolen credentials?',
    )
  }

  const stray = (from: Connection, fields: object, message: string): void => {
    from.stray++
    if (from.stray <= STRAY_LOGGED) log.warn({ chargePoint: from.stationId, ...fields }, message)
  }
  const settled = (from: Connection, station: Station | undefined, messageId: string, settlement: Settlement): void => {
    if (!station || answered(context, station, messageId, settlement)) return
    stray(from, { messageId: messageId.slice(0, 60) }, 'answer to a call we do not know')
  }

  const receive = (from: Connection, station: Station | undefined, frame: Frame, text: string): void => {
    counters.messages++
    const { number: connection, stationId, version } = from
    if (frame.type !== 'malformed') from.malformed = 0
    switch (frame.type) {
      case 'call':
        engine.enqueue(inboundCall(context, { connection, stationId, version, frame, receivedAt: clock.now() }))
        if (station) bootTrigger.heard(station, frame.action)
        return
      case 'result':
        settled(from, station, frame.messageId, { status: 'success', ...frame })
        return
      case 'error':
        settled(from, station, frame.messageId, { status: 'error', ...frame })
        return
      case 'unknownType': {
        const code = version.code('unknownMessageType')
        if (code)
          sockets.send(connection, errorText(frame.idText, code, `Message type ${frame.messageType} is not known.`))
        return
      }
      case 'malformed':
        from.malformed++
        engine.enqueue(malformedFrame(context, { connection, stationId, version, text, frame, inARow: from.malformed }))
        return
      case 'resultError':
      case 'send':
        stray(from, { type: frame.type }, 'a message of OCPP 2.1 is not answered here')
        return
      case 'empty':
        return
    }
  }

  return {
    count: () => connections.size,

    opened(connection, chargePointId, protocol) {
      const version = versions[protocol]
      connections.set(connection, { number: connection, stationId: chargePointId, version, malformed: 0, stray: 0 })
      const station = stations.known(chargePointId)
      if (!station) return sockets.close(connection, 1011, 'the charge point was removed')
      const replaced = station.connection
      // CN1: in one step the new connection is current and the old one's open call has failed.
      station.connection = connection
      station.version = version
      station.offlineSince = undefined
      if (replaced !== undefined) {
        dropOpenCall(context, station)
        sockets.close(replaced, 1000, 'replaced')
        countReplacement(station)
      }
      station.lastSeenAt = clock.now()
      engine.enqueue(storeStatus(chargePointId))
      bootTrigger.opened(station)
      awaitFirstWord(context, station, connection)
    },

    closed(connection) {
      const known = connections.get(connection)
      connections.delete(connection)
      const station = known && stations.known(known.stationId)
      if (!station || station.connection !== connection) return
      station.connection = undefined
      station.offlineSince = clock.now()
      dropOpenCall(context, station)
      engine.enqueue(storeStatus(station.id))
    },

    submit(connection, text) {
      const from = connections.get(connection)
      if (!from) return
      const station = stations.known(from.stationId)
      if (station) seen(station)
      const validation = station?.chargePoint.validation ?? settings.validation
      for (const frame of readFrames(text, validation !== 'strict')) receive(from, station, frame, text)
    },

    alive(connection) {
      const from = connections.get(connection)
      const station = from && stations.known(from.stationId)
      if (station) seen(station)
    },

    closeAll(chargePointId, reason) {
      for (const { number, stationId } of connections.values()) {
        if (stationId === chargePointId) sockets.close(number, 1008, reason)
      }
    },
  }
}

/** Stores what the connection tells about the station: protocol and the last sign of life. */
function storeStatus(stationId: string): Job {
  return {
    stationId,
    prepare: () => undefined,
    decide(station: Station) {
      if (!station.state) return undefined
      const protocol = station.version?.protocol
      const status = {
        ...station.state.status,
        lastSeenAt: station.lastSeenAt,
        ...(protocol !== undefined && { protocol }),
      }
      station.lastSeenStoredAt = station.lastSeenAt
      station.state.apply({ status })
      return { chargePointId: stationId, status }
    },
    committed: () => undefined,
    failed: () => undefined,
  }
}
