/** What is to be done at a station; pure. For each EVSE in order: what it can, what it holds, profiles, the proof. */

import { isWaiting } from '../intents/states.ts'
import { ampsAt, type Cap, type CapStep, type Caps, effectiveAmps, type Lease, leaseOf, smallestCap } from './caps.ts'
import type { Charging } from './charges.ts'
import { heldKey, isMissing, isOpenDemand, isShare } from './demands.ts'
import type { PlacedProfile, Purpose } from './profile.ts'
import type { ChargingAbilities, ChargingDemand, ChargingStation, ConnectorWiring, StoredProfile } from './records.ts'
import { fewestPhases, mostAmps, mostPhases } from './rows.ts'
import { shownDraw, type WattShare } from './watts.ts'

export interface ChargingView {
  readonly demands: readonly ChargingDemand[]
  readonly profiles: readonly StoredProfile[]
  readonly station?: ChargingStation | undefined
  readonly charges: readonly Charging[]
  readonly connectors: readonly ConnectorWiring[]
  readonly evses?: ReadonlySet<number> | undefined
  readonly voltage: number
  readonly now: number
  /** The station's version has Dynamic profiles. */
  readonly hasDynamic?: boolean | undefined
}

export interface DesiredProfile {
  readonly id: number
  readonly evseId: number
  readonly purpose: Purpose
  readonly transactionId?: string | undefined
  readonly basis: string
  readonly steps: readonly CapStep[]
  readonly until?: number | undefined
  readonly phases?: number | undefined
  readonly watts?: WattShare | undefined
  /** What it draws shows that its amperes would be taken for those of a battery (CHARGING-S5). */
  readonly prefersWatts?: true | undefined
  /** It may be sent as a Dynamic profile (OCPP21-C1). */
  readonly lease?: Lease | undefined
}

export type ChargingStep =
  | { readonly step: 'abilities' | 'read' | 'clearForeign' }
  | { readonly step: 'set'; readonly evseId: number; readonly desired?: DesiredProfile; readonly row?: StoredProfile }
  | { readonly step: 'clear'; readonly evseId: number; readonly row: StoredProfile }
  | { readonly step: 'key'; readonly amps?: number | undefined }
  | { readonly step: 'prove' | 'current' | 'missing'; readonly evseId: number }

/** Ours, whatever database made them: a station may hold them longer than we remember. */
const FIRST_ID = 77_000_000
const PURPOSES = ['ChargingStationMaxProfile', 'TxDefaultProfile', 'TxProfile'] as const

/** OCPP21-B11: those of others at the station may reach so far that ours begin above. */
function firstIdOf(abilities: ChargingAbilities | undefined): number {
  return Math.max(FIRST_ID, (abilities?.maxExternalId ?? 0) + 1)
}

export function isOurId(id: number, abilities: ChargingAbilities | undefined): boolean {
  const first = firstIdOf(abilities)
  return id >= first && id < first + 10_000
}

export function desiredProfiles(view: ChargingView): readonly DesiredProfile[] {
  const { demands, charges, connectors, voltage, now } = view
  const made: DesiredProfile[] = []
  const firstId = firstIdOf(view.station?.abilities)
  for (const evseId of new Set(demands.map((demand) => demand.evseId))) {
    const here = demands.filter((demand) => demand.evseId === evseId)
    const [fewest, phases] = [fewestPhases(connectors, evseId), mostPhases(connectors, evseId)]
    const wired = fewest === phases ? `${phases}` : `${fewest}-${phases}`
    const add = (
      purpose: (typeof PURPOSES)[number],
      capOf: (caps: Caps) => Cap | undefined,
      transactionId?: string,
    ) => {
      const capped = here.flatMap((demand) => {
        const { owner, revision, appliedRevision, caps } = demand
        const cap = capOf(caps)
        return cap && cap.steps.length > 0 && (cap.until ?? now + 1) > now
          ? [{ cap, name: `${owner}@${revision}`, isShared: isShare(demand), isTaken: appliedRevision === revision }]
          : []
      })
      const isShared = capped.some((one) => one.isShared)
      const smallest = smallestCap(
        capped.map(({ cap }) => cap),
        now,
        { voltage, phases },
      )
      if (smallest.steps.length === 0) return
      const leased = capped.flatMap(({ cap: { leaseSeconds: seconds }, isTaken }) =>
        seconds === undefined ? [] : [{ seconds, isTaken }],
      )
      // A default is of charges of which nothing is known.
      const { phases: inWatts = 1, isDirect } =
        (transactionId === undefined ? undefined : shownDraw(view, evseId)) ?? {}
      const on = `${isShared ? `/${inWatts}` : ''}${isDirect ? '/W' : ''}`
      const basis = [...capped.map(({ name }) => name), `phases:${wired}${on}`, transactionId ?? ''].join('\n')
      made.push({
        id: firstId + evseId * 10 + PURPOSES.indexOf(purpose),
        evseId,
        purpose,
        basis,
        ...smallest,
        ...(isDirect && { prefersWatts: isDirect }),
        ...(isShared && { watts: { phases: inWatts, fullAmps: mostAmps(connectors, evseId) } }),
        transactionId,
        lease: smallest.until === undefined ? leaseOf(smallest.steps, leased[0], now) : undefined,
      })
    }
    const standing = ({ standing: cap }: Caps) => cap
    if (evseId === 0) add('ChargingStationMaxProfile', standing)
    else {
      add('TxDefaultProfile', standing)
      const charge = charges.find((one) => one.evseId === evseId)
      if (charge) add('TxProfile', (caps) => caps.charge ?? caps.standing, charge.transactionId)
    }
  }
  return made
}

/** Nothing is due at a station without demands that holds no profile of ours. */
export function chargingSteps(view: ChargingView): readonly ChargingStep[] {
  const { station, profiles, demands, now } = view
  const ours = profiles.filter(({ source }) => source === 'desired')
  const asks = profiles.some(({ state }) => state === 'clearing') || station?.clearsForeign === true
  if (demands.length === 0 && ours.length === 0 && !asks) return []
  if (station?.isUnsupported) return keySteps(view, station)
  const waits = isWaiting(station?.nextAttemptAt, now)
  const isAsked = station?.abilities && (!view.hasDynamic || station.abilities.dynamic !== undefined)
  if (!isAsked) return waits ? [] : [{ step: 'abilities' }]
  // Also of a clock that was put back since: nothing is sent until then.
  const isReading = station.reading !== undefined && Math.abs(now - station.reading.askedAt) < READ_MS
  if (!station.isKnown) return waits || isReading ? [] : [{ step: 'read' }]
  if (station.clearsForeign) return waits ? [] : [{ step: 'clearForeign' }]
  const desired = desiredProfiles(view)
  const isFirst = (want: DesiredProfile): boolean => mayBeForgotten(want, ours, station)
  const steps = new Map<number, ChargingStep>()
  const add = (evseId: number, step: ChargingStep): void => {
    if (!steps.has(evseId)) steps.set(evseId, step)
  }
  const isSent = new Set(ours.filter(({ state }) => state === 'sent').map(({ evseId }) => evseId))
  for (const want of [...desired.filter(isFirst), ...desired.filter((one) => !isFirst(one))]) {
    if (isMissing(view.evses, want.evseId)) {
      const isOpen = demands.some((demand) => demand.evseId === want.evseId && isOpenDemand(demand))
      if (isOpen) add(want.evseId, { step: 'missing', evseId: want.evseId })
      continue
    }
    const row = ours.find(({ id }) => id === want.id)
    const isBelow = row !== undefined && mayRise(row, profiles, station)
    if (needsSending(row, want, isBelow, now))
      add(want.evseId, { step: 'set', evseId: want.evseId, desired: want, row })
  }
  const ids = new Set(desired.map(({ id }) => id))
  for (const row of profiles) {
    const { source, id, evseId, owner, state, nextAttemptAt } = row
    // One that is accepted waits for what it had no room for.
    if (state !== 'accepted' && isWaiting(nextAttemptAt, now)) continue
    const isGone = source === 'desired' && owner !== 'raw' && !ids.has(id) && state !== 'sent'
    if (state === 'clearing' || isGone || outranksShare(row, view, desired)) add(evseId, { step: 'clear', evseId, row })
    else if (owner === 'raw' && (state === 'due' || state === 'stale') && !outranks(row, desired, ours)) {
      add(evseId, { step: 'set', evseId, row })
    }
  }
  for (const [key, { next, dueAt }] of Object.entries(station.proofs)) {
    const evseId = Number(key)
    if (next && !isWaiting(dueAt, now)) add(evseId, { step: next === 'schedule' ? 'prove' : 'current', evseId })
  }
  // It came to have smart charging: the profiles hold in place of the key.
  const isSettled = steps.size === 0 && !waits && ours.every(({ state }) => state === 'accepted')
  if (isSettled && heldKey(demands)) return [{ step: 'key' }]
  return [...steps].flatMap(([evseId, step]) => (isSent.has(evseId) ? [] : [step]))
}

/** Its charge went on after a pause. Before the default, else a station that forgets goes back and forth for ever. */
function mayBeForgotten(
  { id, evseId, purpose }: DesiredProfile,
  ours: readonly StoredProfile[],
  { resumedAt }: ChargingStation,
): boolean {
  const row = purpose === 'TxProfile' ? ours.find((one) => one.id === id) : undefined
  return row?.state === 'stale' && (resumedAt[evseId] ?? 0) >= row.updatedAt
}

/** Of a station without smart charging: one number for all of it, where its model has a key for it. */
function keySteps({ demands, connectors, voltage, now }: ChargingView, { keyAmps, nextAttemptAt }: ChargingStation) {
  const capped = demands.flatMap(({ evseId, caps: { standing } }) => {
    const amps = standing && ampsAt(standing, now, { voltage, phases: mostPhases(connectors, evseId) })
    return amps === undefined ? [] : [amps]
  })
  if (isWaiting(nextAttemptAt, now)) return []
  if (capped.length === 0) return heldKey(demands) ? [{ step: 'key' } as const] : []
  const amps = Math.floor(effectiveAmps(Math.min(...capped)))
  return amps === keyAmps ? [] : [{ step: 'key', amps } as const]
}

type Rank = Pick<StoredProfile, 'id' | 'evseId' | 'purpose' | 'stackLevel' | 'transactionId'>

/** Those of others that would count instead of one of ours, if their stack level is at least its own. */
export function rivalsOf<Other extends Rank & Pick<StoredProfile, 'state'>>(
  { id, evseId, purpose, transactionId }: Omit<Rank, 'stackLevel'>,
  others: readonly Other[],
): readonly Other[] {
  return others.filter(
    (one) =>
      one.purpose === purpose &&
      one.id !== id &&
      one.state !== 'clearing' &&
      (one.evseId === evseId || one.evseId === 0) &&
      (one.transactionId ?? transactionId) === transactionId,
  )
}

/** A foreign one is not below ours, and the station has a level above. */
function mayRise(row: StoredProfile, profiles: readonly StoredProfile[], { abilities }: ChargingStation): boolean {
  const isBelow = rivalsOf(row, profiles).some(({ stackLevel }) => stackLevel >= row.stackLevel)
  return isBelow && stackLevelFor(row, profiles, abilities?.maxStackLevel, true) > row.stackLevel
}

/** GROUP-A2: at the highest stack level nothing can lie above it, so what a share is to hold against goes. */
function outranksShare(row: StoredProfile, view: ChargingView, desired: readonly DesiredProfile[]): boolean {
  const highest = view.station?.abilities?.maxStackLevel
  const isForeign = row.source === 'reported' || row.owner === 'raw'
  if (!isForeign || highest === undefined || row.stackLevel < highest) return false
  return desired.some(({ watts, ...want }) => watts !== undefined && rivalsOf(want, [row]).length > 0)
}

/** A raw one is sent once ours lie above it. */
function outranks(row: StoredProfile, desired: readonly DesiredProfile[], ours: readonly StoredProfile[]): boolean {
  return desired.some((want) => {
    const own = ours.find(({ id, state }) => id === want.id && state === 'accepted')
    return rivalsOf(want, [row]).length > 0 && (own === undefined || own.stackLevel <= row.stackLevel)
  })
}

function needsSending(
  row: StoredProfile | undefined,
  { basis }: DesiredProfile,
  isBelow: boolean,
  now: number,
): boolean {
  if (!row) return true
  if (row.state === 'sent') return false
  if (row.basis !== basis || (isBelow && row.state === 'accepted')) return true
  if (row.state === 'accepted') return row.nextAttemptAt !== undefined && row.nextAttemptAt <= now
  return !isWaiting(row.nextAttemptAt, now)
}

export function chargingWakeAt(view: ChargingView): number | undefined {
  const { demands, profiles, station, now } = view
  const times = [
    ...demands.flatMap(({ caps }) => [caps.standing?.until, caps.charge?.until]),
    ...(station?.isUnsupported ? demands.flatMap(({ caps }) => caps.standing?.steps.map(({ at }) => at) ?? []) : []),
    ...profiles.map(({ nextAttemptAt }) => nextAttemptAt),
    station?.nextAttemptAt,
    station?.reading && station.reading.askedAt + READ_MS,
    ...Object.values(station?.proofs ?? {}).map(({ dueAt }) => dueAt),
  ]
  const later = times.filter((at): at is number => at !== undefined && at > now)
  return later.length > 0 ? Math.min(...later) : undefined
}

/** A report whose last page does not come is asked for again. */
const READ_MS = 60_000

/** What a station holds as far as it is known: ours that it accepted, and what it reported beside them. */
export function heldProfiles(profiles: readonly StoredProfile[]): readonly PlacedProfile[] {
  const ours = profiles.filter(({ source, acceptedAt }) => source === 'desired' && acceptedAt !== undefined)
  const ids = new Set(ours.map(({ id }) => id))
  const others = profiles.filter(({ source, id }) => source === 'reported' && !ids.has(id))
  return [
    ...others.map(({ evseId, profile, owner }) => ({ evseId, profile, source: owner })),
    ...ours.map(({ evseId, profile }) => ({ evseId, profile })),
  ]
}

/** Above what others set for the same purpose, if it has such a level; in 1.6, which cannot say, its highest. */
export function stackLevelFor(
  desired: Omit<Rank, 'stackLevel'>,
  profiles: readonly StoredProfile[],
  maxStackLevel: number | undefined,
  canBeRead: boolean,
): number {
  if (!canBeRead && maxStackLevel !== undefined) return maxStackLevel
  const others = rivalsOf(desired, profiles)
  const above = others.reduce((most, { stackLevel }) => Math.max(most, stackLevel + 1), 0)
  if (maxStackLevel === undefined || above <= maxStackLevel) return above
  // None is above: ours takes the next one that is free, and the proof shows who limits.
  const taken = new Set(others.map(({ stackLevel }) => stackLevel))
  let level = maxStackLevel
  while (level > 0 && taken.has(level)) level--
  return level
}
