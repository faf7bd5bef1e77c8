/** Where the simulated station once did other than OCPP says: power, profiles, reservations, settings, messages. */

import { describe, expect, it } from 'vitest'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { manualClock } from '../../test/support/clock.ts'
import type { ConnectOptions } from '../index.ts'
import { eventually } from '../network.testing.ts'
import { booted as bootedStation, closesStations, VERSIONS } from './testing.ts'

closesStations()

async function booted(ocpp: (typeof VERSIONS)[number], options: Partial<ConnectOptions> = {}) {
  const { ask, calls, ...world } = await bootedStation(ocpp, options)
  const set = async (name: string, value: string): Promise<unknown> => {
    if (ocpp === '1.6') return (await ask('ChangeConfiguration', { key: name, value })).status
    const [component = '', variable = ''] = name.split('.')
    const setVariableData = [{ component: { name: component }, variable: { name: variable }, attributeValue: value }]
    const { setVariableResult } = await ask('SetVariables', { setVariableData })
    return (setVariableResult as { attributeStatus: string }[])[0]?.attributeStatus
  }
  const named = (...methods: string[]) =>
    calls.filter(({ method }) => methods.includes(method)).map(({ request }) => request)
  return { ...world, calls, ask, set, named }
}

const is16 = (ocpp: string) => ocpp === '1.6'
const measurandsOf = (values: unknown): string[] =>
  (values as { sampledValue: { measurand: string }[] }[]).flatMap(({ sampledValue }) =>
    sampledValue.map(({ measurand }) => measurand),
  )
const withValues = (world: Awaited<ReturnType<typeof booted>>): Payload[] =>
  world.named('MeterValues', 'TransactionEvent').filter(({ meterValue }) => meterValue !== undefined)

describe.each(VERSIONS)('OCPP %s', (ocpp) => {
  it('SIM-A5: without power nothing is measured, nothing flows and no card charges', async () => {
    const { cp, calls } = await booted(ocpp)
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.wait(600)
    await cp.powerCut()
    const { energyKwh } = cp.charge(1)
    const before = calls.length
    await cp.wait(3600)
    expect(cp.state.queuedMessages).toBe(0)
    expect(calls).toHaveLength(before)
    expect(cp.charge(1).energyKwh).toBe(energyKwh)
    await cp.resume(1)
    await expect(cp.swipe(1, 'OTHER')).rejects.toThrow('no power')
    await cp.wait(60)
    expect(cp.charge(1)).toMatchObject({ energyKwh, powerKw: 0 })
    await cp.powerUp()
    expect(JSON.stringify(calls.slice(before))).toContain('PowerLoss')
    expect(cp.state.queuedMessages).toBe(0)
    expect(cp.state.connectors[0]?.transaction).toBeUndefined()
  })

  it('SIM-A2: with a clock of one’s own the register keeps up with the time stamps', async () => {
    const own = manualClock(Date.parse('2026-01-05T08:00:00Z'))
    const { cp, calls } = await booted(ocpp, { clock: own, sampleSeconds: 600 })
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    own.advance(2 * 3_600_000)
    await expect.poll(() => cp.charge(1).energyKwh).toBeGreaterThan(21)
    await eventually(() =>
      expect(calls.some(({ request }) => JSON.stringify(request).includes('T10:00:00'))).toBe(true),
    )
    own.advance(60_000)
    // Time stands still until the last message is answered.
    await expect.poll(() => cp.clock.now()).toBe(own.now())
    await cp.swipe(1, 'CARD')
    const end = calls.find(({ method, request }) => method === 'StopTransaction' || request.eventType === 'Ended')
    expect(end?.request.timestamp).toMatch(/^2026-01-05T10:01:00/)
  })

  it('SIM-A13: a limit in amperes counts the phases of the car that hangs there', async () => {
    const { cp, limit } = await booted(ocpp)
    await cp.plug(1, { vehicle: 'hybrid' })
    await cp.swipe(1, 'CARD')
    await limit({ purpose: 'TxDefaultProfile', amps: 8 })
    await cp.wait(60)
    expect(cp.charge(1).powerKw).toBeCloseTo(1.84, 1)
  })

  it('SIM-F2: a person’s time is real: however fast the physics run, a card waits a minute for its cable', async () => {
    const person = manualClock(0)
    const { cp } = await booted(ocpp, { personTime: person })
    await cp.swipe(1, 'CARD')
    await cp.wait(3600)
    await cp.plug(1)
    expect(cp.state.connectors[0]?.transaction).toBeDefined()
    await cp.unplug(1)
    await cp.swipe(1, 'CARD')
    person.advance(61_000)
    await cp.plug(1)
    expect(cp.state.connectors[0]?.transaction).toBeUndefined()
  })

  it('SIM-A14: a reservation is for its card alone', async () => {
    const { cp, ask, named } = await booted(ocpp)
    const expiry = new Date(cp.clock.now() + 3_600_000).toISOString()
    await ask(
      'ReserveNow',
      is16(ocpp)
        ? { connectorId: 1, expiryDate: expiry, idTag: 'MINE', reservationId: 7 }
        : { id: 7, evseId: 1, expiryDateTime: expiry, idToken: { idToken: 'MINE', type: 'ISO14443' } },
    )
    await cp.plug(1)
    expect(await cp.swipe(1, 'OTHER')).toBe('refused')
    expect(cp.refusal).toContain('reserved for another card')
    expect(await cp.swipe(1, 'mine')).toBe('started')
    const [start] = named('StartTransaction', 'TransactionEvent')
    expect(start).toMatchObject({ reservationId: 7 })
  })

  it('SIM-N7: a list of measurands decides what is told, an interval that keeps to the clock when', async () => {
    const world = await booted(ocpp, { sampleSeconds: 60 })
    const { cp, set } = world
    const [sampled, aligned, interval, ended] = is16(ocpp)
      ? ['MeterValuesSampledData', 'MeterValuesAlignedData', 'ClockAlignedDataInterval', 'StopTxnAlignedData']
      : [
          'SampledDataCtrlr.TxUpdatedMeasurands',
          'AlignedDataCtrlr.Measurands',
          'AlignedDataCtrlr.Interval',
          'AlignedDataCtrlr.TxEndedMeasurands',
        ]
    expect(await set(sampled ?? '', 'Frequency')).toBe('Rejected')
    expect(await set(sampled ?? '', 'SoC,Voltage')).toBe('Accepted')
    expect(await set(aligned ?? '', 'Power.Active.Import')).toBe('Accepted')
    expect(await set(ended ?? '', 'SoC')).toBe('Accepted')
    expect(await set(interval ?? '', '900')).toBe('Accepted')
    await cp.wait(905)
    const [idle] = world.named('MeterValues')
    expect(measurandsOf(idle?.meterValue)).toEqual(['Power.Active.Import'])
    expect(JSON.stringify(idle)).toContain('2026-01-05T08:15:00.000Z')
    expect(JSON.stringify(idle)).toContain('Sample.Clock')
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.wait(900)
    const telling = withValues(world).slice(1)
    const periodic = telling.filter((request) => JSON.stringify(request).includes('Sample.Periodic'))
    expect(new Set(periodic.flatMap(({ meterValue }) => measurandsOf(meterValue)))).toEqual(new Set(['SoC', 'Voltage']))
    const byClock = telling.filter((request) => JSON.stringify(request).includes('Sample.Clock'))
    expect(byClock).toHaveLength(1)
    if (!is16(ocpp)) expect(byClock[0]).toMatchObject({ triggerReason: 'MeterValueClock' })
    await cp.swipe(1, 'CARD')
    const end = world.named('StopTransaction', 'TransactionEvent').at(-1)
    expect(measurandsOf(end?.transactionData ?? end?.meterValue)).toContain('SoC')
  })

  it('SIM-N7: a pulled cable ends a charge or not, and a known card is asked about or not, as the settings say', async () => {
    const { cp, set, named } = await booted(ocpp)
    const [unplugged, known] = is16(ocpp)
      ? ['StopTransactionOnEVSideDisconnect', 'LocalPreAuthorize']
      : ['TxCtrlr.StopTxOnEVSideDisconnect', 'AuthCtrlr.LocalPreAuthorize']
    expect(await set(unplugged ?? '', 'false')).toBe('Accepted')
    expect(await set(known ?? '', 'true')).toBe('Accepted')
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.wait(60)
    await cp.unplug(1)
    expect(cp.state.connectors[0]).toMatchObject({ status: 'SuspendedEV', transaction: { idToken: 'CARD' } })
    await cp.plug(1)
    expect(cp.state.connectors[0]?.status).toBe('Charging')
    await cp.swipe(1, 'CARD')
    await cp.swipe(1, 'CARD')
    expect(named('Authorize')).toHaveLength(1)
  })

  it('SIM-A15: a status is said once for each change', async () => {
    const { cp, named } = await booted(ocpp)
    const statuses = () =>
      ocpp === '2.1'
        ? named('NotifyEvent').flatMap(({ eventData }) =>
            (eventData as Payload[]).map(({ actualValue }) => actualValue),
          )
        : named('StatusNotification').map((request) => request.connectorStatus ?? request.status)
    const before = statuses().length
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.wait(60)
    await cp.suspend(1)
    await cp.resume(1)
    await cp.swipe(1, 'CARD')
    await cp.unplug(1)
    await cp.station.settleStatus(1)
    expect(statuses().slice(before)).toEqual(
      is16(ocpp)
        ? ['Preparing', 'Charging', 'SuspendedEV', 'Charging', 'Finishing', 'Available']
        : ['Occupied', 'Available'],
    )
  })
})

it('SIM-N7: OCPP 1.6 has every key that its core profile demands', async () => {
  const { ask } = await booted('1.6')
  const key = `AuthorizeRemoteTxRequests ClockAlignedDataInterval ConnectionTimeOut ConnectorPhaseRotation
    GetConfigurationMaxKeys HeartbeatInterval LocalAuthorizeOffline LocalPreAuthorize MeterValuesAlignedData
    MeterValuesSampledData MeterValueSampleInterval NumberOfConnectors ResetRetries StopTransactionOnEVSideDisconnect
    StopTransactionOnInvalidId StopTxnAlignedData StopTxnSampledData SupportedFeatureProfiles
    TransactionMessageAttempts TransactionMessageRetryInterval UnlockConnectorOnEVSideDisconnect`.split(/\s+/)
  expect(await ask('GetConfiguration', { key })).toMatchObject({ unknownKey: [] })
})

describe('OCPP 2.0.1', () => {
  it('SIM-N7: has the variables that it must have of the clock, of sampled and of aligned values', async () => {
    const { ask, set } = await booted('2.0.1')
    const names = `AlignedDataCtrlr.Interval AlignedDataCtrlr.Measurands AlignedDataCtrlr.TxEndedInterval
      AlignedDataCtrlr.TxEndedMeasurands SampledDataCtrlr.TxEndedInterval SampledDataCtrlr.TxEndedMeasurands
      SampledDataCtrlr.TxStartedMeasurands SampledDataCtrlr.TxUpdatedInterval SampledDataCtrlr.TxUpdatedMeasurands
      ClockCtrlr.DateTime ClockCtrlr.TimeSource TxCtrlr.StopTxOnEVSideDisconnect AuthCtrlr.LocalPreAuthorize
      OCPPCommCtrlr.ResetRetries OCPPCommCtrlr.UnlockOnEVSideDisconnect LocalAuthListCtrlr.Entries`.split(/\s+/)
    const getVariableData = names.map((name) => {
      const [component, variable] = name.split('.')
      return { component: { name: component }, variable: { name: variable } }
    })
    const { getVariableResult } = await ask('GetVariables', { getVariableData })
    const statuses = (getVariableResult as { attributeStatus: string }[]).map(({ attributeStatus }) => attributeStatus)
    expect(statuses).toEqual(names.map(() => 'Accepted'))
    expect(await set('TxCtrlr.TxStartPoint', 'EVConnected')).toBe('Rejected')
    expect(await set('ClockCtrlr.TimeSource', 'GNSS')).toBe('Rejected')
  })

  it('SIM-A15: MeterValues that is triggered is MeterValues, also while a charge goes on (F06)', async () => {
    const { cp, ask, named } = await booted('2.0.1')
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await ask('TriggerMessage', { requestedMessage: 'MeterValues', evse: { id: 1 } })
    await expect.poll(() => named('MeterValues')).toHaveLength(1)
    const events = named('TransactionEvent').length
    await ask('TriggerMessage', { requestedMessage: 'TransactionEvent', evse: { id: 1 } })
    await expect.poll(() => named('TransactionEvent')).toHaveLength(events + 1)
  })

  it('SIM-A15: a charge whose cable was pulled ends as Idle', async () => {
    const { cp, named } = await booted('2.0.1')
    await cp.plug(1)
    await cp.swipe(1, 'CARD')
    await cp.unplug(1)
    expect(named('TransactionEvent').at(-1)).toMatchObject({
      eventType: 'Ended',
      triggerReason: 'EVCommunicationLost',
      transactionInfo: { chargingState: 'Idle', stoppedReason: 'EVDisconnected' },
    })
  })

  it('SIM-A15: the start and a reset are security events', async () => {
    const { ask, named } = await booted('2.0.1')
    expect(named('SecurityEventNotification')).toMatchObject([{ type: 'StartupOfTheDevice' }])
    await ask('Reset', { type: 'Immediate' })
    await expect.poll(() => named('SecurityEventNotification')).toHaveLength(2)
    expect(named('SecurityEventNotification')[1]).toMatchObject({ type: 'ResetOrReboot' })
  })

  it('SIM-A15: after a short loss only what changed is told, after a long one everything', async () => {
    const { cp, named } = await booted('2.0.1')
    const before = named('StatusNotification').length
    await cp.offline()
    await cp.wait(30)
    await cp.online()
    expect(named('StatusNotification')).toHaveLength(before)
    await cp.offline()
    await cp.wait(90)
    await cp.online()
    await expect.poll(() => named('StatusNotification')).toHaveLength(before + 1)
  })
})
