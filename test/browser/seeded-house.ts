/** A server on which each page has something to show, with a user of each role. */

import { createHash } from 'node:crypto'
import type { Role } from '../../src/domain/ports/storage-records.ts'
import { freePort } from '../free-port.ts'
import { type House, type Json, openHouse, until } from '../house.ts'
import { BOOT_16, connectStation, type Station } from '../station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from '../support/domain/x509/testing.ts'

export const PASSWORD = 'correct horse battery'
export const USERS = {
  administrator: 'ada@example.com',
  operator: 'otto@example.com',
  viewer: 'viv@example.com',
} as const satisfies Partial<Record<Role, string>>
export type Seeing = keyof typeof USERS
/** What a station may say: markup, another direction of writing, and much of it. */
const HOSTILE = `"><script>window.broken = 1</script>\u202e\u05d0${'x'.repeat(430)}`
/** Nobody listens there. */
const NOWHERE = 'http://127.0.0.1:9/'

export interface SeededHouse {
  readonly house: House
  readonly dashboard: string
  /** Where an application sends a user for consent. */
  readonly authorize: string
  /** Where the application has the user sent back to. */
  readonly back: string
  close(): Promise<void>
}

export async function openSeededHouse(): Promise<SeededHouse> {
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const house = await openHouse({
    PILOTWIRE_PORT: String(port),
    PILOTWIRE_BASE_URL: baseUrl,
    PILOTWIRE_ADMIN_EMAIL: USERS.administrator,
    PILOTWIRE_ADMIN_PASSWORD: PASSWORD,
    PILOTWIRE_CERTIFICATE_PROVIDER: 'manual',
    PILOTWIRE_ALERT_INTERVAL: '1',
    PILOTWIRE_UNKNOWN_CHARGE_POINTS: 'reject',
  })
  const ask = async (method: string, path: string, body?: unknown): Promise<Json> => {
    const answer = await house.request(method, path, body)
    if (answer.status >= 300) throw new Error(`${method} ${path} was answered ${answer.status}: ${answer.text}`)
    return answer.body
  }
  for (const role of ['operator', 'viewer'] as const) {
    await ask('POST', '/2/users', { email: USERS[role], role, password: PASSWORD })
  }
  await ask('POST', '/2/id-tokens', { id: 'CARD-1' })
  await ask('POST', '/2/tariffs', { currency: 'EUR', perKwh: 0.4 })
  const targets = [{ mail: `${'m'.repeat(60)}@example.com` }]
  const report = { kind: 'sessions', groupBy: 'label:team', schedule: 'weekly', targets }
  await ask('PUT', `/2/reports/${'r'.repeat(200)}`, report)
  await ask('POST', '/2/webhooks', { url: `${NOWHERE}${'hook'.repeat(90)}`, events: ['session.updated'] })
  await ask('POST', '/2/alert-rules', { name: 'Gone', kind: 'offline', after: 0, targets: [] })
  await ask('POST', '/2/evse-controllers', {
    id: 'CP-1',
    securityProfile: 0,
    name: `<b>${'n'.repeat(190)}`,
    labels: { site: 'north' },
  })
  await ask('POST', '/2/evse-controllers', { id: 'GONE' })
  const station = await live(house)
  await connectStation(house.ocppUrl, 'NEW "1"', 'ocpp1.6').catch(() => undefined)
  await ask('PUT', '/2/configurations/sampling', {
    selector: { ids: ['CP-1'] },
    keys16: [{ key: 'HeartbeatInterval', value: '60' }],
  })
  await ask('PUT', '/2/monitors/heat', {
    selector: { ids: ['CP-1'] },
    monitors: [
      {
        component: { name: 'ChargingStation' },
        variable: { name: 'Temperature' },
        type: 'UpperThreshold',
        value: 70,
        severity: 3,
      },
    ],
  })
  await ask('PUT', '/2/sites/north', { coordinates: { latitude: 52.37, longitude: 9.73 } })
  await ask('PUT', '/2/ocpi/party', { countryCode: 'DE', partyId: 'PWR', businessDetails: { name: 'Pilotwire' } })
  const { token } = await ask('POST', '/2/ocpi/partners', { name: 'Elsewhere' })
  const authorization = `Token ${Buffer.from(String(token)).toString('base64')}`
  await (await fetch(`${baseUrl}/ocpi/versions`, { headers: { authorization } })).text()
  const socket = { standard: 'IEC_62196_T2', format: 'SOCKET', powerType: 'DC', maxVoltage: 400, maxAmperage: 100 }
  await ask('PUT', '/2/locations/north', {
    address: 'Main Street 1',
    city: 'Hannover',
    country: 'DEU',
    coordinates: { latitude: 52.37, longitude: 9.73 },
    timeZone: 'Europe/Berlin',
    evses: [{ evseControllerId: 'CP-1', connectors: [{ connectorId: '1', ...socket }] }],
  })
  await ask('PUT', '/2/limit-groups/site', { amps: 63, selector: { ids: ['CP-1'] } })
  await ask('POST', '/2/bulk-orders', {
    selector: { ids: ['CP-1', 'GONE'] },
    order: { kind: 'availability', available: true },
  })
  await ask('POST', '/2/firmware-campaigns', {
    location: 'https://firmware.example/2.bin',
    version: '2.0',
    selector: { ids: ['CP-1'] },
  })
  await ask('POST', '/2/evse-controllers/CP-1/reports', { base: 'FullInventory' })
  await ask('POST', '/2/evse-controllers/CP-1/logs', { type: 'diagnostics' })
  const back = `${NOWHERE}cb`
  const client = await house.cli([
    'client',
    'create',
    '--name',
    'Fleet',
    '--kind',
    'public',
    '--redirect-uri',
    back,
    '--json',
  ])
  const request = new URLSearchParams({
    client_id: String(client.clientId ?? client.id),
    redirect_uri: back,
    response_type: 'code',
    scope: 'openid sessions:read',
    state: 's',
    code_challenge: createHash('sha256').update('v'.repeat(43)).digest('base64url'),
    code_challenge_method: 'S256',
  })
  return {
    house,
    dashboard: `${baseUrl}/dashboard`,
    authorize: `${baseUrl}/dashboard/oauth/authorize?${request}`,
    back,
    async close() {
      await station.close()
      await house.close()
    },
  }
}

/** Charges once and once more, fails, and does what it is told. */
async function live(house: House): Promise<Station> {
  const station = await connectStation(house.ocppUrl, 'CP-1', 'ocpp1.6', {
    respond: (...reported) => respond(house, ...reported),
  })
  await station.ask('BootNotification', BOOT_16)
  await signed(house, station)
  await station.ask('SignCertificate', { csr: await testCsr(await testKeys(), 'CP-1') })
  const begun = { connectorId: 1, idTag: 'CARD-1', meterStart: 1000 }
  for (const [hoursAgo, isOver] of [
    [3, true],
    [1, false],
  ] as const) {
    const at = (minutes: number) => new Date(Date.now() - hoursAgo * 3_600_000 + minutes * 60_000).toISOString()
    const { transactionId } = await station.ask('StartTransaction', { ...begun, timestamp: at(0) })
    for (const minutes of [10, 20]) {
      const sampledValue = [{ value: String(1000 + minutes * 100) }]
      const meterValue = [{ timestamp: at(minutes), sampledValue }]
      await station.ask('MeterValues', { connectorId: 1, transactionId, meterValue })
    }
    if (isOver) await station.ask('StopTransaction', { transactionId, meterStop: 4000, timestamp: at(30) })
  }
  const fault = {
    status: 'Faulted',
    errorCode: 'GroundFailure',
    vendorErrorCode: 'E7',
    info: HOSTILE,
    vendorId: HOSTILE,
  }
  await station.ask('StatusNotification', { connectorId: 2, ...fault })
  await until(async () => (await house.sessions('CP-1')).some(({ state }) => state === 'completed'))
  return station
}

/** One certificate of its own; of the next one that it asks for nobody has decided. */
async function signed(house: House, station: Station): Promise<void> {
  const [authority, keys] = await Promise.all([testAuthority(), testKeys()])
  await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP-1') })
  const requests = async () => (await house.request('GET', '/2/certificate-requests')).body.data as readonly Json[]
  await until(async () => (await requests()).length > 0)
  const [request] = await requests()
  const chain = await testCertificate(authority, keys, { commonName: 'CP-1' })
  await house.request('PUT', `/2/certificate-requests/${request?.id}`, { chain })
  await until(() => station.frames.some(([, , method]) => method === 'CertificateSigned'))
}

function respond(house: House, method: string, request: Json): Json | undefined {
  switch (method) {
    case 'GetConfiguration':
      return { configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '900' }] }
    case 'GetDiagnostics':
      setImmediate(() => void upload(house, String(request.location)))
      return { fileName: 'a.log' }
    case 'CertificateSigned':
    case 'ChangeConfiguration':
      return { status: 'Accepted' }
    default:
      return undefined
  }
}

async function upload(house: House, location: string): Promise<void> {
  await fetch(location.replace(/^http:\/\/[^/]*/, house.url), { method: 'PUT', body: 'all is well' })
}
