import { describe, expect, it } from 'vitest'
import type { Caps } from '../../../domain/charging/caps.ts'
import type { ChargingInput } from '../../../domain/charging/records.ts'
import { coresOfTests, SESSIONS, START, type TestCore, type TestStation } from '../../testing.ts'

type Payload = Readonly<Record<string, unknown>>
type Respond = (method: string, request: Payload) => Payload | undefined

const MINUTE = 60_000
const amps = (limit: number, more: Partial<NonNullable<Caps['standing']>> = {}): Caps => ({
  standing: { unit: 'A', steps: [{ at: START, limit }], ...more },
})
const ABILITIES: Readonly<Record<string, string>> = {
  SupportedFeatureProfiles: 'Core,SmartCharging',
  ChargeProfileMaxStackLevel: '8',
  ChargingScheduleAllowedChargingRateUnit: 'Current,Power',
  ChargingScheduleMaxPeriods: '6',
  Available: 'true',
  RateUnit: 'A,W',
  ProfileStackLevel: '5',
  PeriodsPerSchedule: '6',
}

/** Accepts everything and keeps no schedule of its own. */
const accepts: Respond = (method, request) => {
  switch (method) {
    case 'GetConfiguration': {
      const keys = request.key as readonly string[]
      return { configurationKey: keys.map((key) => ({ key, readonly: true, value: ABILITIES[key] })), unknownKey: [] }
    }
    case 'GetVariables': {
      const asked = request.getVariableData as readonly { component: unknown; variable: { name: string } }[]
      const results = asked.map((one) => ({
        ...{ ...one, attributeStatus: 'Accepted', attributeValue: ABILITIES[one.variable.name] },
      }))
      return { getVariableResult: results }
    }
    case 'GetChargingProfiles':
      return { status: 'NoProfiles' }
    default:
      return { status: 'Accepted' }
  }
}

describe('charging under control', () => {
  const core = coresOfTests()

  async function started(protocol: '1.6' | '2.0.1', respond: Respond = accepts, voltage = 230) {
    const house = await core({ settings: { sessions: { ...SESSIONS, voltage } } })
    const station = await (protocol === '1.6' ? house.boot16('CP1') : house.boot201('CP1'))
    const sent: [method: string, request: Payload][] = []
    serve(station, sent, respond)
    return { house, station, sent }
  }

  /** Answers what it is asked. */
  function serve(station: TestStation, sent: [string, Payload][], respond: Respond): void {
    const seen = new Set<unknown>()
    const next = (): void =>
      void station
        .frame((frame) => frame[0] === 2 && !seen.has(frame[1]))
        .then(([, id, method, request]) => {
          seen.add(id)
          sent.push([method as string, request as Payload])
          const answer = respond(method as string, request as Payload)
          const none = { status: 'Rejected' }
          const payload = answer ?? (method === 'GetCompositeSchedule' ? none : undefined)
          if (payload) station.send(JSON.stringify([3, id, payload]))
          next()
        })
    next()
  }

  const decide = ({ core: of }: TestCore, input: ChargingInput) =>
    of.decideBlock({ accountId: 'account-1', chargePointId: 'CP1', input })
  const demand = (house: TestCore, owner: string, evseId: number, caps?: Caps) =>
    decide(house, { kind: 'chargingDemanded', demands: [{ owner, evseId, caps }] })
  const demands = ({ store }: TestCore) =>
    store.reads.listRecords('charging_demands', { where: { chargePointId: 'CP1' }, limit: 9 })
  const profiles = ({ store }: TestCore) =>
    store.reads.listRecords('charging_profiles', { where: { chargePointId: 'CP1' }, limit: 99 })
  const proofs = async ({ store }: TestCore) =>
    (await store.reads.getRecord('charging_stations', { chargePointId: 'CP1' }))?.proofs ?? {}
  const methods = (sent: readonly [string, Payload][]) => sent.map(([method]) => method)
  const sets = (sent: readonly [string, Payload][]) =>
    sent.filter(([method]) => method === 'SetChargingProfile').map(([, request]) => request)
  const accepted = async (house: TestCore) => {
    await expect.poll(async () => (await demands(house)).map(({ state }) => state)).toContain('accepted')
  }
  const begin = async (station: TestStation): Promise<number> => {
    const start = { connectorId: 1, idTag: 'A', meterStart: 0, timestamp: new Date(START).toISOString() }
    const answer = (await station.call('StartTransaction', start)) as [number, string, { transactionId: number }]
    return answer[2].transactionId
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
          ...{ chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Absolute', stackLevel: 8 },
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
        ...{ chargingProfilePurpose: 'TxProfile', transactionId },
        chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit: 20 }, { limit: 8 }] },
      },
    })
    await expect.poll(() => profiles(house)).toHaveLength(2)
    const stop = { transactionId, meterStop: 1, timestamp: new Date(START + 1).toISOString() }
    await station.call('StopTransaction', stop)
    await expect.poll(async () => (await profiles(house)).map(({ purpose }) => purpose)).toEqual(['TxDefaultProfile'])
  })

  it('CHARGING-S5: what is refused is sent in the next form, and the model is remembered', async () => {
    const wattsOnly: Respond = (method, request) => {
      if (method !== 'SetChargingProfile') return accepts(method, request)
      const isWatts = JSON.stringify(request).includes('"chargingRateUnit":"W"')
      return { status: isWatts ? 'Accepted' : 'Rejected' }
    }
    const { house, sent } = await started('1.6', wattsOnly)
    await demand(house, 'limit:a', 1, amps(10))
    await accepted(house)
    expect(sets(sent)[1]).toMatchObject({ csChargingProfiles: limited(6900) })
    await expect
      .poll(() => house.store.reads.listRecords('charging_forms', { limit: 1 }))
      .toMatchObject([{ vendor: 'Acme', model: 'One', refused: ['TxDefaultProfile/A'] }])
    const other = await house.boot16('CP2')
    const sentThere: [string, Payload][] = []
    serve(other, sentThere, wattsOnly)
    const input = { kind: 'chargingDemanded', demands: [{ owner: 'limit:a', evseId: 1, caps: amps(10) }] } as const
    await house.core.decideBlock({ accountId: 'account-1', chargePointId: 'CP2', input })
    await expect.poll(() => sets(sentThere)).toMatchObject([{ csChargingProfiles: limited(6900) }])
  })

  it('CHARGING-P4: watts were those of 230 V wherever the station stands', async () => {
    const volts = 120
    let isOver = false
    const station: Respond = (method, request) => {
      const told = JSON.stringify(request)
      if (method === 'SetChargingProfile') return { status: told.includes('"W"') ? 'Accepted' : 'Rejected' }
      if (method !== 'GetCompositeSchedule') return accepts(method, request)
      const limit = 10 * volts * 3 * (isOver ? 1.2 : 1)
      const schedule = { duration: 900, chargingRateUnit: 'W', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }
      return {
        status: 'Accepted',
        connectorId: 1,
        scheduleStart: new Date(START).toISOString(),
        chargingSchedule: schedule,
      }
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

  it('CHARGING-S5: a station that takes no form says why, and another limit is tried anew', async () => {
    const { house } = await started('1.6', (method, request) =>
      method === 'SetChargingProfile' ? { status: 'Rejected' } : accepts(method, request),
    )
    await demand(house, 'limit:a', 1, amps(16))
    await expect.poll(() => demands(house)).toMatchObject([{ state: 'refused', reason: 'Rejected' }])
  })

  it('CHARGING-S5: a station without smart charging is limited by a key of its model', async () => {
    const { house, sent } = await started('1.6', (method, request) => {
      if (method === 'SetChargingProfile') return { status: 'NotSupported' }
      return accepts(method, request)
    })
    await demand(house, 'limit:a', 1, amps(16.5))
    await expect.poll(() => demands(house)).toMatchObject([{ state: 'refused' }])
    const model = { accountId: 'account-1', vendor: 'Acme', model: 'One', limitKey: 'MaxAmps', abilities: {} }
    await house.store.writes.putRecords('model_abilities', [{ ...model, createdAt: 0, updatedAt: 0 }])
    await demand(house, 'limit:a', 1, amps(16.8))
    await accepted(house)
    expect(sent.at(-1)).toEqual(['ChangeConfiguration', { key: 'MaxAmps', value: '16' }])
  })

  it('CHARGING-S4: 2.0.1: what it holds is read first, and ours goes above it', async () => {
    const held = (id: number, stackLevel: number) => ({
      ...{ id, stackLevel, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative' },
      chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 6 }] }],
    })
    let requestId: unknown
    const { house, station, sent } = await started('2.0.1', (method, request) => {
      if (method !== 'GetChargingProfiles') return accepts(method, request)
      requestId = request.requestId
      return { status: 'Accepted' }
    })
    await demand(house, 'limit:a', 1, amps(16))
    await expect.poll(() => requestId).toBeDefined()
    const page = { requestId, chargingLimitSource: 'CSO', evseId: 1 }
    await station.call('ReportChargingProfiles', { ...page, tbc: true, chargingProfile: [held(5, 2)] })
    expect(await profiles(house)).toEqual([])
    await station.call('ReportChargingProfiles', { ...page, evseId: 2, chargingProfile: [held(6, 4)] })
    await accepted(house)
    expect(sets(sent)).toMatchObject([{ evseId: 1, chargingProfile: { stackLevel: 3 } }])
    expect((await profiles(house)).map(({ source, id }) => [source, id])).toEqual([
      ['desired', 77_000_011],
      ['reported', 5],
      ['reported', 6],
    ])
    await decide(house, { kind: 'profilesUnwanted', foreign: true })
    await expect.poll(() => methods(sent).filter((method) => method === 'GetChargingProfiles')).toHaveLength(2)
    await station.call('ReportChargingProfiles', { ...page, requestId, chargingProfile: [held(5, 2)] })
    await expect
      .poll(() => sent.find(([method]) => method === 'ClearChargingProfile')?.[1])
      .toEqual({
        chargingProfileId: 5,
      })
  })

  it('CHARGING-S4: a report whose last page never comes is asked for again, three times at most', async () => {
    const { house, sent } = await started('2.0.1', (method, request) =>
      method === 'GetChargingProfiles' ? { status: 'Accepted' } : accepts(method, request),
    )
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
    const schedule = (limit: number) => ({
      ...{ status: 'Accepted', connectorId: 1, scheduleStart: new Date(START).toISOString() },
      chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
    })
    let told = 16
    const { house, station } = await started('1.6', (method, request) =>
      method === 'GetCompositeSchedule' ? schedule(told) : accepts(method, request),
    )
    await demand(house, 'limit:a', 1, amps(16))
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
    const transactionId = await begin(station)
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'pending', next: 'current' } })
    const draw = (value: string) =>
      station.call('MeterValues', {
        ...{ connectorId: 1, transactionId },
        meterValue: [{ timestamp: new Date(house.clock.now()).toISOString(), sampledValue: [current(value)] }],
      })
    house.clock.advance(30_000)
    await draw('15.8')
    house.clock.advance(31_000)
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'proved', drawAmps: 15.8 } })
    await draw('31')
    expect(await proofs(house)).toMatchObject({ 1: { verdict: 'proved' } })
    await draw('31')
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'ignored', drawAmps: 31 } })
    told = 10
    await demand(house, 'limit:a', 1, amps(12))
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict: 'limitedElsewhere' } })
  })

  it('CHARGING-S7: what others told the station counts, and ends when it says so', async () => {
    const { house, station, sent } = await started('2.0.1')
    await demand(house, 'limit:a', 1, amps(16))
    await accepted(house)
    await station.call('NotifyChargingLimit', {
      ...{ evseId: 1, chargingLimit: { chargingLimitSource: 'SO' } },
      chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 9 }] }],
    })
    const external = { purpose: 'ChargingStationExternalConstraints', owner: 'SO', evseId: 1 }
    expect(await profiles(house)).toMatchObject([{ source: 'desired' }, { source: 'reported', ...external }])
    await decide(house, { kind: 'profilesUnwanted', foreign: true })
    await expect.poll(() => methods(sent).filter((method) => method === 'GetChargingProfiles')).toHaveLength(2)
    expect(methods(sent)).not.toContain('ClearChargingProfile')
    await station.call('ClearedChargingLimit', { chargingLimitSource: 'SO', evseId: 1 })
    expect((await profiles(house)).map(({ source }) => source)).toEqual(['desired'])
  })

  it.each([
    [9, 'limitedElsewhere'],
    [32, 'ignored'],
  ] as const)('CHARGING-S6: a foreign profile of %i A at the highest level: %s', async (limit, verdict) => {
    const foreign = {
      ...{ id: 5, stackLevel: 5, chargingProfilePurpose: 'TxDefaultProfile', chargingProfileKind: 'Relative' },
      chargingSchedule: [{ id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] }],
    }
    const schedule = {
      ...{ evseId: 1, duration: 900, scheduleStart: new Date(START).toISOString(), chargingRateUnit: 'A' },
      chargingSchedulePeriod: [{ startPeriod: 0, limit }],
    }
    let requestId: unknown
    const { house, station, sent } = await started('2.0.1', (method, request) => {
      if (method === 'GetCompositeSchedule') return { status: 'Accepted', schedule }
      if (method !== 'GetChargingProfiles') return accepts(method, request)
      requestId = request.requestId
      return { status: 'Accepted' }
    })
    await demand(house, 'limit:a', 1, amps(16))
    await expect.poll(() => requestId).toBeDefined()
    const page = { requestId, chargingLimitSource: 'CSO', evseId: 1, chargingProfile: [foreign] }
    await station.call('ReportChargingProfiles', page)
    await accepted(house)
    expect(sets(sent)).toMatchObject([{ chargingProfile: { stackLevel: 4 } }])
    await expect.poll(() => proofs(house)).toMatchObject({ 1: { verdict } })
  })

  it('CHARGING-S8: after a boot, and as soon as a paused charge goes on, it is sent again', async () => {
    const { house, station, sent } = await started('1.6')
    await demand(house, 'limit:a', 1, amps(16))
    await accepted(house)
    await station.call('BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'One' })
    await expect.poll(() => sets(sent)).toHaveLength(2)
    await begin(station)
    await expect.poll(() => sets(sent)).toHaveLength(3)
    const status = async (word: string): Promise<void> => {
      house.clock.advance(1000)
      const timestamp = new Date(house.clock.now()).toISOString()
      await station.call('StatusNotification', { connectorId: 1, errorCode: 'NoError', status: word, timestamp })
    }
    await status('Charging')
    await status('SuspendedEV')
    expect(sets(sent)).toHaveLength(3)
    await status('Charging')
    await expect.poll(() => sets(sent)).toHaveLength(5)
    const { resumedAt } = (await house.store.reads.getRecord('charging_stations', { chargePointId: 'CP1' })) ?? {}
    expect(resumedAt).toEqual({ 1: house.clock.now() })
    expect(methods(sent)).not.toContain('ClearChargingProfile')
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
      ...{ refused: true, status: 422, code: 'unknown_evse' },
      errors: [{ pointer: '/evseId', message: expect.stringContaining(reason) }],
    })
    expect(await demand(house, 'limit:c', 0, amps(10))).toEqual({})
    await status(2)
    await expect.poll(async () => (await demands(house)).find((one) => one.evseId === 2)?.state).toBe('accepted')
    expect(await demand(house, 'limit:b', 2, amps(10))).toEqual({})
    expect((await demands(house)).find((one) => one.evseId === 2)).not.toHaveProperty('reason', reason)
  })

  it('CHARGING-S9: a car’s needs are accepted where a profile follows, and its schedule where it is within', async () => {
    const { house, station, sent } = await started('2.0.1')
    const needs = { evseId: 1, chargingNeeds: { requestedEnergyTransfer: 'AC_three_phase' } }
    expect((await station.call('NotifyEVChargingNeeds', needs))[2]).toMatchObject({ status: 'Rejected' })
    await demand(house, 'limit:a', 1, amps(16))
    await accepted(house)
    expect((await station.call('NotifyEVChargingNeeds', needs))[2]).toMatchObject({ status: 'Accepted' })
    await expect.poll(() => sets(sent)).toHaveLength(2)
    const own = (limit: number) => ({
      ...{ evseId: 1, timeBase: new Date(START).toISOString() },
      chargingSchedule: { id: 1, chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
    })
    expect((await station.call('NotifyEVChargingSchedule', own(16)))[2]).toMatchObject({ status: 'Accepted' })
    expect((await station.call('NotifyEVChargingSchedule', own(20)))[2]).toMatchObject({ status: 'Rejected' })
    await expect.poll(() => sets(sent)).toHaveLength(3)
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
})

const limited = (limit: number) => ({ chargingSchedule: { chargingSchedulePeriod: [{ startPeriod: 0, limit }] } })
const current = (value: string) => ({ value, measurand: 'Current.Import', phase: 'L1', unit: 'A' })
