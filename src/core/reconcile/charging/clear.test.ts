/** Profiles of ours are taken back beside those of others. */
import { expect, it } from 'vitest'
import {
  amps,
  chargingCores,
  heldProfile,
  reportingProfiles,
  reportProfiles,
} from '../../../../test/support/charging.ts'

const { started, demand, profiles, sets, accepted } = chargingCores()

it('CHARGING-S4: what is ours is cleared by its id, beside one of somebody else whose id has more than 40 bits', async () => {
  const { requestId, respond } = reportingProfiles()
  const { house, station, sent } = await started('2.0.1', respond)
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(requestId).toBeDefined()
  expect((await reportProfiles(station, requestId(), [heldProfile(2 ** 41, 4, 6)]))[0]).toBe(3)
  await accepted(house)
  expect(sets(sent)).toMatchObject([{ chargingProfile: { stackLevel: 5 } }])
  await demand(house, 'limit:a', 1)
  await expect.poll(() => profiles(house)).toMatchObject([{ source: 'reported', id: 2 ** 41 }])
  const cleared = sent.filter(([method]) => method === 'ClearChargingProfile').map(([, request]) => request)
  expect(cleared).toEqual([{ chargingProfileId: 77_000_011 }])
})
