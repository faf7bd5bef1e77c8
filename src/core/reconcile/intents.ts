/**
 * Sends what is wanted of a charge point (INTENT-A1): one command at a time, what is due first; then reads back what it
 * accepted; then restarts it where that is allowed. Called whenever one of these may have become possible; everything
 * that it must know stands in the records, so a restart of the server changes nothing.
 */

import { isWithin } from '../../domain/blocks/hours.ts'
import { objection } from '../../domain/device-model/objection.ts'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isMemberList } from '../../domain/device-model/unordered.ts'
import type { CarriedIntent, Intent, IntentAnswer } from '../../domain/intents/records.ts'
import { mayResetAgain, variableKeyOf } from '../../domain/intents/rules.ts'
import { awaitsNumber, desiredMonitorOf, monitorOf } from '../../domain/monitors/desired-monitors.ts'
import type { Clock } from '../../domain/ports/clock.ts'
import type { CoreStore } from '../../domain/ports/storage.ts'
import type { CarryingCall, IntentOnWire, IntentToSend } from '../../ocpp/translate/blocks-on-wire.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideSoon } from './decide-now.ts'
import { isReachable, isUnderWay } from './may-send.ts'
import { createPacedTurns } from './paced-turns.ts'

/** Looked at in one go; the rest follows. */
const MOST_AT_ONCE = 200
/** A command that did not leave by then is made anew, with what is wanted then. */
const TTL_MS = 3600_000
/**
 * INTENT-A14: each command brings two commits, and is read back. A thousand charge points are sent six settings in half
 * a minute; those that do not answer hold a place for a second.
 */
const PACE = { most: 20, perSecond: 150, burst: 20, longestMs: 1000 }
/** How often a restart that must wait for its hour or for the end of a charge is thought of again. */
const RESET_LOOK_MS = 60_000

interface Due {
  readonly step: 'set' | 'read'
  readonly intents: readonly Intent[]
}

export function createReconcileIntents(store: Pick<CoreStore, 'listRecords'>, clock: Pick<Clock, 'now' | 'after'>) {
  const busy = new WeakSet<Station>()
  const turns = createPacedTurns<Station>(clock, PACE)
  const isFree = (station: Station): boolean =>
    !busy.has(station) && isReachable(station) && !isUnderWay(station, 'intent', 'intentReset')
  const carryOut = (context: CoreContext, station: Station, task: Promise<unknown>): void => {
    busy.add(station)
    task
      .catch((error: Error) => {
        context.log.warn({ chargePoint: station.id, error: error.message }, 'what is wanted could not be sent')
        lookAgain(context, station)
      })
      .finally(() => busy.delete(station))
  }
  return (context: CoreContext, station: Station): void => {
    if (!isFree(station)) return
    if (!whatIsDue(station, clock.now())) {
      const task = reset(context, station)
      if (task) carryOut(context, station, task)
      return
    }
    turns.ask(station.chargePoint.accountId, station, (over) => {
      // Something else may be wanted by now, or its connection is gone.
      const due = isFree(station) ? whatIsDue(station, clock.now()) : undefined
      if (!due) return over()
      const task = reconcile(context, store, station, due, over).then(
        (isSent) => isSent || over(),
        (error: Error) => {
          over()
          throw error
        },
      )
      carryOut(context, station, task)
    })
  }
}

/** Of one kind. What failed before goes alone: it may be what the station stumbles over (INTENT-A6). */
function whatIsDue({ state }: Station, now: number): Due | undefined {
  const all = state?.records.all('intents') ?? []
  const monitors = state?.records.all('station_monitors') ?? []
  const isDue = (intent: Intent): boolean =>
    intent.nextAttemptAt !== undefined && intent.nextAttemptAt <= now && !awaitsNumber(monitors, intent)
  for (const [step, wanted] of [
    ['set', 'pending'],
    ['read', 'applied'],
  ] as const) {
    const due = all.filter((intent) => intent.state === wanted && isDue(intent))
    const [first] = due
    if (!first) continue
    const isAlone = (intent: Intent): boolean => intent.attempts > 0
    const fresh = due.filter((intent) => intent.kind === first.kind && !isAlone(intent)).slice(0, MOST_AT_ONCE)
    return { step, intents: fresh.length > 0 ? fresh : [first] }
  }
  return undefined
}

/** @returns whether a command was ordered; then `answered` is called once that is known to be over */
async function reconcile(
  context: CoreContext,
  store: Pick<CoreStore, 'listRecords'>,
  station: Station,
  { step, intents }: Due,
  answered: () => void,
): Promise<boolean> {
  const { version, state } = station
  const [first] = intents
  if (!version || !state || !first) return false
  const wire = version.intents[first.kind]
  const [call, ...later] = wire ? callsOf(context, station, wire, step, intents) : []
  // What leaves later is checked then: a charge point that takes two at a time is not held against all of them.
  const follows = new Set(later.flatMap(({ keys }) => keys))
  const checked = intents.filter(({ key }) => !follows.has(key))
  const known = step === 'set' ? await reportedOf(store, station, checked) : new Map<string, StoredVariable>()
  const refused = wire
    ? refusals(context, station, step, wire, checked, known)
    : everyOne(intents, { outcome: 'unsupported', reason: `${version.protocol} has no message for it` })
  if (Object.keys(refused).length > 0) {
    decideSoon(context, station.id, {
      kind: 'intentsJudged',
      intents: intents.filter(({ key }) => refused[key]).map(carried),
      answers: refused,
    })
    return false
  }
  if (!call || station.version !== version || !isReachable(station)) {
    // A version that sets a value and cannot read it leaves it as accepted.
    if (step === 'read') {
      const found = Object.fromEntries(intents.map(({ key }) => [key, 'unreadable'] as const))
      decideSoon(context, station.id, { kind: 'intentsRead', intents: intents.map(carried), found })
    }
    return false
  }
  const carries = intents.filter(({ key }) => call.keys.includes(key)).map(carried)
  const unordered = carries.filter((intent) => isMemberList(known.get(variableKeyOf(intent)))).map(({ key }) => key)
  await orderCall(context, {
    stationId: station.id,
    call: call.call,
    purpose: { kind: 'intent', step, intents: carries },
    expiresAt: context.clock.now() + TTL_MS,
    inputOf: (commandId) => ({ kind: 'intentsSent', step, intents: carries, commandId, unordered }),
    answered,
  })
  return true
}

/** What the station reported of those that set a value in its model, by key. */
async function reportedOf(
  store: Pick<CoreStore, 'listRecords'>,
  { id: chargePointId }: Station,
  intents: readonly Intent[],
): Promise<ReadonlyMap<string, StoredVariable>> {
  const keys = intents.filter(({ variable, kind }) => variable || kind === 'configurationKey').map(variableKeyOf)
  if (keys.length === 0) return new Map()
  const rows = await store.listRecords('variables', { where: { chargePointId, key: { in: keys } }, limit: keys.length })
  return new Map(rows.map((row) => [row.key, row]))
}

/** By key: those that the station's model or the schema of the message forbids. */
function refusals(
  context: CoreContext,
  station: Station,
  step: Due['step'],
  wire: IntentOnWire,
  intents: readonly Intent[],
  known: ReadonlyMap<string, StoredVariable>,
): Readonly<Record<string, IntentAnswer>> {
  const { version } = station
  if (!version || step === 'read') return {}
  const answers: Record<string, IntentAnswer> = {}
  for (const intent of intents) {
    const sent = toSend(context, station, intent)
    // A monitor that the station does not have is cleared.
    if (intent.kind === 'monitor' && desiredMonitorOf(intent).clear && sent?.monitorId === undefined) {
      answers[intent.key] = { outcome: 'accepted' }
      continue
    }
    const why =
      sent === undefined
        ? 'its secret value was stored under another key of the server: set it again'
        : (objection(known.get(variableKeyOf(intent)), String(sent.desired)) ?? misfit(version, wire, sent))
    if (why !== undefined) answers[intent.key] = { outcome: 'rejected', reason: why }
  }
  return answers
}

/** OCPP-RP13: nothing leaves that its schema forbids. */
function misfit(version: OcppVersion, wire: IntentOnWire, intent: IntentToSend): string | undefined {
  const [alone] = wire.set([intent], {})
  if (!alone) return 'it names nothing that could be set'
  const [fault] = version.validateRequest(alone.call.method, alone.call.request)
  return fault && `${alone.call.method}${fault.pointer} ${fault.message}`.slice(0, 500)
}

function callsOf(
  context: CoreContext,
  station: Station,
  wire: IntentOnWire,
  step: Due['step'],
  intents: readonly Intent[],
): readonly CarryingCall[] {
  const { id: chargePointId, state } = station
  const limits = state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const sendable = intents.flatMap((intent) => toSend(context, station, intent) ?? [])
  return (step === 'set' ? wire.set : wire.readBack?.calls)?.(sendable, limits) ?? []
}

/** Undefined when its secret was sealed under a key that is no longer there. */
function toSend(
  { sealedValues }: CoreContext,
  { state }: Station,
  { kind, key, desired, isSecret, variable, accountId }: Intent,
): IntentToSend | undefined {
  const clear = isSecret ? sealedValues.open(String(desired), accountId) : desired
  const monitorId = kind === 'monitor' ? monitorOf(state?.records.all('station_monitors') ?? [], key)?.id : undefined
  if (clear === undefined) return undefined
  return { key, desired: clear, ...(variable && { variable }), ...(monitorId !== undefined && { monitorId }) }
}

function everyOne(intents: readonly Intent[], answer: IntentAnswer): Readonly<Record<string, IntentAnswer>> {
  return Object.fromEntries(intents.map(({ key }) => [key, answer]))
}

function carried({ kind, key, revision }: Intent): CarriedIntent {
  return { kind, key, revision }
}

/** CONFIG-A8: only once everything else that is due was sent, and nobody charges. */
function reset(context: CoreContext, station: Station): Promise<unknown> | undefined {
  const now = context.clock.now()
  const { version, state } = station
  if (!version || !state) return undefined
  const waiting = state.records.all('intents').filter(({ state: is }) => is === 'rebootRequired')
  const allowed = waiting.filter(({ source }) => source?.rebootPolicy !== undefined && source.rebootPolicy !== 'never')
  if (allowed.length === 0 || waiting.some((intent) => !mayResetAgain(intent, now))) return undefined
  const { call, waits } = version.deviceModel.reset
  const isBusy = [...state.transactions.values()].some(({ open }) => open)
  const isTime = allowed.some(({ source }) => source?.window === undefined || isWithin(source.window, now))
  if (!isTime || (isBusy && !waits)) {
    lookAgain(context, station)
    return undefined
  }
  return orderCall(context, {
    stationId: station.id,
    call,
    purpose: { kind: 'intentReset' },
    expiresAt: now + TTL_MS,
    inputOf: () => ({ kind: 'resetSentForIntents' }),
  })
}

const looking = new WeakSet<Station>()

function lookAgain(context: CoreContext, station: Station): void {
  if (looking.has(station)) return
  looking.add(station)
  context.clock.after(RESET_LOOK_MS, () => {
    looking.delete(station)
    if (context.stations.known(station.id) === station) context.reconcileIntents(station)
  })
}
