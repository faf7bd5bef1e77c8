import { expect, it } from 'vitest'
import {
  accepts,
  amps,
  answering,
  chargingCores,
  compositeOf16,
  compositeOf201,
  heldProfile,
  limited,
  MINUTE,
  measured,
  reportingProfiles,
  reportProfiles,
} from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'

const { core, started, serve, decide, demand, demands, profiles, proofs, events, methods, sets, accepted, begin } =
  chargingCores()
const notice = (chargingLimitSource: string, limit: number, evseId?: number) => {
  const { chargingSchedule } = heldProfile(1, 0, limit)
  return { evseId, chargingLimit: { chargingLimitSource }, chargingSchedule }
}

it('CHARGING-S1, CHARGING-S2: 1.6: abilities first, then the default of the connector, then the proof', async () => {
  const { house, sent } = await started('1.6')
  await demand(house, 'limit:a', 1, amps(16))
  await accepted(house)
  await expect.poll(() => methods(sent)).toEqual(['GetConfiguration', 'SetChargingProfile', 'GetCompositeSchedule'])
  expect(sets(sent)).toMatchObject([
    {
      connectorId: 1,
      csChargingProfiles: {
        chargingProfilePurpose: 'TxDefaultProfile',
        chargingProfileKind: 'Absolute',
        stackLevel: 8,
        chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
      },
    },
  ])
  expect(await demands(house)).toMatchObject([{ revision: 1, appliedRevision: 1, acceptedAt: START }])
  expect(await profiles(house)).toMatchObject([{ source: 'desired', purpose: 'TxDefaultProfile', state: 'accepted' }])
})

it('CHARGING-S2: of two limits on one EVSE the smaller holds, and without the last one it is cleared', async () => {
  const { house, sent } = await started('1.6')
  await demand(house, 'limit:a', 1, amps(16))
  await accepted(house)
  await demand(house, 'group:g', 1, amps(10))
  await expect.poll(() => sets(sent).at(-1)).toMatchObject({ csChargingProfiles: limited(10) })
  await demand(house, 'group:g', 1)
  await expect.poll(() => sets(sent).at(-1)).toMatchObject({ csChargingProfiles: limited(16) })
  await demand(house, 'limit:a', 1)
  await expect.poll(() => sent.find(([method]) => method === 'ClearChargingProfile')?.[1]).toEqual({ id: 77_000_011 })
  await expect.poll(() => profiles(house)).toEqual([])
})

it('CHARGING-S1: a charge that runs gets a profile of its own, which ends with it', async () => {
  const { house, station, sent } = await started('1.6')
  await demand(house, 'group:g', 1, {
    ...amps(8),
    charge: {
      unit: 'A',
      steps: [
        { at: START, limit: 20 },
        { at: START + 10 * MINUTE, limit: 8 },
      ],
    },
  })
  await accepted(house)
  const transactionId = await begin(station)
  await expect.poll(() => sets(sent)).toHaveLength(2)
  expect(sets(sent)[1]).toMatchObject({
    csChargingProfiles: {
      chargingProfilePurpose: 'TxProfile',
      transactionId,
      chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit: 20 }, { limit: 8 }] },
    },
  })
  await expect.poll(() => profiles(house)).toHaveLength(2)
  const stop = { transactionId, meterStop: 1, timestamp: new Date(START + 1).toISOString() }
  await station.call('StopTransaction', stop)
  await expect.poll(async () => (await profiles(house)).map(({ purpose }) => purpose)).toEqual(['TxDefaultProfile'])
})

it('CHARGING-S5: less than 6 A is a pause; a station that does not take 0 gets 6', async () => {
  const { house, sent } = await started('1.6', (method, request) =>
    method === 'SetChargingProfile' && JSON.stringify(request).includes('"limit":0')
      ? { status: 'Rejected' }
      : accepts(method, request),
  )
  await demand(house, 'limit:a', 1, amps(4))
  await accepted(house)
  expect(sets(sent).map((request) => JSON.stringify(request).match(/"limit":(\d+)/)?.[1])).toEqual(['0', '0', '6'])
})

it('CHARGING-S4: 2.0.1: what it holds is read first, and ours goes above it', async () => {
  const { requestId, respond } = reportingProfiles()
  const { house, station, sent } = await started('2.0.1', respond)
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(requestId).toBeDefined()
  await reportProfiles(station, requestId(), [heldProfile(5, 2, 6)], { tbc: true })
  expect(await profiles(house)).toEqual([])
  await reportProfiles(station, requestId(), [heldProfile(6, 4, 6)], { evseId: 2 })
  await accepted(house)
  expect(sets(sent)).toMatchObject([{ evseId: 1, chargingProfile: { stackLevel: 3 } }])
  expect((await profiles(house)).map(({ source, id }) => [source, id])).toEqual([
    ['desired', 77_000_011],
    ['reported', 5],
    ['reported', 6],
  ])
  await decide(house, { kind: 'profilesWithdrawn', foreign: true })
  await expect.poll(() => methods(sent).filter((method) => method === 'GetChargingProfiles')).toHaveLength(2)
  await reportProfiles(station, requestId(), [heldProfile(5, 2, 6)])
  await expect
    .poll(() => sent.find(([method]) => method === 'ClearChargingProfile')?.[1])
    .toEqual({ chargingProfileId: 5 })
})

it('CHARGING-S4: a report whose last page never comes is asked for again, three times at most', async () => {
  const { house, sent } = await started('2.0.1', reportingProfiles().respond)
  await demand(house, 'limit:a', 1, amps(16))
  const reads = () => methods(sent).filter((method) => method === 'GetChargingProfiles').length
  for (const tries of [1, 2, 3]) {
    await expect.poll(reads).toBe(tries)
    house.clock.advance(MINUTE)
  }
  await accepted(house)
  expect(reads()).toBe(3)
})

it('CHARGING-S6: proved by its schedule, and by its current a minute later', async () => {
  let reported = 16
  const respond = answering('GetCompositeSchedule', () => compositeOf16('A', reported))
  const { house, station } = await started('1.6', respond)
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
  const transactionId = await begin(station)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'pending', next: 'current' } })
  const draw = (value: string) => measured(house, station, transactionId, [current(value)])
  house.clock.advance(30_000)
  await draw('15.8')
  house.clock.advance(31_000)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved', drawAmps: 15.8 } })
  await draw('31')
  expect(await proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
  await draw('31')
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored', drawAmps: 31 } })
  reported = 10
  await demand(house, 'limit:a', 1, amps(12))
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'limitedElsewhere' } })
})

it('CHARGING-S6: our clock was put back by an hour, and for that hour nobody saw who ignores its limits', async () => {
  const { house, station } = await started('1.6')
  await demand(house, 'limit:a', 1, amps(16))
  await accepted(house)
  const transactionId = await begin(station)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'pending', next: 'current' } })
  house.clock.advance(-60 * MINUTE)
  for (const value of ['31', '31']) await measured(house, station, transactionId, [current(value)])
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored', drawAmps: 31 } })
})

it('CHARGING-S4: our clock was put back by an hour, and for that hour a report that did not come held up all', async () => {
  const { house, station, sent } = await started('2.0.1', reportingProfiles().respond)
  const reads = () => methods(sent).filter((method) => method === 'GetChargingProfiles').length
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(reads).toBe(1)
  await station.call('Heartbeat', {})
  house.clock.advance(-60 * MINUTE)
  await demand(house, 'limit:b', 1, amps(10))
  await expect.poll(reads).toBe(2)
})

it('CHARGING-S7: what others told the station counts, and ends when it says so', async () => {
  const { house, station, sent } = await started('2.0.1')
  await demand(house, 'limit:a', 1, amps(16))
  await accepted(house)
  await station.call('NotifyChargingLimit', notice('SO', 9, 1))
  // Told again as it was, it is no news.
  await station.call('NotifyChargingLimit', notice('SO', 9, 1))
  const external = { purpose: 'ChargingStationExternalConstraints', owner: 'SO', evseId: 1 }
  expect(await profiles(house)).toMatchObject([{ source: 'desired' }, { source: 'reported', ...external }])
  await decide(house, { kind: 'profilesWithdrawn', foreign: true })
  await expect.poll(() => methods(sent).filter((method) => method === 'GetChargingProfiles')).toHaveLength(2)
  expect(methods(sent)).not.toContain('ClearChargingProfile')
  await station.call('ClearedChargingLimit', { chargingLimitSource: 'SO', evseId: 1 })
  expect((await profiles(house)).map(({ source }) => source)).toEqual(['desired'])
  const reported = { evseControllerId: 'CP1', source: 'SO', evseId: 1 }
  const periods = [{ startSeconds: 0, limit: 9 }]
  expect(await events(house, 'charge-point.limited')).toMatchObject([
    { ...reported, schedules: [{ unit: 'A', periods }] },
    { ...reported, schedules: [] },
  ])
})

it('CHARGING-S7: a limit of one EVSE ended when the same source limited the whole station', async () => {
  const { house, station } = await started('2.0.1')
  await station.call('NotifyChargingLimit', notice('EMS', 7, 1))
  await station.call('NotifyChargingLimit', notice('EMS', 20))
  expect((await profiles(house)).map(({ evseId }) => evseId).sort()).toEqual([0, 1])
  await station.call('NotifyChargingLimit', notice('EMS', 8, 1))
  expect(await profiles(house)).toHaveLength(2)
  await station.call('ClearedChargingLimit', { chargingLimitSource: 'EMS' })
  expect(await profiles(house)).toEqual([])
})

it('CHARGING-S7: a limit that was told without its schedule was taken for the end of it', async () => {
  const { house, station } = await started('2.0.1')
  const notice = { evseId: 2, chargingLimit: { chargingLimitSource: 'SO', isGridCritical: true } }
  await station.call('NotifyChargingLimit', notice)
  expect(await profiles(house)).toMatchObject([{ source: 'reported', owner: 'SO', evseId: 2 }])
  const reported = { evseControllerId: 'CP1', source: 'SO', evseId: 2 }
  const event = { ...reported, schedules: [{ unit: 'A', periods: [] }] }
  expect(await events(house, 'charge-point.limited')).toMatchObject([event])
})

it('CHARGING-S4: a report that somebody else asked for was thrown away: it is kept once it is whole', async () => {
  const { house, station } = await started('2.0.1')
  const page = (requestId: number, id: number, tbc: boolean) =>
    reportProfiles(station, requestId, [heldProfile(id, id, 9)], { tbc })
  await page(42, 1, true)
  expect(await profiles(house)).toEqual([])
  await page(42, 2, false)
  const kept = async () => (await profiles(house)).map(({ id, source }) => [id, source])
  expect(await kept()).toEqual([
    [1, 'reported'],
    [2, 'reported'],
  ])
  // One that never ends is in nobody's way.
  await page(43, 3, true)
  await page(44, 4, false)
  expect((await kept()).map(([id]) => id)).toEqual([1, 2, 4])
})

it.each([
  [9, 'limitedElsewhere'],
  [32, 'ignored'],
] as const)('CHARGING-S6: a foreign profile of %i A at the highest level: %s', async (limit, verdict) => {
  const { requestId, respond } = reportingProfiles(answering('GetCompositeSchedule', () => compositeOf201([limit, 0])))
  const { house, station, sent } = await started('2.0.1', respond)
  await demand(house, 'limit:a', 1, amps(16))
  await expect.poll(requestId).toBeDefined()
  await reportProfiles(station, requestId(), [heldProfile(5, 5, limit)])
  await accepted(house)
  expect(sets(sent)).toMatchObject([{ chargingProfile: { stackLevel: 4 } }])
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict } })
})

it('CHARGING-S1: a limit for a station that is away waits for it, also over a restart of the server', async () => {
  const { house, sent } = await started('1.6')
  house.core.closed(1)
  await demand(house, 'limit:a', 1, amps(16))
  await house.core.drain()
  house.store.close()
  const later = await core({ path: house.path })
  const station = await later.boot16('CP1')
  serve(station, sent, accepts)
  await accepted(later)
  expect(sets(sent)).toHaveLength(1)
})

const current = (value: string) => ({ value, measurand: 'Current.Import', phase: 'L1', unit: 'A' })
