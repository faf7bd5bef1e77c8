/** How many profiles may be given as they are. */
import { expect, it } from 'vitest'
import { accepts, chargingCores } from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'
import { effectiveProfiles, evsesOf } from '../../../application/charging/held.ts'
import type { ChargingProfile } from '../../../domain/charging/profile.ts'
import { storedProfile } from '../../../domain/charging/rows.ts'

const profile = (id: number): ChargingProfile => ({
  id,
  purpose: 'TxDefaultProfile',
  kind: 'Absolute',
  stackLevel: 1,
  schedules: [{ id: 1, unit: 'A', startAt: START, periods: [{ startSeconds: 0, limit: 16 }] }],
})
const { started, decide, profiles } = chargingCores()

it('CHARGING-S3: four hundred profiles at one charge point: a hundred at most, fifty of an application', async () => {
  const { house } = await started('1.6', (method, request) =>
    method === 'SetChargingProfile' && request.connectorId === 1 ? { status: 'Rejected' } : accepts(method, request),
  )
  const post = (evseId: number, grantId?: string) =>
    decide(house, { kind: 'rawProfileRequested', evseId, profile: profile(evseId), grantId })
  const count = async (from: number, to: number, grantId?: string): Promise<readonly unknown[]> => {
    const codes: unknown[] = []
    for (let evseId = from; evseId <= to; evseId++) {
      const outcome = await post(evseId, grantId)
      if ('code' in outcome) codes.push(outcome.code)
    }
    return codes
  }
  expect(await count(1, 50, 'g')).toEqual([])
  expect(await count(201, 201, 'g2')).toEqual([])
  await expect.poll(async () => (await profiles(house)).some(({ state }) => state === 'refused')).toBe(true)
  // The refused one makes room; the same id again needs none.
  expect(await count(51, 51, 'g')).toEqual([])
  expect(await count(51, 52, 'g')).toEqual(['too_many_charging_profiles'])
  expect(await count(101, 149)).toEqual([])
  expect(await count(150, 150)).toEqual(['too_many_charging_profiles'])
  expect(await count(101, 101)).toEqual([])
})

it('CHARGING-S3: a list of profiles took the square of their number', () => {
  const made = (count: number) =>
    Array.from({ length: count }, (_, at) => {
      const facts = {
        chargePointId: 'CP1',
        source: 'desired',
        evseId: at + 1,
        owner: 'raw',
        state: 'accepted',
      } as const
      return storedProfile(profile(at + 1), { ...facts, attempts: 0, acceptedAt: START, updatedAt: START })
    })
  /** How often a profile is looked at. */
  const looks = (count: number): number => {
    let seen = 0
    const rows = made(count).map((row) => {
      const counted = new Proxy(row.profile, {
        get(of, name) {
          seen++
          return Reflect.get(of, name)
        },
      })
      return { ...row, profile: counted }
    })
    const held = { rows, connectors: [], voltage: 230, chargeOf: () => undefined }
    expect(effectiveProfiles(held, evsesOf({ connectors: [] }, held), START + 1).size).toBe(count + 1)
    return seen
  }
  expect(looks(400)).toBe(4 * looks(100))
})
