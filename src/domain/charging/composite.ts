/** The limit of all profiles by our calculation: per purpose the highest stack level, then the least (K08.FR.04). */
import type {
  ChargingProfile,
  OngoingCharge,
  PlacedProfile,
  ProfileSchedule,
  RateUnit,
  SchedulePeriod,
} from './profile.ts'

export interface CompositeQuery {
  readonly profiles: readonly PlacedProfile[]
  readonly evseId: number
  /** Absent: what a charge that began at `from` would be allowed. */
  readonly charge?: OngoingCharge | undefined
  /** Ms since the epoch. */
  readonly from: number
  readonly durationSeconds: number
  readonly unit: RateUnit
  readonly voltage: number
  /** Of a period that does not name its own (OCPP 2.0.1 K01.FR.49 says three). */
  readonly phases: number
}

export interface CompositePeriod {
  readonly startSeconds: number
  readonly limit?: number | undefined
  /** A profile says that there is none. */
  readonly isUnlimited?: true | undefined
  readonly phases?: number | undefined
  readonly profileId?: number | undefined
}

const DAY_MS = 86_400_000
const EVERY_MS = { Daily: DAY_MS, Weekly: 7 * DAY_MS }
/** Bounds the cost of a long query about a short recurrence. */
const MAX_PERIODS = 10_000

/** Neighbors differ; the first one starts at 0. */
export function compositeSchedule(query: CompositeQuery): readonly CompositePeriod[] {
  const { from, durationSeconds } = query
  const timed = query.profiles.flatMap((placed) => timedProfile(placed, query) ?? [])
  const until = from + durationSeconds * 1000
  const turns = new Set<number>([from])
  for (const one of timed) turnsOf(one, from, until, turns)
  const periods: CompositePeriod[] = []
  for (const at of [...turns].sort((a, b) => a - b)) {
    const found = { startSeconds: (at - from) / 1000, ...leastAt(timed, at, query) }
    const before = periods.at(-1)
    const isSame = before && before.limit === found.limit && before.phases === found.phases
    if (!isSame || before.profileId !== found.profileId) periods.push(found)
    if (periods.length >= MAX_PERIODS) break
  }
  return periods
}

export function limitAt(asked: Omit<CompositeQuery, 'durationSeconds'>): Omit<CompositePeriod, 'startSeconds'> {
  const query = { ...asked, durationSeconds: 0 }
  return leastAt(
    query.profiles.flatMap((placed) => timedProfile(placed, query) ?? []),
    query.from,
    query,
  )
}

interface Timed {
  readonly evseId: number
  readonly profile: ChargingProfile
  readonly source?: string | undefined
  readonly schedule: ProfileSchedule
  readonly startAt: number
  /** Ms; absent: it happens once. */
  readonly every?: number | undefined
}

function timedProfile(placed: PlacedProfile, query: CompositeQuery): Timed | undefined {
  const { evseId, profile, source } = placed
  const [schedule] = profile.schedules
  if (!schedule || !concerns(evseId, profile, query)) return undefined
  const begins = query.charge?.startedAt ?? query.from
  const startAt = startOf(placed, begins, query.from)
  const every = profile.kind === 'Recurring' ? EVERY_MS[profile.recurrency ?? 'Daily'] : undefined
  return { evseId, profile, source, schedule, startAt, every }
}

function startOf({ profile: { kind, schedules }, source }: PlacedProfile, begins: number, now: number): number {
  const at = schedules[0]?.startAt
  // What others update may be updated at any time.
  if (kind === 'Dynamic') return (source === undefined ? at : undefined) ?? now
  return kind === 'Relative' ? begins : (at ?? begins)
}

function concerns(evseId: number, { purpose, transactionId }: ChargingProfile, query: CompositeQuery): boolean {
  if (evseId !== 0 && evseId !== query.evseId) return false
  switch (purpose) {
    case 'ChargingStationExternalConstraints':
    case 'ChargingStationMaxProfile':
      return true
    case 'TxDefaultProfile':
      return query.evseId !== 0
    case 'TxProfile':
      if (query.evseId === 0 || !query.charge) return false
      return transactionId === undefined || transactionId === query.charge.transactionId
    // When the station uses them is not known.
    case 'PriorityCharging':
    case 'LocalGeneration':
      return false
  }
}

/** Instants behind `from` and before `until` at which it may change. */
function turnsOf(
  { profile: { validFrom, validTo }, schedule, startAt, every }: Timed,
  from: number,
  until: number,
  turns: Set<number>,
): void {
  const add = (at: number | undefined): void => {
    if (at !== undefined && at > from && at < until && turns.size < MAX_PERIODS) turns.add(at)
  }
  add(validFrom)
  add(validTo)
  const ends = schedule.durationSeconds === undefined ? [] : [schedule.durationSeconds * 1000]
  const offsets = [0, ...schedule.periods.map(({ startSeconds }) => startSeconds * 1000), ...ends]
  if (every === undefined) for (const offset of offsets) add(startAt + offset)
  else {
    const within = offsets.filter((offset) => offset < every)
    for (let begun = from - sinceStart(startAt, every, from); begun < until; begun += every) {
      for (const offset of within) add(begun + offset)
      if (turns.size >= MAX_PERIODS) return
    }
  }
}

/** A recurring schedule has neither a first nor a last day: its validity says from when to when it holds. */
function sinceStart(startAt: number, every: number | undefined, at: number): number {
  const since = at - startAt
  return every === undefined ? since : ((since % every) + every) % every
}

interface Said {
  readonly limit: number
  readonly phases?: number | undefined
  readonly profileId: number
}

function leastAt(timed: readonly Timed[], at: number, query: CompositeQuery): Omit<CompositePeriod, 'startSeconds'> {
  const external = leastConstraint(timed, at, query)
  const station = strongestAt(timed, 'ChargingStationMaxProfile', at, query)
  // What is said of one charge replaces what is said of all (1.6 §3.13.1, OCPP 2.0.1 K01).
  const charge = strongestAt(timed, 'TxProfile', at, query) ?? strongestAt(timed, 'TxDefaultProfile', at, query)
  let least: Said | undefined
  for (const said of [external, station, charge]) if (said && (!least || said.limit < least.limit)) least = said
  if (least?.limit === Number.POSITIVE_INFINITY) return { isUnlimited: true, profileId: least.profileId }
  return least ?? {}
}

/** Several sources may constrain an EVSE and its station at once, and each of them holds (K11 to K13). */
function leastConstraint(timed: readonly Timed[], at: number, query: CompositeQuery): Said | undefined {
  const constraints = timed.filter(({ profile }) => profile.purpose === 'ChargingStationExternalConstraints')
  let least: Said | undefined
  for (const place of new Set(constraints.map(placeOf))) {
    const ofPlace = constraints.filter((one) => placeOf(one) === place)
    const said = strongestAt(ofPlace, 'ChargingStationExternalConstraints', at, query)
    if (said && (!least || said.limit < least.limit)) least = said
  }
  return least
}

function placeOf({ evseId, source }: Timed): string {
  return source === undefined ? '' : `${evseId} ${source}`
}

/** Of equal stack levels that of the EVSE itself, then the one that came last. */
function strongestAt(
  timed: readonly Timed[],
  purpose: ChargingProfile['purpose'],
  at: number,
  query: CompositeQuery,
): Said | undefined {
  let best: Timed | undefined
  let said: Said | undefined
  for (const one of timed) {
    if (one.profile.purpose !== purpose || (best && !isStronger(one, best))) continue
    const found = saidAt(one, at, query)
    if (!found) continue
    best = one
    said = found
  }
  return said
}

function isStronger(one: Timed, best: Timed): boolean {
  const levels = one.profile.stackLevel - best.profile.stackLevel
  return levels !== 0 ? levels > 0 : one.evseId !== 0 || best.evseId === 0
}

function saidAt({ profile, schedule, startAt, every }: Timed, at: number, query: CompositeQuery) {
  if (at < (profile.validFrom ?? at) || (profile.validTo !== undefined && at >= profile.validTo)) return undefined
  const since = sinceStart(startAt, every, at)
  if (since < 0 || since >= (schedule.durationSeconds ?? Number.POSITIVE_INFINITY) * 1000) return undefined
  const period = schedule.periods[lastAtOrBefore(schedule.periods, since)]
  if (!period) return undefined
  const { limit = Number.POSITIVE_INFINITY, phases } = period
  const converted = inUnit(limit, schedule.unit, query.unit, query.voltage, phases ?? query.phases)
  return { limit: converted, profileId: profile.id, ...(phases !== undefined && { phases }) }
}

/** Amperes are of each phase, watts of all together. */
export function inUnit(limit: number, from: RateUnit, to: RateUnit, voltage: number, phases: number): number {
  if (from === to) return limit
  const factor = voltage * Math.max(1, phases)
  return to === 'W' ? limit * factor : limit / factor
}

function lastAtOrBefore(sorted: readonly SchedulePeriod[], ms: number): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.startSeconds ?? 0) * 1000 <= ms) low = middle + 1
    else high = middle
  }
  return low - 1
}
