import type { Protocol } from '../../../src/domain/ports/core.ts'
import { type ChargingProfile, EXTERNAL_PURPOSE, isForStation } from './profile.ts'

/** What a station can do with profiles; it announces the same as its settings. */
export interface ProfileRules {
  readonly protocol: Protocol
  readonly units: readonly ('A' | 'W')[]
  readonly mostPeriods: number
  readonly highestStackLevel: number
  readonly mostProfiles: number
  readonly takesZero: boolean
  /** Dynamic ones (2.1 K28). */
  readonly takesDynamic?: boolean
}

export interface OpenCharge {
  readonly transactionId?: string
}

/** A reason code of 2.0.1 (appendix 5); undefined: the station takes it. */
export function refusal(
  profile: ChargingProfile,
  rules: ProfileRules,
  installed: readonly ChargingProfile[],
  open: OpenCharge | undefined,
): string | undefined {
  return (
    faultOfSchedule(profile, rules) ??
    faultOfPurpose(profile, rules) ??
    (profile.purpose === 'TxProfile' ? faultOfTransaction(profile, rules, open) : undefined) ??
    faultBeside(profile, rules, installed)
  )
}

function faultOfSchedule({ periods, unit, ...profile }: ChargingProfile, rules: ProfileRules): string | undefined {
  if (!rules.units.includes(unit)) return 'UnsupportedRateUnit'
  if (periods.length > rules.mostPeriods) return 'TooManyElements'
  const isInOrder = periods.every(
    ({ startSeconds }, position) => startSeconds > (periods[position - 1]?.startSeconds ?? -1),
  )
  if (periods[0]?.startSeconds !== 0 || !isInOrder) return 'InvalidSchedule'
  if (periods.some(({ limit }) => limit < 0)) return 'ValuePositiveOnly'
  if (!rules.takesZero && periods.some(({ limit }) => limit === 0)) return 'ValueTooLow'
  if (periods.some(({ phases }) => phases < 1 || phases > 3)) return 'InvalidSchedule'
  // K01.FR.19: a phase can be chosen only where there is one.
  if (periods.some(({ phases, phaseToUse }) => phaseToUse !== undefined && phases !== 1)) return 'InvalidSchedule'
  if (rules.protocol === 'ocpp1.6') return undefined
  const { kind, source } = profile
  if (kind === 'Dynamic') {
    // K28: one schedule of one period, which begins with each update.
    const isOne = periods.length === 1 && (source.chargingSchedule as readonly unknown[]).length === 1
    if (!rules.takesDynamic) return 'UnsupportedKind'
    return isOne && profile.startAt === undefined ? undefined : 'InvalidSchedule'
  }
  // K01.FR.40 and K01.FR.41.
  return (kind === 'Relative') === (profile.startAt === undefined) ? undefined : 'InvalidSchedule'
}

function faultOfPurpose(profile: ChargingProfile, rules: ProfileRules): string | undefined {
  const { purpose, connectorId, kind, stackLevel, validFrom, validTo } = profile
  if (stackLevel < 0 || stackLevel > rules.highestStackLevel) return 'InvalidStackLevel'
  // K01.FR.22: external constraints cannot be set.
  if (purpose === EXTERNAL_PURPOSE) return 'InvalidProfile'
  if (isForStation(profile) && connectorId !== 0) return 'InvalidProfile'
  // K01.FR.38: no charge is there that it could be relative to.
  if (isForStation(profile) && kind === 'Relative' && rules.protocol !== 'ocpp1.6') return 'InvalidProfile'
  if (kind === 'Recurring' && profile.recurrency === undefined) return 'InvalidProfile'
  return validFrom !== undefined && validTo !== undefined && validTo <= validFrom ? 'InvalidProfile' : undefined
}

/** 1.6 §5.16, K01.FR.03, FR.09, FR.16 and FR.33: one connector with the transaction that is named. */
function faultOfTransaction(
  { connectorId, transactionId }: ChargingProfile,
  { protocol }: ProfileRules,
  open: OpenCharge | undefined,
): string | undefined {
  if (connectorId === 0) return 'InvalidProfile'
  if (transactionId === undefined && protocol !== 'ocpp1.6') return 'MissingParam'
  if (!open || (transactionId !== undefined && transactionId !== open.transactionId)) return 'TxNotFound'
  return undefined
}

function faultBeside(
  profile: ChargingProfile,
  rules: ProfileRules,
  installed: readonly ChargingProfile[],
): string | undefined {
  if (install(installed, profile, rules.protocol).length > rules.mostProfiles) return 'TooManyElements'
  if (rules.protocol === 'ocpp1.6') return undefined
  const isTaken = installed.some(
    (other) => other.id !== profile.id && collides(other, profile) && overlaps(other, profile),
  )
  return isTaken ? 'DuplicateProfile' : undefined
}

/** K01.FR.06 and FR.39; K01.FR.52 and FR.53: a default of the station and one of an EVSE exclude each other. */
function collides(other: ChargingProfile, profile: ChargingProfile): boolean {
  if (other.purpose !== profile.purpose || other.stackLevel !== profile.stackLevel) return false
  if (profile.purpose === 'TxProfile') return other.transactionId === profile.transactionId
  if (profile.purpose === 'TxDefaultProfile' && (other.connectorId === 0) !== (profile.connectorId === 0)) return true
  return other.connectorId === profile.connectorId
}

function overlaps(a: ChargingProfile, b: ChargingProfile): boolean {
  const [from, to] = [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY]
  return (a.validFrom ?? from) < (b.validTo ?? to) && (b.validFrom ?? from) < (a.validTo ?? to)
}

/** Replaces the same id; in 1.6 (§3.13.2) also the same purpose, stack level and connector (2.0.1: `refusal`). */
export function install(
  profiles: readonly ChargingProfile[],
  added: ChargingProfile,
  protocol: Protocol,
): readonly ChargingProfile[] {
  const isReplaced = (other: ChargingProfile): boolean => {
    if (other.purpose === EXTERNAL_PURPOSE) return false
    if (other.id === added.id) return true
    if (protocol !== 'ocpp1.6') return false
    const { purpose, stackLevel, connectorId } = added
    return other.purpose === purpose && other.stackLevel === stackLevel && other.connectorId === connectorId
  }
  return [...profiles.filter((other) => !isReplaced(other)), added]
}

export interface ProfileMatch {
  readonly ids?: readonly number[]
  readonly connectorId?: number
  readonly purpose?: string
  readonly stackLevel?: number
  readonly madeBy?: readonly string[]
}

/** An absent criterion matches any. */
export function matches(profile: ChargingProfile, match: ProfileMatch): boolean {
  return (
    (match.ids?.includes(profile.id) ?? true) &&
    (match.connectorId === undefined || match.connectorId === profile.connectorId) &&
    (match.purpose === undefined || match.purpose === profile.purpose) &&
    (match.stackLevel === undefined || match.stackLevel === profile.stackLevel) &&
    (match.madeBy?.includes(profile.madeBy) ?? true)
  )
}

/** 1.6 §3.13.1, K01: a profile of a transaction is good for that one alone. */
export function withoutThoseOf(
  profiles: readonly ChargingProfile[],
  ended: { readonly connectorId: number; readonly transactionId?: string },
): readonly ChargingProfile[] {
  const isOver = ({ purpose, connectorId, transactionId }: ChargingProfile) =>
    purpose === 'TxProfile' &&
    (connectorId === ended.connectorId || (transactionId !== undefined && transactionId === ended.transactionId))
  return profiles.filter((profile) => !isOver(profile))
}

/** 1.6 errata 3.37, K01.FR.27: what does not belong to one charge is kept without power. */
export function keptOverReboot(profiles: readonly ChargingProfile[]): readonly ChargingProfile[] {
  return profiles.filter(({ purpose }) => purpose !== 'TxProfile')
}
