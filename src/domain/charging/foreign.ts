/** Others' profiles (CHARGING-S4) must not let an EVSE draw more than demands allow, even until ours lies above. */
import { ampsAt } from './caps.ts'
import type { ChargingFault } from './checks.ts'
import { compositeSchedule } from './composite.ts'
import { isOpenDemand, isShare } from './demands.ts'
import { type ChargingView, heldProfiles, rivalsOf } from './plan.ts'
import type { ChargingProfile, OngoingCharge, PlacedProfile } from './profile.ts'
import type { StoredProfile } from './records.ts'
import { fewestPhases, mostPhases } from './rows.ts'
import { shownPhases } from './watts.ts'

/** What is given for longer ends with a lease at the latest (`leaseSeconds`). */
const HORIZON_SECONDS = 3600
/** What a start brings holds for its whole charge, also at a station that lost its connection before ours came. */
const CHARGE_SECONDS = 7 * 24 * HORIZON_SECONDS
const ROUNDING_AMPS = 0.05
/** More than any connector gives. */
const UNLIMITED_AMPS = 10_000

/** What all profiles at an EVSE allow at most in the next hour; undefined: there are none of others. */
export function mostWithForeign(view: ChargingView, evseId: number): number | undefined {
  const held = view.profiles.filter(isNoConstraint)
  const isForeign = ({ source, owner, evseId: at }: StoredProfile) =>
    (at === evseId || at === 0) && (source === 'reported' || owner === 'raw')
  if (!held.some(isForeign)) return undefined
  const charge = view.charges.find((one) => one.evseId === evseId)
  const placed = heldProfiles(held)
  const added = placed.filter(({ profile }) => profile !== asDefault(profile))
  const each = [placed, ...added.map((one) => [{ ...one, profile: asDefault(one.profile) }])]
  const most = each.flatMap((some) => mostOf(some, view, evseId, charge) ?? [])
  return most.length > 0 ? Math.max(...most) : undefined
}

/** What others than us gave the station lessens what it may draw, and may end at any time. */
const isNoConstraint = ({ purpose }: Pick<StoredProfile, 'purpose'>): boolean =>
  purpose !== 'ChargingStationExternalConstraints'

function mostOf(
  profiles: readonly PlacedProfile[],
  view: ChargingView,
  evseId: number,
  charge: OngoingCharge | undefined,
  durationSeconds = HORIZON_SECONDS,
): number | undefined {
  const isShared = view.demands.some((one) => one.evseId === evseId && isShare(one))
  const phases = isShared ? (shownPhases(view, evseId) ?? 1) : fewestPhases(view.connectors, evseId)
  const query = { profiles, evseId, charge, from: view.now, unit: 'A', voltage: view.voltage, phases } as const
  const periods = compositeSchedule({ ...query, durationSeconds })
  return periods.reduce<number | undefined>(
    (most, { limit, isUnlimited }) =>
      limit === undefined && !isUnlimited ? most : Math.max(limit ?? UNLIMITED_AMPS, most ?? 0),
    undefined,
  )
}

export interface Brought {
  readonly kind: 'set' | 'start'
  readonly evseId?: number | undefined
  readonly profile: ChargingProfile
}

/** What is wrong with it where demands hold at its EVSE. @param waits it is sent once ours lies above it */
export function* foreignFaults(
  { kind, evseId: asked = 0, profile }: Brought,
  view: ChargingView,
  waits: boolean,
): Generator<ChargingFault> {
  const { purpose, stackLevel } = profile
  const isOfStation = purpose === 'ChargingStationMaxProfile'
  const open = view.demands.filter((one) => isOpenDemand(one) && (one.evseId === 0) === isOfStation)
  const evseIds = new Set(open.flatMap(({ evseId }) => (asked === 0 || evseId === asked ? [evseId] : [])))
  if (evseIds.size === 0 || !isNoConstraint(profile)) return
  const highest = view.station?.abilities?.maxStackLevel
  if (highest !== undefined && stackLevel >= highest) {
    const message = `must be below ${highest}, the highest one of the charge point, which is kept for limits`
    yield { clause: 'kept_for_limits', pointer: '/chargingProfile/stackLevel', message }
    return
  }
  if (waits) return
  for (const evseId of evseIds) {
    if (kind === 'set' && liesBelowOurs({ evseId: asked, profile }, view, evseId)) continue
    const charge = kind === 'set' ? view.charges.find((one) => one.evseId === evseId) : undefined
    const begins = { transactionId: profile.transactionId ?? '', startedAt: view.now }
    const seconds = kind === 'start' && open.some(isShare) ? CHARGE_SECONDS : HORIZON_SECONDS
    const most = mostOf([{ evseId: asked, profile: asDefault(profile) }], view, evseId, charge ?? begins, seconds)
    const least = leastDemanded(view, evseId, purpose === 'TxProfile' && kind === 'set')
    if (most === undefined || least === undefined || most <= least + ROUNDING_AMPS) continue
    const message = `allows ${shown(most)} A, and what holds there ${shown(least)} A`
    yield { clause: 'above_limits', pointer: '/chargingProfile/chargingSchedule', message }
    return
  }
}

/** Priority charging and local generation replace what is said of a charge, or add to it, at any time. */
function asDefault(profile: ChargingProfile): ChargingProfile {
  const isAdditional = profile.purpose === 'PriorityCharging' || profile.purpose === 'LocalGeneration'
  return isAdditional ? { ...profile, purpose: 'TxDefaultProfile' } : profile
}

function liesBelowOurs({ evseId, profile }: PlacedProfile, { profiles }: ChargingView, at: number): boolean {
  return profiles.some(
    (row) =>
      row.owner === 'pilotwire' &&
      row.evseId === at &&
      row.state === 'accepted' &&
      row.stackLevel > profile.stackLevel &&
      rivalsOf(row, [{ ...profile, evseId, state: 'due' }]).length > 0,
  )
}

function leastDemanded({ demands, connectors, voltage, now }: ChargingView, evseId: number, isOfCharge: boolean) {
  const supply = { voltage, phases: mostPhases(connectors, evseId) }
  const limits = demands.flatMap((demand) => {
    if (demand.evseId !== evseId || !isOpenDemand(demand)) return []
    const { standing, charge } = demand.caps
    const cap = isOfCharge ? (charge ?? standing) : standing
    const turns = cap?.steps.filter(({ at }) => at > now && at < now + HORIZON_SECONDS * 1000) ?? []
    return cap ? [now, ...turns.map(({ at }) => at)].flatMap((at) => ampsAt(cap, at, supply) ?? []) : []
  })
  return limits.length > 0 ? Math.min(...limits) : undefined
}

const shown = (amps: number): number => Math.round(amps * 10) / 10
