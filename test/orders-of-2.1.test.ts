/** Orders that OCPP 2.1 has more rules about than its schemas, sent to a charge point on a socket. */
import { expect, it } from 'vitest'
import { faultsOf } from '../src/ocpp/schema/validators.ts'
import { boot201, connected, house as openedHouse, PASSWORD, TLS, usesCertificates } from './certified.ts'
import { type House, type Json, until } from './house.ts'
import { connectStation, type Station, type StationOptions } from './station.ts'
import { testCsr, testKeys } from './support/domain/x509/testing.ts'

usesCertificates()
const AT = '/2/evse-controllers/CP1'
const VERSIONS = { ...TLS, PILOTWIRE_OCPP_VERSIONS: '1.6,2.0.1,2.1' }

interface Setting {
  readonly component: { readonly name: string; readonly instance?: string }
  readonly variable: { readonly name: string }
  readonly attributeValue: string
}

function variable(component: string, name: string, value: string, mutability: string, instance?: string): Json {
  return {
    component: { name: component, ...(instance !== undefined && { instance }) },
    variable: { name },
    variableAttribute: [{ value, mutability }],
  }
}

/** Keeps its network configurations as variables, and refuses what B09.FR.22 and FR.35 let it refuse. */
class StationOf21 {
  readonly values = new Map([
    ['OCPPCommCtrlr.NetworkConfigurationPriority', '1,2'],
    ['OCPPCommCtrlr.ActiveNetworkProfile', '1'],
    ['SecurityCtrlr.AllowSecurityProfileDowngrade', 'false'],
    ['NetworkConfiguration[2].OcppCsmsUrl', ''],
    ['NetworkConfiguration[2].SecurityProfile', ''],
  ])

  readonly respond = (method: string, request: Json): Json => {
    expect(faultsOf('ocpp2.1', method, 'req', request)).toEqual([])
    if (method !== 'SetVariables') return { status: 'Accepted' }
    const results = (request.setVariableData as readonly Setting[]).map(({ component, variable, attributeValue }) => {
      const place = component.instance === undefined ? component.name : `${component.name}[${component.instance}]`
      const inUse = this.values.get('OCPPCommCtrlr.NetworkConfigurationPriority')?.split(',') ?? []
      const isTaken = component.instance === undefined || !inUse.includes(component.instance)
      if (isTaken) this.values.set(`${place}.${variable.name}`, attributeValue)
      return { component, variable, attributeStatus: isTaken ? 'Accepted' : 'Rejected' }
    })
    return { setVariableResult: results }
  }

  async connect({ ocppUrl }: House, options: StationOptions): Promise<Station> {
    const station = await connected(connectStation(ocppUrl, 'CP1', 'ocpp2.1', { respond: this.respond, ...options }))
    await station.ask('BootNotification', boot201('SN-CP1'))
    return station
  }

  async report(house: House, station: Station): Promise<void> {
    const { values } = this
    const comm = (name: string) => values.get(`OCPPCommCtrlr.${name}`) ?? ''
    const slot = (name: string) =>
      variable('NetworkConfiguration', name, values.get(`NetworkConfiguration[2].${name}`) ?? '', 'ReadWrite', '2')
    await report(house, station, [
      {
        ...variable('OCPPCommCtrlr', 'NetworkConfigurationPriority', comm('NetworkConfigurationPriority'), 'ReadWrite'),
        variableCharacteristics: { dataType: 'SequenceList', valuesList: '1,2', supportsMonitoring: false },
      },
      variable('OCPPCommCtrlr', 'ActiveNetworkProfile', comm('ActiveNetworkProfile'), 'ReadOnly'),
      variable(
        'SecurityCtrlr',
        'AllowSecurityProfileDowngrade',
        values.get('SecurityCtrlr.AllowSecurityProfileDowngrade') ?? '',
        'ReadWrite',
      ),
      slot('OcppCsmsUrl'),
      slot('SecurityProfile'),
    ])
  }
}

async function report(house: House, station: Station, reportData: readonly Json[]): Promise<void> {
  const before = station.requests('GetBaseReport').length
  const { body } = await house.request('POST', `${AT}/reports`, { base: 'FullInventory' })
  await until(() => station.requests('GetBaseReport').length > before)
  const requestId = station.requests('GetBaseReport').at(-1)?.requestId
  await station.ask('NotifyReport', { requestId, generatedAt: new Date().toISOString(), seqNo: 0, reportData })
  await until(async () => (await house.request('GET', `${AT}/reports/${body.id}`)).body.state === 'complete')
}

it('OCPP21-B10: a slot of the priority is freed, and its variables move a station to profile 3 and back', async () => {
  const house = await openedHouse(VERSIONS)
  await house.request('POST', '/2/evse-controllers', { id: 'CP1', password: PASSWORD, securityProfile: 2 })
  const own = new StationOf21()
  const first = await own.connect(house, { password: PASSWORD, tls: {} })
  const keys = await testKeys()
  await first.ask('SignCertificate', { csr: await testCsr(keys, 'SN-CP1'), requestId: 7 })
  const { certificateChain } = await first.asked('CertificateSigned')
  await own.report(house, first)

  const move = (securityProfile: number) => house.request('POST', `${AT}/security-profile`, { securityProfile })
  const isDone = (id: unknown) => async () =>
    (await house.request('GET', `${AT}/security-profile/${id}`)).body.state === 'done'
  const { body: up } = await move(3)
  await first.asked('Reset')
  expect(first.requests('SetNetworkProfile')).toEqual([])
  expect(own.values.get('NetworkConfiguration[2].SecurityProfile')).toBe('3')
  expect(own.values.get('OCPPCommCtrlr.NetworkConfigurationPriority')).toBe('2,1')
  await first.close()
  const certificate = { tls: { cert: String(certificateChain), key: keys.privateKey } }
  const second = await own.connect(house, certificate)
  await until(isDone(up.id))

  // It may go back only where it says so, and profile 1 is none to move to.
  expect(await move(2)).toMatchObject({ status: 409, body: { code: 'profile_not_higher' } })
  expect((await move(1)).status).toBe(400)
  own.values.set('SecurityCtrlr.AllowSecurityProfileDowngrade', 'true')
  await own.report(house, second)
  const { status, body: down } = await move(2)
  expect(status).toBe(202)
  await second.asked('Reset')
  expect(own.values.get('NetworkConfiguration[2].SecurityProfile')).toBe('2')
  await second.close()
  await own.connect(house, { password: PASSWORD, tls: {} })
  await until(isDone(down.id))
  expect((await house.request('GET', AT)).body).toMatchObject({ securityProfile: 2 })
})

it('OCPP21-B12: a custom trigger is sent where the station lists it', async () => {
  const house = await openedHouse(VERSIONS)
  await house.request('POST', '/2/evse-controllers', { id: 'CP1', password: PASSWORD, securityProfile: 2 })
  const station = await new StationOf21().connect(house, { password: PASSWORD, tls: {} })
  const trigger = (customTrigger: string) =>
    house.request('POST', `${AT}/commands?wait=5`, {
      method: 'TriggerMessage',
      request: { requestedMessage: 'CustomTrigger', customTrigger },
    })
  const unknown = await trigger('SelfTest')
  expect(unknown).toMatchObject({ status: 422, body: { detail: expect.stringContaining('ask it for a report') } })
  await report(house, station, [variable('CustomizationCtrlr', 'CustomTriggers', 'SelfTest, Lamp', 'ReadOnly')])
  expect(await trigger('Other')).toMatchObject({
    status: 422,
    body: {
      errors: [{ pointer: '/request/customTrigger', message: expect.stringContaining('one of SelfTest, Lamp') }],
    },
  })
  expect(station.requests('TriggerMessage')).toEqual([])
  expect((await trigger('Lamp')).body).toMatchObject({ status: 'success' })
  expect(station.requests('TriggerMessage')).toEqual([{ requestedMessage: 'CustomTrigger', customTrigger: 'Lamp' }])
})

it('OCPP21-D3: SetDERControl is sent, with a warning where a station is expected to reject it', async () => {
  const house = await openedHouse(VERSIONS)
  await house.request('POST', '/2/evse-controllers', { id: 'CP1', password: PASSWORD, securityProfile: 2 })
  const station = await new StationOf21().connect(house, { password: PASSWORD, tls: {} })
  const send = async (isDefault: boolean, more: Json = {}) => {
    const gradient = { priority: 0, gradient: 10, softGradient: 5 }
    const request = { isDefault, controlId: 'c1', controlType: 'Gradients', gradient, ...more }
    return (await house.request('POST', `${AT}/commands?wait=5`, { method: 'SetDERControl', request })).body
  }
  expect(await send(true)).not.toHaveProperty('warnings')
  expect(await send(false)).toMatchObject({
    status: 'success',
    warnings: ['/request/isDefault must be true for Gradients (R04.FR.14); a charge point rejects it.'],
  })
  expect(station.requests('SetDERControl')).toHaveLength(2)
})
