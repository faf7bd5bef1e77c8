/**
 * Test cases of the Open Charge Alliance about variables, reports and monitors, by what is stored when they are over.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type House, type Json, openHouse, until } from './house.ts'
import { BOOT_16, booted201, connectStation, type Station, type StationOptions } from './station.ts'

let house: House
const stations: Station[] = []

afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
})

const list = async (path: string) => (await house.request('GET', path)).body.data as readonly Json[]

async function boot(id: string, options: StationOptions): Promise<Station> {
  const station = await booted201(house.ocppUrl, id, options)
  stations.push(station)
  return station
}

const named = (name: string) => ({ component: { name: 'OCPPCommCtrlr' }, variable: { name } })

const command = (id: string, method: string, request: object) =>
  house.request('POST', `/2/evse-controllers/${id}/commands`, { method, request, wait: 10 })

describe('monitors', () => {
  beforeAll(async () => {
    house = await openHouse({ PILOTWIRE_OCPP_CALL_TIMEOUT: '1' })
  })
  afterAll(() => house.close())

  it('MONITOR-A9: one that is withdrawn before its set is answered is cleared by the number that the answer tells', async () => {
    const station = await boot('LATE', { silent: true })
    const put = await house.request('PUT', '/2/monitors/late', {
      selector: { ids: ['LATE'] },
      monitors: [{ ...named('Power'), type: 'UpperThreshold', value: 80, severity: 5 }],
    })
    expect(put.status).toBe(201)
    const { setMonitoringData } = await station.asked('SetVariableMonitoring')
    const intents = () => list('/2/evse-controllers/LATE/intents')
    await until(async () => (await intents())[0]?.reason === 'no answer')
    expect((await house.request('DELETE', '/2/monitors/late')).status).toBe(204)
    const [{ value: _, transaction: _t, ...entry }] = setMonitoringData as [Json]
    const [, id] = station.frames.find((frame) => frame[2] === 'SetVariableMonitoring') ?? []
    station.send(JSON.stringify([3, id, { setMonitoringResult: [{ ...entry, status: 'Accepted', id: 11 }] }]))
    expect(await station.asked('ClearVariableMonitoring')).toEqual({ id: [11] })
    const [, clear] = station.frames.find((frame) => frame[2] === 'ClearVariableMonitoring') ?? []
    station.send(JSON.stringify([3, clear, { clearMonitoringResult: [{ id: 11, status: 'Accepted' }] }]))
    await until(async () => (await intents()).length === 0)
    expect(station.frames.filter((frame) => frame[2] === 'SetVariableMonitoring')).toHaveLength(1)
  })
})

describe('variables and reports', () => {
  beforeAll(async () => {
    house = await openHouse()
  })
  afterAll(() => house.close())

  const kept = async (id: string) =>
    Object.fromEntries(
      (await list(`/2/evse-controllers/${id}/variables`)).map(({ variable, value, gone }) => [
        (variable as Json).name,
        gone ? 'gone' : value,
      ]),
    )

  it('DEVICE-A1 (TC_B_06, TC_B_07): values that were got are kept, unknown ones are not', async () => {
    await boot('GET', {
      respond: (_, { getVariableData }) => ({
        getVariableResult: (getVariableData as Json[]).map(({ component, variable }) => {
          const isKnown = (variable as Json).name !== 'Unknown'
          return isKnown
            ? { component, variable, attributeStatus: 'Accepted', attributeValue: '30' }
            : { component, variable, attributeStatus: 'UnknownVariable' }
        }),
      }),
    })
    await command('GET', 'GetVariables', { getVariableData: [named('OfflineThreshold')] })
    await until(async () => (await kept('GET')).OfflineThreshold === '30')
    const getVariableData = [named('HeartbeatInterval'), named('Unknown')]
    await command('GET', 'GetVariables', { getVariableData })
    await until(async () => (await kept('GET')).HeartbeatInterval === '30')
    expect(await kept('GET')).toEqual({ OfflineThreshold: '30', HeartbeatInterval: '30' })
  })

  const known = (name: string, instance: string, value: string) => ({
    component: { name },
    variable: { name: 'ItemsPerMessage', instance },
    variableAttribute: [{ value, mutability: 'ReadOnly' }],
  })
  const takes = async (id: string, station: Station, items: readonly object[]) => {
    const generatedAt = new Date().toISOString()
    await station.ask('NotifyReport', { requestId: 1, seqNo: 0, generatedAt, reportData: items })
    await until(async () => (await list(`/2/evse-controllers/${id}/variables`)).length === items.length)
  }

  it('SESSION-O11 (TC_B_08): variables that are more than the station takes at once are got in parts, and kept', async () => {
    const station = await boot('PARTS', {
      respond: (_, { getVariableData }) => ({
        getVariableResult: (getVariableData as Json[]).map(({ component, variable }) => ({
          component,
          variable,
          attributeStatus: 'Accepted',
          attributeValue: (variable as Json).name,
        })),
      }),
    })
    await takes('PARTS', station, [known('DeviceDataCtrlr', 'GetVariables', '4')])
    const names = ['A', 'B', 'C', 'D', 'E', 'F', 'G', 'H', 'I']
    const getVariableData = names.map(named)
    const answered = await command('PARTS', 'GetVariables', { getVariableData })
    expect([answered.status, answered.body.status, answered.body.request]).toEqual([
      200,
      'success',
      { getVariableData },
    ])
    const { getVariableResult } = answered.body.response as { readonly getVariableResult: readonly Json[] }
    expect(getVariableResult.map(({ attributeValue }) => attributeValue)).toEqual(names)
    const rows = await house.rows('PARTS', { method: ['GetVariables'] })
    expect(rows.map(({ id }) => id).reverse()).toEqual(answered.body.parts)
    expect(answered.headers.get('location')).toContain(String(answered.body.id))
    const sent = station.frames.filter((frame) => frame[2] === 'GetVariables')
    expect(sent.map((frame) => ((frame[3] as Json).getVariableData as Json[]).length)).toEqual([4, 4, 1])
    await until(async () => (await kept('PARTS')).I === 'I')
    expect(await kept('PARTS')).toMatchObject(Object.fromEntries(names.map((name) => [name, name])))
    const whole = await command('PARTS', 'GetVariables', { getVariableData: getVariableData.slice(0, 4) })
    expect(whole.body).not.toHaveProperty('parts')
    const early = await house.request('POST', '/2/evse-controllers/PARTS/commands', {
      method: 'GetVariables',
      request: { getVariableData },
    })
    expect([early.status, early.body.status, (early.body.parts as string[]).length]).toEqual([202, 'pending', 3])
  })

  it('SESSION-O11 (B05.FR.11): variables that are more than the station takes at once are set in parts; one that fails is told', async () => {
    const station = await boot('SETS', {
      respond: (_, { setVariableData }) => {
        const entries = setVariableData as Json[]
        if (entries.some(({ attributeValue }) => attributeValue === 'silent')) return undefined
        return {
          setVariableResult: entries.map(({ component, variable, attributeValue }) => ({
            component,
            variable,
            attributeStatus: attributeValue === 'wrong' ? 'Rejected' : 'Accepted',
          })),
        }
      },
    })
    await takes('SETS', station, [
      known('DeviceDataCtrlr', 'SetVariables', '2'),
      known('DeviceDataCtrlr', 'GetReport', '1'),
    ])
    const set = (...values: string[]) =>
      command('SETS', 'SetVariables', {
        setVariableData: values.map((attributeValue, at) => ({ ...named(`V${at}`), attributeValue })),
      })
    const { body } = await set('1', '2', 'wrong')
    const { setVariableResult } = body.response as { readonly setVariableResult: readonly Json[] }
    expect(setVariableResult.map(({ attributeStatus }) => attributeStatus)).toEqual([
      'Accepted',
      'Accepted',
      'Rejected',
    ])
    expect((await set('1', '2', 'silent')).body).toMatchObject({
      status: 'error',
      error: { code: 'NotImplemented' },
      parts: [expect.any(String), expect.any(String)],
    })
    const refused = await set(...Array.from({ length: 41 }, () => 'x'))
    expect([refused.status, refused.body]).toMatchObject([
      422,
      { code: 'too_many', errors: [{ pointer: '/request/setVariableData' }] },
    ])
    expect(refused.body.detail).toContain('at most 2 items in one SetVariables')
    const componentVariable = [named('V0'), named('V1')]
    const report = await command('SETS', 'GetReport', { requestId: 1, componentVariable })
    expect([report.status, report.body.code]).toEqual([422, 'too_many'])
    const asks = await house.request('POST', '/2/evse-controllers/SETS/reports', {
      componentVariables: componentVariable,
    })
    expect([asks.status, asks.body.code]).toEqual([422, 'too_many'])
    expect(station.frames.filter((frame) => frame[2] === 'SetVariables')).toHaveLength(4)
    expect(station.frames.filter((frame) => frame[2] === 'GetReport')).toHaveLength(0)
  })

  it('SESSION-O6, DEVICE-A1 (TC_B_05): what an operator set is kept as the station tells it, and what it refused is not', async () => {
    const values = new Map<unknown, unknown>([['Fixed', '1']])
    await boot('OPERATOR', {
      respond: (method, { setVariableData, getVariableData }) => {
        if (method === 'GetVariables') {
          const found = ({ component, variable }: Json) => ({
            component,
            variable,
            attributeStatus: 'Accepted',
            attributeValue: values.get((variable as Json).name),
          })
          return { getVariableResult: (getVariableData as Json[]).map(found) }
        }
        const set = ({ component, variable, attributeValue }: Json) => {
          const { name } = variable as Json
          if (name === 'Fixed') return { component, variable, attributeStatus: 'Rejected' }
          values.set(name, attributeValue)
          return { component, variable, attributeStatus: name === 'Later' ? 'RebootRequired' : 'Accepted' }
        }
        return { setVariableResult: (setVariableData as Json[]).map(set) }
      },
    })
    const names = ['OfflineThreshold', 'Later', 'Fixed']
    const setVariableData = names.map((name) => ({ ...named(name), attributeValue: '60' }))
    const { body } = await command('OPERATOR', 'SetVariables', { setVariableData })
    expect(body).toMatchObject({ status: 'success', request: { setVariableData } })
    const [row] = await house.rows('OPERATOR', { method: ['SetVariables'] })
    const { setVariableResult } = (row as Json).response as { readonly setVariableResult: readonly Json[] }
    expect(setVariableResult.map(({ attributeStatus }) => attributeStatus)).toEqual([
      'Accepted',
      'RebootRequired',
      'Rejected',
    ])
    // An answer says that a value was taken; that it is there says only the station's model.
    expect(await kept('OPERATOR')).toEqual({})
    await command('OPERATOR', 'GetVariables', { getVariableData: names.map(named) })
    await until(async () => (await kept('OPERATOR')).OfflineThreshold === '60')
    expect(await kept('OPERATOR')).toEqual({ OfflineThreshold: '60', Later: '60', Fixed: '1' })
    expect(await list('/2/evse-controllers/OPERATOR/intents')).toEqual([])
  })

  it('CONFIG-A6 (TC_B_11): a value that does not have the form of its variable is rejected, and the old one stays', async () => {
    const station = await boot('FORM', {
      respond: (_, { setVariableData }) => ({
        setVariableResult: (setVariableData as Json[]).map(({ component, variable }) => ({
          component,
          variable,
          attributeStatus: 'Rejected',
          attributeStatusInfo: { reasonCode: 'InvalidValue' },
        })),
      }),
    })
    const reported = (name: string, dataType: string, supportsMonitoring: boolean) => ({
      ...named(name),
      variableAttribute: [{ value: '30', mutability: 'ReadWrite', persistent: true, constant: false }],
      variableCharacteristics: { dataType, supportsMonitoring },
    })
    await takes('FORM', station, [reported('Whole', 'integer', true), reported('Free', 'string', false)])
    await house.request('PUT', '/2/configurations/form', {
      selector: { ids: ['FORM'] },
      variables: ['Whole', 'Free'].map((name) => ({ ...named(name), value: 'abc' })),
    })
    const intents = async () =>
      Object.fromEntries(
        (await list('/2/evse-controllers/FORM/intents')).map(({ key, state, reason }) => [key, [state, reason]]),
      )
    await until(async () => (await intents())['OCPPCommCtrlr.Free']?.[0] === 'rejected')
    expect(await intents()).toEqual({
      'OCPPCommCtrlr.Whole': ['rejected', 'the charge point takes a whole number'],
      'OCPPCommCtrlr.Free': ['rejected', 'Rejected: InvalidValue'],
    })
    const sent = station.frames.filter((frame) => frame[2] === 'SetVariables')
    expect(sent.map((frame) => frame[3])).toMatchObject([{ setVariableData: [{ variable: { name: 'Free' } }] }])
    expect(await kept('FORM')).toEqual({ Whole: '30', Free: '30' })
    const [free, whole] = await list('/2/evse-controllers/FORM/variables')
    expect(free).toMatchObject({ dataType: 'string', supportsMonitoring: false, persistent: true, constant: false })
    expect(whole).toMatchObject({ dataType: 'integer', supportsMonitoring: true })
  })

  it.each([
    ['TC_B_42', 'Accepted'],
    ['TC_B_43', 'Rejected'],
    ['TC_B_44', 'Failed'],
  ])('SESSION-O6 (%s): a network profile that is %s changes nothing of the registration', async (id, status) => {
    const station = await boot(id, { answer: { status } })
    const before = (await house.request('GET', `/2/evse-controllers/${id}`)).body
    const connectionData = {
      ocppVersion: 'OCPP20',
      ocppTransport: 'JSON',
      ocppInterface: 'Wired0',
      messageTimeout: 30,
      ocppCsmsUrl: 'wss://example.com/ocpp',
      securityProfile: 2,
    }
    const { body } = await command(id, 'SetNetworkProfile', { configurationSlot: 1, connectionData })
    expect(body).toMatchObject({ status: 'success', response: { status } })
    expect(await station.asked('SetNetworkProfile')).toEqual({ configurationSlot: 1, connectionData })
    const [row] = await house.rows(id, { method: ['SetNetworkProfile'] })
    expect(row).toMatchObject({ id: body.id, direction: 'out', response: { status } })
    const { securityProfile, registrationStatus } = (await house.request('GET', `/2/evse-controllers/${id}`)).body
    expect([securityProfile, registrationStatus]).toEqual([before.securityProfile, before.registrationStatus])
    expect(await list(`/2/evse-controllers/${id}/intents`)).toEqual([])
  })

  it('SESSION-O11: keys of OCPP 1.6 are got in as many calls as GetConfigurationMaxKeys asks for', async () => {
    const station = await connectStation(house.ocppUrl, 'KEYS', 'ocpp1.6', {
      respond: (_, { key }) => ({
        configurationKey: (key as string[]).map((each) => ({
          key: each,
          readonly: true,
          value: each === 'GetConfigurationMaxKeys' ? '2' : 'x',
        })),
      }),
    })
    stations.push(station)
    await station.ask('BootNotification', BOOT_16)
    await command('KEYS', 'GetConfiguration', { key: ['GetConfigurationMaxKeys'] })
    await until(async () => (await kept('KEYS')).GetConfigurationMaxKeys === '2')
    const { body } = await command('KEYS', 'GetConfiguration', { key: ['A', 'B', 'C'] })
    const { configurationKey } = body.response as { readonly configurationKey: readonly Json[] }
    expect(configurationKey.map(({ key }) => key)).toEqual(['A', 'B', 'C'])
    expect(body.parts).toHaveLength(2)
  })

  it('CONFIG-A3, CONFIG-A5 (TC_B_09, TC_B_10): values that were set are verified, each by its own result', async () => {
    const values = new Map<unknown, unknown>()
    await boot('SET', {
      respond(method, request) {
        const results = (member: string, result: (entry: Json) => Json) =>
          (request[member] as Json[]).map((entry) => ({
            component: entry.component,
            variable: entry.variable,
            ...result(entry),
          }))
        if (method === 'GetVariables') {
          const found = ({ variable }: Json) => ({
            attributeStatus: 'Accepted',
            attributeValue: values.get((variable as Json).name),
          })
          return { getVariableResult: results('getVariableData', found) }
        }
        const set = ({ variable, attributeValue }: Json) => {
          if ((variable as Json).name === 'Fixed') return { attributeStatus: 'Rejected' }
          values.set((variable as Json).name, attributeValue)
          return { attributeStatus: 'Accepted' }
        }
        return { setVariableResult: results('setVariableData', set) }
      },
    })
    const put = (...names: string[]) =>
      house.request('PUT', '/2/configurations/cases', {
        selector: { ids: ['SET'] },
        variables: names.map((name) => ({ ...named(name), value: '60' })),
      })
    const states = async () =>
      Object.fromEntries((await list('/2/evse-controllers/SET/intents')).map(({ key, state }) => [key, state]))
    await put('OfflineThreshold')
    await until(async () => (await states())['OCPPCommCtrlr.OfflineThreshold'] === 'verified')
    await put('OfflineThreshold', 'HeartbeatInterval', 'Fixed')
    await until(async () => (await states())['OCPPCommCtrlr.HeartbeatInterval'] === 'verified')
    expect(await states()).toEqual({
      'OCPPCommCtrlr.OfflineThreshold': 'verified',
      'OCPPCommCtrlr.HeartbeatInterval': 'verified',
      'OCPPCommCtrlr.Fixed': 'rejected',
    })
    await until(async () => (await kept('SET')).HeartbeatInterval === '60')
    expect(await kept('SET')).toEqual({ OfflineThreshold: '60', HeartbeatInterval: '60' })
  })

  it.each([
    ['TC_B_12', 'ConfigurationInventory', '1'],
    ['TC_B_13', 'FullInventory', 'gone'],
  ])('DEVICE-A2 (%s): after a %s that left a variable out, that is %s', async (id, base, left) => {
    const station = await boot(id, { answer: { status: 'Accepted' } })
    const notify = (requestId: unknown, seqNo: number, tbc: boolean, name: string, value: string) =>
      station.ask('NotifyReport', {
        requestId,
        seqNo,
        tbc,
        generatedAt: new Date().toISOString(),
        reportData: [{ ...named(name), variableAttribute: [{ value, mutability: 'ReadWrite' }] }],
      })
    await notify(1, 0, false, 'Old', '1')
    await until(async () => (await kept(id)).Old === '1')
    const made = await house.request('POST', `/2/evse-controllers/${id}/reports`, { base })
    expect(made.status).toBe(202)
    const { requestId, reportBase } = await station.asked('GetBaseReport')
    expect([String(requestId), reportBase]).toEqual([made.body.id, base])
    await notify(requestId, 0, true, 'A', '1')
    await notify(requestId, 1, false, 'B', '2')
    const report = async () => (await house.request('GET', `/2/evse-controllers/${id}/reports/${made.body.id}`)).body
    await until(async () => (await report()).state === 'complete')
    expect(await report()).toMatchObject({ variableCount: 2 })
    expect(await kept(id)).toEqual({ A: '1', B: '2', Old: left })
  })
})
