import { expect, it } from 'vitest'
import { accepts, chargingCores, MINUTE, type Payload, type Respond } from '../../../../test/support/charging.ts'
import { BOOT, START, type TestCore, type TestStation } from '../../../../test/support/core/testing.ts'
import { isoTime } from '../../../domain/iso-time.ts'
import { faultsOf } from '../../../ocpp/schema/validators.ts'
import { ocpp21 } from '../../../ocpp/v21/version.ts'

const { core, serve, demand, demands, profiles, proofs, sets } = chargingCores()

interface Variables {
  readonly [name: string]: string
}
const DYNAMIC: Variables = { SupportsDynamicProfiles: 'true' }
const LEASE_ID = 77_000_012

/** A 2.1 station with these variables, whose answers `respond` may replace. */
async function started(variables: Variables = DYNAMIC, respond: Respond = () => undefined) {
  const house = await core()
  const station = await house.connect('CP1', 'ocpp2.1')
  await station.call('BootNotification', BOOT['ocpp2.0.1'])
  const sent: [method: string, request: Payload][] = []
  serve(station, sent, (method, request) => {
    expect(ocpp21.validateRequest(method, request)).toEqual([])
    const other = respond(method, request)
    if (other) return other
    const answer = accepts(method, request)
    if (method !== 'GetVariables') return answer
    const results = answer?.getVariableResult as readonly { variable: { name: string }; attributeValue?: string }[]
    const getVariableResult = results.map((one) => {
      const attributeValue = one.attributeValue ?? variables[one.variable.name]
      return { ...one, attributeStatus: attributeValue ? 'Accepted' : 'UnknownVariable', attributeValue }
    })
    return { getVariableResult }
  })
  return { house, station, sent }
}
const give = ({ core: of, clock }: TestCore, revision: number, amps: number, ageMs = 0) =>
  of.decideBlock({
    accountId: 'account-1',
    chargePointId: 'CP1',
    input: {
      kind: 'sharesGiven',
      revision,
      shares: [
        {
          evseId: 1,
          group: 'g',
          fallbackAmps: 8,
          lease: { amps, afterAmps: 8, endsAt: clock.now() + 10 * MINUTE - ageMs, seconds: 600 },
        },
      ],
    },
  })
const begin = ({ clock }: TestCore, station: TestStation) =>
  station.call('TransactionEvent', {
    eventType: 'Started',
    seqNo: 0,
    timestamp: isoTime(clock.now()),
    triggerReason: 'Authorized',
    evse: { id: 1, connectorId: 1 },
    idToken: { idToken: 'A', type: 'ISO14443' },
    transactionInfo: { transactionId: 'T', chargingState: 'Charging' },
  })
async function leased(variables?: Variables, respond?: Respond, amps = 16, ageMs = 0) {
  const all = await started(variables, respond)
  await begin(all.house, all.station)
  await give(all.house, 1, amps, ageMs)
  await expect
    .poll(async () => (await profiles(all.house)).map(({ purpose, state }) => [purpose, state]))
    .toEqual([
      ['TxDefaultProfile', 'accepted'],
      ['TxProfile', 'accepted'],
    ])
  return all
}
const updates = (sent: readonly [string, Payload][]) =>
  sent.filter(([method]) => method === 'UpdateDynamicSchedule').map(([, request]) => request)
const ofLease = async (house: TestCore) => (await profiles(house)).find(({ id }) => id === LEASE_ID)
const pull = async (station: TestStation, chargingProfileId: number) => {
  const [type, , answer] = await station.call('PullDynamicScheduleUpdate', { chargingProfileId })
  expect(type).toBe(3)
  expect(faultsOf('ocpp2.1', 'PullDynamicScheduleUpdate', 'conf', answer)).toEqual([])
  return answer
}

it('OCPP21-C1: a lease is a Dynamic profile above the fallback: one period, no start, and its duration', async () => {
  const { house, sent } = await leased()
  const [fallback, lease] = sets(sent).map(({ chargingProfile }) => chargingProfile as Payload)
  expect(fallback).toMatchObject({
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Absolute',
    chargingSchedule: [{ chargingSchedulePeriod: [{ startPeriod: 0, limit: 8, numberPhases: 3 }] }],
  })
  expect(lease).toEqual({
    id: LEASE_ID,
    stackLevel: 0,
    chargingProfilePurpose: 'TxProfile',
    chargingProfileKind: 'Dynamic',
    transactionId: 'T',
    chargingSchedule: [
      {
        id: 1,
        duration: 600,
        chargingRateUnit: 'A',
        chargingSchedulePeriod: [{ startPeriod: 0, limit: 16, numberPhases: 3 }],
      },
    ],
  })
  const [view] = await house.core.limitViews(['CP1'])
  expect(view).toMatchObject({ countsLeases: true, evses: [{ lease: { revision: 1, endsAt: START + 10 * MINUTE } }] })
})

it('OCPP21-C1: it is renewed by an update, with the same limit or another, and counts from then on', async () => {
  const { house, sent } = await leased()
  house.clock.advance(5 * MINUTE)
  await give(house, 2, 16)
  await expect.poll(() => updates(sent)).toEqual([{ chargingProfileId: LEASE_ID, scheduleUpdate: { limit: 16 } }])
  await expect
    .poll(async () => (await house.core.limitViews(['CP1']))[0]?.evses[0]?.lease)
    .toEqual({ revision: 2, endsAt: START + 15 * MINUTE })
  await give(house, 3, 10)
  await expect.poll(() => updates(sent).at(-1)).toMatchObject({ scheduleUpdate: { limit: 10 } })
  await expect.poll(async () => (await demands(house))[0]).toMatchObject({ state: 'accepted', revision: 3 })
  expect(sets(sent)).toHaveLength(2 + 2)
})

it('OCPP21-C1: a rejected update leads to the whole profile again', async () => {
  const { house, sent } = await leased(DYNAMIC, (method) =>
    method === 'UpdateDynamicSchedule'
      ? { status: 'Rejected', statusInfo: { reasonCode: 'InvalidProfile' } }
      : undefined,
  )
  await give(house, 2, 12)
  const last = () => sets(sent).at(-1)?.chargingProfile
  await expect.poll(last).toMatchObject({
    chargingProfileKind: 'Dynamic',
    chargingSchedule: [{ duration: 600, chargingSchedulePeriod: [{ limit: 12 }] }],
  })
  await expect.poll(async () => (await ofLease(house))?.state).toBe('accepted')
  expect(updates(sent)).toHaveLength(1)
  expect((await demands(house))[0]).toMatchObject({ state: 'accepted' })
})

it('OCPP21-C1: after a boot it is set again, to end when it was to: a whole duration anew would end too late', async () => {
  const { station, sent } = await leased()
  const before = sets(sent).length
  await station.call('BootNotification', BOOT['ocpp2.0.1'])
  const again = { id: LEASE_ID, chargingProfileKind: 'Absolute' }
  await expect.poll(() => sets(sent).slice(before)).toMatchObject([{}, { chargingProfile: again }])
  expect(updates(sent)).toEqual([])
})

it.each<[string, Variables]>([
  ['without the variable', {}],
  ['with false', { SupportsDynamicProfiles: 'false' }],
])('OCPP21-C1: %s it is the schedule of 2.0.1, which falls to the fallback at its own time', async (_, variables) => {
  const { house, sent } = await leased(variables)
  const lease = sets(sent).at(-1)?.chargingProfile
  expect(lease).toMatchObject({
    chargingProfileKind: 'Absolute',
    chargingSchedule: [{ chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }, { limit: 8 }] }],
  })
  house.clock.advance(MINUTE)
  await give(house, 2, 16)
  await expect.poll(() => sets(sent)).toHaveLength(2 + 2)
  expect(updates(sent)).toEqual([])
  expect((await house.core.limitViews(['CP1']))[0]).toMatchObject({ countsLeases: false })
})

it('OCPP21-C1: one that was given a while ago would end too late: it has its own times', async () => {
  const { sent } = await leased(DYNAMIC, undefined, 16, 31_000)
  expect(sets(sent).at(-1)).toMatchObject({ chargingProfile: { chargingProfileKind: 'Absolute' } })
})

it('OCPP21-C1: a station that refuses the kind in spite of its variable gets the schedule of 2.0.1', async () => {
  const { sent } = await leased(DYNAMIC, (_, request) =>
    JSON.stringify(request).includes('Dynamic"')
      ? { status: 'Rejected', statusInfo: { reasonCode: 'UnsupportedKind' } }
      : undefined,
  )
  expect(sets(sent).map(({ chargingProfile }) => (chargingProfile as Payload).chargingProfileKind)).toEqual([
    'Absolute',
    'Dynamic',
    'Absolute',
  ])
})

it('OCPP21-C2: a pull is answered with the present limit, and its lease counts from then on', async () => {
  const { house, station } = await leased()
  house.clock.advance(2 * MINUTE)
  expect(await pull(station, LEASE_ID)).toEqual({ status: 'Accepted', scheduleUpdate: { limit: 16 } })
  expect((await house.core.limitViews(['CP1']))[0]?.evses[0]?.lease?.endsAt).toBe(START + 12 * MINUTE)
})

it.each([
  ['unknown', 5],
  ['of ours, but not Dynamic', 77_000_011],
])('OCPP21-C2: a pull of a profile that is %s is rejected', async (_, id) => {
  const { station } = await leased()
  expect(await pull(station, id)).toMatchObject({ status: 'Rejected' })
})

it('OCPP21-C2: a pull of a foreign one, or after its lease is over, is rejected and renews nothing', async () => {
  const { house, station } = await leased()
  const foreign = {
    id: 9,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Dynamic',
    chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] }],
  }
  const page = { requestId: 3, chargingLimitSource: 'EMS', evseId: 1, chargingProfile: [foreign] }
  await station.call('ReportChargingProfiles', page)
  expect(await profiles(house)).toContainEqual(expect.objectContaining({ id: 9, source: 'reported' }))
  expect(await pull(station, 9)).toMatchObject({ status: 'Rejected' })
  house.clock.advance(11 * MINUTE)
  expect(await pull(station, LEASE_ID)).toMatchObject({ status: 'Rejected' })
  expect((await house.core.limitViews(['CP1']))[0]?.evses[0]?.lease?.endsAt).toBe(START + 10 * MINUTE)
})

it('OCPP21-B11: what is refused as too often waits as long as the station says', async () => {
  let refusals = 1
  const { house, station, sent } = await started(DYNAMIC, (method) =>
    method === 'SetChargingProfile' && refusals-- > 0
      ? { status: 'Rejected', statusInfo: { reasonCode: 'RateLimitExceeded', additionalInfo: '40 seconds' } }
      : undefined,
  )
  await give(house, 1, 16)
  const row = async () => (await profiles(house))[0]
  await expect.poll(row).toMatchObject({ state: 'stale', nextAttemptAt: START + 40_000 })
  house.clock.advance(39_000)
  await station.call('Heartbeat', {})
  expect(sets(sent)).toHaveLength(1)
  house.clock.advance(1000)
  await expect.poll(row).toMatchObject({ state: 'accepted' })
  // In the form in which it was refused: that form is none that it does not take.
  expect(sets(sent)[1]).toMatchObject({
    chargingProfile: { chargingSchedule: [{ chargingRateUnit: 'A', chargingSchedulePeriod: [{ limit: 8 }] }] },
  })
})

it('OCPP21-B11: ids of ours are above those that the station keeps for others', async () => {
  const { house, sent } = await started({ ...DYNAMIC, MaxExternalConstraintsId: '77000500' })
  await give(house, 1, 16)
  await expect.poll(() => sets(sent)).toMatchObject([{ chargingProfile: { id: 77_000_512 } }])
})

it('OCPP21-B6: periods without a limit are no limit, in reports, notices and composite schedules', async () => {
  const period = { startPeriod: 0, operationMode: 'ChargingOnly' }
  const schedule = { id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [period] }
  const composite = { evseId: 1, duration: 900, scheduleStart: isoTime(START), ...schedule }
  const { house, station } = await started(DYNAMIC, (method) =>
    method === 'GetCompositeSchedule' ? { status: 'Accepted', schedule: composite } : undefined,
  )
  const held = {
    id: 9,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Relative',
    chargingSchedule: [schedule],
  }
  const page = { requestId: 3, chargingLimitSource: 'EMS', evseId: 1, chargingProfile: [held] }
  expect((await station.call('ReportChargingProfiles', page))[0]).toBe(3)
  const limit = { chargingLimit: { chargingLimitSource: 'EMS' }, evseId: 1, chargingSchedule: [schedule] }
  expect((await station.call('NotifyChargingLimit', limit))[0]).toBe(3)
  const [reported] = await profiles(house)
  expect(reported?.profile.schedules[0]?.periods).toEqual([{ startSeconds: 0 }])
  await demand(house, 'limit:a', 1, { standing: { unit: 'A', steps: [{ at: START, limit: 16 }] } })
  await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored' } })
})

it('OCPP21-B11: an update of ours, or beyond our limits, is refused; any other counts from then on', async () => {
  const { house, station, sent } = await leased()
  const period = { startPeriod: 0, limit: 6 }
  const foreign = {
    id: 9,
    stackLevel: 0,
    chargingProfilePurpose: 'TxDefaultProfile',
    chargingProfileKind: 'Dynamic',
    chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [period] }],
  }
  const page = { requestId: 3, chargingLimitSource: 'EMS', evseId: 2, chargingProfile: [foreign] }
  await station.call('ReportChargingProfiles', page)
  await demand(house, 'limit:b', 2, { standing: { unit: 'A', steps: [{ at: START, limit: 10 }] } })
  const update = (chargingProfileId: number, limit: number) =>
    house.core.sendCommand({
      accountId: 'account-1',
      chargePointId: 'CP1',
      method: 'UpdateDynamicSchedule',
      waitMs: 0,
      request: { chargingProfileId, scheduleUpdate: { limit } },
    })
  expect(await update(LEASE_ID, 6)).toMatchObject({ status: 422, errors: [{ code: 'K01.FR.05' }] })
  expect(await update(9, 20)).toMatchObject({ status: 422, errors: [{ code: 'above_limits' }] })
  expect(await update(9, 8)).toMatchObject({ method: 'UpdateDynamicSchedule' })
  await expect.poll(() => updates(sent)).toEqual([{ chargingProfileId: 9, scheduleUpdate: { limit: 8 } }])
  const reported = async () => (await profiles(house)).find(({ id, source }) => id === 9 && source === 'reported')
  await expect
    .poll(async () => (await reported())?.profile.schedules)
    .toMatchObject([{ startAt: START, periods: [{ limit: 8 }] }])
})
