/** Profiles as they are given, and what the charge point said that it can. */
import { expect, it } from 'vitest'
import { accepts, answering, chargingCores, heldProfile } from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'
import type { ChargingProfile } from '../../../domain/charging/profile.ts'
import { isoTime } from '../../../domain/iso-time.ts'

const minutesOf16 = (count: number) => Array.from({ length: count }, (_, at) => ({ startSeconds: at * 60, limit: 16 }))
const profile = (more: Partial<ChargingProfile> = {}, periods = 1): ChargingProfile => ({
  id: 7,
  purpose: 'TxDefaultProfile',
  kind: 'Absolute',
  stackLevel: 1,
  schedules: [{ id: 1, unit: 'A', startAt: START, periods: minutesOf16(periods) }],
  ...more,
})

// CHARGING-P2: a profile beyond what the charge point can
const { started, decide, profiles, sets } = chargingCores()

it.each([
  ['1.6', 9, 1],
  ['1.6', 1, 7],
  ['2.0.1', 6, 1],
  ['2.0.1', 1, 7],
] as const)('was accepted, and refused there: %s, level %i, %i periods', async (of, stackLevel, count) => {
  const { house, sent } = await started(of)
  const post = (one: ChargingProfile) => decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: one })
  // What it can is not known yet: it is found out, and then the profile is not sent.
  expect(await post(profile({ stackLevel }, count))).toEqual({})
  await expect.poll(() => profiles(house)).toMatchObject([{ state: 'refused' }])
  expect((await profiles(house))[0]?.reason).toContain('as the charge point says')
  expect(sets(sent)).toEqual([])
  expect(await post(profile({ id: 8, stackLevel }, count))).toMatchObject({
    status: 422,
    errors: [{ code: '2.0.1 K01' }],
  })
  expect(await post(profile({ id: 9, stackLevel: 2 }, 6))).toEqual({})
  await expect.poll(() => sets(sent)).toHaveLength(1)
})

it('was accepted by a charge point without smart charging, and waited there for ever', async () => {
  const none = answering('SetChargingProfile', () => ({ status: 'NotSupported' }))
  const { house } = await started('1.6', none)
  expect(await decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: profile() })).toEqual({})
  expect(await decide(house, { kind: 'rawProfileRequested', evseId: 2, profile: profile({ id: 8 }) })).toEqual({})
  await expect.poll(async () => (await profiles(house)).map(({ state }) => state)).toEqual(['refused', 'refused'])
  const again = await decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: profile({ id: 9 }) })
  expect(again).toMatchObject({ status: 422, errors: [{ code: 'K01.FR.29' }] })
})

it('left as a command', async () => {
  const { house, sent } = await started('2.0.1', (method, request) => {
    if (method !== 'GetVariables') return accepts(method, request)
    const asked = request.getVariableData as readonly { variable: { name: string } }[]
    const values = asked.map((one) => ({
      ...one,
      attributeStatus: 'Accepted',
      attributeValue: one.variable.name === 'RateUnit' ? 'W' : 'true',
    }))
    return { getVariableResult: values }
  })
  const { chargingSchedule, ...held } = heldProfile(7, 0, 16, { chargingProfileKind: 'Absolute' })
  const schedule = { ...chargingSchedule[0], startSchedule: isoTime(START) }
  const command = (unit: string) =>
    house.core.sendCommand({
      accountId: 'account-1',
      chargePointId: 'CP1',
      method: 'SetChargingProfile',
      waitMs: 0,
      request: {
        evseId: 1,
        chargingProfile: { ...held, chargingSchedule: [{ ...schedule, chargingRateUnit: unit }] },
      },
    })
  await decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: profile({ id: 8, stackLevel: 3 }) })
  await expect.poll(() => profiles(house)).toMatchObject([{ state: 'refused' }])
  expect(await command('A')).toMatchObject({ status: 422, errors: [{ code: 'K01.FR.26' }] })
  expect(await command('W')).toMatchObject({ method: 'SetChargingProfile' })
  await expect.poll(() => sets(sent)).toHaveLength(1)
})
