/** OIDC-C13 against the whole server: what an application ordered ends when its user disconnects it. */
import { beforeEach, describe, expect, it } from 'vitest'
import { createChargePoint } from '../simulator/charge-point.ts'
import { createdClient, obtainTokens } from './application.ts'
import { freePort } from './free-port.ts'
import { houseOfFile, type Partner, partner, until } from './house.ts'
import { profile } from './profiles.ts'
import { booted201 } from './station.ts'
import { testAuthority } from './support/domain/x509/testing.ts'

const PASSWORD = 'a long sentence nobody else says'
const SCOPE = 'chargers:read chargers:control chargers:configure chargers:firmware chargers:certificates'
const EV = '/2/evse-controllers/EV'
/** Never seen, so it may have a display. */
const LCD = '/2/evse-controllers/LCD'
const SELECTOR = { ids: ['EV'] }
const CONFIGURATION = { selector: SELECTOR, keys16: [{ key: 'HeartbeatInterval', value: '77' }] }
const TEMPERATURE = { component: { name: 'Connector' }, variable: { name: 'Temperature' } }
const MONITORS = { selector: SELECTOR, monitors: [{ ...TEMPERATURE, type: 'UpperThreshold', value: 70, severity: 2 }] }
const CAMPAIGN = { selector: SELECTOR, location: 'https://files.example/fw.bin', version: '2.0' }

let app: Partner
const port = await freePort()
const house = await houseOfFile({ PILOTWIRE_PORT: String(port) })
await house.cli(['user', 'create', '--email', 'ada@example.com', '--password', PASSWORD])
const station = createChargePoint({ protocol: 'ocpp1.6', url: house.ocppUrl, id: 'EV' })
await station.connect()
await station.boot()
await station.powerOff()
expect((await house.request('POST', '/2/evse-controllers', { id: 'LCD' })).status).toBe(201)
/** What an application may do with whom its user shares these charge points. */
async function application(chargePoints: readonly string[], client?: Awaited<ReturnType<typeof createdClient>>) {
  const url = `http://localhost:${house.port}`
  const user = { email: 'ada@example.com', password: PASSWORD, chargePoints }
  return partner(url, (await obtainTokens(house, url, SCOPE, user, client)).access_token)
}

/** Each test has a grant of its own, as some end it. */
beforeEach(async () => {
  app = await application(['EV', 'LCD'])
})

/** Of the newest application. */
async function grantPath(): Promise<string> {
  const [grant] = (await house.request('GET', '/2/grants')).body.data as readonly { readonly id: string }[]
  return `/2/grants/${grant?.id}`
}

async function disconnected(): Promise<void> {
  expect((await house.request('DELETE', await grantPath())).status).toBe(204)
}

const statusOf = async (path: string): Promise<number> => (await house.request('GET', path)).status
const campaign = async (id: string) => (await house.request('GET', `/2/firmware-campaigns/${id}`)).body.state

async function startedCampaign(): Promise<string> {
  const made = await app.request('POST', '/2/firmware-campaigns', CAMPAIGN)
  expect(made.status, made.text).toBe(201)
  expect((await app.request('POST', `/2/firmware-campaigns/${made.body.id}/start`)).status).toBe(200)
  return String(made.body.id)
}

async function waitingCommand(by: Partner): Promise<string> {
  const request = { connectorId: 0, type: 'Inoperative' }
  const order = { method: 'ChangeAvailability', request, ttl: 3600 }
  const sent = await by.request('POST', '/2/evse-controllers/EV/commands', order)
  expect([sent.status, sent.body.status], sent.text).toEqual([202, 'pending'])
  return String(sent.body.id)
}

/** Of something that waits for the charge point. */
async function waiting(by: Partner, path: string, order: object): Promise<string> {
  const made = await by.request('POST', `${EV}/${path}`, order)
  expect(made.status, made.text).toBe(202)
  return `${EV}/${path}/${String(made.body.id)}`
}
const stateOf = async (path: string) => (await house.request('GET', path)).body.state

const commandStatus = async (id: string) =>
  (await house.request('GET', `/2/evse-controllers/EV/commands/${id}`)).body.status

it('OIDC-C14, CHARGING-S4: an application cleared and replaced the profile that a station held by a command of the account', async () => {
  const order = (limit: number, id = 78) => ({
    evseId: 1,
    chargingProfile: profile({ id, stackLevel: id - 74 }, { limit }),
  })
  let reports = 0
  const holder = await booted201(house.ocppUrl, 'HOLDER', {
    respond: (method, { requestId }) => {
      if (method !== 'GetChargingProfiles') return { status: 'Accepted' }
      const { evseId, chargingProfile } = order(12)
      const reported = { requestId, evseId, chargingLimitSource: 'CSO', chargingProfile: [chargingProfile] }
      queueMicrotask(() => void holder.ask('ReportChargingProfiles', reported).then(() => reports++))
      return { status: 'Accepted' }
    },
  })
  const free = { evseId: 1, connectorId: 1, connectorStatus: 'Available' }
  await holder.ask('StatusNotification', { timestamp: new Date().toISOString(), ...free })
  const at = '/2/evse-controllers/HOLDER'
  const profiles = `${at}/charging-profiles`
  const its = await application(['HOLDER'])
  const sent = await house.request('POST', `${at}/commands`, { method: 'SetChargingProfile', request: order(12) })
  expect(sent.status, sent.text).toBe(202)
  expect((await house.request('POST', profiles, order(10, 77))).status).toBe(202)
  await until(() => reports > 0)

  for (const [path, body] of [
    [`${profiles}/clear`, { foreign: true }],
    [`${profiles}/clear`, { ids: [78] }],
    [profiles, order(32)],
  ] as const) {
    const refused = await its.request('POST', path, body)
    expect([refused.status, refused.body.code], path).toEqual([403, 'insufficient_scope'])
  }
  expect(holder.calls('ClearChargingProfile')).toEqual([])
  expect((await house.request('POST', `${profiles}/clear`, { foreign: true })).status).toBe(202)
  await holder.asked('ClearChargingProfile')
})

describe('an application that is disconnected', () => {
  it('OIDC-C13, DRIVER-M6: a log, a report, a certificate and a higher profile that it waited for were still asked for', async () => {
    const orders = [
      ['logs', { type: 'diagnostics' }],
      ['reports', { base: 'FullInventory' }],
    ] as const
    const ownLog = await waiting(house, ...orders[0])
    const ownReport = await waiting(house, ...orders[1])
    const own = { evseId: 1, amps: 10 }
    expect((await app.request('PUT', `${EV}/limits/its-own`, own)).status).toBe(201)
    expect((await app.request('PUT', `${EV}/limits/taken-over`, own)).status).toBe(201)
    expect((await house.request('PUT', `${EV}/limits/taken-over`, own)).status).toBe(200)
    const message = { content: 'Hello' }
    expect((await app.request('PUT', `${LCD}/display-messages/its-own`, message)).status).toBe(201)
    expect((await app.request('PUT', `${LCD}/display-messages/taken-over`, message)).status).toBe(201)
    expect((await house.request('PUT', `${LCD}/display-messages/taken-over`, message)).status).toBe(200)
    const log = await waiting(app, ...orders[0])
    const report = await waiting(app, ...orders[1])
    const job = await waiting(app, 'security-profile', { securityProfile: 2 })
    const { certificate } = await testAuthority()
    const root = { certificateType: 'CSMSRootCertificate', certificate }
    const installing = app.request('POST', `${EV}/certificates`, root)
    await until(async () => (await house.rows('EV', { method: ['InstallCertificate'] })).length === 1)

    await disconnected()

    expect((await installing).status).toBe(409)
    expect(await statusOf(`${EV}/limits/its-own`)).toBe(404)
    expect(await statusOf(`${EV}/limits/taken-over`)).toBe(200)
    expect(await statusOf(`${LCD}/display-messages/its-own`)).toBe(404)
    expect(await statusOf(`${LCD}/display-messages/taken-over`)).toBe(200)
    expect(await house.rows('EV', { method: ['InstallCertificate'] })).toMatchObject([{ status: 'dropped' }])
    expect(await statusOf(log)).toBe(404)
    expect((await house.request('GET', report)).body).toMatchObject({
      state: 'incomplete',
      reason: expect.stringContaining('disconnected'),
    })
    expect(await stateOf(job)).toBe('cancelled')
    expect([await stateOf(ownLog), await stateOf(ownReport)]).toEqual(['requested', 'running'])
  })

  it('OIDC-C13: its campaigns, configurations, monitors and waiting commands end; what a person took over stays', async () => {
    for (const name of ['its', 'taken']) {
      expect((await app.request('PUT', `/2/configurations/${name}`, CONFIGURATION)).status).toBe(201)
      expect((await app.request('PUT', `/2/monitors/${name}`, MONITORS)).status).toBe(201)
    }
    expect((await house.request('PUT', '/2/configurations/own', CONFIGURATION)).status).toBe(201)
    const [campaignOfIts, taken] = [await startedCampaign(), await startedCampaign()]
    const draft = String((await app.request('POST', '/2/firmware-campaigns', CAMPAIGN)).body.id)
    const [commandOfIts, own] = [await waitingCommand(app), await waitingCommand(house)]

    const again = await house.request('PUT', '/2/configurations/taken', CONFIGURATION)
    expect([again.status, again.body.revision]).toEqual([200, 1])
    expect((await house.request('PUT', '/2/monitors/taken', MONITORS)).status).toBe(200)
    for (const action of ['pause', 'resume']) {
      expect((await house.request('POST', `/2/firmware-campaigns/${taken}/${action}`)).status).toBe(200)
    }

    await disconnected()

    expect(await statusOf('/2/configurations/its')).toBe(404)
    expect(await statusOf('/2/monitors/its')).toBe(404)
    expect([await campaign(campaignOfIts), await campaign(draft)]).toEqual(['cancelled', 'cancelled'])
    expect(await commandStatus(commandOfIts)).toBe('dropped')
    for (const name of ['own', 'taken']) expect(await statusOf(`/2/configurations/${name}`)).toBe(200)
    expect(await statusOf('/2/monitors/taken')).toBe(200)
    expect([await campaign(taken), await commandStatus(own)]).toEqual(['running', 'pending'])
  })
})

describe('an application with which its user shares less', () => {
  const both = { ids: ['EV', 'LCD'] }

  it('OIDC-C13: a charge point that was taken from the selection was still given its settings, limits, commands and firmware', async () => {
    expect((await app.request('PUT', '/2/configurations/both', { ...CONFIGURATION, selector: both })).status).toBe(201)
    expect((await app.request('PUT', '/2/configurations/one', CONFIGURATION)).status).toBe(201)
    expect((await app.request('PUT', '/2/monitors/both', { ...MONITORS, selector: both })).status).toBe(201)
    for (const path of [EV, LCD]) {
      expect((await app.request('PUT', `${path}/limits/its`, { evseId: 1, amps: 10 })).status).toBe(201)
    }
    const own = await app.request('PUT', '/2/configurations/still', { ...CONFIGURATION, selector: { ids: ['LCD'] } })
    expect(own.status).toBe(201)
    const rollout = await startedCampaign()
    const command = await waitingCommand(app)
    const log = await waiting(app, 'logs', { type: 'diagnostics' })

    expect((await house.request('PATCH', await grantPath(), { evseControllers: ['LCD'] })).status).toBe(200)

    for (const path of ['/2/configurations/both', '/2/monitors/both']) {
      expect((await house.request('GET', path)).body.selector).toEqual({ ids: ['LCD'] })
      expect((await app.request('DELETE', path)).status).toBe(204)
    }
    expect(await statusOf('/2/configurations/one')).toBe(404)
    expect((await house.request('GET', '/2/configurations/still')).body).toEqual(own.body)
    expect([await statusOf(`${EV}/limits/its`), await statusOf(`${LCD}/limits/its`)]).toEqual([404, 200])
    expect([await campaign(rollout), await commandStatus(command)]).toEqual(['cancelled', 'dropped'])
    expect(await statusOf(log)).toBe(404)
  })

  it('OIDC-C12: a charge point that was deleted and registered anew was still given what an application had wanted of the former', async () => {
    expect((await house.request('POST', '/2/evse-controllers', { id: 'AGAIN' })).status).toBe(201)
    const its = await application(['AGAIN', 'LCD'])
    for (const [name, ids] of [
      ['again-alone', ['AGAIN']],
      ['again-and-lcd', ['AGAIN', 'LCD']],
    ] as const) {
      const put = await its.request('PUT', `/2/configurations/${name}`, { ...CONFIGURATION, selector: { ids } })
      expect(put.status, put.text).toBe(201)
    }
    expect((await house.request('DELETE', '/2/evse-controllers/AGAIN')).status).toBe(204)
    expect((await house.request('POST', '/2/evse-controllers', { id: 'AGAIN' })).status).toBe(201)
    expect(await statusOf('/2/configurations/again-alone')).toBe(404)
    expect((await house.request('GET', '/2/configurations/again-and-lcd')).body.selector).toEqual({ ids: ['LCD'] })
  })

  it('OIDC-C13: the same goes for a consent that shares less than the one before', async () => {
    const client = await createdClient(house)
    const before = await application(['EV', 'LCD'], client)
    expect((await before.request('PUT', '/2/configurations/its', CONFIGURATION)).status).toBe(201)
    await application(['LCD'], client)
    expect(await statusOf('/2/configurations/its')).toBe(404)
  })
})
