/** Two accounts, a charge point that does what it is told, an application, and who receives its webhooks. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { API_SCOPE_NAMES, type Scope } from '../../src/domain/accounts/scopes.ts'
import { obtainTokens } from '../application.ts'
import { freePort } from '../free-port.ts'
import { type House, type Json, openHouse, type Partner, partner, until } from '../house.ts'
import { BOOT_201, connectStation, type Station } from '../station.ts'
import { testCsr, testKeys } from '../support/domain/x509/testing.ts'

const PASSWORD = 'a long sentence nobody else says'
const USER = { email: 'ada@example.com', password: PASSWORD, chargePoints: ['CP1'] }
const USERS = {
  stranger: { ...USER, chargePoints: ['CP9'] },
  viewer: { ...USER, email: 'vera@example.com' },
}
const ROOT = {
  certificateType: 'V2GRootCertificate',
  certificateHashData: { hashAlgorithm: 'SHA256', issuerNameHash: 'aa', issuerKeyHash: 'bb', serialNumber: '01' },
}
const ANSWERS: Readonly<Record<string, Json>> = {
  GetInstalledCertificateIds: { status: 'Accepted', certificateHashDataChain: [ROOT] },
  GetLog: { status: 'Accepted', filename: 'it.log' },
  GetVariables: { getVariableResult: [] },
  SetVariables: {
    setVariableResult: [
      {
        component: { name: 'OCPPCommCtrlr' },
        variable: { name: 'NetworkConfigurationPriority' },
        attributeStatus: 'Accepted',
      },
    ],
  },
}

export interface Place {
  readonly house: House
  /** What lines of the table kept. */
  readonly ids: Map<string, string>
  readonly receiver: string
  /** Of the other account. */
  readonly unaccepted: string
  /** A credential that may do these and nothing else. */
  restricted(scopes: readonly Scope[]): Promise<string>
  /** An access token with these scopes, for which CP1 is shared, unless another user shares something else. */
  token(scopes: readonly Scope[], user?: 'stranger' | 'viewer'): Promise<string>
  /** The charge point asks for a certificate; kept as `request`. */
  askForCertificate(): Promise<void>
  /** A log is asked for, and its address known; kept as `token`. */
  askForLog(): Promise<void>
  /** The address of the firmware that the charge point was sent last; kept as `token`. */
  awaitFirmware(): Promise<void>
  /** An alert is raised; kept as `alertId`. */
  awaitAlert(): Promise<void>
  /** A delivery has come to its end; kept as `deliveryId`. */
  awaitDelivery(): Promise<void>
  /** What is awaited is read with this bearer, as whoever made it. */
  actAs(bearer: string): void
  readonly everyScopeBut: (needed: readonly Scope[]) => readonly Scope[]
  close(): Promise<void>
}

export async function openPlace(): Promise<Place> {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`
  const house = await openHouse({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_CERTIFICATE_PROVIDER: 'manual',
    PILOTWIRE_ALERT_INTERVAL: '1',
    PILOTWIRE_RATE_V1: '1000',
    PILOTWIRE_RATE_V2: '1000',
  })
  await house.cli(['user', 'create', '--email', USER.email, '--password', PASSWORD])
  await house.cli(['user', 'create', '--email', USERS.viewer.email, '--password', PASSWORD, '--role', 'viewer'])
  const [own] = (await house.cli(['account', 'list'])) as unknown as readonly Json[]
  const accountId = String(own?.id)
  const other = await house.cli(['account', 'create', '--name', 'Other'])
  const made = await house.cli(['credential', 'create', '--name', 'other', '--account', String(other.id)])
  const unaccepted = String(made.credential)
  await partner(house.url, unaccepted).request('POST', '/2/evse-controllers', { id: 'CP-OTHER' })
  const station = await connectStation(house.ocppUrl, 'CP1', 'ocpp2.0.1', {
    respond: (method) => ANSWERS[method] ?? { status: 'Accepted' },
  })
  await station.ask('BootNotification', {
    ...BOOT_201,
    chargingStation: { ...BOOT_201.chargingStation, serialNumber: 'SN-CP1' },
  })
  await house.request('POST', '/2/evse-controllers', { id: 'CP9' })
  const ids = new Map([['evseController', 'CP1']])
  await charge(house, station, ids)
  const known = new Map<string, Promise<string>>()
  const oncePer = (key: string, make: () => Promise<string>): Promise<string> => {
    const made = known.get(key) ?? make()
    known.set(key, made)
    return made
  }
  let by: Partner = house
  const list = async (path: string) => (await by.request('GET', path)).body.data as readonly Json[]
  const keepFirst = async (name: string, path: string): Promise<void> => {
    await until(async () => (await list(path)).length > 0)
    ids.set(name, String((await list(path))[0]?.id))
  }
  const newest = (method: string): Json => station.requests(method).at(-1) as Json
  const keepToken = (location: unknown): void => {
    ids.set('token', new URL(String(location)).pathname.split('/').at(-1) ?? '')
  }
  return {
    house,
    ids,
    receiver,
    unaccepted,
    actAs(bearer) {
      by = partner(house.url, bearer)
    },
    everyScopeBut: (needed) => API_SCOPE_NAMES.filter((scope) => !needed.includes(scope)),
    restricted: (scopes) =>
      oncePer(`credential ${scopes.join(' ')}`, async () => {
        const asked = ['credential', 'create', '--name', scopes.join(' ').slice(0, 60), '--scope', ...scopes]
        return String((await house.cli([...asked, '--account', accountId])).credential)
      }),
    token: (scopes, as) =>
      oncePer(`token ${as} ${scopes.join(' ')}`, async () => {
        const user = as === undefined ? USER : USERS[as]
        return (await obtainTokens(house, baseUrl, scopes.join(' '), { ...user, accountId })).access_token
      }),
    async askForCertificate() {
      await station.ask('SignCertificate', { csr: await testCsr(await testKeys(), 'SN-CP1') })
      const pending = async () => (await list('/2/certificate-requests')).filter(({ state }) => state === 'pending')
      ids.set('request', String((await pending())[0]?.id))
    },
    async askForLog() {
      const before = station.calls('GetLog').length
      await house.request('POST', '/2/evse-controllers/CP1/logs', { type: 'security' })
      await until(() => station.calls('GetLog').length > before)
      keepToken((newest('GetLog').log as Json).remoteLocation)
    },
    async awaitFirmware() {
      await until(() => station.calls('UpdateFirmware').length > 0)
      keepToken((newest('UpdateFirmware').firmware as Json).location)
    },
    awaitAlert: () => keepFirst('alertId', '/2/alerts?state=raised'),
    async awaitDelivery() {
      const path = `/2/webhooks/${ids.get('webhookId')}/deliveries?state=succeeded`
      await keepFirst('deliveryId', path)
    },
    async close() {
      await station.close()
      await house.close()
      server.close()
    },
  }
}

/** A whole charge; kept as `sessionId`. */
async function charge(house: House, station: Station, ids: Map<string, string>): Promise<void> {
  const event = (eventType: string, seqNo: number, triggerReason: string, chargingState: string) =>
    station.ask('TransactionEvent', {
      eventType,
      seqNo,
      triggerReason,
      timestamp: new Date().toISOString(),
      transactionInfo: { transactionId: 'T-1', chargingState },
      evse: { id: 1, connectorId: 1 },
      idToken: { idToken: 'CARD', type: 'ISO14443' },
    })
  await event('Started', 0, 'Authorized', 'Charging')
  await event('Ended', 1, 'EVDeparted', 'Idle')
  ids.set('sessionId', String((await house.sessions('CP1'))[0]?.id))
  ids.set('commandId', String((await house.rows('CP1'))[0]?.id))
}
