import { expect, it } from 'vitest'
import {
  accepts,
  amps,
  answering,
  chargingCores,
  compositeOf16,
  compositeOf201,
  MINUTE,
  type Respond,
} from '../../../../test/support/charging.ts'
import { START } from '../../../../test/support/core/testing.ts'

const { started, serve, decide, demand, demands, proofs, sets, accepted } = chargingCores()

it('CHARGING-P4: watts were those of 230 V wherever the station stands', async () => {
  const volts = 120
  let isOver = false
  const station: Respond = (method, request) => {
    const reported = JSON.stringify(request)
    if (method === 'SetChargingProfile') return { status: reported.includes('"W"') ? 'Accepted' : 'Rejected' }
    if (method !== 'GetCompositeSchedule') return accepts(method, request)
    const limit = 10 * volts * 3 * (isOver ? 1.2 : 1)
    return compositeOf16('W', limit)
  }
  const { house, sent } = await started('1.6', station, volts)
  await demand(house, 'limit:a', 1, { standing: { unit: 'W', steps: [{ at: 0, limit: 3600 }] } })
  await accepted(house)
  expect(sets(sent).map((set) => JSON.stringify(set).match(/"limit":(\d+)/)?.[1])).toEqual(['10', '3600'])
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
  isOver = true
  house.clock.advance(16 * MINUTE)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored' } })
})

it.each([
  ['A', 'A', 16, 16],
  ['A', 'W', 11_040, 16],
  // A car on the connector of one phase may draw all of it there.
  ['W', 'A', 16, 16 * 230],
] as const)('GROUP-P1: sent in %s, %s %i is safe for either connector', async (taken, unit, limit, sent) => {
  const station: Respond = (method, request) => {
    const isOther = !JSON.stringify(request).includes(`"chargingRateUnit":"${taken}"`)
    return method === 'SetChargingProfile' && isOther ? { status: 'Rejected' } : accepts(method, request)
  }
  const { house, sent: calls } = await started('2.0.1', station)
  const connectors = [
    { evseId: 1, connectorId: 1, phases: 3 },
    { evseId: 1, connectorId: 2, phases: 1, phaseRotation: 'STR' },
  ]
  await decide(house, { kind: 'wiringSet', connectors })
  await demand(house, 'limit:a', 1, { standing: { unit, steps: [{ at: 0, limit }] } })
  await accepted(house)
  const chargingSchedule = [{ chargingRateUnit: taken, chargingSchedulePeriod: [{ limit: sent }] }]
  expect(sets(calls).at(-1)).toMatchObject({ chargingProfile: { chargingSchedule } })
})

it('CHARGING-S10: a limit for an EVSE that is not there waited for ever: it is refused, and holds once it is', async () => {
  const { house, sent } = await started('1.6')
  house.core.closed(1)
  await demand(house, 'limit:a', 2, amps(16))
  const again = await house.boot16('CP1')
  const status = (connectorId: number) =>
    again.call('StatusNotification', { connectorId, errorCode: 'NoError', status: 'Available' })
  await status(0)
  await status(1)
  serve(again, sent, accepts)
  const reason = 'the charge point has no EVSE 2: it has 1'
  await expect.poll(() => demands(house)).toMatchObject([{ state: 'refused', reason }])
  expect(sets(sent)).toEqual([])
  expect(await demand(house, 'limit:b', 2, amps(10))).toMatchObject({
    refused: true,
    status: 422,
    code: 'unknown_evse',
    errors: [{ pointer: '/evseId', message: expect.stringContaining(reason) }],
  })
  expect(await demand(house, 'limit:c', 0, amps(10))).toEqual({})
  await status(2)
  await expect.poll(async () => (await demands(house)).find((one) => one.evseId === 2)?.state).toBe('accepted')
  expect(await demand(house, 'limit:b', 2, amps(10))).toEqual({})
  expect((await demands(house)).find((one) => one.evseId === 2)).not.toHaveProperty('reason', reason)
})

it('CHARGING-S2: a limit that ended before it was ever sent stayed pending for ever: it is expired', async () => {
  const { house, sent } = await started('1.6')
  await demand(house, 'limit:sent', 1, amps(16, { until: START + MINUTE }))
  await accepted(house)
  house.core.closed(1)
  await demand(house, 'limit:away', 1, amps(10, { until: START + MINUTE }))
  await demand(house, 'limit:later', 1, amps(10, { until: START + 60 * MINUTE }))
  const states = async () => Object.fromEntries((await demands(house)).map(({ owner, state }) => [owner, state]))
  expect(await states()).toEqual({ 'limit:sent': 'accepted', 'limit:away': 'pending', 'limit:later': 'pending' })
  house.clock.advance(2 * MINUTE)
  const over = { 'limit:sent': 'expired', 'limit:away': 'expired', 'limit:later': 'pending' }
  await expect.poll(states).toEqual(over)
  expect(sets(sent)).toHaveLength(1)
  // It begins again with another end.
  await demand(house, 'limit:away', 1, amps(10, { until: START + 60 * MINUTE }))
  expect(await states()).toEqual({ ...over, 'limit:away': 'pending' })
})

it('CHARGING-S2: an answer that came after the end made a limit hold that was over', async () => {
  const respond = answering('SetChargingProfile', () => undefined)
  const { house, station, sent } = await started('1.6', respond)
  await demand(house, 'limit:a', 1, amps(16, { until: START + 5000 }))
  const set = await station.asked('SetChargingProfile')
  house.clock.advance(10_000)
  await expect.poll(() => demands(house)).toMatchObject([{ state: 'expired' }])
  station.answer(set, { status: 'Accepted' })
  await expect.poll(() => sent.map(([method]) => method)).toContain('ClearChargingProfile')
  expect(await demands(house)).toMatchObject([{ state: 'expired' }])
})

it('GROUP-A8: a station two hours ahead was told when a lease ends by our clock, so that it had ended', async () => {
  const ahead = 120 * MINUTE
  const theirs = (at: number): string => new Date(at + ahead).toISOString()
  const reported = compositeOf201([20, 0], [8, 600])
  const schedule = { ...reported.schedule, scheduleStart: theirs(START) }
  const respond = answering('GetCompositeSchedule', () => ({ ...reported, schedule }))
  const { house, station, sent } = await started('2.0.1', respond)
  const status = { evseId: 1, connectorId: 1, connectorStatus: 'Available', timestamp: theirs(START) }
  await station.call('StatusNotification', status)
  const steps = [
    { at: START, limit: 20 },
    { at: START + 10 * MINUTE, limit: 8 },
  ]
  await demand(house, 'group:g', 1, { standing: { unit: 'A', steps } })
  await accepted(house)
  const [set] = sets(sent) as { chargingProfile: { chargingSchedule: { startSchedule: string }[] } }[]
  const startAt = Date.parse(set?.chargingProfile.chargingSchedule[0]?.startSchedule ?? '')
  expect(set).toMatchObject({
    chargingProfile: { chargingSchedule: [{ chargingSchedulePeriod: [{}, { startPeriod: 2 * 86_400 + 600 }] }] },
  })
  expect(startAt).toBe(START - 2 * 86_400_000 + ahead)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
})

it('GROUP-A3, GROUP-A8: a fallback began later than a clock that was never set, and limited nothing', async () => {
  const { house, station, sent } = await started('2.0.1')
  const status = { evseId: 1, connectorId: 1, connectorStatus: 'Available', timestamp: '2000-01-01T00:10:00Z' }
  await station.call('StatusNotification', status)
  await demand(house, 'group:g', 1, amps(6))
  await accepted(house)
  const [set] = sets(sent) as { chargingProfile: { chargingSchedule: { startSchedule: string }[] } }[]
  expect(set?.chargingProfile.chargingSchedule[0]?.startSchedule.slice(0, 10)).toBe('1999-12-30')
})
