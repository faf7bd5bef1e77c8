/** Sends intents (INTENT-A1): one command at a time; accepted values are read back, then a restart where allowed. */

import { isMemberList, objection } from '../../domain/device-model/objection.ts'
import type { StoredVariable } from '../../domain/device-model/records.ts'
import { isWithin } from '../../domain/hours.ts'
import type { CarriedIntent, Intent, IntentAnswer, IntentState } from '../../domain/intents/records.ts'
import { mayResetAgain, variableKeyOf } from '../../domain/intents/rules.ts'
import { desiredTariffOf, tariffObjection } from '../../domain/intents/tariffs.ts'
import { awaitsNumber, desiredMonitorOf, monitorOf } from '../../domain/monitors/desired-monitors.ts'
import type { CarryingCall, IntentOnWire, IntentToSend } from '../../ocpp/translate/blocks-on-wire.ts'
import type { OcppVersion } from '../../ocpp/version.ts'
import type { CoreContext } from '../context.ts'
import type { Station } from '../memory/station.ts'
import { orderCall } from '../outbound/order-call.ts'
import { decideSoon, isReachable, isUnderWay } from './decide-now.ts'
import { type Subject, stored, type Task } from './subject.ts'

const MAX_CONCURRENT = 200
/** A command that did not leave by then is made again from the desired state. */
const TTL_MS = 3600_000
/** INTENT-A14: six settings for 1,000 charge points take half a minute; one without an answer holds a slot for 1 s. */
const PACE = { most: 20, perSecond: 150, burst: 20, longestMs: 1000 }
/** Interval for restarts that wait for their hour or the end of a charge. */
const RESET_LOOK_MS = 60_000
const SWEEP_MS = 30_000
/** An accepted display message expires, too (DRIVER-M5). */
const EXPIRING: readonly IntentState[] = ['pending', 'applied', 'verified']

interface Due extends Task {
  /** Absent: a restart, for accepted values to take effect. */
  readonly step?: 'set' | 'read'
  readonly intents: readonly Intent[]
}

export const intents: Subject<Due> = {
  name: 'intents',
  records: ['intents'],
  purposes: ['intent', 'intentReset'],
  due(station, now) {
    if (!isReachable(station) || isUnderWay(station, 'intent', 'intentReset')) return []
    return whatIsDue(station, now) ?? (resetOf(station, now) === 'now' ? [{ key: '', intents: [] }] : [])
  },
  order: (context, station, due) =>
    due.step === undefined ? reset(context, station) : reconcile(context, station, due.step, due.intents),
  dueAgainAt: (station, now) =>
    isReachable(station) && resetOf(station, now) === 'later' ? now + RESET_LOOK_MS : undefined,
  pace: PACE,
  // INTENT-A7: offline charge points included.
  overdue: EXPIRING.map((state) => ({
    everyMs: SWEEP_MS,
    stored: stored(
      'intents',
      (now) => ({ state, expiresAt: { below: now + 1 } }),
      () => ({ kind: 'intentsOverdue' }),
    ),
  })),
}

export function releaseIntents(context: CoreContext, { id, state }: Station): void {
  if (state && state.records.all('intents').length > 0) decideSoon(context, id, { kind: 'intentsReleased' })
}

/** All of one kind. Earlier failures go alone: they may be the cause (INTENT-A6). */
function whatIsDue({ state, version }: Station, now: number): readonly Due[] | undefined {
  const all = state?.records.all('intents') ?? []
  const monitors = state?.records.all('station_monitors') ?? []
  const isDue = (intent: Intent): boolean =>
    intent.nextAttemptAt !== undefined &&
    intent.nextAttemptAt <= now &&
    !awaitsNumber(monitors, intent) &&
    // It waits while the station speaks an older version.
    (intent.kind !== 'tariff' || version?.intents.tariff !== undefined)
  for (const [step, requested] of [
    ['set', 'pending'],
    ['read', 'applied'],
  ] as const) {
    const due = all.filter((intent) => intent.state === requested && isDue(intent))
    const [first] = due
    if (!first) continue
    const isAlone = (intent: Intent): boolean => intent.attempts > 0
    const fresh = due.filter((intent) => intent.kind === first.kind && !isAlone(intent)).slice(0, MAX_CONCURRENT)
    return [{ key: '', step, intents: fresh.length > 0 ? fresh : [first] }]
  }
  return undefined
}

async function reconcile(
  context: CoreContext,
  station: Station,
  step: 'set' | 'read',
  intents: readonly Intent[],
): Promise<void> {
  const { version, state } = station
  const [first] = intents
  if (!version || !state || !first) return
  const wire = version.intents[first.kind]
  const [call, ...later] = wire ? callsOf(context, station, wire, step, intents) : []
  // Later commands are checked later, so that a limit of two per message does not fail all of them.
  const follows = new Set(later.flatMap(({ keys }) => keys))
  const checked = intents.filter(({ key }) => !follows.has(key))
  const known = step === 'set' ? await reportedOf(context, station, checked) : new Map<string, StoredVariable>()
  const refused = wire
    ? refusals(context, station, step, wire, checked, known)
    : everyOne(intents, { outcome: 'unsupported', reason: `${version.protocol} has no message for it` })
  if (Object.keys(refused).length > 0) {
    decideSoon(context, station.id, {
      kind: 'intentsJudged',
      intents: intents.filter(({ key }) => refused[key]).map(carried),
      answers: refused,
    })
    return
  }
  if (!call || station.version !== version || !isReachable(station)) {
    // A version that cannot read the value leaves it as accepted.
    if (step === 'read') {
      const found = Object.fromEntries(intents.map(({ key }) => [key, 'unreadable'] as const))
      decideSoon(context, station.id, { kind: 'intentsRead', intents: intents.map(carried), found })
    }
    return
  }
  const carries = intents.filter(({ key }) => call.keys.includes(key)).map(carried)
  const unordered = carries.filter((intent) => isMemberList(known.get(variableKeyOf(intent)))).map(({ key }) => key)
  await orderCall(context, {
    stationId: station.id,
    call: call.call,
    purpose: { kind: 'intent', step, intents: carries },
    expiresAt: context.clock.now() + TTL_MS,
    inputOf: (commandId) => ({ kind: 'intentsSent', step, intents: carries, commandId, unordered }),
  })
}

async function reportedOf(
  { store }: CoreContext,
  { id: chargePointId }: Station,
  intents: readonly Intent[],
): Promise<ReadonlyMap<string, StoredVariable>> {
  const keys = intents.filter(({ variable, kind }) => variable || kind === 'configurationKey').map(variableKeyOf)
  if (keys.length === 0) return new Map()
  const rows = await store.listRecords('variables', { where: { chargePointId, key: { in: keys } }, limit: keys.length })
  return new Map(rows.map((row) => [row.key, row]))
}

/** By key: what the station's model or the message's schema forbids. */
function refusals(
  context: CoreContext,
  station: Station,
  step: 'set' | 'read',
  wire: IntentOnWire,
  intents: readonly Intent[],
  known: ReadonlyMap<string, StoredVariable>,
): Readonly<Record<string, IntentAnswer>> {
  const { version } = station
  if (!version || step === 'read') return {}
  const answers: Record<string, IntentAnswer> = {}
  for (const intent of intents) {
    const sent = toSend(context, station, intent)
    if (intent.kind === 'monitor' && desiredMonitorOf(intent).clear && sent?.monitorId === undefined) {
      answers[intent.key] = { outcome: 'accepted' }
      continue
    }
    const why =
      sent === undefined
        ? 'its secret value was stored under another key of the server: set it again'
        : (objection(known.get(variableKeyOf(intent)), String(sent.desired)) ??
          (intent.kind === 'tariff' ? tariffObjection(desiredTariffOf(sent)) : undefined) ??
          misfit(version, wire, sent))
    if (why !== undefined) answers[intent.key] = { outcome: 'rejected', reason: why }
  }
  return answers
}

/** OCPP-RP13: requests must satisfy their schema. */
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
  step: 'set' | 'read',
  intents: readonly Intent[],
): readonly CarryingCall[] {
  const { id: chargePointId, state } = station
  const limits = state?.records.find('device_models', { chargePointId })?.limits ?? {}
  const sendable = intents.flatMap((intent) => toSend(context, station, intent) ?? [])
  return (step === 'set' ? wire.set : wire.readBack?.calls)?.(sendable, limits) ?? []
}

function toSend(
  { sealed }: CoreContext,
  { state }: Station,
  { kind, key, desired, isSecret, variable, accountId }: Intent,
): IntentToSend | undefined {
  const clear = isSecret ? sealed.values.open(String(desired), accountId) : desired
  const monitorId = kind === 'monitor' ? monitorOf(state?.records.all('station_monitors') ?? [], key)?.id : undefined
  if (clear === undefined) return undefined
  return { key, desired: clear, variable, monitorId }
}

function everyOne(intents: readonly Intent[], answer: IntentAnswer): Readonly<Record<string, IntentAnswer>> {
  return Object.fromEntries(intents.map(({ key }) => [key, answer]))
}

function carried({ kind, key, revision }: Intent): CarriedIntent {
  return { kind, key, revision }
}

/** CONFIG-A8: only after all other due intents, and without an active charge. Undefined: no restart needed. */
function resetOf({ version, state }: Station, now: number): 'now' | 'later' | undefined {
  if (!version || !state) return undefined
  const waiting = state.records.all('intents').filter(({ state: is }) => is === 'rebootRequired')
  const allowed = waiting.filter(({ source }) => source?.rebootPolicy !== undefined && source.rebootPolicy !== 'never')
  if (allowed.length === 0 || waiting.some((intent) => !mayResetAgain(intent, now))) return undefined
  const isBusy = [...state.transactions.values()].some(({ open }) => open)
  const isTime = allowed.some(({ source }) => source?.window === undefined || isWithin(source.window, now))
  return isTime && (!isBusy || version.deviceModel.reset.waits) ? 'now' : 'later'
}

async function reset(context: CoreContext, station: Station): Promise<void> {
  const { version } = station
  if (!version) return
  await orderCall(context, {
    stationId: station.id,
    call: version.deviceModel.reset.call,
    purpose: { kind: 'intentReset' },
    expiresAt: context.clock.now() + TTL_MS,
    inputOf: () => ({ kind: 'resetSentForIntents' }),
  })
}
