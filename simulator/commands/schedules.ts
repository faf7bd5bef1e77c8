import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/payload.ts'
import type { ProfileMatch } from '../model/smart-charging/installed.ts'
import { type CommandTarget, selectedOutlets } from './target.ts'

/** The reason is for 2.0.1; 1.6 has no word for it. */
export function setProfile(target: CommandTarget, connectorId: number, source: Payload): Payload {
  const reason = target.limits.set(connectorId, source)
  if (reason !== undefined) return refused(target, reason)
  target.afterAnswer(async () => {
    await target.charging.applyLimits()
    if (source.chargingProfilePurpose === 'TxProfile') await target.car.answered(target.charging.outlet(connectorId))
  })
  return { status: 'Accepted' }
}

export function refused(target: CommandTarget, reasonCode: string): Payload {
  return { status: 'Rejected', ...(target.protocol !== 'ocpp1.6' && { statusInfo: { reasonCode } }) }
}

export function clearProfiles(target: CommandTarget, match: ProfileMatch): Payload {
  if (!target.limits.clear(match)) return { status: 'Unknown' }
  target.afterAnswer(() => target.charging.applyLimits())
  return { status: 'Accepted' }
}

export interface CompositeOrder {
  readonly connectorId: number
  readonly durationSeconds: number
  readonly unit: unknown
}

/** Undefined when there is no such connector, or no such unit. */
export function compositeSchedule(
  target: CommandTarget,
  { connectorId, durationSeconds, unit }: CompositeOrder,
): { readonly startAt: string; readonly schedule: Payload } | undefined {
  const { limits, clock } = target
  const [usual = 'A'] = limits.rules.units
  const known = unit === undefined ? usual : limits.rules.units.find((candidate) => candidate === unit)
  if (!known || !selectedOutlets(target, connectorId)) return undefined
  const composite = limits.composite(connectorId, durationSeconds, known)
  const schedule = {
    duration: composite.durationSeconds,
    chargingRateUnit: known,
    chargingSchedulePeriod: composite.periods,
  }
  return { startAt: isoTime(clock.now()), schedule }
}
