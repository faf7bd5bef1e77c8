/** A charging profile, the same for every version of OCPP. Purposes, kinds and units keep OCPP 2.0.1's names. */

/** From what others limit the station to down to what one transaction may draw. */
export const PURPOSES = [
  'ChargingStationExternalConstraints',
  'ChargingStationMaxProfile',
  'TxDefaultProfile',
  'TxProfile',
  // OCPP 2.1
  'PriorityCharging',
  'LocalGeneration',
] as const
export type Purpose = (typeof PURPOSES)[number]

/** Dynamic (OCPP 2.1 K28): one period, whose limit is replaced as it goes; its duration counts from the last update. */
export const KINDS = ['Absolute', 'Recurring', 'Relative', 'Dynamic'] as const
export type Kind = (typeof KINDS)[number]

/** Amperes of each phase, or watts of all of them. */
export type RateUnit = 'A' | 'W'

export interface SchedulePeriod {
  readonly startSeconds: number
  /** Absent: no limit (OCPP 2.1). */
  readonly limit?: number | undefined
  /** Absent: three (OCPP 2.0.1 K01.FR.49). */
  readonly phases?: number | undefined
  readonly phaseToUse?: number | undefined
}

export interface ProfileSchedule {
  /** Chosen by us, distinguished by the car's answer (2.0.1). */
  readonly id?: number | undefined
  readonly unit: RateUnit
  /** Ms since the epoch; absent: it begins with the charge. Of a Dynamic one when it was updated last. */
  readonly startAt?: number | undefined
  /** Absent: the last period never ends. */
  readonly durationSeconds?: number | undefined
  readonly minRate?: number | undefined
  readonly periods: readonly SchedulePeriod[]
}

export interface ChargingProfile {
  readonly id: number
  readonly purpose: Purpose
  readonly kind: Kind
  readonly recurrency?: 'Daily' | 'Weekly' | undefined
  readonly stackLevel: number
  readonly transactionId?: string | undefined
  /** Ms since the epoch; part of it. */
  readonly validFrom?: number | undefined
  /** Ms since the epoch; no part of it. */
  readonly validTo?: number | undefined
  /** One; up to three of which the car chooses one (ISO 15118). */
  readonly schedules: readonly ProfileSchedule[]
}

export interface PlacedProfile {
  /** 0: the station. */
  readonly evseId: number
  readonly profile: ChargingProfile
  readonly source?: string | undefined
}

export type ChargingOrder =
  | { readonly kind: 'set'; readonly evseId: number; readonly profile: ChargingProfile }
  /** The limit of a Dynamic profile (OCPP 2.1). */
  | { readonly kind: 'update'; readonly id: number; readonly limit?: number | undefined }
  | { readonly kind: 'start'; readonly evseId?: number | undefined; readonly profile: ChargingProfile }
  | {
      readonly kind: 'clear'
      readonly id?: number | undefined
      readonly purpose?: string | undefined
      readonly evseId?: number | undefined
      readonly stackLevel?: number | undefined
      /** Without anything that selects, all are meant (1.6). */
      readonly mayBeAll: boolean
    }
  | { readonly kind: 'list'; readonly selects: 'ids' | 'others' | 'both' | 'nothing' }

/** A composite schedule as a station reports it; what it did not say is absent. */
export type ReportedSchedule = Omit<ProfileSchedule, 'id' | 'minRate'>

/** A station reports by its own clock. @param skewMs that it is ahead of ours */
export function byOurClock(reported: ReportedSchedule | undefined, skewMs: number): ReportedSchedule | undefined {
  return reported && { ...reported, startAt: reported.startAt && reported.startAt - skewMs }
}

export interface OngoingCharge {
  readonly transactionId: string
  /** Ms since the epoch. */
  readonly startedAt: number
}

/** Of each phase, unless the installation says another (PILOTWIRE_VOLTAGE). */
export const DEFAULT_VOLTAGE_V = 230

/** What feeds an EVSE: watts are of all of its phases. */
export interface Supply {
  /** Of each phase. */
  readonly voltage: number
  readonly phases: number
}

/** IEC 61851-1: the pilot signal cannot offer less, so whatever is below is a pause. */
export const LEAST_AMPS = 6

/** A car regulates a little above what it is offered, and a meter errs (CHARGING-S6, GROUP-A5). */
export function isAbove(drawAmps: number, allowedAmps: number): boolean {
  return drawAmps > allowedAmps + Math.max(1, allowedAmps * 0.05)
}

export function overlapInTime(
  one: Pick<ChargingProfile, 'validFrom' | 'validTo'>,
  other: Pick<ChargingProfile, 'validFrom' | 'validTo'>,
): boolean {
  const begins = Number.NEGATIVE_INFINITY
  const ends = Number.POSITIVE_INFINITY
  return (one.validFrom ?? begins) < (other.validTo ?? ends) && (other.validFrom ?? begins) < (one.validTo ?? ends)
}
