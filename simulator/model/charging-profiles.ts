/** The charging profiles that a station keeps, and what they allow at one instant. The same for both versions. */
import type { Payload } from '../../src/ocpp/version.ts'

export interface ChargingProfile {
  readonly id: number
  /** 0: the whole station. */
  readonly connectorId: number
  readonly purpose: string
  readonly stackLevel: number
  readonly transactionId?: string
  readonly kind: string
  readonly unit: 'A' | 'W'
  readonly startAt?: number
  readonly durationSeconds?: number
  readonly validFrom?: number
  readonly validTo?: number
  readonly periods: readonly { readonly startSeconds: number; readonly limit: number }[]
  /** As it came, to be reported again. */
  readonly source: Payload
}

export interface ProfileMatch {
  readonly id?: number
  readonly connectorId?: number
  readonly purpose?: string
  readonly stackLevel?: number
}

export interface Moment {
  readonly at: number
  readonly connectorId: number
  readonly transaction?: { readonly transactionId?: string; readonly startedAt: number }
}

const VOLTAGE_V = 230
const LEAST_CURRENT_A = 6
const DAY_MS = 86_400_000
const STATION_PURPOSES = new Set(['ChargePointMaxProfile', 'ChargingStationMaxProfile'])

export function isForStation({ purpose }: ChargingProfile): boolean {
  return STATION_PURPOSES.has(purpose)
}

/** A profile replaces one of the same id, and one of the same purpose, stack level and connector. */
export function install(profiles: readonly ChargingProfile[], added: ChargingProfile): readonly ChargingProfile[] {
  const kept = profiles.filter(
    (other) =>
      other.id !== added.id &&
      (other.purpose !== added.purpose ||
        other.stackLevel !== added.stackLevel ||
        other.connectorId !== added.connectorId),
  )
  return [...kept, added]
}

/** 1.6 §3.13, K01: a profile of a transaction is good for that one alone. */
export function withoutThoseOf(
  profiles: readonly ChargingProfile[],
  ended: { readonly connectorId: number; readonly transactionId?: string },
): readonly ChargingProfile[] {
  const isOver = ({ purpose, connectorId, transactionId }: ChargingProfile) =>
    purpose === 'TxProfile' &&
    (connectorId === ended.connectorId || (transactionId !== undefined && transactionId === ended.transactionId))
  return profiles.filter((profile) => !isOver(profile))
}

/** Below 6 A for each phase the pilot can signal no current: the car has to pause (IEC 61851-1). */
export function canCharge(limitW: number | undefined, phases: number): boolean {
  if (limitW === undefined) return true
  return phases === 0 ? limitW > 0 : limitW >= LEAST_CURRENT_A * VOLTAGE_V * phases
}

export function matches(profile: ChargingProfile, match: ProfileMatch): boolean {
  return (
    (match.id === undefined || match.id === profile.id) &&
    (match.connectorId === undefined || match.connectorId === profile.connectorId) &&
    (match.purpose === undefined || match.purpose === profile.purpose) &&
    (match.stackLevel === undefined || match.stackLevel === profile.stackLevel)
  )
}

/** What all profiles together allow in watts; undefined where none says anything. */
export function allowedW(profiles: readonly ChargingProfile[], moment: Moment, phases: number): number | undefined {
  const station = strongest(profiles, moment, phases, isForStation)
  const ofTransaction = strongest(profiles, moment, phases, (profile) => profile.purpose === 'TxProfile')
  const ofConnector =
    ofTransaction ?? strongest(profiles, moment, phases, (profile) => profile.purpose === 'TxDefaultProfile')
  const limits = [station, moment.transaction ? ofConnector : undefined].filter((limit) => limit !== undefined)
  return limits.length > 0 ? Math.min(...limits) : undefined
}

/** The profile with the highest stack level that says something now. */
function strongest(
  profiles: readonly ChargingProfile[],
  moment: Moment,
  phases: number,
  selected: (profile: ChargingProfile) => boolean,
): number | undefined {
  const candidates = profiles
    .filter((profile) => selected(profile) && concerns(profile, moment))
    .sort((a, b) => b.stackLevel - a.stackLevel || b.connectorId - a.connectorId)
  for (const profile of candidates) {
    const limit = limitAt(profile, moment)
    if (limit !== undefined) return profile.unit === 'W' ? limit : limit * VOLTAGE_V * Math.max(1, phases)
  }
  return undefined
}

function concerns(profile: ChargingProfile, { at, connectorId, transaction }: Moment): boolean {
  if (profile.connectorId !== 0 && profile.connectorId !== connectorId) return false
  if (profile.transactionId !== undefined && profile.transactionId !== transaction?.transactionId) return false
  return (profile.validFrom ?? at) <= at && at <= (profile.validTo ?? at)
}

function limitAt(profile: ChargingProfile, { at, transaction }: Moment): number | undefined {
  const startAt =
    profile.kind === 'Relative' ? transaction?.startedAt : (profile.startAt ?? transaction?.startedAt ?? at)
  if (startAt === undefined) return undefined
  const sinceStart = at - startAt
  const elapsedMs = profile.kind === 'Recurring' ? ((sinceStart % DAY_MS) + DAY_MS) % DAY_MS : sinceStart
  if (elapsedMs < 0 || elapsedMs / 1000 >= (profile.durationSeconds ?? Number.POSITIVE_INFINITY)) return undefined
  return profile.periods.filter((period) => period.startSeconds * 1000 <= elapsedMs).at(-1)?.limit
}

interface ScheduleText {
  readonly startSchedule?: string
  readonly duration?: number
  readonly chargingRateUnit: 'A' | 'W'
  readonly chargingSchedulePeriod: readonly { readonly startPeriod: number; readonly limit: number }[]
}

/** Both versions name the members alike but for the id and the list of schedules. */
export function readProfile(source: Payload, connectorId: number): ChargingProfile {
  const schedules = source.chargingSchedule as ScheduleText | readonly ScheduleText[]
  const schedule = (Array.isArray(schedules) ? schedules[0] : schedules) as ScheduleText
  const transactionId = source.transactionId as string | number | undefined
  const time = (text: unknown): number | undefined => (typeof text === 'string' ? Date.parse(text) : undefined)
  const startAt = time(schedule.startSchedule)
  const validFrom = time(source.validFrom)
  const validTo = time(source.validTo)
  return {
    id: Number(source.chargingProfileId ?? source.id),
    connectorId,
    purpose: String(source.chargingProfilePurpose),
    stackLevel: Number(source.stackLevel),
    kind: String(source.chargingProfileKind),
    unit: schedule.chargingRateUnit,
    ...(transactionId !== undefined && { transactionId: String(transactionId) }),
    ...(startAt !== undefined && { startAt }),
    ...(schedule.duration !== undefined && { durationSeconds: schedule.duration }),
    ...(validFrom !== undefined && { validFrom }),
    ...(validTo !== undefined && { validTo }),
    periods: schedule.chargingSchedulePeriod.map(({ startPeriod, limit }) => ({ startSeconds: startPeriod, limit })),
    source,
  }
}
