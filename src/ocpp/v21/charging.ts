/** Charging profiles of a 2.1 charge point: those of 2.0.1, and Dynamic ones (K28). */
import type { ChargingProfile } from '../../domain/charging/profile.ts'
import type { ChargingOnWire } from '../translate/blocks-on-wire.ts'
import { tenths } from '../translate/charging-profile.ts'
import { integer, number, object } from '../translate/payload.ts'
import { askAbilities, charging as chargingOf201 } from '../v201/charging/charging.ts'

export const charging: ChargingOnWire = {
  ...chargingOf201,
  set: (evseId, profile, phases = 3) => chargingOf201.set(evseId, withPhases(profile, phases)),
  update: (chargingProfileId, limit) => ({
    method: 'UpdateDynamicSchedule',
    request: { chargingProfileId, scheduleUpdate: { limit: tenths(limit) } },
  }),
  readOrder(call) {
    const { chargingProfileId, scheduleUpdate } = call.request
    if (call.method !== 'UpdateDynamicSchedule') return chargingOf201.readOrder(call)
    return { kind: 'update', id: integer(chargingProfileId) ?? 0, limit: number(object(scheduleUpdate).limit) }
  },
  abilities: askAbilities(['SupportsDynamicProfiles', 'MaxExternalConstraintsId', 'SupportedAdditionalPurposes']),
}

/** OCPP21-B11, K01.FR.49: a station divides watts by them, so none is left to its default. */
function withPhases(profile: ChargingProfile, phases: number): ChargingProfile {
  const schedules = profile.schedules.map((schedule) => ({
    ...schedule,
    periods: schedule.periods.map((period) => ({ ...period, phases: period.phases ?? phases })),
  }))
  return { ...profile, schedules }
}
