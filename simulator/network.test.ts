/** A station under management, against a central system that is not Pilotwire: settings, reports and monitors. */
import { afterEach, describe, expect, it } from 'vitest'
import type { Payload } from '../src/ocpp/translate/payload.ts'
import { booted, eventually, tidy } from './network.testing.ts'

afterEach(tidy)

const variable = (component: string, name: string, more: Payload = {}) => ({
  component: { name: component },
  variable: { name },
  ...more,
})

describe('SIM-N1: the device model', () => {
  it('has instances, EVSEs, characteristics and attributes, and tells them in a report', async () => {
    const { ask, reported, problems } = await booted('2.0.1')
    expect(await ask('GetBaseReport', { requestId: 1, reportBase: 'FullInventory' })).toEqual({ status: 'Accepted' })
    await eventually(() => expect(reported('NotifyReport').at(-1)).toMatchObject({ tbc: false }))
    const entries = reported('NotifyReport').flatMap(({ reportData }) => reportData as Payload[])
    expect(entries).toContainEqual({
      component: { name: 'EVSE', evse: { id: 1 } },
      variable: { name: 'CurrentLimit' },
      variableAttribute: ['32', '32', '6', '32'].map((value, at) => ({
        ...(at > 0 && { type: ['Actual', 'Target', 'MinSet', 'MaxSet'][at] }),
        value,
        mutability: 'ReadWrite',
        persistent: true,
        constant: false,
      })),
      variableCharacteristics: { dataType: 'integer', unit: 'A', minLimit: 6, maxLimit: 32, supportsMonitoring: false },
    })
    expect(JSON.stringify(entries)).toContain('"component":{"name":"Fan","instance":"Left"}')
    const password = entries.find(({ variable }) => (variable as Payload).name === 'BasicAuthPassword')
    expect(password?.variableAttribute).toEqual([{ mutability: 'WriteOnly', persistent: true, constant: false }])
    expect(problems).toEqual([])
  })

  it('takes what type, limits and lists allow, and refuses the rest with a reason', async () => {
    const { ask } = await booted('2.0.1')
    const evse = { component: { name: 'evse', evse: { id: 1 } }, variable: { name: 'currentlimit' } }
    const answer = await ask('SetVariables', {
      setVariableData: [
        { ...evse, attributeValue: '16' },
        { ...evse, attributeValue: '40' },
        { ...evse, attributeType: 'MinSet', attributeValue: '8' },
        { ...variable('SampledDataCtrlr', 'TxUpdatedMeasurands'), attributeValue: 'SoC,Voltage' },
        { ...variable('SampledDataCtrlr', 'TxUpdatedMeasurands'), attributeValue: 'Weather' },
        { ...variable('SecurityCtrlr', 'SecurityProfile'), attributeValue: '3' },
        { ...variable('TxCtrlr', 'Nonsense'), attributeValue: '3' },
        { ...variable('TxCtrlr', 'TxStartPoint'), attributeType: 'Target', attributeValue: '3' },
        { ...variable('ClockCtrlr', 'TimeZone'), attributeValue: 'Europe/Berlin' },
      ],
    })
    const results = answer.setVariableResult as readonly Payload[]
    expect(results.map(({ attributeStatus }) => attributeStatus).join(' ')).toBe(
      'Accepted Rejected Accepted Accepted Rejected Rejected UnknownVariable NotSupportedAttributeType RebootRequired',
    )
    expect(results[1]?.attributeStatusInfo).toEqual({ reasonCode: 'ValueTooHigh' })
    expect(results[5]?.attributeStatusInfo).toEqual({ reasonCode: 'ReadOnly' })
  })

  it('a value that needs a restart counts after it', async () => {
    const { ask, cp, reported } = await booted('2.0.1')
    const zone = variable('ClockCtrlr', 'TimeZone')
    const read = async () => {
      const { getVariableResult } = await ask('GetVariables', { getVariableData: [zone] })
      return (getVariableResult as readonly Payload[])[0]?.attributeValue
    }
    await ask('SetVariables', { setVariableData: [{ ...zone, attributeValue: 'Europe/Berlin' }] })
    expect(await read()).toBe('UTC')
    await ask('Reset', { type: 'OnIdle' })
    await eventually(() => expect(reported('BootNotification')).toHaveLength(2))
    await eventually(() => expect(cp.state.registered).toBe(true))
    expect(await read()).toBe('Europe/Berlin')
  })

  it('more entries or bytes than a message may hold are refused whole', async () => {
    const few = (name: string, value: string) => ({
      component: 'DeviceDataCtrlr',
      variable: name,
      instance: 'SetVariables',
      value,
      mutability: 'ReadOnly' as const,
    })
    const { ask } = await booted('2.0.1', { variables: [few('ItemsPerMessage', '2'), few('BytesPerMessage', '300')] })
    const one = { ...variable('ClockCtrlr', 'TimeZone'), attributeValue: 'UTC' }
    await expect(ask('SetVariables', { setVariableData: [one, one, one] })).rejects.toThrow('at most 2 entries')
    const long = { ...one, attributeValue: 'x'.repeat(300) }
    await expect(ask('SetVariables', { setVariableData: [long] })).rejects.toThrow('at most 300 bytes')
  })

  it('a report of names and criteria has what they mean, and one of nothing is empty', async () => {
    const { ask, reported } = await booted('2.0.1', { connectors: 2 })
    const desired = { component: { name: 'EVSE', evse: { id: 2 } }, variable: { name: 'Power' } }
    expect(await ask('GetReport', { requestId: 2, componentVariable: [desired] })).toEqual({ status: 'Accepted' })
    await eventually(() => expect(reported('NotifyReport')).toHaveLength(1))
    expect(reported('NotifyReport')[0]).toMatchObject({
      reportData: [{ component: { name: 'EVSE', evse: { id: 2 } } }],
    })
    expect(await ask('GetReport', { requestId: 3, componentCriteria: ['Problem'] })).toEqual({
      status: 'EmptyResultSet',
    })
  })

  it('a report without end never says that it is over', async () => {
    const { ask, reported, cp } = await booted('2.0.1', { behaviour: { endlessReports: true } })
    await ask('GetBaseReport', { requestId: 1, reportBase: 'SummaryInventory' })
    await eventually(() => expect(reported('NotifyReport')).not.toHaveLength(0))
    await cp.wait(60)
    const pages = reported('NotifyReport')
    expect(pages.length).toBeGreaterThan(50)
    expect(pages.every(({ tbc }) => tbc === true)).toBe(true)
    expect(new Set(pages.map(({ seqNo }) => seqNo)).size).toBe(pages.length)
  })
})

it('SIM-N2: monitors are set with an id of the station, tell of a threshold and its end, and can be read and cleared', async () => {
  const { ask, reported, cp } = await booted('2.0.1')
  const power = { component: { name: 'EVSE', evse: { id: 1 } }, variable: { name: 'Power' } }
  const settings = [
    { ...power, type: 'UpperThreshold', value: 5_000, severity: 3 },
    { ...power, type: 'Periodic', value: 600, severity: 8 },
    { ...power, type: 'UpperThreshold', value: 6_000, severity: 3 },
    { ...power, type: 'UpperThreshold', value: 99_000, severity: 4 },
  ]
  const { setMonitoringResult } = await ask('SetVariableMonitoring', { setMonitoringData: settings })
  expect(setMonitoringResult).toMatchObject([
    { id: 1, status: 'Accepted' },
    { id: 2, status: 'Accepted' },
    { status: 'Duplicate' },
    { status: 'Rejected' },
  ])
  expect(await ask('SetMonitoringLevel', { severity: 5 })).toEqual({ status: 'Accepted' })
  await cp.plug(1, { soc: 20 })
  await cp.swipe(1, 'CARD')
  await cp.wait(1_200)
  await cp.swipe(1, 'CARD')
  await cp.wait(60)
  const events = reported('NotifyEvent').flatMap(({ eventData }) => eventData as Payload[])
  expect(events).toMatchObject([
    { variableMonitoringId: 1, cleared: false, eventNotificationType: 'CustomMonitor', ...power },
    { variableMonitoringId: 1, trigger: 'Alerting', cleared: true, actualValue: '0' },
  ])
  await ask('GetMonitoringReport', { requestId: 9, monitoringCriteria: ['PeriodicMonitoring'] })
  await eventually(() => expect(reported('NotifyMonitoringReport')).toHaveLength(1))
  expect(reported('NotifyMonitoringReport')[0]).toMatchObject({
    requestId: 9,
    seqNo: 0,
    tbc: false,
    monitor: [{ ...power, variableMonitoring: [{ id: 2, type: 'Periodic', value: 600, severity: 8 }] }],
  })
  expect(await ask('ClearVariableMonitoring', { id: [1, 2, 3] })).toEqual({
    clearMonitoringResult: [
      { id: 1, status: 'Accepted' },
      { id: 2, status: 'Accepted' },
      { id: 3, status: 'NotFound' },
    ],
  })
  expect(await ask('GetMonitoringReport', { requestId: 10 })).toEqual({ status: 'EmptyResultSet' })
})

describe('SIM-N3, SIM-A9: settings act', () => {
  it.each(['1.6', '2.0.1'] as const)('%s: a refused start ends, or only loses its energy', async (ocpp) => {
    const { ask, cp } = await booted(ocpp, {}, ['APP'])
    const start = () =>
      ocpp === '1.6'
        ? ask('RemoteStartTransaction', { connectorId: 1, idTag: 'APP' })
        : ask('RequestStartTransaction', { remoteStartId: 1, evseId: 1, idToken: { idToken: 'APP', type: 'Central' } })
    const set = (key: string, component: string, name: string, value: string) =>
      ocpp === '1.6'
        ? ask('ChangeConfiguration', { key, value })
        : ask('SetVariables', { setVariableData: [{ ...variable(component, name), attributeValue: value }] })
    await start()
    await eventually(() => expect(cp.station.finished).toMatchObject([{ reason: 'DeAuthorized' }]))
    await cp.unplug(1)
    await set('StopTransactionOnInvalidId', 'TxCtrlr', 'StopTxOnInvalidId', 'false')
    await start()
    await eventually(() => expect(cp.state.connectors[0]).toMatchObject({ status: 'SuspendedEVSE' }))
    await cp.wait(600)
    expect(cp.charge(1).energyKwh).toBe(0)
    await cp.unplug(1)
    await set('AuthorizeRemoteTxRequests', 'AuthCtrlr', 'AuthorizeRemoteStart', 'true')
    const before = cp.station.finished.length
    await start()
    await eventually(async () => {
      await cp.wait(1)
      expect(cp.state.connectors[0]?.plugged).toBe(false)
    })
    expect(cp.station.finished).toHaveLength(before)
    expect(cp.state.connectors[0]?.transaction).toBeUndefined()
  })

  it('a remote start waits for its cable as long as ConnectionTimeOut says', async () => {
    const { ask, cp, reported } = await booted('1.6', { hasDriver: false })
    await ask('ChangeConfiguration', { key: 'ConnectionTimeOut', value: '90' })
    await ask('RemoteStartTransaction', { connectorId: 1, idTag: 'APP' })
    await eventually(() => expect(cp.state.connectors[0]?.status).toBe('Preparing'))
    await cp.wait(89)
    expect(cp.state.connectors[0]?.status).toBe('Preparing')
    await cp.wait(2)
    expect(cp.state.connectors[0]?.status).toBe('Available')
    await cp.plug(1)
    expect(reported('StartTransaction')).toEqual([])
    await cp.unplug(1)
    await ask('RemoteStartTransaction', { connectorId: 1, idTag: 'APP' })
    await eventually(() => expect(cp.state.connectors[0]?.status).toBe('Preparing'))
    await cp.plug(1)
    expect(reported('StartTransaction')).toMatchObject([{ idTag: 'APP' }])
  })

  it('1.6: keys have types, limits and lists, and more names than are taken are refused', async () => {
    const { ask } = await booted('1.6', {
      keys: [
        { key: 'GetConfigurationMaxKeys', value: '2', readonly: true },
        { key: 'VendorMode', value: 'eco', dataType: 'OptionList', valuesList: ['eco', 'fast'] },
      ],
    })
    const set = async (key: string, value: string) => (await ask('ChangeConfiguration', { key, value })).status
    expect(await set('VendorMode', 'fast')).toBe('Accepted')
    expect(await set('vendormode', 'slow')).toBe('Rejected')
    expect(await set('HeartbeatInterval', '-1')).toBe('Rejected')
    expect(await set('MeterValuesSampledData', 'Voltage,Colour')).toBe('Rejected')
    expect(await set('LightIntensity', '40')).toBe('RebootRequired')
    expect(await set('SecurityProfile', '0')).toBe('Rejected')
    expect(await set('SecurityProfile', '3')).toBe('Rejected')
    await expect(ask('GetConfiguration', { key: ['A', 'B', 'C'] })).rejects.toThrow('at most 2 keys')
    const { configurationKey } = await ask('GetConfiguration', { key: ['LightIntensity'] })
    expect(configurationKey).toMatchObject([{ value: '80' }])
  })

  it.each(['1.6', '2.0.1'] as const)('%s: a station that ignores settings accepts each of them', async (ocpp) => {
    const { ask } = await booted(ocpp, { quirks: ['ignores-settings'] })
    if (ocpp === '1.6') {
      expect(await ask('ChangeConfiguration', { key: 'HeartbeatInterval', value: '9' })).toEqual({ status: 'Accepted' })
      const { configurationKey } = await ask('GetConfiguration', { key: ['HeartbeatInterval'] })
      expect(configurationKey).toMatchObject([{ value: '300' }])
      return
    }
    const zone = variable('OCPPCommCtrlr', 'HeartbeatInterval')
    await ask('SetVariables', { setVariableData: [{ ...zone, attributeValue: '9' }] })
    const { getVariableResult } = await ask('GetVariables', { getVariableData: [zone] })
    expect(getVariableResult).toMatchObject([{ attributeValue: '300' }])
  })
})
