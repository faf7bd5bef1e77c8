import { describe, expect, it } from 'vitest'
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { booted, closesStations, START, TARIFF, variable } from '../../test/support/simulator/station-21.ts'

closesStations()

it('OCPP21-E1: a limit is kept within a second of waits, for physics may run a hundred times as fast (--stay)', async () => {
  const { cp, charging, triggers } = await booted()
  await charging()
  await cp.limitCharge(1, { maxEnergy: 1_000 })
  await cp.wait(600)
  expect(triggers()).toContain('EnergyLimitReached')
  expect(cp.charge(1).energyKwh).toBeLessThan(1.004)
})

describe('OCPP21-E1: tariffs (I07 to I12)', () => {
  it('a default tariff: accepted, listed, reckoned with in the charge, kept by it when it is cleared', async () => {
    const { cp, ask, events, charging } = await booted()
    expect(await ask('GetTariffs', { evseId: 0 })).toEqual({ status: 'NoTariff' })
    expect(await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })).toEqual({ status: 'Accepted' })
    expect(await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })).toEqual({ status: 'Accepted' })
    expect(await ask('GetTariffs', { evseId: 0 })).toMatchObject({
      tariffAssignments: [{ tariffId: 'DAY-1', tariffKind: 'DefaultTariff', evseIds: [1] }],
    })
    const transactionId = await charging()
    expect(await ask('ClearTariffs', { evseId: 0 })).toEqual({
      clearTariffsResult: [{ tariffId: 'DAY-1', status: 'Accepted' }],
    })
    await cp.wait(600)
    const dearer = { ...TARIFF, tariffId: 'DAY-2', energy: { prices: [{ priceKwh: 1 }] } }
    expect(await ask('ChangeTransactionTariff', { transactionId, tariff: { ...dearer, currency: 'USD' } })).toEqual({
      status: 'NoCurrencyChange',
    })
    expect(await ask('ChangeTransactionTariff', { transactionId, tariff: dearer })).toEqual({ status: 'Accepted' })
    await cp.wait(600)
    await cp.swipe(1, 'CARD-1')
    const [first, last] = [events().find(({ costDetails }) => costDetails), events().at(-1)]
    expect(first?.costDetails).not.toHaveProperty('chargingPeriods')
    expect(events().some(({ triggerReason }) => triggerReason === 'TariffChanged')).toBe(true)
    const { energyKwh } = cp.charge(1)
    expect(last).toMatchObject({
      eventType: 'Ended',
      transactionInfo: { tariffId: 'DAY-2' },
      costDetails: {
        chargingPeriods: [{ tariffId: 'DAY-2' }],
        totalCost: { currency: 'EUR', typeOfCost: 'NormalCost', total: { exclTax: energyKwh, inclTax: energyKwh } },
      },
    })
  })

  it.each([
    ['a changed one of the same id', { ...TARIFF, energy: { prices: [{ priceKwh: 0.6 }] } }, 'DuplicateTariffId'],
    [
      'too many prices',
      { ...TARIFF, tariffId: 'B', energy: { prices: Array.from({ length: 5 }, () => ({ priceKwh: 1 })) } },
      'TooManyElements',
    ],
    [
      'conditions',
      { ...TARIFF, tariffId: 'C', energy: { prices: [{ priceKwh: 1, conditions: { dayOfWeek: ['Monday'] } }] } },
      'ConditionNotSupported',
    ],
    ['another currency', { ...TARIFF, tariffId: 'D', currency: 'USD' }, 'Rejected'],
  ])('refuses %s', async (_name, tariff, status) => {
    const { ask } = await booted()
    await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })
    expect(await ask('SetDefaultTariff', { evseId: 0, tariff })).toEqual({ status })
  })

  it('one for later leaves the present one in use until then', async () => {
    const { cp, ask, tariffId } = await booted()
    await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })
    const later = { ...TARIFF, tariffId: 'LATER', validFrom: isoTime(START + 3_600_000) }
    expect(await ask('SetDefaultTariff', { evseId: 0, tariff: later })).toEqual({ status: 'Accepted' })
    const used = async () => {
      await cp.plug(1, { soc: 20 })
      await cp.swipe(1, 'CARD-1')
      await cp.unplug(1)
      return tariffId()
    }
    expect(await used()).toBe('DAY-1')
    await cp.wait(3_600)
    expect(await used()).toBe('LATER')
  })

  it('a tariff of the driver goes before the default; a station that cannot read it answers with type 5', async () => {
    const own = { ...TARIFF, tariffId: 'OWN' }
    const respond = (method: string) =>
      method === 'Authorize' ? { idTokenInfo: { status: 'Accepted' }, tariff: own } : undefined
    const good = await booted({}, respond)
    await good.ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })
    await good.charging()
    expect(good.events().at(-1)).toMatchObject({ transactionInfo: { tariffId: 'OWN' } })
    const bad = await booted({ id: 'NEW-2', quirks: ['refuses-tariffs'] }, respond)
    await bad.charging()
    expect(bad.frames.filter(([type]) => type === 5)).toMatchObject([
      [5, expect.any(String), 'FormatViolation', 'the tariff cannot be read', {}],
    ])
    expect(bad.tariffId()).toBeUndefined()
  })
})

describe('OCPP21-E1: payment by the QR code (C25)', () => {
  it('shows the code, locks the connector for the driver who pays, charges without a card, and settles', async () => {
    const { cp, ask, said, until } = await booted()
    const secret = [{ ...variable('WebPaymentsCtrlr', 'SharedSecret'), attributeValue: 'Another' }]
    const before = cp.state.connectors[0]?.qrCode
    expect(before).toMatch(/^https:\/\/pay\.example\.com\/\?station=NEW-1&evse=1&totp=[0-9a-zA-Z]{8}&v=v1$/)
    expect(await ask('SetVariables', { setVariableData: secret })).toMatchObject({
      setVariableResult: [{ attributeStatus: 'Accepted' }],
    })
    expect(cp.state.connectors[0]?.qrCode).not.toBe(before)
    expect(
      await ask('GetVariables', { getVariableData: [variable('WebPaymentsCtrlr', 'SharedSecret')] }),
    ).toMatchObject({
      getVariableResult: [{ attributeStatus: 'Rejected' }],
    })
    await ask('SetDefaultTariff', { evseId: 0, tariff: TARIFF })
    expect(await ask('NotifyWebPaymentStarted', { evseId: 1, timeout: 300 })).toEqual({})
    await cp.plug(1, { soc: 20 })
    expect(await cp.swipe(1, 'CARD-1')).toBe('refused')
    const start = { remoteStartId: 5, evseId: 1, idToken: { idToken: 'PSP-77', type: 'DirectPayment' } }
    expect(await ask('RequestStartTransaction', start)).toMatchObject({ status: 'Accepted' })
    await until(() => cp.state.connectors[0]?.status).toBe('Charging')
    await cp.wait(1_200)
    await cp.unplug(1)
    const settlementAmount = Math.round(cp.charge(1).energyKwh * 0.6 * 10_000) / 10_000
    expect(said('NotifySettlement')).toMatchObject([{ pspRef: 'PSP-77', status: 'Settled', settlementAmount }])
    expect(said('Authorize').map(({ idToken }) => (idToken as Payload).type)).not.toContain('DirectPayment')
  })
})

describe('OCPP21-E1: streams and monitors (N02, N11 to N15)', () => {
  const monitor = {
    ...variable('EVSE', 'Power'),
    component: { name: 'EVSE', evse: { id: 1 } },
    type: 'Periodic',
    value: 10,
    severity: 8,
    periodicEventStream: { interval: 30, values: 3 },
  }
  it('opens a stream, sends it without an answer, adjusts and closes it; its values are no events', async () => {
    const { cp, ask, frames, said, until } = await booted()
    const { setMonitoringResult } = await ask('SetVariableMonitoring', { setMonitoringData: [monitor] })
    const [{ id } = { id: 0 }] = setMonitoringResult as readonly { id: number }[]
    await until(() => said('NotifyPeriodicEventStream').length).toBeGreaterThanOrEqual(2)
    expect(said('OpenPeriodicEventStream')).toMatchObject([{ constantStreamData: { variableMonitoringId: id } }])
    expect(frames.filter((frame) => frame[2] === 'NotifyPeriodicEventStream').every(([type]) => type === 6)).toBe(true)
    const [first] = said('NotifyPeriodicEventStream')
    expect(first?.data).toMatchObject([{ t: 0 }, { t: 10 }, { t: 20 }])
    const events = said('NotifyEvent').flatMap(({ eventData }) => eventData as readonly Payload[])
    expect(events.filter(({ variableMonitoringId }) => variableMonitoringId !== undefined)).toEqual([])
    expect(await ask('AdjustPeriodicEventStream', { id, params: { interval: 60 } })).toEqual({ status: 'Accepted' })
    expect(await ask('AdjustPeriodicEventStream', { id: 999, params: {} })).toEqual({ status: 'Rejected' })
    expect(await ask('GetPeriodicEventStream', {})).toMatchObject({
      constantStreamData: [{ id, params: { interval: 60, values: 3 } }],
    })
    await ask('GetMonitoringReport', { requestId: 4 })
    await until(() => said('NotifyMonitoringReport')).toMatchObject([
      { monitor: [{ variableMonitoring: [{ id, eventNotificationType: 'CustomMonitor' }] }] },
    ])
    await ask('ClearVariableMonitoring', { id: [id] })
    await until(() => said('ClosePeriodicEventStream')).toEqual([{ id }])
    expect(await ask('GetPeriodicEventStream', {})).toEqual({})
    expect(cp.state.online).toBe(true)
  })
})

it('OCPP21-E1: the variables of 2.1 are reported', async () => {
  const { ask } = await booted()
  const names = [
    variable('SmartChargingCtrlr', 'SupportsDynamicProfiles'),
    variable('TxCtrlr', 'SupportedLimits'),
    variable('TariffCostCtrlr', 'Available', 'Tariff'),
    variable('TariffCostCtrlr', 'Enabled', 'Tariff'),
    variable('TariffCostCtrlr', 'Currency'),
    variable('TariffCostCtrlr', 'MaxElements', 'Tariff'),
    variable('WebPaymentsCtrlr', 'TOTPVersion'),
  ]
  const { getVariableResult } = await ask('GetVariables', { getVariableData: names })
  const values = (getVariableResult as readonly Payload[]).map(({ attributeValue }) => attributeValue)
  expect(values).toEqual(['true', 'maxCost,maxEnergy,maxTime,maxSoC', 'true', 'true', 'EUR', '4', 'v1'])
})
