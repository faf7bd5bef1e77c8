/** Profiles of ours are taken back beside those of others. */
import { expect, it } from 'vitest'
import { accepts, amps, chargingCores } from '../../../../test/support/charging.ts'

const { started, demand, profiles, sets, accepted } = chargingCores()

it('CHARGING-S4: what is ours is cleared by its id, beside one of somebody else whose id has more than 40 bits', async () => {
  const foreign = {
    id: 2 ** 41,
    stackLevel: 4,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Relative',
    chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] }],
  }
  let requestId: unknown
  const { house, station, sent } = await started('2.0.1', (method, request) => {
    if (method !== 'GetChargingProfiles') return accepts(method, request)
    requestId = request.requestId
    return { status: 'Accepted' }
  })
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(() => requestId).toBeDefined()
  const page = { requestId, chargingLimitSource: 'CSO', evseId: 1, chargingProfile: [foreign] }
  expect((await station.call('ReportChargingProfiles', page))[0]).toBe(3)
  await accepted(house)
  expect(sets(sent)).toMatchObject([{ chargingProfile: { stackLevel: 5 } }])
  await demand(house, 'limit:a', 1)
  await expect.poll(() => profiles(house)).toMatchObject([{ source: 'reported', id: 2 ** 41 }])
  const cleared = sent.filter(([method]) => method === 'ClearChargingProfile').map(([, request]) => request)
  expect(cleared).toEqual([{ chargingProfileId: 77_000_011 }])
})
