/** Makes a station hold the desired profiles and prove it (CHARGING-S1 to CHARGING-S9); plan.ts says what is due. */
import { isFresh } from '../../../domain/charging/caps.ts'
import { chargesOf } from '../../../domain/charging/charges.ts'
import { evsesOf, type HeldKey, heldKey } from '../../../domain/charging/demands.ts'
import { isSameButLimit } from '../../../domain/charging/dynamic.ts'
import { formsOf, scheduleIn } from '../../../domain/charging/forms.ts'
import {
  type ChargingStep,
  type ChargingView,
  chargingSteps,
  chargingWakeAt,
  type DesiredProfile,
  stackLevelFor,
} from '../../../domain/charging/plan.ts'
import type { ChargingProfile } from '../../../domain/charging/profile.ts'
import {
  believedRefusals,
  type ChargingCall,
  type ModelAbilities,
  type StoredProfile,
} from '../../../domain/charging/records.ts'
import { fewestPhases, storedProfile, withUndescribed } from '../../../domain/charging/rows.ts'
import { isInWatts } from '../../../domain/charging/watts.ts'
import { modelNameOf } from '../../../domain/device-model/records.ts'
import { mayHoldLimit } from '../../../ocpp/limit-key.ts'
import type { OutgoingCall } from '../../../ocpp/translate/payload.ts'
import type { CoreContext } from '../../context.ts'
import type { CoreSettings } from '../../core-settings.ts'
import type { Station } from '../../memory/station.ts'
import { orderCall } from '../../outbound/order-call.ts'
import { decideNow, isReachable } from '../decide-now.ts'
import type { Subject, Task } from '../subject.ts'

/** Sent on this connection or never; it may wait this long behind other calls. */
const TTL_MS = 3600_000
/** A lease that begins when it arrives is not kept waiting: it would end later than it counts. */
const DYNAMIC_TTL_MS = 30_000
/** Of incomplete reports; then the station counts as unable to report. */
const MAX_READS = 3
/** How far ahead a station is asked for its schedule. */
const PROOF_SECONDS = 900

export const charging: Subject<Task & { readonly step: ChargingStep }> = {
  name: 'charging limits',
  records: ['charging_demands', 'charging_profiles', 'charging_stations', 'wirings'],
  purposes: ['charging'],
  due(station, now, settings) {
    if (!hasCharging(station) || !isReachable(station)) return []
    const open = callsUnderWay(station)
    if (open.includes('station')) return []
    return chargingSteps(viewOf(station, settings, now)).flatMap((step) => {
      const key = placeOf(step)
      return open.includes(key) || (key === 'station' && open.length > 0) ? [] : [{ key, step }]
    })
  },
  order: (context, station, { step }) => carryOut(context, station, step),
  dueAgainAt: (station, now, settings) =>
    hasCharging(station) && isReachable(station) ? chargingWakeAt(viewOf(station, settings, now)) : undefined,
}

function hasCharging({ state }: Station): boolean {
  return state !== undefined && state.records.all('charging_stations').length > 0
}

function placeOf(step: ChargingStep | ChargingCall): string {
  return 'evseId' in step ? String(step.evseId) : 'station'
}

function callsUnderWay({ state }: Station): readonly string[] {
  const calls = state?.records.all('outgoing_calls') ?? []
  return calls.flatMap(({ purpose }) => (purpose.kind === 'charging' ? [placeOf(purpose.call)] : []))
}

export function viewOf(
  { id: chargePointId, state, version }: Station,
  { sessions: { voltage } }: Pick<CoreSettings, 'sessions'>,
  now: number,
): ChargingView {
  const { records } = state ?? {}
  return {
    demands: records?.all('charging_demands') ?? [],
    profiles: records?.all('charging_profiles') ?? [],
    station: records?.find('charging_stations', { chargePointId }),
    charges: state ? chargesOf(state) : [],
    connectors: withUndescribed(
      records?.find('wirings', { chargePointId })?.connectors ?? [],
      state?.connectors.values() ?? [],
    ),
    evses: state && evsesOf(state),
    voltage,
    now,
    hasDynamic: version?.charging.update !== undefined,
  }
}

async function carryOut(context: CoreContext, station: Station, due: ChargingStep): Promise<void> {
  const { version, id, state } = station
  const view = viewOf(station, context.settings, context.clock.now())
  if (!version || !state) return
  const wire = version.charging
  switch (due.step) {
    case 'abilities': {
      const model = await modelOf(context, station)
      const isForced = model?.abilities.smartCharging === true && { isForced: true as const }
      if (model?.abilities.smartCharging !== false) {
        return send(context, station, wire.abilities, { step: 'abilities', ...isForced })
      }
      const call = { step: 'abilities' } as const
      const abilities = { smartCharging: false }
      await decideNow(context, id, { kind: 'chargingAnswered', call, answer: { outcome: 'accepted' }, abilities })
      return
    }
    case 'read': {
      const requestId = view.station?.nextRequestId ?? 1
      const call = { step: 'read', requestId } as const
      const isInVain = (view.station?.reading?.tries ?? 0) >= MAX_READS
      if (wire.list && !isInVain) return send(context, station, wire.list(requestId), call)
      await decideNow(context, id, { kind: 'chargingAnswered', call, answer: CANNOT_TELL })
      return
    }
    case 'clearForeign': {
      const call = { step: 'clearForeign', byOne: wire.clearAll === undefined } as const
      if (wire.clearAll) return send(context, station, wire.clearAll, call)
      await decideNow(context, id, { kind: 'chargingAnswered', call, answer: { outcome: 'accepted' } })
      return
    }
    case 'set':
      return due.desired ? setDesired(context, station, due.desired, due.row) : setRaw(context, station, due.row)
    case 'clear': {
      const { evseId, row } = due
      const call = { step: 'clear', evseId, profileId: row.id } as const
      return send(context, station, wire.clear(row.id), call)
    }
    case 'prove': {
      const { evseId } = due
      // In its own unit: the number of phases behind its watts is unknown.
      const unit = view.profiles.some((row) => row.evseId === evseId && isInWatts(row)) ? 'W' : undefined
      return send(context, station, wire.composite(evseId, PROOF_SECONDS, unit), { step: 'prove', evseId })
    }
    case 'missing':
      await decideNow(context, id, { kind: 'evseMissing', evseId: due.evseId })
      return
    case 'current': {
      const { evseId } = due
      await decideNow(context, id, { kind: 'currentSeen', evseId, draw: station.draws.of(evseId) })
      return
    }
    case 'key':
      return holdKey(context, station, heldKey(view.demands), due.amps)
  }
}

/** CHARGING-S5: read before it is set, restored when no limit needs it or another key replaces it. */
async function holdKey(
  context: CoreContext,
  station: Station,
  held: HeldKey | undefined,
  amps: number | undefined,
): Promise<void> {
  const { limitKey } = (await modelOf(context, station)) ?? {}
  const wire = station.version?.charging
  const key = amps === undefined ? undefined : limitKey
  if (held && held.name !== key) {
    const what = { step: 'keyRestore', key: held.name } as const
    const call = held.before === undefined ? undefined : wire?.setKey(held.name, held.before)
    if (call) return send(context, station, call, what)
    context.log.warn(
      { chargePoint: station.id, key: held.name },
      'the value of a key before a limit is unknown: it stays',
    )
    await decideNow(context, station.id, { kind: 'chargingAnswered', call: what, answer: { outcome: 'accepted' } })
  } else if (key !== undefined && amps !== undefined) {
    const call = held ? wire?.setKey(key, String(amps)) : wire?.readKey(key)
    const what = held ? ({ step: 'key', key, amps } as const) : ({ step: 'keyRead', key } as const)
    if (call) return send(context, station, call, what)
  }
}

const CANNOT_TELL = { outcome: 'refused', reason: 'it cannot be asked', isUnsupported: true } as const

async function setDesired(
  context: CoreContext,
  station: Station,
  { lease, ...planned }: DesiredProfile,
  before: StoredProfile | undefined,
): Promise<void> {
  const { version, id: chargePointId } = station
  const now = context.clock.now()
  const { profiles, station: known, connectors, voltage } = viewOf(station, context.settings, now)
  if (!version || !known) return
  const { charging } = version
  // A whole duration anew would end later than what it took before counts (OCPP21-C1).
  const wasTaken = before?.basis === planned.basis && (before.acceptedAt ?? 0) >= before.updatedAt
  const mayBeDynamic = charging.update !== undefined && lease !== undefined && isFresh(lease, now) && !wasTaken
  const desired: DesiredProfile = { ...planned, lease: mayBeDynamic ? lease : undefined }
  const { id, evseId, purpose, transactionId, basis } = desired
  const abilities = known.abilities ?? {}
  const isSame = before?.basis === basis
  const refusedHere = isSame ? (before?.refusedForms ?? []) : []
  const forms = formsOf(desired, abilities, [...refusedHere, ...(await refusedByModel(context, station))])
  const [form = formsOf(desired, abilities, [])[0]] = forms
  if (!form) return
  const stackLevel = stackLevelFor(desired, profiles, abilities.maxStackLevel, charging.list !== undefined)
  const phases = fewestPhases(connectors, evseId)
  const supply = { voltage, phases }
  const { schedule, continuesAt } = scheduleIn(form, desired, supply, abilities.maxPeriods, now)
  const profile: ChargingProfile = {
    id,
    purpose,
    kind: form.isDynamic ? 'Dynamic' : 'Absolute',
    stackLevel,
    schedules: [{ id: 1, ...schedule }],
    transactionId,
  }
  const row = storedProfile(profile, {
    chargePointId,
    source: 'desired',
    evseId,
    owner: 'pilotwire',
    basis,
    state: 'sent',
    form: form.name,
    attempts: isSame ? (before?.attempts ?? 0) : 0,
    updatedAt: now,
    refusedForms: refusedHere.length > 0 ? refusedHere : undefined,
    // A profile that was below others caps again once it is above them.
    acceptedAt: before && stackLevel > before.stackLevel ? undefined : before?.acceptedAt,
    reason: isSame ? before?.reason : undefined,
    nextAttemptAt: continuesAt,
  })
  if (forms.length === 0) {
    await decideNow(context, chargePointId, { kind: 'formsExhausted', row })
    return
  }
  const refused = refusedHere.length > 0 && { refused: refusedHere }
  const call = { step: 'set', evseId, profileId: id, form: form.name, ...refused } as const
  const limit = schedule.periods[0]?.limit
  if (charging.update && limit !== undefined && isSameButLimit(before, profile)) {
    return send(context, station, charging.update(id, limit), { ...call, isUpdate: true }, row)
  }
  await send(context, station, charging.set(evseId, byClockOf(station, profile), phases), call, row)
}

/** GROUP-A8: times by the station's clock; a profile without an end starts early by its possible lag. */
function byClockOf({ clock: { skewMs, atLeastMs = skewMs } }: Station, profile: ChargingProfile): ChargingProfile {
  const schedules = profile.schedules.map((one) => {
    const isSteady = one.periods.length === 1 && one.durationSeconds === undefined
    return { ...one, startAt: one.startAt && one.startAt + (isSteady ? atLeastMs : skewMs) }
  })
  return skewMs === 0 && atLeastMs === 0 ? profile : { ...profile, schedules }
}

async function setRaw(context: CoreContext, station: Station, row: StoredProfile | undefined): Promise<void> {
  if (!row || !station.version) return
  const { id: profileId, evseId, profile } = row
  const { nextAttemptAt: _, ...rest } = row
  const call = { step: 'set', evseId, profileId, form: 'raw' } as const
  await send(context, station, station.version.charging.set(evseId, profile), call, { ...rest, state: 'sent' })
}

async function send(
  context: CoreContext,
  { id: stationId }: Station,
  call: OutgoingCall,
  what: ChargingCall,
  row?: StoredProfile,
): Promise<void> {
  await orderCall(context, {
    stationId,
    call,
    purpose: { kind: 'charging', call: what },
    expiresAt: context.clock.now() + (row?.profile.kind === 'Dynamic' ? DYNAMIC_TTL_MS : TTL_MS),
    input: { kind: 'chargingSent', call: what, row },
  })
}

async function modelOf(
  { store }: CoreContext,
  { chargePoint: { accountId }, state }: Station,
): Promise<ModelAbilities | undefined> {
  const { vendor, model } = modelNameOf(state?.status ?? {})
  const [found] = await store.listRecords('model_abilities', { where: { accountId, vendor, model }, limit: 1 })
  // Earlier builds accepted any key.
  return found?.limitKey !== undefined && !mayHoldLimit(found.limitKey) ? { ...found, limitKey: undefined } : found
}

async function refusedByModel({ store, clock }: CoreContext, station: Station): Promise<readonly string[]> {
  const where = { accountId: station.chargePoint.accountId, ...modelNameOf(station.state?.status ?? {}) }
  const [found] = await store.listRecords('charging_forms', { where, limit: 1 })
  return believedRefusals(found?.refused ?? {}, clock.now())
}
