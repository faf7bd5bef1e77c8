/** A station's reports of the profiles that it holds, and of limits that others gave it (CHARGING-S4, CHARGING-S7). */
import type { BlockDraft, InputOf } from '../ports/blocks.ts'
import { limited } from '../timeline/events.ts'
import { renewed } from './dynamic.ts'
import type { ChargingOrder, ChargingProfile } from './profile.ts'
import type { ReportedProfile, StoredProfile } from './records.ts'
import { putProfile, putStation, staled, stationOf, storedProfile } from './rows.ts'

/** Pages of what a station holds; all of them replace what was reported. What others asked for may be a part: added. */
export function onProfilesReported(draft: BlockDraft, input: InputOf<'profilesReported'>): void {
  const { requestId = 0, isLast, profiles } = input
  const station = stationOf(draft)
  const begun = { requestId, askedAt: draft.now, tries: 0, found: [], isPart: true as const }
  const isOther = station.reading?.requestId !== requestId
  // One at a time, ours before others.
  if (isOther && station.reading && !station.reading.isPart) return
  const reading = isOther || !station.reading ? begun : station.reading
  const found = [...reading.found, ...profiles].slice(0, MAX_REPORTED)
  if (!isLast) {
    putStation(draft, { ...station, reading: { ...reading, found } })
    return
  }
  if (reading.isPart) addReported(draft, found)
  else replaceReported(draft, found)
  putStation(draft, { ...station, reading: undefined, isKnown: station.isKnown || !reading.isPart })
}

const MAX_REPORTED = 500

export function replaceReported(draft: BlockDraft, found: readonly ReportedProfile[]): void {
  const { chargePointId, records } = draft.state
  const kept = new Map(found.map((one) => [one.profile.id, one]))
  for (const { source, id } of records.all('charging_profiles')) {
    if (source === 'reported' && id >= 0 && !kept.has(id)) {
      draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source, id } })
    }
  }
  for (const { evseId, profile, source } of kept.values()) putReported(draft, evseId, profile, source)
}

function addReported(draft: BlockDraft, found: readonly ReportedProfile[]): void {
  const known = draft.state.records.all('charging_profiles').filter(({ source }) => source === 'reported')
  for (const { evseId, profile, source } of found.slice(0, Math.max(0, MAX_REPORTED - known.length))) {
    putReported(draft, evseId, profile, source)
  }
}

/** What a command set counts at once, ours it cleared is sent again; a start's comes with its transaction. */
export function onProfilesMeddled(draft: BlockDraft, { order }: InputOf<'profilesMeddled'>): void {
  const { chargePointId, records } = draft.state
  const station = draft.record('charging_stations', { chargePointId })
  if (!station || order.kind === 'list') return
  if (order.kind === 'update') {
    for (const row of records.all('charging_profiles')) {
      const profile = row.owner === 'pilotwire' ? undefined : withLimit(row, order)
      if (profile) putProfile(draft, { ...row, profile: renewed(profile, draft.now) })
    }
    return
  }
  if (order.kind !== 'start') putStation(draft, { ...station, isKnown: false })
  if (order.kind !== 'clear') putReported(draft, order.evseId ?? 0, order.profile, 'CSO')
  if (order.kind !== 'clear') return
  for (const row of records.all('charging_profiles').filter((one) => isCleared(one, order))) {
    const { source, id, owner, state } = row
    if (source === 'reported') draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source, id } })
    else if (owner === 'pilotwire' && (state === 'accepted' || state === 'sent')) putProfile(draft, staled(row))
  }
}

/** Undefined: it is not the one that is updated. */
export function withLimit(
  { id, profile }: Pick<StoredProfile, 'id' | 'profile'>,
  update: Extract<ChargingOrder, { readonly kind: 'update' }>,
): ChargingProfile | undefined {
  if (id !== update.id || profile.kind !== 'Dynamic') return undefined
  const { limit } = update
  const schedules = profile.schedules.map((schedule) => ({
    ...schedule,
    periods: schedule.periods.map((period) => ({ ...period, limit: limit ?? period.limit })),
  }))
  return { ...profile, schedules }
}

function isCleared(
  { id, purpose, evseId, stackLevel }: StoredProfile,
  order: Extract<ChargingOrder, { readonly kind: 'clear' }>,
): boolean {
  if (order.id !== undefined) return id === order.id
  const named = order.purpose === 'ChargePointMaxProfile' ? 'ChargingStationMaxProfile' : order.purpose
  return (
    id >= 0 &&
    (named ?? purpose) === purpose &&
    (order.evseId ?? evseId) === evseId &&
    (order.stackLevel ?? stackLevel) === stackLevel
  )
}

function putReported(draft: BlockDraft, evseId: number, profile: StoredProfile['profile'], owner: string): void {
  const facts = { chargePointId: draft.state.chargePointId, source: 'reported', evseId, owner } as const
  const times = { acceptedAt: draft.now, updatedAt: draft.now }
  putProfile(draft, storedProfile(profile, { ...facts, state: 'accepted', attempts: 0, ...times }))
}

/** K11 to K13: kept by EVSE and source; they count, and are never sent or cleared by us. */
export function onExternalLimitReported(
  draft: BlockDraft,
  { source, evseId, schedules }: InputOf<'externalLimitReported'>,
): void {
  const { chargePointId, records } = draft.state
  const reported = records.all('charging_profiles').filter((row) => row.source === 'reported' && row.id < 0)
  const isOverEverywhere = evseId === undefined && schedules.length === 0
  const former = reported
    .filter(({ owner, evseId: at }) => owner === source && (at === (evseId ?? 0) || isOverEverywhere))
    .toSorted((a, b) => b.id - a.id)
  for (const { id } of former) {
    draft.changeRecord({ kind: 'charging_profiles', remove: { chargePointId, source: 'reported', id } })
  }
  const lowest = reported.reduce((least, { id }) => Math.min(least, id), 0)
  for (const [at, schedule] of schedules.entries()) {
    if (reported.length + at >= MAX_REPORTED) break
    putReported(
      draft,
      evseId ?? 0,
      {
        id: lowest - 1 - at,
        purpose: 'ChargingStationExternalConstraints',
        kind: 'Absolute',
        stackLevel: at,
        schedules: [schedule],
      },
      source,
    )
  }
  // A repeated report is no news.
  if (JSON.stringify(former.flatMap(({ profile }) => profile.schedules)) === JSON.stringify(schedules)) return
  draft.tell(limited.of({ chargePointId, at: draft.now, source, evseId, schedules }))
}
