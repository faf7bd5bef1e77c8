/**
 * Puts the core together: sockets' events in, jobs into the engine, answers out. Runs in the core thread beside the
 * writer's connection (thread.ts), or in any thread with another engine's store.
 */
import type { Clock } from '../clock.ts'
import { newUuid } from '../commands/uuid.ts'
import type { Frame } from '../ocpp/rpc/frame.ts'
import { errorText, readFrames } from '../ocpp/rpc/frame.ts'
import type { OcppVersion } from '../ocpp/version.ts'
import { versions } from '../ocpp/versions.ts'
import { decide } from '../sessions/decide.ts'
import type { CoreStore, Writes } from '../storage/store.ts'
import type { Emission } from '../webhooks/emission.ts'
import { createAdmission } from './admission.ts'
import { sendCommand } from './api-commands.ts'
import { createBootTrigger } from './boot-trigger.ts'
import type { CoreContext, CoreCounters, CoreLog } from './context.ts'
import { createApplied, createLogIds } from './context.ts'
import type { Connectivity, Core, CoreStatistics, SocketEvents } from './core.ts'
import { Engine } from './engine.ts'
import { wakeTime, withDueFigures } from './figures.ts'
import { inboundCall } from './inbound.ts'
import { malformedFrame } from './malformed.ts'
import { answered, ask, dropOpenCall, pump } from './outbound.ts'
import { startSession, stopSession } from './remote.ts'
import { removeChargePoint } from './remove-charge-point.ts'
import type { CoreSettings } from './settings.ts'
import { settleSession } from './settle.ts'
import type { Station } from './station.ts'
import { Stations } from './stations.ts'
import { createWakeUps } from './wake-ups.ts'

export interface CoreParts {
  readonly store: CoreStore
  readonly writes: Writes
  readonly salt: bigint
  readonly settings: CoreSettings
  readonly sockets: SocketEvents
  readonly clock: Clock
  readonly log: CoreLog
  readonly emission?: Emission
  /** How often the store could not put in place what was committed. */
  readonly failedFolds: () => number
}

interface Connection {
  readonly stationId: string
  readonly version: OcppVersion
  /** RP10: unreadable frames in a row. */
  malformed: number
}

/** CN4: a short loss of the connection is not shown. */
const OFFLINE_GRACE_MS = 60_000
/** LG6: the last sign of life is written at most this often; the log has the exact time of each message. */
const LAST_SEEN_INTERVAL_MS = 60_000
/** CN2: more replacements in a minute than this mean a shared identity or stolen credentials. */
const REPLACEMENTS_ALERT = 10

export async function createCore(
  parts: CoreParts,
): Promise<{ readonly core: Core; readonly registrationsChanged: () => void }> {
  const { store, writes, settings, sockets, clock, log } = parts
  await store.dropPendingCommands()
  const counters: CoreCounters = { messages: 0, callErrors: 0, malformedFrames: 0, repeatedMessages: 0 }
  const stations = new Stations(store)
  const engine = new Engine(store, stations, (error, where) =>
    log.error({ error: error.message, stack: error.stack, where }, 'fault'),
  )
  const connections = new Map<number, Connection>()

  const wakeUps = createWakeUps(clock, (stationId) => engine.enqueue(tick(stationId)))
  const context: CoreContext = {
    clock,
    settings,
    sockets,
    log,
    counters,
    engine,
    stations,
    salt: parts.salt,
    nextLogId: createLogIds(await store.lastCommandId()),
    decisionContext: (station, now) => ({
      now,
      nextTransactionId: () => stations.nextTransactionId(),
      newSessionId: () => newUuid(now),
      idTokens: stations.tokens(station.chargePoint.accountId),
      unknownIdTokens: settings.unknownIdTokens,
      ...(station.tariff && { tariff: station.tariff }),
      ...(station.automaticSettlement && { automaticSettlement: station.automaticSettlement }),
      settings: settings.sessions,
    }),
    applied: createApplied(stations, clock, parts.emission, (station, at) => wakeUps.set(station.id, at), settings),
    ask: (station, request) => ask(context, station, request),
    findIdToken: async (accountId, id) => (await store.loadIdTokens(accountId, [id.toLowerCase()]))[0],
  }
  const admission = createAdmission(context, store, writes)
  const bootTrigger = createBootTrigger(context)

  const tick = (stationId: string) => ({
    stationId,
    prepare: () => undefined,
    decide(station: Station) {
      if (!station.state) return undefined
      const now = clock.now()
      const decided = decide(station.state, { kind: 'tick' }, context.decisionContext(station, now))
      const decision = withDueFigures(decided, station.state, now)
      wakeUps.set(stationId, wakeTime(station.state, settings.sessions))
      const { changes } = decision
      return changes.sessions || changes.transactions ? context.applied(station, decision) : undefined
    },
    committed: () => undefined,
    // Whatever was due is due again once the database answers.
    failed: () => wakeUps.set(stationId, clock.now() + LAST_SEEN_INTERVAL_MS),
  })

  /** Stores what the connection tells about the station: protocol and the last sign of life. */
  const storeStatus = (stationId: string) => ({
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
  })

  const seen = (station: Station): void => {
    station.lastSeenAt = clock.now()
    if (station.lastSeenAt - station.lastSeenStoredAt < LAST_SEEN_INTERVAL_MS) return
    station.lastSeenStoredAt = station.lastSeenAt
    engine.enqueue(storeStatus(station.id))
  }

  const receive = (
    connection: number,
    from: Connection,
    station: Station | undefined,
    frame: Frame,
    text: string,
  ): void => {
    counters.messages++
    const { stationId, version } = from
    if (frame.type !== 'malformed') from.malformed = 0
    switch (frame.type) {
      case 'call':
        engine.enqueue(inboundCall(context, { connection, stationId, version, frame, receivedAt: clock.now() }))
        if (station) bootTrigger.heard(station, frame.action)
        return
      case 'result':
        if (station) answered(context, station, frame.messageId, { status: 'success', ...frame })
        return
      case 'error':
        if (station) answered(context, station, frame.messageId, { status: 'error', ...frame })
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
        log.warn({ chargePoint: stationId, type: frame.type }, 'a message of OCPP 2.1 is not answered here')
        return
      case 'empty':
        return
    }
  }

  const closeSockets = (chargePointId: string, reason: string): void => {
    for (const [number, { stationId }] of connections) {
      if (stationId === chargePointId) sockets.close(number, 1008, reason)
    }
  }

  const resume = async (): Promise<void> => {
    for (const id of await store.chargePointsWithOpenSessions()) {
      const station = await stations.load(id)
      if (station?.state) wakeUps.set(id, wakeTime(station.state, settings.sessions))
    }
  }
  await resume()

  const core: Core = {
    admit: (request) => admission(request),

    opened(connection, chargePointId, protocol) {
      const version = versions[protocol]
      connections.set(connection, { stationId: chargePointId, version, malformed: 0 })
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
        const now = clock.now()
        station.replacedAt = [...station.replacedAt.filter((at) => at > now - 60_000), now]
        if (station.replacedAt.length > REPLACEMENTS_ALERT) {
          log.warn(
            { chargePoint: chargePointId, perMinute: station.replacedAt.length },
            'connection replaced again and again: shared identity or stolen credentials?',
          )
        }
      }
      station.lastSeenAt = clock.now()
      engine.enqueue(storeStatus(chargePointId))
      bootTrigger.opened(station)
      pump(context, station)
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
      for (const frame of readFrames(text, validation !== 'strict')) receive(connection, from, station, frame, text)
    },

    alive(connection) {
      const from = connections.get(connection)
      const station = from && stations.known(from.stationId)
      if (station) seen(station)
    },

    sendCommand: (order) => sendCommand(context, writes, order),
    startSession: (order) => startSession(context, order),
    async stopSession(accountId, sessionId) {
      const session = await store.findSession(sessionId)
      if (session?.accountId !== accountId) {
        return { refused: true, status: 404, code: 'not_found', detail: 'There is no such session.' }
      }
      return stopSession(context, session)
    },

    async settle(order) {
      const session = await store.findSession(order.sessionId)
      if (session?.accountId !== order.accountId) {
        return { refused: true, status: 404, code: 'not_found', detail: 'There is no such session.' }
      }
      return settleSession(context, session, order)
    },

    async connectivity(chargePointIds) {
      return chargePointIds.map((id) => connectivityOf(id, stations.known(id), clock.now()))
    },

    async removeChargePoint(accountId, chargePointId) {
      const removed = await removeChargePoint(context, writes, accountId, chargePointId)
      if ('refused' in removed) return removed
      wakeUps.set(chargePointId, undefined)
      closeSockets(chargePointId, 'deleted')
      return removed
    },

    async disconnect(chargePointId, reason) {
      const station = stations.known(chargePointId)
      closeSockets(chargePointId, reason)
      if (station) station.offlineSince = 0
    },

    async statistics(): Promise<CoreStatistics> {
      return {
        ...counters,
        ...engine.counters,
        connections: connections.size,
        queued: engine.queued,
        waitingChanges: store.waiting(),
        failedFolds: parts.failedFolds(),
      }
    },

    async drain() {
      wakeUps.stop()
      for (const station of stations.all()) {
        dropOpenCall(context, station)
        station.cancelExpiry?.()
      }
      await engine.whenIdle()
    },
  }
  return { core, registrationsChanged: () => stations.registrationsChanged() }
}

function connectivityOf(chargePointId: string, station: Station | undefined, now: number): Connectivity {
  if (!station) return { chargePointId, online: false }
  const { connection, offlineSince, lastSeenAt, version } = station
  const inGrace = offlineSince !== undefined && now - offlineSince < OFFLINE_GRACE_MS
  return {
    chargePointId,
    online: connection !== undefined || inGrace,
    ...(lastSeenAt > 0 && { lastSeenAt }),
    ...(version && { protocol: version.protocol }),
  }
}
