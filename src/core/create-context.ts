import type { AskPartner, CertificateSigner, CheckVatNumber, CoreStatistics } from '../domain/ports/core.ts'
import type { Ownership } from '../domain/ports/nodes.ts'
import type { Request } from '../domain/sessions/decision.ts'
import { isOpenQuestion } from '../domain/sessions/transactions/orphans.ts'
import { sealedBox } from '../secrets/sealed-box.ts'
import { createRowLimit } from './connections/row-limit.ts'
import { type CoreContext, type CoreCounters, createLogIds, decideOn } from './context.ts'
import { createDecisions } from './groups/applied.ts'
import { Engine, type Job } from './groups/engine.ts'
import { createWakeUps, withDueFigures } from './groups/wake-ups.ts'
import { notKeptJob } from './inbound/inbound.ts'
import { createLateAnswers } from './inbound/late-answers.ts'
import { Budgets } from './memory/look-ups.ts'
import type { Station } from './memory/station.ts'
import { Stations } from './memory/stations.ts'
import { orderCall } from './outbound/order-call.ts'
import { restoreCalls } from './outbound/outbound.ts'
import { PURPOSES } from './outbound/purposes.ts'
import { createPlaceValues } from './reconcile/place-values.ts'
import { createReconciler } from './reconcile/reconciler.ts'
import { createConfigurations } from './reconcile/subject.ts'
import { afterCommit, createFollow, SUBJECTS, setClock } from './reconcile/subjects.ts'

/** Without a signer, certificates are made by hand (CERT-C22). */
const BY_HAND: CertificateSigner = { sign: async () => ({ later: true }), prepare: async () => undefined }

export interface CoreDependencies
  extends Pick<CoreContext, 'store' | 'writes' | 'settings' | 'sockets' | 'clock' | 'log' | 'random'> {
  readonly salt: bigint
  /** Absent: this process owns the database. */
  readonly ownership?: Ownership | undefined
  readonly signer?: CertificateSigner
  readonly checkVatNumber?: CheckVatNumber | undefined
  readonly askPartner?: AskPartner | undefined
  readonly behind: () => Pick<
    CoreStatistics,
    'waitingChanges' | 'failedFlushes' | 'commitSeconds' | 'syncSeconds' | 'storeRefuses'
  >
}

/** @param lose drops a charge point that belongs to another node */
export async function createContext(parts: CoreDependencies, lose: (stationId: string) => void): Promise<CoreContext> {
  const { store, writes, settings, sockets, clock, random, log, ownership } = parts
  const logIds = createLogIds(await store.lastCommandId(), ownership && (() => ownership.slot()))
  const counters: CoreCounters = { messages: 0, callErrors: 0, malformedFrames: 0, repeatedMessages: 0 }
  // For members that need the context, and use it only later.
  const later = (): CoreContext => context
  const stations = new Stations(
    store,
    new Budgets(store, clock.now, settings.sessions.timeZone),
    (station) => restoreCalls(context, station),
    (station) => {
      configurations.look(station)
      reconciler.wake(station)
    },
    (newestCommandId) => logIds.raise(newestCommandId),
  )
  const engine = new Engine(
    store,
    stations,
    (error, where) => log.error({ error: error.message, stack: error.stack, where }, 'fault'),
    lose,
  )
  const wakeUps = createWakeUps(clock, (stationId) => engine.enqueue(tick(context, stationId)))
  const reconciler = createReconciler(later, SUBJECTS, clock)
  const configurations = createConfigurations(later)
  const placing = createPlaceValues(later)
  const context: CoreContext = {
    clock,
    random,
    settings,
    log,
    sockets,
    counters,
    store,
    writes,
    signer: parts.signer ?? BY_HAND,
    asksNumbers: parts.checkVatNumber !== undefined,
    lateAnswers: createLateAnswers({
      checkVatNumber: parts.checkVatNumber,
      askPartner: parts.askPartner,
      partnerTokens: stations.partnerTokens,
      decidedOn: (station) => context.decisions.contextOf(station, clock.now()),
      clock,
      log,
    }),
    logIds: { ...logIds, salt: parts.salt },
    nodes: { ownership, lose },
    sealed: {
      calls: sealedBox(settings.secretKey, 'outgoingCalls', random),
      values: sealedBox(settings.secretKey, 'desiredValues', random),
    },
    engine,
    stations,
    decisions: createDecisions({
      stations,
      clock,
      random,
      wakeUps,
      settings,
      follow: createFollow(later),
    }),
    wakeUps,
    rowLimit: createRowLimit(clock, (station, notKept) => engine.enqueue(notKeptJob(context, station, notKept))),
    desired: { reconciler, configurations, placing },
    outgoing: { purposes: PURPOSES, ask: createQuestions(later) },
  }
  return context
}

/** The clock as an input: due session steps and waiting figures (HOOK-M3, COST-L4, SESSION-A15). */
const RETRY_MS = 60_000

function tick(context: CoreContext, stationId: string): Job {
  const { clock, wakeUps, decisions } = context
  return {
    stationId,
    decide(station) {
      if (!station.state) return undefined
      const now = clock.now()
      const decision = withDueFigures(decideOn(context, station, { kind: 'tick' }, now), station.state, now)
      setClock(context, station)
      const { changes } = decision
      return changes.sessions || changes.transactions || changes.records
        ? decisions.applied(station, decision)
        : undefined
    },
    committed: (station) => afterCommit(context, station, 'ticked'),
    failed: () => wakeUps.set(stationId, clock.now() + RETRY_MS),
  }
}

// Questions of decisions (SESSION-A15, SESSION-B5, SESSION-B12) wait a while: most answers come by themselves.

/** A charge point's usual answer time; the orphan rule has minutes. */
const TIMEOUT_MS = 30_000
const TTL_MS = 60_000

function createQuestions(context: () => CoreContext): CoreContext['outgoing']['ask'] {
  const noted = new Set<string>()
  return ({ id }, request) => {
    const { clock, stations } = context()
    const question = `${id}\0${JSON.stringify(request)}`
    if (noted.has(question)) return
    noted.add(question)
    clock.after(TIMEOUT_MS, () => {
      noted.delete(question)
      const station = stations.known(id)
      if (station?.state && isOpenQuestion(station.state, request)) ask(context(), station, request)
    })
  }
}

/** An offline charge point reports by itself when it is back. */
function ask(context: CoreContext, station: Station, request: Request): void {
  const { id, version, connection } = station
  const call = version?.ask(request)
  if (!call || !version || connection === undefined) return
  orderCall(context, {
    stationId: id,
    call,
    purpose: { kind: 'question', question: request },
    expiresAt: context.clock.now() + TTL_MS,
  }).catch((error: Error) => context.log.warn({ chargePoint: id, error: error.message }, 'could not ask'))
}
