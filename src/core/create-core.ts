/**
 * Puts the core together: sockets' events in, jobs into the engine, answers out. Runs in the core thread beside the
 * writer's connection (server/core-thread.ts), or in any thread with another engine's store.
 */
import { randomBytes } from 'node:crypto'
import type { Emission } from '../domain/events/emission.ts'
import type { CertificateSigner } from '../domain/ports/certificates.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Core, CoreStatistics, SocketEvents } from '../domain/ports/core.ts'
import type { Log } from '../domain/ports/log.ts'
import type { Ownership } from '../domain/ports/nodes.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { createCertificateLogin } from './certificates/login.ts'
import { createAdmission } from './connections/admission.ts'
import { createBootTrigger } from './connections/boot-trigger.ts'
import { createConnections } from './connections/connections.ts'
import { connectivityOf, networksOf } from './connections/connectivity.ts'
import { createRefusals } from './connections/refused-connections.ts'
import { createRowLimit } from './connections/row-limit.ts'
import type { CoreContext, CoreCounters } from './context.ts'
import { createLogIds } from './context.ts'
import type { CoreSettings } from './core-settings.ts'
import { createDecisions } from './groups/applied.ts'
import { Engine } from './groups/engine.ts'
import { tick } from './groups/tick.ts'
import { createWakeUps } from './groups/wake-ups.ts'
import { notKeptJob } from './inbound/text-row.ts'
import { Stations } from './memory/stations.ts'
import { createAdoption } from './nodes/adoption.ts'
import { type HeldHere, heldHere } from './nodes/held-here.ts'
import { NO_SESSION } from './operations/core-refusals.ts'
import { decideBlockOrder } from './operations/decide-block.ts'
import { dropCommands } from './operations/drop-commands.ts'
import { orderReportOf } from './operations/order-report.ts'
import { startSession, stopSession } from './operations/remote.ts'
import { removeChargePoint } from './operations/remove-charge-point.ts'
import { sendCommand } from './operations/send-command.ts'
import { settleSession } from './operations/settle.ts'
import { leaveOutgoing } from './outbound/outbound.ts'
import { PURPOSES } from './outbound/purposes.ts'
import { createQuestions } from './outbound/questions.ts'
import { restoreCalls } from './outbound/restore-calls.ts'
import { createFollow } from './reconcile/after-commit.ts'
import { createConfigurations } from './reconcile/configurations.ts'
import { createPlaceValues } from './reconcile/place-values.ts'
import { createReconciler } from './reconcile/reconciler.ts'
import { SUBJECTS } from './reconcile/subjects.ts'

/** Where nobody signs: certificates are made by hand (CERT-C22). */
const BY_HAND: CertificateSigner = { sign: async () => ({ later: true }), prepare: async () => undefined }

export interface CoreParts {
  readonly store: CoreStore
  readonly writes: Writes
  readonly salt: bigint
  /** Absent: this process has the database to itself. */
  readonly ownership?: Ownership | undefined
  readonly settings: CoreSettings
  readonly sockets: SocketEvents
  readonly clock: Clock
  readonly log: Log
  readonly emission?: Emission
  readonly signer?: CertificateSigner
  /** What is committed and not yet where readers look; how long commits took, and whether none succeeds. */
  readonly behind: () => Pick<
    CoreStatistics,
    'waitingChanges' | 'failedFlushes' | 'commitSeconds' | 'syncSeconds' | 'storeRefuses'
  >
}

export async function createCore(parts: CoreParts): Promise<{
  readonly core: Core
  readonly here: HeldHere
  readonly registrationsChanged: () => void
}> {
  const { store, writes, settings, sockets, clock, log, ownership } = parts
  await store.dropPendingCommands()
  const logIds = createLogIds(await store.lastCommandId(), ownership && (() => ownership.slot()))
  const counters: CoreCounters = { messages: 0, callErrors: 0, malformedFrames: 0, repeatedMessages: 0 }
  // What is made here needs the context, and uses it only later.
  const later = (): CoreContext => context
  const stations = new Stations(
    store,
    (station) => restoreCalls(context, station),
    (station) => configurations.look(station),
    (newestCommandId) => logIds.raise(newestCommandId),
  )
  const engine = new Engine(
    store,
    stations,
    (error, where) => log.error({ error: error.message, stack: error.stack, where }, 'fault'),
    (stationId) => lose(stationId),
  )
  const lose = (stationId: string, code = 1000, reason = 'replaced'): void => {
    wakeUps.set(stationId, undefined)
    stations.leave(stationId)?.cancelTimers()
    connections.closeAll(stationId, reason, code)
  }
  const wakeUps = createWakeUps(clock, (stationId) => engine.enqueue(tick(context, stationId)))
  const reconciler = createReconciler(later, SUBJECTS, clock)
  const configurations = createConfigurations(later)
  const placing = createPlaceValues(later)
  const context: CoreContext = {
    clock,
    settings,
    log,
    sockets,
    counters,
    store,
    writes,
    signer: parts.signer ?? BY_HAND,
    logIds: { ...logIds, salt: parts.salt },
    nodes: { ownership, lose },
    sealed: {
      calls: sealedBox(settings.secretKey, 'outgoingCalls', randomBytes),
      values: sealedBox(settings.secretKey, 'desiredValues', randomBytes),
    },
    engine,
    stations,
    decisions: createDecisions({
      stations,
      clock,
      emission: parts.emission,
      wakeUps,
      settings,
      follow: createFollow(later),
    }),
    wakeUps,
    rowLimit: createRowLimit(clock, (station, notKept) => engine.enqueue(notKeptJob(context, station, notKept))),
    purposes: PURPOSES,
    reconciler,
    configurations,
    placing,
    ask: createQuestions(later),
  }
  const refusals = createRefusals(context)
  const connections = createConnections(context, createBootTrigger(context))
  const remove: Core['removeChargePoint'] = async (accountId, chargePointId) => {
    const removed = await removeChargePoint(context, accountId, chargePointId)
    if ('refused' in removed) return removed
    wakeUps.set(chargePointId, undefined)
    connections.closeAll(chargePointId, 'deleted')
    return removed
  }
  const admission = createAdmission(context, createCertificateLogin(context), refusals, remove)
  const adopt = createAdoption(context)
  await adopt()
  await engine.whenIdle()
  ownership?.listen({
    connections: () => connections.count(),
    lost: (ids) => {
      for (const id of ids) lose(id)
    },
    fenced: () => {
      for (const { id } of [...stations.all()]) lose(id, 1012, 'the server begins anew')
    },
    adopt: async () => {
      await store.dropPendingCommands()
      await adopt()
    },
    cutOff: () => connections.closeSpread(1012, 'the server has lost its database'),
  })
  const core: Core = {
    admit: (request) => admission(request),

    opened: connections.opened,
    closed: connections.closed,
    submit: connections.submit,
    alive: connections.alive,

    sendCommand: (order) => sendCommand(context, order),
    dropCommands: (order) => dropCommands(context, order),
    startSession: (order) => startSession(context, order),
    async stopSession(accountId, sessionId) {
      const session = await store.findSession(sessionId)
      return session?.accountId === accountId ? stopSession(context, session) : NO_SESSION
    },

    async settle(order) {
      const session = await store.findSession(order.sessionId)
      return session?.accountId === order.accountId ? settleSession(context, session, order) : NO_SESSION
    },

    decideBlock: (order) => decideBlockOrder(context, order),
    prepareAuthorities: () => context.signer.prepare(),
    orderReport: (order) => orderReportOf(context, order),
    settleConfigurations: (order) => configurations.settle(order),
    configurationsChanged: async (accountId, desired) => configurations.changed(accountId, desired),

    connectivity: async (chargePointIds) =>
      chargePointIds.map((id) => connectivityOf(id, stations.known(id), clock.now())),
    onlineChargePoints: async (accountId) =>
      networksOf(stations.all(), clock.now()).find((network) => network.accountId === accountId)?.online ?? [],
    networks: async () => networksOf(stations.all(), clock.now()),

    removeChargePoint: remove,

    async disconnect(chargePointId, reason) {
      const station = stations.known(chargePointId)
      connections.closeAll(chargePointId, reason)
      if (station) station.offlineSince = 0
    },

    async statistics(): Promise<CoreStatistics> {
      return {
        ...counters,
        ...engine.counters,
        connections: connections.count(),
        queued: engine.queued,
        ...parts.behind(),
        ...(ownership && { node: { notReady: ownership.notReady() } }),
      }
    },

    leave: async () => (await ownership?.leave()) ?? false,

    async drain() {
      await ownership?.leave()
      wakeUps.stop()
      reconciler.stop()
      placing.stop()
      await connections.whenRead()
      refusals.tell()
      context.rowLimit.tell(stations.all())
      for (const station of stations.all()) {
        leaveOutgoing(context, station)
        station.cancelWake()
      }
      await engine.whenIdle()
    },
  }
  return { core, here: heldHere(stations, clock.now), registrationsChanged: () => stations.registrationsChanged() }
}
