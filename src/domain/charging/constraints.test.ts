import { describe, expect, test } from 'vitest'
import { limitAt } from './composite.ts'
import type { PlacedProfile } from './profile.ts'

describe('CHARGING-S7: limits that several others gave a station', () => {
  const told = (evseId: number, limit: number, source: string, stackLevel = 0): PlacedProfile => {
    const schedules = [{ unit: 'A', periods: [{ startSeconds: 0, limit }] }] as const
    const purpose = 'ChargingStationExternalConstraints'
    return { evseId, profile: { id: -1, purpose, kind: 'Absolute', stackLevel, schedules }, source }
  }
  test.each([
    ['an energy manager and a system operator', [told(1, 12, 'EMS'), told(1, 9, 'SO')], 9],
    ['of whatever stack level', [told(1, 12, 'EMS', 3), told(1, 9, 'SO'), told(1, 10, 'CSO', 1)], 9],
    ['of the station and of an EVSE', [told(1, 12, 'EMS'), told(0, 9, 'EMS')], 9],
    ['of one source at one place the uppermost holds', [told(1, 9, 'EMS'), told(1, 12, 'EMS', 1)], 12],
  ])('%s: the smallest counts', (_, profiles, limit) => {
    const query = { profiles, evseId: 1, from: 0, unit: 'A', voltage: 230, phases: 3 } as const
    expect(limitAt(query).limit).toBe(limit)
  })
})
