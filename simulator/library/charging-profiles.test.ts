import { describe, expect, it } from 'vitest'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { steps } from '../model/smart-charging/testing.ts'
import { booted, closesStations, VERSIONS } from './testing.ts'

closesStations()

describe.each(VERSIONS)('charging profiles over OCPP %s', (ocpp) => {
  it('SIM-A16: below 6 A the car pauses, and it goes on when it may', async () => {
    const { cp, limit, charging, comesTo } = await booted(ocpp)
    await charging()
    expect(await limit({ amps: 5 })).toBe('Accepted')
    await comesTo([0, 0, 0])
    expect(cp.state.connectors[0]?.status).toBe('SuspendedEVSE')
    expect(await limit({ amps: 7 })).toBe('Accepted')
    await comesTo([7, 7, 7])
    expect(cp.state.connectors[0]?.status).toBe('Charging')
  })

  it('SIM-A2: a station that stood in a grid of 120 V counted with 230 V', async () => {
    const { cp, ask, limit, charging, comesTo } = await booted(ocpp, { voltage: 120 })
    await charging()
    expect(await limit({ unit: 'W', amps: 10 * 3 * 120 })).toBe('Accepted')
    await comesTo([10, 10, 10])
    const { reading } = cp.state.connectors[0] ?? {}
    expect(Math.abs((reading?.voltageV[0] ?? 0) - 120)).toBeLessThan(2)
    expect(Math.abs((reading?.powerW ?? 0) - 3600)).toBeLessThan(60)
    const place = ocpp === '1.6' ? { connectorId: 1 } : { evseId: 1 }
    const reported = await ask('GetCompositeSchedule', { ...place, duration: 60, chargingRateUnit: 'A' })
    expect(JSON.stringify(reported)).toContain('"limit":10,')
  })

  it('SIM-A16: offline the profile of the charge goes on, and a lease ends by itself', async () => {
    const { cp, limit, charging, comesTo } = await booted(ocpp)
    await charging()
    await limit({ periods: steps([0, 12], [600, 6]) })
    await comesTo([12, 12, 12])
    await cp.offline()
    await cp.wait(300)
    expect(cp.current()[0]).toBeCloseTo(12)
    await cp.wait(300)
    expect(cp.current()[0]).toBeCloseTo(6)
  })

  it('SIM-A16: a default holds for every charge, over a power cut, and for one that begins offline', async () => {
    const { cp, limit, charging, comesTo } = await booted(ocpp)
    await limit({ connector: 0, purpose: 'TxDefaultProfile', amps: 9 })
    await charging()
    await comesTo([9, 9, 9])
    await cp.powerCut()
    await cp.wait(60)
    await cp.powerUp()
    await cp.offline()
    await cp.swipe(1, 'CARD-1')
    await cp.wait(60)
    expect(cp.current()[0]).toBeCloseTo(9)
  })

  it('SIM-A16: a grid meter sees each car on the phases of its connector', async () => {
    const { cp, charging, comesTo } = await booted(ocpp, { connectors: 3, phaseRotation: ['RST', 'STR', 'TRS'] })
    await charging(1, 'hybrid')
    await charging(2, 'hybrid')
    await comesTo([0, 15.7, 0], 2)
    await comesTo([15.7, 15.7, 0])
    await cp.plug(3, { vehicle: 'compact', atMostAmps: 10 })
    await cp.swipe(3, 'CARD-3')
    await comesTo([25.7, 25.7, 10])
  })

  it('SIM-A19: the values of the meter follow what the station allows', async () => {
    const { cp, calls, ask, limit, charging } = await booted(ocpp)
    const list = 'Current.Offered,Power.Offered,Current.Import,Power.Active.Import'
    const component = { name: 'SampledDataCtrlr' }
    const variable = { name: 'TxUpdatedMeasurands' }
    await (ocpp === '1.6'
      ? ask('ChangeConfiguration', { key: 'MeterValuesSampledData', value: list })
      : ask('SetVariables', { setVariableData: [{ component, variable, attributeValue: list }] }))
    await charging()
    await limit({ amps: 8 })
    calls.length = 0
    await cp.wait(120)
    const [values] = calls.flatMap(({ request }) => (request.meterValue as { sampledValue: Payload[] }[]) ?? [])
    const named = (name: string) =>
      values?.sampledValue.filter(({ measurand }) => measurand === name).map(({ value }) => Number(value))
    expect(named('Current.Offered')).toEqual([8])
    expect(named('Power.Offered')).toEqual([5_520])
    expect(named('Current.Import')).toEqual([8, 8, 8])
    expect(named('Power.Active.Import')?.[0]).toBeCloseTo(5_520, -2)
  })
})

describe.each(VERSIONS)('limits from outside over OCPP %s', (ocpp) => {
  it('SIM-A21: an energy manager and the grid limit it beside the central system, and each clears its own', async () => {
    const { cp, calls, limit, charging, comesTo } = await booted(ocpp, { connectors: 2 })
    await charging(1)
    await charging(2)
    await limit({ amps: 14 })
    await cp.limit({ amps: 20, source: 'SO', isGridCritical: true })
    await comesTo([10, 10, 10], 1)
    await cp.limit({ watts: 4_830, connector: 1 })
    await comesTo([7, 7, 7], 1)
    await comesTo([13, 13, 13], 2)
    // Six for the first, and three are too little for the second.
    await cp.limit({ amps: 9, source: 'SO' })
    await comesTo([7, 7, 7])
    expect(cp.state.connectors[1]?.status).toBe('SuspendedEVSE')
    await cp.clearLimit({ source: 'SO' })
    await cp.clearLimit({ connector: 1 })
    await comesTo([14, 14, 14], 1)
    const reported = calls.filter(({ method }) => /ChargingLimit$/.test(method)).map(({ request }) => request)
    if (ocpp === '1.6') return expect(reported).toEqual([])
    expect(reported).toHaveLength(5)
    expect(reported[0]).toMatchObject({ chargingLimit: { chargingLimitSource: 'SO', isGridCritical: true } })
    expect(reported[1]).toMatchObject({ evseId: 1, chargingSchedule: [{ chargingRateUnit: 'W' }] })
    expect(reported[3]).toEqual({ chargingLimitSource: 'SO' })
    const rates = calls.filter(({ request }) => request.triggerReason === 'ChargingRateChanged')
    expect(rates.length).toBeGreaterThan(3)
    return undefined
  })

  it('SIM-A21: a limit is in amperes or in watts, and of a connector that there is', async () => {
    const { cp } = await booted(ocpp)
    await expect(cp.limit({})).rejects.toThrow('say one')
    await expect(cp.limit({ amps: 1, watts: 1 })).rejects.toThrow('say one')
    await expect(cp.limit({ amps: 1, connector: 3 })).rejects.toThrow('no connector 3')
  })
})

describe('what a 2.0.1 station tells of its profiles', () => {
  it('SIM-A22: a report comes in pages by EVSE and source, each with its request', async () => {
    const { cp, calls, ask, limit, charging } = await booted('2.0.1', { connectors: 2 })
    await charging()
    await limit({})
    for (const stackLevel of [1, 2, 3])
      await limit({ connector: 0, id: stackLevel + 1, stackLevel, purpose: 'TxDefaultProfile' })
    await cp.limit({ amps: 10 })
    const report = async (request: Payload) => {
      calls.length = 0
      const { status } = await ask('GetChargingProfiles', { requestId: 77, ...request })
      const pages = () =>
        calls.filter(({ method }) => method === 'ReportChargingProfiles').map(({ request: page }) => page)
      if (status === 'Accepted') await expect.poll(() => pages().at(-1)?.tbc).toBe(false)
      const shown = pages().map(({ evseId, chargingLimitSource: source, chargingProfile }) =>
        [evseId, source, ...(chargingProfile as { id: number }[]).map(({ id }) => id)].join(' '),
      )
      expect(pages().every(({ requestId }) => requestId === 77)).toBe(true)
      return shown
    }
    expect(await report({ chargingProfile: {} })).toEqual(['1 CSO 1', '0 CSO 2 3', '0 CSO 4', '0 EMS -1'])
    expect(await report({ evseId: 0, chargingProfile: {} })).toEqual(['0 CSO 2 3', '0 CSO 4', '0 EMS -1'])
    expect(await report({ chargingProfile: { chargingLimitSource: ['EMS', 'SO'] } })).toEqual(['0 EMS -1'])
    expect(await report({ chargingProfile: { chargingProfileId: [4, 1, 99] } })).toEqual(['1 CSO 1', '0 CSO 4'])
    expect(await report({ chargingProfile: { stackLevel: 2 } })).toEqual(['0 CSO 3'])
    expect(await report({ chargingProfile: { chargingProfilePurpose: 'TxProfile' } })).toEqual(['1 CSO 1'])
    expect(await report({ evseId: 2, chargingProfile: {} })).toEqual([])
    const all = await ask('ClearChargingProfile', { chargingProfileCriteria: {} })
    expect(all).toEqual({ status: 'Accepted' })
    expect(await report({ chargingProfile: {} })).toEqual(['0 EMS -1'])
    expect(await ask('ClearChargingProfile', { chargingProfileId: -1 })).toEqual({ status: 'Unknown' })
  })

  it('SIM-A23: a car says what it needs, and then how it will charge within what it was given', async () => {
    const { cp, calls, limit } = await booted('2.0.1')
    const said = (method: string) => calls.filter((call) => call.method === method).map(({ request }) => request)
    await cp.plug(1, { needs: { energyKwh: 20, departInSeconds: 7_200 } })
    await cp.swipe(1, 'CARD-1')
    expect(said('NotifyEVChargingNeeds')).toMatchObject([
      {
        evseId: 1,
        chargingNeeds: {
          requestedEnergyTransfer: 'AC_three_phase',
          departureTime: '2026-01-05T10:00:00.000Z',
          acChargingParameters: { energyAmount: 20_000, evMinCurrent: 6, evMaxCurrent: 15, evMaxVoltage: 400 },
        },
      },
    ])
    await limit({ periods: steps([0, 10], [3_600, 32]) })
    await expect
      .poll(() => said('NotifyEVChargingSchedule'))
      .toMatchObject([
        { evseId: 1, chargingSchedule: { duration: 7_200, chargingSchedulePeriod: [{ limit: 10 }, { limit: 15.9 }] } },
      ])
  })

  it('SIM-A23: a car of direct current says so, and one that has not listened asks for too much', async () => {
    const { cp, calls, limit } = await booted('2.0.1', { vehicle: 'touring' })
    await cp.plug(1, { soc: 30, needs: { energyKwh: 40, overdraws: true } })
    await cp.swipe(1, 'CARD-1')
    const needs = calls.find(({ method }) => method === 'NotifyEVChargingNeeds')?.request.chargingNeeds
    expect(needs).toMatchObject({ requestedEnergyTransfer: 'DC', dcChargingParameters: { stateOfCharge: 30 } })
    await limit({ amps: 10 })
    const schedule = () => calls.find(({ method }) => method === 'NotifyEVChargingSchedule')?.request.chargingSchedule
    await expect.poll(schedule).toBeDefined()
    const [period] = (schedule() as { chargingSchedulePeriod: { limit: number }[] }).chargingSchedulePeriod
    expect(period?.limit).toBeGreaterThan(200)
    await cp.wait(60)
    expect(cp.current()[0]).toBeCloseTo(10)
  })
})
