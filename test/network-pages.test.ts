/** What operators do on the pages of the network, with charge points on real sockets. */
import { expect, it } from 'vitest'
import { houseOfFile, type Json, until } from './house.ts'
import { obedient } from './obedient.ts'
import { ORIGIN, signedIn, WITH_ADMIN } from './operator.ts'
import { BOOT_16, connectStation } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'
import { csrfOf } from './support/oidc/browser.ts'

const keys = new Map([['HeartbeatInterval', '900']])

const obey = obedient(keys)
const others: Readonly<Record<string, Json>> = {
  GetDiagnostics: { fileName: 'a.log' },
  UpdateFirmware: {},
  CertificateSigned: { status: 'Accepted' },
}

const house = await houseOfFile({ ...WITH_ADMIN, PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
const ada = await signedIn(house)
const station = await connectStation(house.ocppUrl, 'NET-1', 'ocpp1.6', {
  respond: (method, request) => others[method] ?? obey(method, request),
})
await station.ask('BootNotification', BOOT_16)

const page = async (path: string): Promise<string> => (await ada.get(`/dashboard${path}`)).text()
/** Sends the form of a page; `action` is how its address ends. */
const send = async (at: string, action: string, fields: Record<string, string>): Promise<Response> => {
  const html = await page(at)
  const path = [...html.matchAll(/action="([^"]*)"/g)].map(([, one = '']) => one).find((one) => one.endsWith(action))
  return ada.post((path ?? '').replaceAll('&amp;', '&'), { csrf: csrfOf(html, action), ...fields }, ORIGIN)
}

it('CONSOLE-N1, CONSOLE-N2: a report is asked for, and a value is set and read back', async () => {
  const path = '/charge-points/NET-1/variables'
  expect((await send(path, '/reports', {})).status).toBe(303)
  await until(async () => (await page(path)).includes('ChargePoint.HeartbeatInterval'))
  const key = 'chargepoint.heartbeatinterval'
  const at = `/charge-points/NET-1/variable?key=${key}`
  expect((await send(at, `/variable?key=${key}`, { value: '60' })).status).toBe(303)
  await until(async () => (await page(path)).includes('read back'))
  expect(keys.get('HeartbeatInterval')).toBe('60')
})
it('CONSOLE-N3, CONSOLE-N4: a configuration reaches the charge point that it means', async () => {
  const made = await send('/new-configuration', '/new-configuration', {
    name: 'sampling',
    ids: 'NET-1',
    key: 'MeterValueSampleInterval',
    keyValue: '60',
  })
  expect(made.headers.get('location')).toBe('/dashboard/configurations/sampling')
  await until(async () => (await page('/configurations/sampling?state=verified')).includes('/charge-points/NET-1/'))
  expect(keys.get('MeterValueSampleInterval')).toBe('60')
})
it('CONSOLE-N6, CONSOLE-N7: a campaign is made, started and reaches the charge point', async () => {
  const made = await send('/new-firmware-campaign', '/new-firmware-campaign', {
    location: 'https://firmware.example/2.bin',
    version: '2.0',
    ids: 'NET-1',
    waves: '100%',
  })
  const path = (made.headers.get('location') ?? '').replace('/dashboard', '')
  expect((await send(path, '/start', {})).status).toBe(303)
  await until(() => station.frames.some(([, , method]) => method === 'UpdateFirmware'))
  await station.ask('FirmwareStatusNotification', { status: 'Installed' })
  await until(async () => (await page(path)).includes('succeeded 1'))
})

it('CONSOLE-N8: a log is asked for, uploaded and fetched', async () => {
  const path = '/charge-points/NET-1/logs'
  expect((await send(path, '/logs', { type: 'diagnostics' })).status).toBe(303)
  const asked = () => station.frames.find(([, , method]) => method === 'GetDiagnostics')
  await until(() => asked() !== undefined)
  const [, , , request] = asked() ?? []
  const { location } = request as { readonly location: string }
  const uploaded = await fetch(location.replace(ORIGIN.origin, house.url), { method: 'PUT', body: 'all is well' })
  expect(uploaded.status).toBe(201)
  const [, file = ''] = /href="\/dashboard([^"]*\/file)"/.exec(await page(path)) ?? []
  expect(await page(file)).toBe('all is well')
})
it('CONSOLE-N10: a request is signed by hand, and its certificate reaches the charge point', async () => {
  const [authority, keys] = await Promise.all([testAuthority(), testKeys()])
  expect(await station.ask('SignCertificate', { csr: await testCsr(keys, 'NET-1') })).toEqual({ status: 'Accepted' })
  const waiting = async () => /certificate-requests\/([0-9a-f]+)"/.exec(await page('/certificates'))?.[1]
  await until(async () => (await waiting()) !== undefined)
  const path = `/certificate-requests/${await waiting()}`
  const chain = await testCertificate(authority, keys, { commonName: 'NET-1' })
  expect((await send(path, '/sign', { chain })).status).toBe(303)
  await until(() => station.frames.some(([, , method]) => method === 'CertificateSigned'))
  expect(await page('/charge-points/NET-1/certificates')).toContain('issued')
})
