/** Assembles the core, in the core thread beside the writer's connection, or in any thread with another store. */
import type { Core, CoreStatistics } from '../domain/ports/core.ts'
import { createCertificateLogin } from './certificates/login.ts'
import { createAdmission, createBootTrigger } from './connections/admission.ts'
import { createConnections } from './connections/connections.ts'
import { connectivityOf, networksOf } from './connections/connectivity.ts'
import { createRefusals, INTERRUPTED_CONNECTIONS } from './connections/unaccepted.ts'
import type { CoreContext } from './context.ts'
import { type CoreDependencies, createContext } from './create-context.ts'
import { type HeldHere, heldHere } from './nodes/node-messages.ts'
import { decideBlockOrder } from './operations/decide-block.ts'
import { NO_SESSION } from './operations/find-station.ts'
import { limitViewOf } from './operations/limit-views.ts'
import { orderReportOf } from './operations/order-report.ts'
import { settleSession, startSession, stopSession } from './operations/remote.ts'
import { removeChargePoint } from './operations/remove-charge-point.ts'
import { dropCommands, sendCommand } from './operations/send-command.ts'
import { leaveOutgoing } from './outbound/outbound.ts'
import { tariffsChanged } from './reconcile/driver/tariffs.ts'
import { settleStored } from './reconcile/subject.ts'
import { setClock } from './reconcile/subjects.ts'

export async function createCore(parts: CoreDependencies): Promise<{
  readonly core: Core
  readonly here: HeldHere
  /** @param ofTariffs they were among what changed */
  readonly registrationsChanged: (ofTariffs?: boolean) => void
}> {
  const context = await createContext(parts, (stationId) => lose(stationId))
  const { store, stations, engine, clock, counters, wakeUps, nodes, desired } = context
  const { ownership } = nodes
  await stations.partnerTokens.load(new Map())
  const lose = (stationId: string, code = 1000, reason = 'replaced'): void => {
    wakeUps.set(stationId, undefined)
    stations.leave(stationId)?.cancelTimers()
    connections.closeAll(stationId, reason, code)
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
    adopt,
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
    settleConfigurations: (order) => desired.configurations.settle(order),
    configurationsChanged: async (accountId, name) => desired.configurations.changed(accountId, name),

    connectivity: async (chargePointIds) =>
      chargePointIds.map((id) => connectivityOf(id, stations.known(id), clock.now())),
    limitViews: async (chargePointIds) =>
      chargePointIds.flatMap((id) => limitViewOf(stations.known(id), context.settings, clock.now()) ?? []),
    onlineChargePoints: async (accountId) =>
      networksOf(stations.all(), clock.now()).find((network) => network.accountId === accountId)?.online ?? [],
    networks: async () => networksOf(stations.all(), clock.now()),

    removeChargePoint: remove,

    async disconnect(chargePointId, reason) {
      const station = stations.known(chargePointId)
      connections.closeAll(chargePointId, reason)
      station?.showOffline()
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
      desired.reconciler.stop()
      desired.placing.stop()
      await connections.whenRead()
      refusals.tell()
      context.rowLimit.tell(stations.all())
      for (const station of stations.all()) {
        leaveOutgoing(context, station)
        station.wake.cancel()
      }
      do await engine.whenIdle()
      while (await context.lateAnswers.stop())
    },
  }
  const registrationsChanged = (ofTariffs = false): void => {
    stations.registrationsChanged()
    if (ofTariffs) void tariffsChanged(context)
  }
  return { core, here: heldHere(stations, clock.now), registrationsChanged }
}

/** Adopts what an earlier process or ended node left open, except what another node owns (STORE-N10). */
const TOGETHER = 50

/** @returns runs the adoption; after a rejection the next call starts over */
export function createAdoption(context: CoreContext): () => Promise<void> {
  const { stations, store, log } = context
  const { reconciler, placing } = context.desired
  /** Stations loaded before the adoption, whose work goes on; not those that a failed attempt loaded. */
  let before: ReadonlySet<string> | undefined
  return async () => {
    await store.dropPendingCommands()
    before ??= new Set([...stations.all()].map(({ id }) => id))
    const present = before
    const goesOn = (id: string): boolean => present.has(id) || stations.known(id)?.connection !== undefined
    await settleStored(context, INTERRUPTED_CONNECTIONS, goesOn)
    await reconciler.resume(goesOn)
    const open = await store.chargePointsWithOpenSessions()
    for (let first = 0; first < open.length; first += TOGETHER) {
      const ids = open.slice(first, first + TOGETHER)
      await stations.loadAll(
        ids.filter((id) => !stations.current(id)),
        'unowned',
      )
      for (const id of ids) {
        const station = stations.known(id)
        if (station) setClock(context, station)
      }
    }
    before = undefined
    void placing
      .wakeAll()
      .catch((error: Error) => log.error({ error: error.message }, 'reported values could not be stored yet'))
  }
}
