/** A charging profile as a station keeps it, read from the wire. Both versions name the members nearly alike. */
import { isoTime } from '../../../src/domain/iso-time.ts'
import type { Payload } from '../../../src/ocpp/translate/payload.ts'

/** Who made a limit (2.0.1 ChargingLimitSourceEnum); `CSO` is the central system. */
export type LimitSource = 'EMS' | 'SO' | 'Other' | 'CSO'

export interface Period {
  readonly startSeconds: number
  /** Infinite where a period of 2.1 has none. */
  readonly limit: number
  /** How many phases the station connects; 3 where the period does not say. */
  readonly phases: number
  /** 1 to 3: which phase, where it is one alone. */
  readonly phaseToUse?: number
}

export interface ChargingProfile {
  readonly id: number
  /** 0: the whole station. */
  readonly connectorId: number
  readonly purpose: string
  readonly stackLevel: number
  readonly transactionId?: string
  readonly kind: string
  readonly recurrency?: string
  readonly unit: 'A' | 'W'
  readonly startAt?: number
  readonly durationSeconds?: number
  readonly validFrom?: number
  readonly validTo?: number
  readonly periods: readonly Period[]
  readonly madeBy: LimitSource
  readonly installedAt: number
  /** Dynamic (2.1 K28): its duration counts from here. */
  readonly updatedAt?: number
  /** As it came, to be reported again. */
  readonly source: Payload
}

/** ChargingStationMaxProfile is the name of 2.0.1. */
const STATION_PURPOSES = new Set(['ChargePointMaxProfile', 'ChargingStationMaxProfile'])
export const EXTERNAL_PURPOSE = 'ChargingStationExternalConstraints'

export function isForStation({ purpose }: ChargingProfile): boolean {
  return STATION_PURPOSES.has(purpose)
}

interface ScheduleText {
  readonly startSchedule?: string
  readonly duration?: number
  readonly chargingRateUnit: 'A' | 'W'
  readonly chargingSchedulePeriod: readonly {
    readonly startPeriod: number
    readonly limit?: number
    readonly numberPhases?: number
    readonly phaseToUse?: number
  }[]
}

/** Of several schedules (2.0.1, for a car that chooses) the first one counts. */
export function readProfile(source: Payload, connectorId: number, installedAt: number): ChargingProfile {
  const schedules = source.chargingSchedule as ScheduleText | readonly ScheduleText[]
  const schedule = (Array.isArray(schedules) ? schedules[0] : schedules) as ScheduleText
  const transactionId = source.transactionId as string | number | undefined
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
    madeBy: 'CSO',
    installedAt,
    ...(typeof source.recurrencyKind === 'string' && { recurrency: source.recurrencyKind }),
    ...(transactionId !== undefined && { transactionId: String(transactionId) }),
    startAt,
    durationSeconds: schedule.duration,
    validFrom,
    validTo,
    periods: schedule.chargingSchedulePeriod.map(({ startPeriod, limit = Infinity, numberPhases = 3, phaseToUse }) => ({
      startSeconds: startPeriod,
      limit,
      phases: numberPhases,
      phaseToUse,
    })),
    source,
  }
}

/** The same with another limit, from now on (2.1 K28); what the update does not name stays. */
export function updated(profile: ChargingProfile, update: Payload, now: number): ChargingProfile {
  const [schedule] = profile.source.chargingSchedule as readonly ScheduleText[]
  const periods = schedule?.chargingSchedulePeriod.map((period) => ({ ...period, ...update }))
  const chargingSchedule = [{ ...schedule, chargingSchedulePeriod: periods }]
  const source = { ...profile.source, dynUpdateTime: isoTime(now), chargingSchedule }
  return { ...readProfile(source, profile.connectorId, profile.installedAt), updatedAt: now }
}

function time(text: unknown): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined
}

export interface Moment {
  readonly at: number
  readonly connectorId: number
  readonly transaction?: { readonly transactionId?: string; readonly startedAt: number } | undefined
}

export interface Rate extends Pick<Period, 'limit' | 'phases' | 'phaseToUse'> {
  readonly unit: 'A' | 'W'
}

const DAY_MS = 86_400_000
const CYCLES_MS: Readonly<Record<string, number>> = { Daily: DAY_MS, Weekly: 7 * DAY_MS }

/** Undefined outside of its validity, before its start, and after its duration. */
export function rateAt(profile: ChargingProfile, moment: Moment): Rate | undefined {
  const { at } = moment
  if (at < (profile.validFrom ?? at) || at >= (profile.validTo ?? Number.POSITIVE_INFINITY)) return undefined
  const startAt = cycleStart(profile, moment)
  if (startAt === undefined || at < startAt) return undefined
  const elapsedMs = at - startAt
  if (elapsedMs >= (profile.durationSeconds ?? Number.POSITIVE_INFINITY) * 1000) return undefined
  const period = profile.periods.filter(({ startSeconds }) => startSeconds * 1000 <= elapsedMs).at(-1)
  return period && { ...period, unit: profile.unit }
}

export function nextChange(profile: ChargingProfile, moment: Moment): number | undefined {
  const { validFrom, validTo, durationSeconds, periods } = profile
  const instants = [validFrom, validTo]
  const startAt = cycleStart(profile, moment)
  if (startAt !== undefined) {
    const steps = periods.map(({ startSeconds }) => startAt + startSeconds * 1000)
    const endAt = durationSeconds === undefined ? undefined : startAt + durationSeconds * 1000
    const again = profile.kind === 'Recurring' ? startAt + cycleMs(profile) : undefined
    instants.push(startAt, ...steps, endAt, again)
  }
  const later = instants.filter((instant) => instant !== undefined && instant > moment.at) as number[]
  return later.length > 0 ? Math.min(...later) : undefined
}

/** Where the seconds of its periods count from; of a recurring one the newest day or week that has begun. */
function cycleStart(profile: ChargingProfile, { at, transaction }: Moment): number | undefined {
  if (profile.kind === 'Dynamic') return profile.updatedAt ?? profile.installedAt
  if (profile.kind === 'Relative') return transaction?.startedAt ?? stationStart(profile)
  const first = profile.startAt ?? transaction?.startedAt ?? stationStart(profile)
  if (first === undefined || profile.kind !== 'Recurring' || at < first) return first
  return at - ((at - first) % cycleMs(profile))
}

/** Profiles that are good without any charge need a beginning of their own. */
function stationStart({ purpose, installedAt }: ChargingProfile): number | undefined {
  return purpose.startsWith('Tx') ? undefined : installedAt
}

function cycleMs({ recurrency = 'Daily' }: ChargingProfile): number {
  return CYCLES_MS[recurrency] ?? DAY_MS
}
