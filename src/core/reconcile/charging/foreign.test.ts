/** Profiles of others beside shares of a connection: at no time may they allow more than what we want there. */

import { expect, it } from 'vitest'
import {
  accepts,
  answering,
  chargingCores,
  compositeOf201,
  heldProfile,
  limited,
  type Payload,
  type Respond,
  reportProfiles,
} from '../../../../test/support/charging.ts'
import { START, type TestCore, type TestStation } from '../../../../test/support/core/testing.ts'
import { transactionEvent } from '../../../../test/support/messages.ts'
import type { ChargingProfile } from '../../../domain/charging/profile.ts'

const SHARE = { evseId: 1, group: 'g', fallbackAmps: 8, lease: { amps: 10, afterAmps: 8, endsAt: 9e12 } }
const profile = (limit: number, stackLevel: number, more: object = {}) =>
  heldProfile(5, stackLevel, limit, { chargingProfilePurpose: 'TxProfile', ...more })
const THIRD_HOUR = {
  id: 1,
  chargingRateUnit: 'A',
  chargingSchedulePeriod: [
    { startPeriod: 0, limit: 6 },
    { startPeriod: 7200, limit: 32 },
  ],
}
const raw = (limit: number, stackLevel: number): ChargingProfile => ({
  id: 5,
  purpose: 'TxDefaultProfile',
  kind: 'Relative',
  stackLevel,
  schedules: [{ unit: 'A', periods: [{ startSeconds: 0, limit }] }],
})

// CHARGING-S11, GROUP-A10: profiles of others beside a share of a connection
const { started, demand, profiles, proofs, sets, accepted, decide, methods } = chargingCores()

const shared = async (protocol: '1.6' | '2.0.1', respond: Respond = accepts) => {
  const all = await started(protocol, respond)
  const input = { kind: 'sharesGiven', revision: 1, shares: [SHARE] } as const
  await all.house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  await accepted(all.house)
  return all
}
const command = ({ core }: TestCore, method: string, request: Payload) =>
  core.sendCommand({ accountId: 'account-1', chargePointId: 'CP1', method, request, waitMs: 0 })
const start = (house: TestCore, chargingProfile: object) => {
  const idToken = { idToken: 'A', type: 'Central' }
  return command(house, 'RequestStartTransaction', { idToken, remoteStartId: 1, evseId: 1, chargingProfile })
}
const set = (house: TestCore, chargingProfile: object) =>
  command(house, 'SetChargingProfile', { evseId: 1, chargingProfile })
const plug = (station: TestStation, eventType = 'Started') =>
  station.call(
    'TransactionEvent',
    transactionEvent(eventType, eventType === 'Started' ? 0 : 1, START, {
      transactionInfo: { transactionId: 'T' },
      idToken: { idToken: 'A', type: 'Central' },
    }),
  )
const mostAmps = async ({ core }: TestCore) => (await core.limitViews(['CP1']))[0]?.evses[0]?.mostAmps
const levels = (sent: readonly [string, Payload][]) =>
  sets([...sent]).map(({ chargingProfile }) => {
    const { chargingProfilePurpose: purpose, stackLevel } = chargingProfile as Payload
    return `${String(purpose)} ${String(stackLevel)}`
  })

it.each([
  ['A start that brought 32 A got them', 'above_limits', (house: TestCore) => start(house, profile(32, 3))],
  [
    'A start that brought 32 A for its third hour got them where the connection was lost',
    'above_limits',
    (house: TestCore) => start(house, profile(6, 3, { chargingSchedule: [THIRD_HOUR] })),
  ],
  ['A start that takes the highest stack level', 'kept_for_limits', (house: TestCore) => start(house, profile(6, 5))],
  ['A start with our id', 'K01.FR.05', (house: TestCore) => start(house, profile(6, 1, { id: 77_000_012 }))],
  ['A command above ours', 'above_limits', (house: TestCore) => set(house, heldProfile(5, 4, 32))],
  [
    'A raw profile at the highest stack level',
    'kept_for_limits',
    (house: TestCore) => decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: raw(6, 5) }),
  ],
])('%s: refused with %s', async (_, code, order) => {
  const { house, sent } = await shared('2.0.1')
  const before = sent.length
  expect(await order(house)).toMatchObject({ refused: true, status: 422, errors: [{ code }] })
  expect(sent.slice(before).filter(([method]) => method !== 'GetCompositeSchedule')).toEqual([])
})

it('A start of 2.0.1 brought stack level 4, and what we set beside it lay below it for the whole charge', async () => {
  const { house, station, sent } = await shared('2.0.1')
  expect(await start(house, profile(8, 4))).toMatchObject({ status: 'pending' })
  await expect.poll(() => profiles(house)).toHaveLength(2)
  expect(await mostAmps(house)).toBe(8)
  await plug(station)
  await expect.poll(() => levels(sent)).toEqual(['TxDefaultProfile 0', 'TxProfile 5'])
  await plug(station, 'Ended')
  await expect.poll(async () => (await profiles(house)).map(({ purpose }) => purpose)).toEqual(['TxDefaultProfile'])
  expect(await mostAmps(house)).toBeUndefined()
})

it('A start of 1.6 was forgotten when the station could not say what it holds', async () => {
  const { house, sent } = await shared('1.6')
  const { id: chargingProfileId, chargingSchedule: _, ...rest } = profile(8, 4)
  const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 8 }] }
  const chargingProfile = { ...rest, chargingProfileId, chargingSchedule }
  const ordered = await command(house, 'RemoteStartTransaction', { idTag: 'A', connectorId: 1, chargingProfile })
  expect(ordered).toMatchObject({ status: 'pending' })
  await expect.poll(() => profiles(house)).toMatchObject([{}, { source: 'reported', id: 5, evseId: 1 }])
  await command(house, 'ClearChargingProfile', { id: 9 })
  await expect.poll(() => methods(sent)).toContain('ClearChargingProfile')
  await demand(house, 'limit:a', 1, { standing: { unit: 'A', steps: [{ at: 0, limit: 6 }] } })
  await expect.poll(() => sets(sent).at(-1)).toMatchObject({ csChargingProfiles: { stackLevel: 8, ...limited(6) } })
  expect(await profiles(house)).toHaveLength(2)
})

it('A raw profile above ours capped in its place: ours is put above it before it is sent', async () => {
  const { house, sent } = await shared('2.0.1')
  await decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: raw(32, 4) })
  await expect.poll(() => levels(sent)).toEqual(['TxDefaultProfile 0', 'TxDefaultProfile 5', 'TxDefaultProfile 4'])
  await expect.poll(async () => (await profiles(house)).map(({ state }) => state)).toEqual(['accepted', 'accepted'])
  expect(await mostAmps(house)).toBe(8)
})

it('A profile that the station reported above ours stayed there: it counts, and ours goes above it', async () => {
  const { house, station, sent } = await shared('2.0.1', (method, request) => {
    const isSecond = method === 'SetChargingProfile' && JSON.stringify(request).includes('"stackLevel":4')
    return isSecond ? undefined : accepts(method, request)
  })
  await reportProfiles(station, 7, [heldProfile(5, 3, 32)], { chargingLimitSource: 'SO', evseId: 0 })
  await expect.poll(() => levels(sent)).toEqual(['TxDefaultProfile 0', 'TxDefaultProfile 4'])
  expect(await mostAmps(house)).toBe(32)
})

it('One at the highest level leaves no room above: where the EVSE has a share of a connection it is cleared', async () => {
  const { house, station, sent } = await shared('2.0.1')
  await reportProfiles(station, 7, [heldProfile(5, 5, 32)], { chargingLimitSource: 'SO' })
  await expect
    .poll(() => sent.find(([method]) => method === 'ClearChargingProfile')?.[1])
    .toEqual({ chargingProfileId: 5 })
  await expect.poll(() => mostAmps(house)).toBeUndefined()
})

it('A raw profile counted as ours in the proof: what it allows above ours is ignored, not proved', async () => {
  const respond = answering('GetCompositeSchedule', () => compositeOf201([32, 0]))
  const { house } = await started('2.0.1', respond)
  await decide(house, { kind: 'rawProfileRequested', evseId: 1, profile: raw(32, 5) })
  await expect.poll(() => profiles(house)).toMatchObject([{ state: 'accepted' }])
  await demand(house, 'limit:a', 1, { standing: { unit: 'A', steps: [{ at: 0, limit: 10 }] } })
  await accepted(house)
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored' } })
})

it('What of ours a command cleared was believed to be there', async () => {
  const { house, sent } = await shared('2.0.1')
  await command(house, 'ClearChargingProfile', {
    chargingProfileCriteria: { chargingProfilePurpose: 'TxDefaultProfile' },
  })
  await expect.poll(() => levels(sent)).toEqual(['TxDefaultProfile 0', 'TxDefaultProfile 0'])
})
