/**
 * Puts the core together: sockets' events in, jobs into the engine, answers out. Runs in the core thread beside the
 * writer's connection (server/core-thread.ts), or in any thread with another engine's store.
 */
import { randomBytes } from 'node:crypto'
import type { Emission } from '../domain/events/emission.ts'
import { newUuid } from '../domain/message-log/uuid.ts'
import type { CertificateSigner } from '../domain/ports/certificates.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Connectivity, Core, CoreStatistics, SocketEvents } from '../domain/ports/core.ts'
import type { Log } from '../domain/ports/log.ts'
import type { Ownership } from '../domain/ports/nodes.ts'
import type { CoreStore, Writes } from '../domain/ports/storage.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { createCertificateLogin } from './certificates/login.ts'
import { createAdmission } from './connections/admission.ts'
import { createBootTrigger } from './connections/boot-trigger.ts'
import { createConnections } from './connections/connections.ts'
import { isOnline, isWrongClock } from './connections/connectivity.ts'
import { createRefusals } from './connections/refused-connections.ts'
import { createRowLimit } from './connections/row-limit.ts'
import type { CoreContext, CoreCounters } from './context.ts'
import { createLogIds } from './context.ts'
import type { CoreSettings } from './core-settings.ts'
import { createApplied } from './groups/applied.ts'
import { wakeTime } from './groups/due-figures.ts'
import { Engine } from './groups/engine.ts'
import { tick } from './groups/tick.ts'
import { createWakeUps } from './groups/wake-ups.ts'
import { notKeptJob } from './inbound/text-row.ts'
import type { Station } from './memory/station.ts'
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
import { restoreCalls, sweepExpired } from './outbound/restore-calls.ts'
import { createFollow } from './reconcile/after-commit.ts'
import { createConfigurations } from './reconcile/configurations.ts'
import { decideSoon } from './reconcile/decide-now.ts'
import { createReconcileIntents } from './reconcile/intents.ts'
import { createPasswordChanges } from './reconcile/password-changes.ts'
import { createPlaceValues } from './reconcile/place-values.ts'
import { createProfileJobs, type ProfileJobs } from './reconcile/profile-jobs.ts'
import { type CertificateRenewal, createCertificateRenewal } from './reconcile/renewal.ts'
import { createReconcileReports } from './reconcile/reports.ts'
import { sweepExpiredIntents } from './reconcile/restore.ts'
import { type CertificateWork, createCertificateWork } from './reconcile/signing.ts'

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
  /** Absent: certificates are made by hand (CERT-C22). */
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
  const ask = createQuestions()
  const wakeUps = createWakeUps(clock, (stationId) => engine.enqueue(tick(context, wakeUps, stationId)))
  let certificates: CertificateWork | undefined
  let renewal: CertificateRenewal | undefined
  let profileJobs: ProfileJobs | undefined
  const byHand: CertificateSigner = { sign: async () => ({ later: true }), prepare: async () => undefined }
  const signer = parts.signer ?? byHand
  const [intents, reports] = [createReconcileIntents(store, clock), createReconcileReports(store)]
  const placing = createPlaceValues(() => context, store)
  const configurations = createConfigurations(() => context, store)
  const follow = createFollow(engine, {
    intents: (station) => intents(context, station),
    device_models: (station) => reports(context, station),
    reports: (station) => {
      reports(context, station)
      placing.wake(station.id)
    },
    value_batches: (station) => placing.wake(station.id),
    password_changes: (station) => context.passwordChanges.reconcile(station),
  })
  const context: CoreContext = {
    clock,
    settings,
    sockets,
    log,
    counters,
    engine,
    rowLimit: createRowLimit(clock, (station, notKept) => engine.enqueue(notKeptJob(context, station, notKept))),
    stations,
    purposes: PURPOSES,
    sealedCalls: sealedBox(settings.secretKey, 'outgoingCalls', randomBytes),
    passwords: writes,
    salt: parts.salt,
    ownership,
    lose,
    nextLogId: logIds.next,
    decisionContext: (station, now, commandId) => ({
      now,
      commandId,
      nextTransactionId: () => stations.nextTransactionId(),
      newSessionId: () => newUuid(now),
      idTokens: stations.tokens(station.chargePoint.accountId),
      unknownIdTokens: settings.unknownIdTokens,
      transferAnswer: (vendorId) => stations.transferAnswers.find(station.chargePoint.accountId, vendorId),
      ...(station.tariff && { tariff: station.tariff }),
      ...(station.automaticSettlement && { automaticSettlement: station.automaticSettlement }),
      settings: settings.sessions,
    }),
    applied: createApplied({ stations, clock, emission: parts.emission, wakeUps, settings, follow }),
    sealedValues: sealedBox(settings.secretKey, 'desiredValues', randomBytes),
    reconcileIntents: (station) => intents(context, station),
    reconcileReports: (station) => reports(context, station),
    greeted(station) {
      const { state } = station
      if (!state) return
      wakeUps.set(station.id, wakeTime(state, settings.sessions, clock.now()))
      if (state.records.all('intents').length > 0) decideSoon(context, station.id, { kind: 'intentsReleased' })
      configurations.look(station)
      intents(context, station)
      reports(context, station)
      context.passwordChanges.reconcile(station)
    },
    ask: (station, request) => ask(context, station, request),
    // They need the context, so they are made when they are first used.
    get certificates() {
      certificates ??= createCertificateWork(context, store, signer)
      return certificates
    },
    get renewal() {
      renewal ??= createCertificateRenewal(context)
      return renewal
    },
    get profileJobs() {
      profileJobs ??= createProfileJobs(context, store)
      return profileJobs
    },
    get passwordChanges() {
      return passwordChanges
    },
    findIdToken: async (accountId, id) => (await store.loadIdTokens(accountId, [id.toLowerCase()]))[0],
  }
  const passwordChanges = createPasswordChanges(context, store)
  const login = createCertificateLogin(context, store)
  const refusals = createRefusals(context)
  const admission = createAdmission(context, store, writes, login, refusals, (accountId, id) => remove(accountId, id))
  const connections = createConnections(context, createBootTrigger(context))

  const remove: Core['removeChargePoint'] = async (accountId, chargePointId) => {
    const removed = await removeChargePoint(context, writes, accountId, chargePointId)
    if ('refused' in removed) return removed
    wakeUps.set(chargePointId, undefined)
    connections.closeAll(chargePointId, 'deleted')
    return removed
  }

  const adopt = createAdoption(context, store, placing, (id, state) =>
    wakeUps.set(id, wakeTime(state, settings.sessions, clock.now())),
  )
  await adopt(() => engine.whenIdle())
  const stopSweeping = sweepExpired(context, store)
  const stopExpiring = sweepExpiredIntents(context, store)
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
      // Others go on meanwhile: it is never idle.
      await adopt(async () => undefined)
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

    async decideBlock(order) {
      const outcome = await decideBlockOrder(context, order)
      const station = stations.known(order.chargePointId)
      if (station) {
        context.certificates.wake(station)
        context.profileJobs.wake(station)
      }
      return outcome
    },

    prepareAuthorities: () => signer.prepare(),
    orderReport: (order) => orderReportOf(context, store, order),
    settleConfigurations: (order) => configurations.settle(order),
    configurationsChanged: async (accountId, desired) => configurations.changed(accountId, desired),

    async connectivity(chargePointIds) {
      return chargePointIds.map((id) => connectivityOf(id, stations.known(id), clock.now()))
    },

    async onlineChargePoints(accountId) {
      const now = clock.now()
      return [...stations.all()]
        .filter(
          (station) => station.chargePoint.accountId === accountId && connectivityOf(station.id, station, now).online,
        )
        .map(({ id }) => id)
    },

    async networks() {
      const now = clock.now()
      const networks = new Map<string, { accountId: string; online: string[]; wrongClocks: number }>()
      for (const station of stations.all()) {
        const { online, clockSkewMs = 0 } = connectivityOf(station.id, station, now)
        if (!online) continue
        const { accountId } = station.chargePoint
        const network = networks.get(accountId) ?? { accountId, online: [], wrongClocks: 0 }
        networks.set(accountId, network)
        network.online.push(station.id)
        if (isWrongClock(clockSkewMs)) network.wrongClocks++
      }
      return [...networks.values()]
    },

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
      context.renewal.stop()
      context.profileJobs.stop()
      passwordChanges.stop()
      stopSweeping()
      stopExpiring()
      placing.stop()
      await connections.whenRead()
      refusals.tell()
      context.rowLimit.tell(stations.all())
      for (const station of stations.all()) {
        leaveOutgoing(context, station)
        station.cancelStopTimer?.()
      }
      await engine.whenIdle()
    },
  }
  return { core, here: heldHere(stations, clock.now), registrationsChanged: () => stations.registrationsChanged() }
}

function connectivityOf(chargePointId: string, station: Station | undefined, now: number): Connectivity {
  if (!station) return { chargePointId, online: false }
  const { connection, offlineSince, lastSeenAt, version, clock } = station
  const offlineMs = offlineSince === undefined ? undefined : now - offlineSince
  return {
    chargePointId,
    online: isOnline(connection !== undefined, offlineMs),
    ...(lastSeenAt > 0 && { lastSeenAt }),
    ...(version && { protocol: version.protocol }),
    clockSkewMs: clock.skewMs,
  }
}
