import { describe, expect, it } from 'vitest'
import { booted, closesStations, VERSIONS } from '../library/testing.ts'
import { steps } from '../model/smart-charging/testing.ts'

closesStations()

describe.each(VERSIONS)('SIM-D3: quirks of charging profiles over OCPP %s', (ocpp) => {
  it('ignores-profiles: accepts, and charges at full power', async () => {
    const { ask, limit, charging, comesTo } = await booted(ocpp, { quirks: ['ignores-profiles'] })
    await charging()
    expect(await limit({ amps: 0 })).toBe('Accepted')
    await comesTo([15.9, 15.9, 15.9])
    const connector = ocpp === '1.6' ? { connectorId: 1 } : { evseId: 1 }
    const reported = await ask('GetCompositeSchedule', { ...connector, duration: 60 })
    expect(reported.chargingSchedule ?? reported.schedule).toMatchObject({ chargingSchedulePeriod: [{ limit: 0 }] })
  })

  it('forgets-profiles-at-reboot: nothing is left of the default', async () => {
    const { cp, limit, charging, comesTo } = await booted(ocpp, { quirks: ['forgets-profiles-at-reboot'] })
    await limit({ connector: 0, purpose: 'TxDefaultProfile', amps: 9 })
    await charging()
    await comesTo([9, 9, 9])
    await cp.powerCut()
    await cp.powerUp()
    await cp.swipe(1, 'CARD-1')
    await comesTo([15.9, 15.9, 15.9])
  })

  it('forgets-profiles-at-resume: the limit that ends a pause does not hold, the next one does', async () => {
    const { limit, charging, comesTo } = await booted(ocpp, { quirks: ['forgets-profiles-at-resume'] })
    await charging()
    await limit({ amps: 0 })
    await comesTo([0, 0, 0])
    await limit({ amps: 8 })
    await comesTo([15.9, 15.9, 15.9])
    await limit({ amps: 8 })
    await comesTo([8, 8, 8])
  })

  it('forgets-profiles-offline: full power as soon as the network is gone', async () => {
    const { cp, limit, charging, comesTo } = await booted(ocpp, { quirks: ['forgets-profiles-offline'] })
    await charging()
    await limit({ amps: 8 })
    await comesTo([8, 8, 8])
    await cp.offline()
    await comesTo([15.9, 15.9, 15.9])
  })

  it('discards-profiles-while-suspended: full power at once, or what the default allows', async () => {
    const { limit, charging, comesTo } = await booted(ocpp, { quirks: ['discards-profiles-while-suspended'] })
    await charging()
    await limit({ amps: 0 })
    await comesTo([0, 0, 0])
    expect(await limit({ amps: 8 })).toBe('Accepted')
    await comesTo([15.9, 15.9, 15.9])
    await limit({ amps: 0 })
    await comesTo([0, 0, 0])
    await limit({ id: 2, connector: 0, purpose: 'TxDefaultProfile', amps: 7 })
    await limit({ amps: 12 })
    await comesTo([7, 7, 7])
  })

  it('refuses-zero-limit: 6 A is the least that it takes', async () => {
    const { limit, charging, comesTo } = await booted(ocpp, { quirks: ['refuses-zero-limit'] })
    await charging()
    expect(await limit({ amps: 0 })).toBe('Rejected')
    expect(await limit({ amps: 6 })).toBe('Accepted')
    await comesTo([6, 6, 6])
  })

  it('watts-only: amperes are refused, and the settings say so', async () => {
    const { ask, limit, charging, comesTo } = await booted(ocpp, { quirks: ['watts-only'] })
    await charging()
    expect(await limit({ amps: 8 })).toBe('Rejected')
    expect(await limit({ unit: 'W', amps: 5_520 })).toBe('Accepted')
    await comesTo([8, 8, 8])
    const variable = { component: { name: 'SmartChargingCtrlr' }, variable: { name: 'RateUnit' } }
    const settings = await (ocpp === '1.6'
      ? ask('GetConfiguration', { key: ['ChargingScheduleAllowedChargingRateUnit'] })
      : ask('GetVariables', { getVariableData: [variable] }))
    expect(JSON.stringify(settings)).toMatch(ocpp === '1.6' ? '"value":"Power"' : '"attributeValue":"W"')
  })

  it('limits-per-connector: each connector has the whole of it', async () => {
    const { limit, charging, stationMax, comesTo } = await booted(ocpp, {
      connectors: 2,
      quirks: ['limits-per-connector'],
    })
    await limit({ connector: 0, purpose: stationMax, amps: 10 })
    await charging(1)
    await charging(2)
    await comesTo([20, 20, 20])
  })

  it('foreign-profile: 13 A whatever comes below, until it is cleared', async () => {
    const { ask, limit, charging, stationMax, comesTo } = await booted(ocpp, { quirks: ['foreign-profile'] })
    await charging()
    expect(await limit({ connector: 0, purpose: stationMax, amps: 6 })).toBe('Accepted')
    await comesTo([13, 13, 13])
    const found = await ask('ClearChargingProfile', ocpp === '1.6' ? { id: 9_001 } : { chargingProfileId: 9_001 })
    expect(found).toEqual({ status: 'Accepted' })
    await comesTo([6, 6, 6])
  })

  it('wrong-clock: what begins at eight begins for it at six', async () => {
    const { cp, calls, limit, charging, stationMax, comesTo } = await booted(ocpp, { quirks: ['wrong-clock'] })
    await charging()
    await limit({ connector: 0, purpose: stationMax, periods: steps([0, 10], [7_200, 7]) })
    await comesTo([7, 7, 7])
    await cp.swipe(1, 'CARD-1')
    expect(String(calls.findLast(({ request }) => request.timestamp)?.request.timestamp)).toMatch(/^2026-01-05T10:0/)
  })
})
