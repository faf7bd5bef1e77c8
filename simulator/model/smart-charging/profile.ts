/** A charging profile as a station keeps it, read from the wire. Both versions name the members nearly alike. */
import type { Payload } from '../../../src/ocpp/payload.ts'

/** Who made a limit (2.0.1 ChargingLimitSourceEnum); `CSO` is the central system. */
const LIMIT_SOURCES = ['EMS', 'SO', 'Other', 'CSO'] as const
export type LimitSource = (typeof LIMIT_SOURCES)[number]

export interface Period {
  readonly startSeconds: number
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
    readonly limit: number
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
    periods: schedule.chargingSchedulePeriod.map(({ startPeriod, limit, numberPhases = 3, phaseToUse }) => ({
      startSeconds: startPeriod,
      limit,
      phases: numberPhases,
      phaseToUse,
    })),
    source,
  }
}

function time(text: unknown): number | undefined {
  return typeof text === 'string' ? Date.parse(text) : undefined
}
