import { expect, test } from 'vitest'
import { limitAt } from './composite.ts'
import type { PlacedProfile } from './profile.ts'

// CHARGING-S7: limits that several others gave a station
const given = (evseId: number, limit: number, source: string, stackLevel = 0): PlacedProfile => {
  const schedules = [{ unit: 'A', periods: [{ startSeconds: 0, limit }] }] as const
  const purpose = 'ChargingStationExternalConstraints'
  return { evseId, profile: { id: -1, purpose, kind: 'Absolute', stackLevel, schedules }, source }
}
test.each([
  ['an energy manager and a system operator', [given(1, 12, 'EMS'), given(1, 9, 'SO')], 9],
  ['in whatever order they came', [given(1, 9, 'SO'), given(1, 12, 'EMS')], 9],
  ['of whatever stack level', [given(1, 12, 'EMS', 3), given(1, 9, 'SO'), given(1, 10, 'CSO', 1)], 9],
  ['of the station and of an EVSE', [given(1, 12, 'EMS'), given(0, 9, 'EMS')], 9],
  ['of one source at one place the uppermost holds', [given(1, 9, 'EMS'), given(1, 12, 'EMS', 1)], 12],
])('%s: the smallest counts', (_, profiles, limit) => {
  const query = { profiles, evseId: 1, from: 0, unit: 'A', voltage: 230, phases: 3 } as const
  expect(limitAt(query).limit).toBe(limit)
})
