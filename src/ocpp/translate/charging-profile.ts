/** Charging profiles on the wire. Reading accepts either spelling, so callers need not know the version. */
import {
  type ChargingProfile,
  KINDS,
  type ProfileSchedule,
  PURPOSES,
  type ReportedSchedule,
  type SchedulePeriod,
} from '../../domain/charging/profile.ts'
import { parseStationTime } from '../station-time.ts'
import { integer, isObject, list, number, object, type Payload, sentTime, text } from './payload.ts'

/** Of a reported schedule; more are dropped. */
const MAX_PERIODS = 1024
/** Practically unlimited: the greatest doubles, which some send for that, become infinite in another unit. */
const GREATEST_LIMIT = 1e9
/** OCPP's integers have 32 bits. */
const MAX_SECONDS = 2 ** 31 - 1

/** Undefined: not a profile. @param leastPeriods 0 for orders: one without periods is refused (CHARGING-P2) */
export function readProfile(source: unknown, leastPeriods: 0 | 1 = 1): ChargingProfile | undefined {
  const profile = object(source)
  const id = integer(profile.id ?? profile.chargingProfileId)
  const purposeText = text(profile.chargingProfilePurpose)
  const named = purposeText === 'ChargePointMaxProfile' ? 'ChargingStationMaxProfile' : purposeText
  const purpose = PURPOSES.find((one) => one === named)
  const kind = KINDS.find((one) => one === text(profile.chargingProfileKind))
  const updated = kind === 'Dynamic' && { startAt: time('startAt', profile.dynUpdateTime).startAt }
  const schedules = list(profile.chargingSchedule)
    .slice(0, 3)
    .flatMap((one) => readSchedule(one, leastPeriods).map((schedule) => ({ ...schedule, ...updated })))
  if (id === undefined || !purpose || !kind || schedules.length === 0) return undefined
  const recurrency = text(profile.recurrencyKind)
  const transactionId = text(profile.transactionId)
  return {
    id,
    purpose,
    kind,
    stackLevel: integer(profile.stackLevel) ?? 0,
    schedules,
    ...((recurrency === 'Daily' || recurrency === 'Weekly') && { recurrency }),
    transactionId,
    ...time('validFrom', profile.validFrom),
    ...time('validTo', profile.validTo),
  }
}

/** Empty without unit or periods. */
export function readSchedule(source: unknown, leastPeriods: 0 | 1 = 1): readonly ProfileSchedule[] {
  const schedule = object(source)
  const periods = list(schedule.chargingSchedulePeriod).slice(0, MAX_PERIODS).flatMap(readPeriod)
  const unit = text(schedule.chargingRateUnit)
  if (periods.length < leastPeriods || (unit !== 'A' && unit !== 'W')) return []
  const id = integer(schedule.id)
  const durationSeconds = seconds(schedule.duration)
  const minRate = number(schedule.minChargingRate)
  return [
    {
      unit,
      periods,
      id,
      ...time('startAt', schedule.startSchedule),
      durationSeconds,
      minRate,
    },
  ]
}

function readPeriod(source: unknown): readonly SchedulePeriod[] {
  if (!isObject(source)) return []
  const startSeconds = seconds(source.startPeriod)
  const limit = within(GREATEST_LIMIT, number(source.limit))
  if (startSeconds === undefined || (limit === undefined && source.limit !== undefined)) return []
  const phases = integer(source.numberPhases)
  const phaseToUse = integer(source.phaseToUse)
  return [{ startSeconds, limit, phases, phaseToUse }]
}

function seconds(value: unknown): number | undefined {
  return within(MAX_SECONDS, number(value))
}

function within(most: number, value: number | undefined): number | undefined {
  return value === undefined ? undefined : Math.min(most, Math.max(-most, value))
}

function time<Name extends string>(name: Name, value: unknown): { readonly [Key in Name]?: number } {
  const said = text(value)
  const at = said === undefined ? undefined : parseStationTime(said)
  return (at === undefined ? {} : { [name]: at }) as { readonly [Key in Name]?: number }
}

export function writeProfile(profile: ChargingProfile): Payload {
  const { id, purpose, schedules } = profile
  return {
    id,
    chargingProfilePurpose: purpose,
    ...writeCommon(profile),
    transactionId: profile.transactionId,
    chargingSchedule: schedules.map((schedule, at) => ({
      id: schedule.id ?? at + 1,
      // K28.FR.05: the station notes when a Dynamic one came.
      ...writeSchedule(profile.kind === 'Dynamic' ? { ...schedule, startAt: undefined } : schedule),
    })),
  }
}

/** One schedule, without the phases that 2.0.1 can choose. */
export function writeProfile16(profile: ChargingProfile): Payload {
  const { id, purpose, schedules } = profile
  const [schedule] = schedules
  return {
    chargingProfileId: id,
    chargingProfilePurpose: purpose === 'ChargingStationMaxProfile' ? 'ChargePointMaxProfile' : purpose,
    ...writeCommon(profile),
    ...(profile.transactionId !== undefined && { transactionId: Number(profile.transactionId) }),
    ...(schedule && { chargingSchedule: writeSchedule(schedule, false) }),
  }
}

function writeCommon({ kind, recurrency, stackLevel, validFrom, validTo }: ChargingProfile): Payload {
  return {
    stackLevel,
    chargingProfileKind: kind,
    ...(recurrency && { recurrencyKind: recurrency }),
    validFrom: sentTime(validFrom),
    validTo: sentTime(validTo),
  }
}

function writeSchedule(
  { unit, startAt, durationSeconds, minRate, periods }: ProfileSchedule,
  namesPhase = true,
): Payload {
  return {
    startSchedule: sentTime(startAt),
    duration: durationSeconds,
    chargingRateUnit: unit,
    ...(minRate !== undefined && { minChargingRate: tenths(minRate) }),
    chargingSchedulePeriod: periods.map(({ startSeconds, limit, phases, phaseToUse }) => ({
      startPeriod: startSeconds,
      limit: limit === undefined ? undefined : tenths(limit),
      numberPhases: phases,
      ...(phaseToUse !== undefined && namesPhase && { phaseToUse }),
    })),
  }
}

/** Both versions have one decimal; rounded down. Reported limits may be too large for any. */
export function tenths(limit: number): number {
  return Math.abs(limit) > Number.MAX_SAFE_INTEGER ? limit : Math.floor(limit * 10 + 1e-6) / 10
}

/** The answer to GetCompositeSchedule; undefined where it has no schedule. */
export function readReportedSchedule(schedule: unknown, startAt: unknown): ReportedSchedule | undefined {
  const reported = object(schedule)
  const periods = list(reported.chargingSchedulePeriod).slice(0, MAX_PERIODS).flatMap(readPeriod)
  const durationSeconds = seconds(reported.duration)
  if (periods.length === 0) return undefined
  return {
    unit: text(reported.chargingRateUnit) === 'W' ? 'W' : 'A',
    periods,
    ...time('startAt', startAt),
    durationSeconds,
  }
}
