/** What happens to charging under control at one charge point (CHARGING-S1 to CHARGING-S9). */
import { backOff } from '../intents/states.ts'
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import type { Outcome } from '../ports/sessions.ts'
import { chargesOf } from './charges.ts'
import { abilityFaults } from './checks.ts'
import { isOpenDemand } from './demands.ts'
import { renewed } from './dynamic.ts'
import { onProof } from './evidence.ts'
import { onKeyAnswered } from './limit-key.ts'
import type {
  ChargingAbilities,
  ChargingAnswer,
  ChargingCall,
  ChargingDemand,
  ChargingStation,
  StoredProfile,
} from './records.ts'
import { replaceReported } from './reported.ts'
import {
  acceptDemand,
  profileOf,
  putDemand,
  putProfile,
  putProof,
  putStation,
  staleAt,
  staled,
  stationOf,
  storedProfile,
  unexpired,
} from './rows.ts'

export function onChargingDemanded(draft: BlockDraft, { demands }: InputOf<'chargingDemanded'>): void {
  const { chargePointId } = draft.state
  const isUnsupported = draft.record('charging_stations', { chargePointId })?.isUnsupported === true
  for (const { owner, evseId, caps, asked, grantId } of demands) {
    const key = { chargePointId, owner, evseId }
    const before = draft.record('charging_demands', key)
    if (!caps) {
      if (before) draft.changeRecord({ kind: 'charging_demands', remove: key })
      continue
    }
    if (before && JSON.stringify([before.caps, before.asked]) === JSON.stringify([caps, asked])) {
      const put = { ...before, grantId }
      if (before.grantId !== grantId) draft.changeRecord({ kind: 'charging_demands', put })
      continue
    }
    const put: ChargingDemand = {
      ...key,
      caps,
      asked,
      revision: (before?.revision ?? 0) + 1,
      appliedRevision: before?.appliedRevision,
      acceptedAt: before?.acceptedAt,
      ...(isUnsupported ? { state: 'refused', reason: NO_ABILITY } : { state: 'pending' }),
      grantId,
      createdAt: before?.createdAt ?? draft.now,
      updatedAt: draft.now,
    }
    draft.changeRecord({ kind: 'charging_demands', put })
  }
  if (!draft.record('charging_stations', { chargePointId })) putStation(draft, stationOf(draft))
}

/** OIDC-C13: the demands of an application end with its grant. */
export function endChargingOf(draft: BlockDraft, grantId: string): void {
  const { chargePointId, records } = draft.state
  for (const { owner, evseId, grantId: of } of records.all('charging_demands')) {
    if (of === grantId) draft.changeRecord({ kind: 'charging_demands', remove: { chargePointId, owner, evseId } })
  }
  for (const row of records.all('charging_profiles')) {
    if (row.grantId === grantId) putProfile(draft, { ...row, state: 'clearing' })
  }
}

/** Of one charge point, and of one application there; those that it refused make room. */
const MAX_RAW_PROFILES = 100
const MAX_RAW_PROFILES_OF_GRANT = 50

export function onRawProfileRequested(
  draft: BlockDraft,
  { evseId, profile, grantId }: InputOf<'rawProfileRequested'>,
): Outcome | undefined {
  const { chargePointId, records } = draft.state
  const others = records.all('charging_profiles').filter(({ owner, id }) => owner === 'raw' && id !== profile.id)
  const ofGrant = grantId === undefined ? [] : others.filter((row) => row.grantId === grantId)
  const full = ofGrant.length >= MAX_RAW_PROFILES_OF_GRANT ? ofGrant : others
  const refused = full.find(({ state, acceptedAt }) => state === 'refused' && acceptedAt === undefined)
  if (full === ofGrant || full.length >= MAX_RAW_PROFILES) {
    if (!refused) return { refused: 'too_many_charging_profiles' }
    draft.changeRecord({ kind: 'charging_profiles', remove: refused })
  }
  const facts = { chargePointId, source: 'desired', evseId, owner: 'raw', grantId } as const
  putProfile(draft, storedProfile(profile, { ...facts, state: 'due', attempts: 0, updatedAt: draft.now }))
  if (!draft.record('charging_stations', { chargePointId })) putStation(draft, stationOf(draft))
}

export function onProfilesWithdrawn(draft: BlockDraft, { ids, foreign }: InputOf<'profilesWithdrawn'>): void {
  for (const row of draft.state.records.all('charging_profiles')) {
    const matchesSelector = ids ? ids.includes(row.id) : foreign === undefined && row.owner === 'raw'
    // What others set is never cleared by us (K10.FR.06).
    if (!matchesSelector || row.purpose === 'ChargingStationExternalConstraints' || row.owner === 'pilotwire') continue
    const { nextAttemptAt: _, ...rest } = row
    putProfile(draft, { ...rest, state: 'clearing' })
  }
  const station = stationOf(draft)
  if (foreign) putStation(draft, { ...station, clearsForeign: true, isKnown: false })
}

export function onChargingSent(draft: BlockDraft, { call, row }: InputOf<'chargingSent'>): void {
  const station = stationOf(draft)
  if (row) putProfile(draft, row)
  if (call.step === 'read') {
    const tries = (station.reading?.tries ?? 0) + 1
    const reading = { requestId: call.requestId, askedAt: draft.now, tries, found: [] }
    putStation(draft, { ...station, reading, nextRequestId: call.requestId + 1 })
  }
}

export function onChargingAnswered(draft: BlockDraft, input: InputOf<'chargingAnswered'>): void {
  const { call, answer } = input
  switch (call.step) {
    case 'set':
      onSet(draft, call, answer)
      break
    case 'clear':
      onCleared(draft, call.profileId, answer)
      break
    case 'prove':
      onProof(draft, call.evseId, input)
      break
    default:
      onStationStep(draft, call, input)
  }
}

function onStationStep(
  draft: BlockDraft,
  call: Exclude<ChargingCall, { readonly step: 'set' | 'clear' | 'prove' }>,
  { answer, abilities, value }: InputOf<'chargingAnswered'>,
): void {
  const { attempts: before, nextAttemptAt: _, ...rest } = stationOf(draft)
  const station: ChargingStation = { ...rest, attempts: 0 }
  const { firmwareVersion } = draft.state.status
  if (answer.outcome === 'failed') {
    const { reading: _r, ...idle } = station
    const attempts = answer.isUnsent ? before : before + 1
    const nextAttemptAt = draft.now + waitOf(answer, attempts)
    putStation(draft, { ...idle, attempts, nextAttemptAt })
    return
  }
  switch (call.step) {
    case 'abilities':
      refuseUnable(draft, abilities)
      // A station that does not say is taken to do what OCPP demands.
      putStation(draft, {
        ...station,
        abilities: abilities ?? {},
        isUnsupported: abilities?.smartCharging === false,
        ...(firmwareVersion !== undefined && { firmwareVersion }),
      })
      return
    case 'read': {
      // NoProfiles: nothing follows. One that cannot report may hold what commands brought.
      if (answer.outcome === 'refused' && !answer.isUnsupported) replaceReported(draft, [])
      const { reading, ...idle } = station
      putStation(draft, answer.outcome === 'accepted' ? { ...idle, reading } : { ...idle, isKnown: true })
      return
    }
    case 'clearForeign':
      clearForeign(draft, call.byOne)
      putStation(draft, { ...station, clearsForeign: false })
      return
    default:
      onKeyAnswered(draft, station, call, { answer, value })
  }
}

/** One by one, or everything went: then ours is sent again. */
function clearForeign(draft: BlockDraft, byOne: boolean): void {
  const rows = draft.state.records.all('charging_profiles')
  const ours = new Set(rows.filter(({ source }) => source === 'desired').map(({ id }) => id))
  for (const row of rows) {
    const isForeign = row.source === 'reported' && !ours.has(row.id) && row.id >= 0
    if (!byOne && row.source === 'desired') putProfile(draft, staled(row))
    else if (byOne && isForeign && row.purpose !== 'ChargingStationExternalConstraints') {
      putProfile(draft, { ...row, state: 'clearing' })
    }
  }
}

function onSet(
  draft: BlockDraft,
  { evseId, profileId, form, isUpdate }: Extract<InputOf<'chargingAnswered'>['call'], { readonly step: 'set' }>,
  answer: InputOf<'chargingAnswered'>['answer'],
): void {
  const row = profileOf(draft, profileId)
  if (row?.state !== 'sent') return
  const { nextAttemptAt: _, reason: _r, ...open } = row
  if (answer.outcome === 'accepted') {
    const { refusedForms: _f, reason: _a, ...accepted } = row
    const times = { acceptedAt: draft.now, updatedAt: draft.now }
    const profile = renewed(row.profile, draft.now)
    putProfile(draft, { ...accepted, profile, state: 'accepted', attempts: 0, ...times })
    settleDemands(draft, row, 'accepted')
    putProof(draft, evseId, { verdict: 'pending', at: draft.now, next: 'schedule', dueAt: draft.now, attempts: 0 })
    return
  }
  if (answer.outcome === 'failed') {
    const attempts = answer.isUnsent ? row.attempts : row.attempts + 1
    const nextAttemptAt = draft.now + waitOf(answer, attempts)
    putProfile(draft, { ...open, state: 'stale', attempts, nextAttemptAt, reason: answer.reason })
    return
  }
  if (isUpdate) {
    // It holds no such profile, or another one: it is sent whole.
    const { acceptedAt: _a, ...lost } = row
    putProfile(draft, staled(lost))
    return
  }
  const refusedForms = [...new Set([...(row.refusedForms ?? []), form])]
  const attempts = row.attempts + 1
  const { reason } = answer
  putProfile(draft, {
    ...open,
    state: 'refused',
    refusedForms,
    attempts,
    reason,
    updatedAt: draft.now,
    // Another form may go at once; order() says when none is left.
    nextAttemptAt: draft.now,
  })
  if (answer.isUnsupported) {
    putStation(draft, { ...stationOf(draft), isUnsupported: true })
    refuseUnable(draft, { smartCharging: false })
  }
}

type Failed = Extract<ChargingAnswer, { readonly outcome: 'failed' }>

/** OCPP21-B11: as long as the station says. */
function waitOf({ isUnsent, waitMs }: Failed, attempts: number): number {
  return isUnsent ? 0 : (waitMs ?? backOff(attempts))
}

/** No form is left: it is tried again later, in case something else was wrong. */
export function onFormsExhausted(draft: BlockDraft, { row }: InputOf<'formsExhausted'>): void {
  const { refusedForms: _, ...rest } = row
  const attempts = Math.max(LONG_WAIT_ATTEMPTS, row.attempts)
  putProfile(draft, { ...rest, state: 'refused', attempts, nextAttemptAt: draft.now + backOff(attempts) })
  settleDemands(draft, row, 'refused', row.reason)
}

/** Of an hour: what a station takes seldom changes sooner. */
const LONG_WAIT_ATTEMPTS = 7

/** A TxProfile that a station does not take leaves the standing one, which is there already. */
function settleDemands(draft: BlockDraft, row: StoredProfile, state: 'accepted' | 'refused', reason?: string): void {
  if (state === 'refused' && row.purpose === 'TxProfile') return
  const names = new Map((row.basis ?? '').split('\n').map((name) => [name.slice(0, name.lastIndexOf('@')), name]))
  for (const demand of unexpired(draft)) {
    if (demand.evseId !== row.evseId) continue
    const revision = Number(names.get(demand.owner)?.slice(demand.owner.length + 1))
    if (revision !== demand.revision) continue
    if (state === 'refused') putDemand(draft, { ...demand, state, reason })
    else if (isWhole(draft, demand, row)) acceptDemand(draft, demand)
  }
}

function isWhole(draft: BlockDraft, demand: ChargingDemand, row: StoredProfile): boolean {
  const name = `${demand.owner}@${demand.revision}`
  const charges = chargesOf(draft.state)
  const needs = [
    demand.evseId === 0 ? 'ChargingStationMaxProfile' : 'TxDefaultProfile',
    ...(charges.some(({ evseId }) => evseId === demand.evseId) ? ['TxProfile'] : []),
  ].filter((purpose) => (purpose === 'TxProfile' ? (demand.caps.charge ?? demand.caps.standing) : demand.caps.standing))
  const rows = draft.state.records.all('charging_profiles').map((one) => profileOf(draft, one.id) ?? one)
  return needs.every((purpose) =>
    rows.some(
      (one) =>
        one.source === 'desired' &&
        one.evseId === demand.evseId &&
        one.purpose === purpose &&
        (one.id === row.id || one.state === 'accepted' || (purpose === 'TxProfile' && one.state === 'refused')) &&
        (one.basis ?? '').split('\n').includes(name),
    ),
  )
}

function onCleared(draft: BlockDraft, profileId: number, answer: InputOf<'chargingAnswered'>['answer']): void {
  const { chargePointId } = draft.state
  for (const source of ['desired', 'reported'] as const) {
    const row = draft.record('charging_profiles', { chargePointId, source, id: profileId })
    if (!row) continue
    if (answer.outcome !== 'failed') {
      // Accepted or Unknown: it is gone.
      draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source, id: profileId } })
      continue
    }
    const attempts = answer.isUnsent ? row.attempts : row.attempts + 1
    const nextAttemptAt = draft.now + waitOf(answer, attempts)
    putProfile(draft, { ...row, attempts, nextAttemptAt })
  }
}

/** K15.FR.08: accepted only where a profile follows, which is where we limit that EVSE. */
export function onChargingNeedsReported(
  draft: BlockDraft,
  { evseId }: InputOf<'chargingNeedsReported'>,
): Outcome | undefined {
  const demands = draft.state.records.all('charging_demands')
  const isLimited = demands.some((demand) => demand.evseId === evseId && isOpenDemand(demand))
  const station = stationOf(draft)
  const charges = chargesOf(draft.state)
  const need = { at: draft.now, transactionId: charges.find((one) => one.evseId === evseId)?.transactionId }
  // Those of charges that ended say nothing any more.
  const others = Object.entries(station.needs).filter(([at]) => charges.some((one) => String(one.evseId) === at))
  // K01.FR.34: it may be offered several schedules later, also where nothing limits it now.
  putStation(draft, { ...station, needs: { ...Object.fromEntries(others), [evseId]: need } })
  if (!isLimited) return { refused: 'no_limit' }
  staleAt(draft, evseId)
}

/** SC8 of a boot: a station may have lost everything, and may hold unknown ones. */
export function chargingAfterBoot(draft: BlockDraft, firmwareVersion: string | undefined): void {
  const station = draft.state.records.all('charging_stations')[0]
  if (!station) return
  const { reading: _, nextAttemptAt: _n, keyAmps: _k, ...rest } = station
  const { abilities, ...unasked } = rest
  const isSame = firmwareVersion === station.firmwareVersion
  putStation(draft, {
    ...unasked,
    ...(isSame && abilities && { abilities }),
    isKnown: false,
    isUnsupported: isSame && station.isUnsupported,
    attempts: 0,
  })
  for (const row of draft.state.records.all('charging_profiles')) {
    if (row.source === 'desired' && row.state !== 'clearing') putProfile(draft, staled(row))
  }
}

/** What the station could not is tried again, with what is known of its model now. */
export function onChargingModelChanged(draft: BlockDraft): void {
  const { abilities: _, nextAttemptAt: _n, keyAmps: _k, ...station } = stationOf(draft)
  putStation(draft, { ...station, isUnsupported: false, attempts: 0 })
  for (const row of draft.state.records.all('charging_profiles')) {
    if (row.source === 'desired' && row.state === 'refused') putProfile(draft, staled(row))
  }
}

export function onWiringSet(draft: BlockDraft, { connectors, priority }: InputOf<'wiringSet'>): void {
  const { chargePointId } = draft.state
  const before = draft.record('wirings', { chargePointId })
  const put = {
    chargePointId,
    connectors: connectors ?? before?.connectors ?? [],
    priority: priority ?? before?.priority,
    updatedAt: draft.now,
  }
  draft.changeRecord({ kind: 'wirings', put })
}

/** What a station turned out not to be able to do, after it was ordered. */
const NO_ABILITY = 'the charge point has no smart charging: name a key that limits it (PUT /2/station-models)'

/** Of demands one without smart charging carries out none; of profiles as they were given each is checked. */
function refuseUnable(draft: BlockDraft, abilities: ChargingAbilities | undefined): void {
  const hasNone = abilities?.smartCharging === false
  for (const demand of hasNone ? unexpired(draft) : []) {
    putDemand(draft, { ...demand, state: 'refused', reason: NO_ABILITY })
  }
  for (const row of draft.state.records.all('charging_profiles')) {
    const isOpen = row.owner === 'raw' && (row.state === 'due' || row.state === 'stale')
    const [fault] = isOpen ? abilityFaults(row.profile, abilities) : []
    if (!fault) continue
    const reason = `${fault.pointer} ${fault.message} (${fault.clause})`
    putProfile(draft, { ...row, state: 'refused', reason, updatedAt: draft.now })
  }
}
