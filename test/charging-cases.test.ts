/** Test cases of the Open Charge Alliance about smart charging, by what is stored when they are over. */
import { describe, expect, it } from 'vitest'
import { type ApiAnswer, houseOfFile, type Json, until } from './house.ts'
import { profile, profile16 } from './profiles.ts'
import { BOOT_201, booted16, connectStation, eventOf, type Station } from './station.ts'

const house = await houseOfFile()

/** What a charge point answers, by method; what is not named here it accepts. */
type Answers = Readonly<Record<string, Json | undefined>>

const of = (id: string, path: string): string => `/2/evse-controllers/${id}${path}`
const command = (id: string, method: string, request: Json): Promise<ApiAnswer> =>
  house.request('POST', of(id, '/commands?wait=20'), { method, request })
const profiles = async (id: string, source: 'desired' | 'reported'): Promise<readonly Json[]> =>
  await house.list(of(id, `/charging-profiles?source=${source}`))
const row = async (id: string, method: string): Promise<Json | undefined> =>
  (await house.rows(id, { method: [method] }))[0]
const at = (): string => new Date().toISOString()

async function charges(station: Station, transactionId: string): Promise<void> {
  const transactionInfo = { transactionId, chargingState: 'Charging' }
  await station.ask('TransactionEvent', eventOf('Started', 0, { transactionInfo }))
}

describe('OCPP 2.0.1', () => {
  const station = async (id: string, answers: Answers = {}): Promise<Station> => {
    const respond = (method: string): Json | undefined =>
      method in answers ? answers[method] : { status: method === 'GetChargingProfiles' ? 'NoProfiles' : 'Accepted' }
    const one = await connectStation(house.ocppUrl, id, 'ocpp2.0.1', { respond })
    await one.ask('BootNotification', BOOT_201)
    await one.ask('StatusNotification', { timestamp: at(), connectorStatus: 'Available', evseId: 1, connectorId: 1 })
    return one
  }

  it.each([
    ['TC_K_01', 1, {}],
    ['TC_K_03', 0, { chargingProfilePurpose: 'ChargingStationMaxProfile' }],
    ['TC_K_10', 0, {}],
    ['TC_K_19', 1, { chargingProfileKind: 'Recurring', recurrencyKind: 'Daily' }],
  ])('CHARGING-S3, %s: a profile is set on EVSE %i, and caps', async (name, evseId, more) => {
    const one = await station(name)
    const chargingProfile = profile(more)
    const set = await house.request('POST', of(name, '/charging-profiles'), { evseId, chargingProfile })
    expect([set.status, set.body]).toMatchObject([202, { owner: 'raw', evseId }])
    await until(async () => (await profiles(name, 'desired'))[0]?.state === 'accepted')
    expect(one.requests('SetChargingProfile')).toMatchObject([{ evseId, chargingProfile }])
    expect(await profiles(name, 'desired')).toMatchObject([
      { id: 11, evseId, purpose: chargingProfile.chargingProfilePurpose },
    ])
    expect(await row(name, 'SetChargingProfile')).toMatchObject({ status: 'success', response: { status: 'Accepted' } })
  })

  it.each([
    ['TC_K_29', { evseId: 0 }, { chargingProfilePurpose: 'TxDefaultProfile' }],
    ['TC_K_30', { evseId: 1 }, { chargingProfilePurpose: 'TxDefaultProfile' }],
    ['TC_K_31', {}, { chargingProfilePurpose: 'TxDefaultProfile' }],
    ['TC_K_32', {}, { chargingProfileId: [11] }],
    ['TC_K_33', { evseId: 1 }, { stackLevel: 1 }],
    ['TC_K_34', { evseId: 1 }, { chargingLimitSource: ['CSO'] }],
    ['TC_K_35', { evseId: 1 }, { chargingProfilePurpose: 'TxDefaultProfile' }],
    ['TC_K_36', { evseId: 1 }, { chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 }],
  ])('CHARGING-S4, %s: what is reported of %j by %j is kept', async (name, evse, chargingProfile) => {
    const one = await station(name, { GetChargingProfiles: { status: 'Accepted' } })
    const { status } = await command(name, 'GetChargingProfiles', { requestId: 7, ...evse, chargingProfile })
    expect(status).toBe(200)
    expect(one.requests('GetChargingProfiles')).toMatchObject([{ ...evse, chargingProfile }])
    const { requestId } = one.requests('GetChargingProfiles')[0] as Json
    const evseId = 'evseId' in evse ? evse.evseId : 1
    const report = { requestId, chargingLimitSource: 'CSO', evseId, chargingProfile: [profile()] }
    expect(await one.ask('ReportChargingProfiles', report)).toEqual({})
    expect(await profiles(name, 'reported')).toMatchObject([{ id: 11, owner: 'CSO', evseId, stackLevel: 1 }])
  })

  it('CHARGING-S7, TC_K_48, TC_K_50, TC_K_51: a limit of the building begins, and ends', async () => {
    const one = await station('TC_K_48')
    await charges(one, 'T-48')
    const { chargingSchedule } = profile()
    const chargingLimit = { chargingLimitSource: 'EMS', isGridCritical: false }
    expect(await one.ask('NotifyChargingLimit', { evseId: 1, chargingLimit, chargingSchedule })).toEqual({})
    expect(await profiles('TC_K_48', 'reported')).toMatchObject([
      { owner: 'EMS', evseId: 1, purpose: 'ChargingStationExternalConstraints' },
    ])
    expect(await one.ask('ClearedChargingLimit', { chargingLimitSource: 'EMS', evseId: 1 })).toEqual({})
    const transactionInfo = { transactionId: 'T-48', chargingState: 'Charging' }
    await one.ask('TransactionEvent', eventOf('Updated', 1, { triggerReason: 'ChargingRateChanged', transactionInfo }))
    expect(await profiles('TC_K_48', 'reported')).toEqual([])
    const { body } = await house.request('GET', '/2/events?type=charge-point.limited')
    expect((body.data as { data: Json }[]).map(({ data }) => data.evseControllerId)).toContain('TC_K_48')
  })

  it('CHARGING-S9, TC_K_53, TC_K_55, TC_K_58: what a car needs gets a profile, and its own schedule must be within', async () => {
    const one = await station('TC_K_53')
    await house.request('PUT', of('TC_K_53', '/limits/site'), { evseId: 1, amps: 16 })
    await charges(one, 'T-53')
    const ofCharge = (): readonly Json[] =>
      one
        .requests('SetChargingProfile')
        .map(({ chargingProfile }) => chargingProfile as Json)
        .filter(({ chargingProfilePurpose }) => chargingProfilePurpose === 'TxProfile')
    const sent = async (count: number): Promise<Json | undefined> => {
      await until(() => ofCharge().length >= count)
      return ofCharge().at(-1)
    }
    expect(await sent(1)).toMatchObject({ transactionId: 'T-53' })
    const acChargingParameters = { energyAmount: 20_000, evMinCurrent: 6, evMaxCurrent: 32, evMaxVoltage: 230 }
    const chargingNeeds = { requestedEnergyTransfer: 'AC_three_phase', acChargingParameters }
    expect(await one.ask('NotifyEVChargingNeeds', { evseId: 1, chargingNeeds })).toEqual({ status: 'Accepted' })
    const ofCar = (limit: number): Json => ({
      evseId: 1,
      timeBase: at(),
      chargingSchedule: {
        id: 1,
        startSchedule: at(),
        duration: 3600,
        chargingRateUnit: 'A',
        chargingSchedulePeriod: [{ startPeriod: 0, limit, numberPhases: 3 }],
      },
    })
    expect(await one.ask('NotifyEVChargingSchedule', ofCar(16))).toEqual({ status: 'Accepted' })
    const before = ofCharge().length
    expect(await one.ask('NotifyEVChargingSchedule', ofCar(32))).toEqual({ status: 'Rejected' })
    expect(await sent(before + 1)).toMatchObject({ transactionId: 'T-53' })
    await house.request('PUT', of('TC_K_53', '/limits/site'), { evseId: 1, amps: 10 })
    await until(() => JSON.stringify(ofCharge().at(-1)).includes('"limit":10'))
    expect(await profiles('TC_K_53', 'desired')).toMatchObject(
      expect.arrayContaining([expect.objectContaining({ purpose: 'TxProfile', transactionId: 'T-53' })]),
    )
  })
})

describe('OCPP 1.6', () => {
  const station = async (id: string, answers: Answers = {}): Promise<Station> => {
    const respond = (method: string): Json | undefined => answers[method] ?? { status: 'Accepted' }
    return booted16(house.ocppUrl, id, { respond })
  }
  it('CHARGING-S3, TC_057: a profile of the charge that runs', async () => {
    const one = await station('TC_057')
    const started = { connectorId: 1, idTag: 'CARD', meterStart: 0, timestamp: at() }
    const { transactionId } = await one.ask('StartTransaction', started)
    const period = { startPeriod: 0, limit: 8, numberPhases: 3 }
    const chargingSchedule = { chargingRateUnit: 'A', chargingSchedulePeriod: [period] }
    const purpose = { chargingProfilePurpose: 'TxProfile', chargingProfileKind: 'Relative', transactionId }
    const csChargingProfiles = { ...profile16(), ...purpose, chargingSchedule }
    const answer = await command('TC_057', 'SetChargingProfile', { connectorId: 1, csChargingProfiles })
    expect(answer.body).toMatchObject({ status: 'success', response: { status: 'Accepted' } })
    expect(one.requests('SetChargingProfile')).toEqual([{ connectorId: 1, csChargingProfiles }])
  })

  it('CHARGING-S3, TC_056, TC_067: a default of a connector is set and cleared by its id, and others by what they are for', async () => {
    const one = await station('TC_067')
    const body = { evseId: 1, chargingProfile: profile() }
    await house.request('POST', of('TC_067', '/charging-profiles'), body)
    await until(async () => (await profiles('TC_067', 'desired'))[0]?.state === 'accepted')
    expect(one.requests('SetChargingProfile')).toMatchObject([{ connectorId: 1, csChargingProfiles: profile16() }])
    await house.request('POST', of('TC_067', '/charging-profiles/clear'), { ids: [11] })
    await until(async () => (await profiles('TC_067', 'desired')).length === 0)
    const criteria = { connectorId: 1, chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 1 }
    expect((await command('TC_067', 'ClearChargingProfile', criteria)).status).toBe(200)
    expect(one.requests('ClearChargingProfile')).toEqual([{ id: 11 }, criteria])
  })
})
