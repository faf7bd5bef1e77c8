/** Profiles that somebody else has left in a station, above whatever comes later: 13 A for each purpose. */
import type { ProfileRules } from './installed.ts'
import { type ChargingProfile, readProfile } from './profile.ts'

const FOREIGN_LIMIT_A = 13

export function foreignProfiles(
  { protocol, highestStackLevel, units }: ProfileRules,
  voltage: number,
): readonly ChargingProfile[] {
  const is16 = protocol === 'ocpp1.6'
  const [unit = 'A'] = units
  const limit = unit === 'A' ? FOREIGN_LIMIT_A : FOREIGN_LIMIT_A * 3 * voltage
  const schedule = {
    chargingRateUnit: unit,
    startSchedule: '2020-01-01T00:00:00.000Z',
    chargingSchedulePeriod: [{ startPeriod: 0, limit }],
  }
  return [is16 ? 'ChargePointMaxProfile' : 'ChargingStationMaxProfile', 'TxDefaultProfile'].map((purpose, position) => {
    const id = 9_001 + position
    const source = {
      ...(is16 ? { chargingProfileId: id } : { id }),
      stackLevel: highestStackLevel,
      chargingProfilePurpose: purpose,
      chargingProfileKind: 'Absolute',
      chargingSchedule: is16 ? schedule : [{ id, ...schedule }],
    }
    return readProfile(source, 0, 0)
  })
}
