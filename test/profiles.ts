/** Charging profiles that a charge point may be sent, in the words of both versions. */
import type { Json } from './house.ts'

/** Of 2.0.1. @param period changes its only period */
export const profile = (more: Json = {}, period: Json = {}) => ({
  id: 11,
  stackLevel: 1,
  chargingProfilePurpose: 'TxDefaultProfile',
  chargingProfileKind: 'Absolute',
  chargingSchedule: [
    {
      id: 1,
      startSchedule: '2026-01-01T00:00:00.000Z',
      chargingRateUnit: 'A',
      chargingSchedulePeriod: [{ startPeriod: 0, limit: 10, numberPhases: 3, ...period }],
    },
  ],
  ...more,
})

/** The same of 1.6: one schedule, without an id. */
export function profile16(more: Json = {}): Json {
  const { id: chargingProfileId, chargingSchedule, ...rest } = profile(more)
  const [{ id: _, ...schedule } = {}] = chargingSchedule as readonly Json[]
  return { chargingProfileId, ...rest, chargingSchedule: schedule }
}
