/** Security profile 3 as charge points and operators see it: real sockets, real keys, both versions. */

import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { CERTIFICATES } from '../src/sockets/tls.testing.ts'
import { sign } from '../src/webhooks/sending/signature.ts'
import { x509 } from '../src/x509/library.ts'
import { type TestKeys, testAuthority, testCertificate, testCsr, testKeys } from '../src/x509/testing.ts'
import { type Environment, type House, type Json, openHouse, until } from './house.ts'
import { BOOT_16, BOOT_201, booted16, booted201, connectStation, type Station, type StationOptions } from './station.ts'

const PASSWORD = 'correct-horse-battery'
const folder = mkdtempSync(join(tmpdir(), 'pilotwire-certificates-'))
const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.pem') }
const TLS: Environment = { PILOTWIRE_TLS_CERT_FILE: files.cert, PILOTWIRE_TLS_KEY_FILE: files.key }

const open: (House | Station)[] = []

beforeAll(() => {
  // The API of these servers is asked over their self-signed certificate.
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  writeFileSync(files.cert, CERTIFICATES.first.cert)
  writeFileSync(files.key, CERTIFICATES.first.key)
})

afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close()
})

afterAll(() => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  rmSync(folder, { recursive: true })
})

async function house(environment: Environment = TLS): Promise<House> {
  const opened = await openHouse(environment)
  open.push(opened)
  return opened
}

async function connected(station: Promise<Station>): Promise<Station> {
  const opened = await station
  open.push(opened)
  return opened
}

const boot16 = (serialNumber: string) => ({ ...BOOT_16, chargePointSerialNumber: serialNumber })
const boot201 = (serialNumber: string) => ({
  ...BOOT_201,
  chargingStation: { ...BOOT_201.chargingStation, serialNumber },
})

/** One that came with a password, asked for a certificate and was given one. */
async function certified(
  { ocppUrl, request }: House,
  id: string,
  version: 'ocpp1.6' | 'ocpp2.0.1',
  { keys, extra = {} }: { readonly keys: TestKeys; readonly extra?: Json },
): Promise<{ readonly station: Station; readonly sent: Json; readonly csr: string }> {
  await request('POST', '/2/evse-controllers', { id, password: PASSWORD, securityProfile: 2 })
  const options: StationOptions = { password: PASSWORD, tls: {}, answer: { status: 'Accepted' } }
  const station = await connected(connectStation(ocppUrl, id, version, options))
  await station.ask('BootNotification', version === 'ocpp1.6' ? boot16(`SN-${id}`) : boot201(`SN-${id}`))
  const csr = await testCsr(keys, `SN-${id}`)
  expect(await station.ask('SignCertificate', { csr, ...extra })).toEqual({ status: 'Accepted' })
  return { station, sent: await certificateSigned(station), csr }
}

async function certificateSigned(station: Station, nth = 0): Promise<Json> {
  const calls = () => station.frames.filter((frame) => frame[2] === 'CertificateSigned')
  await until(() => calls().length > nth)
  return calls()[nth]?.[3] as Json
}

const shows = (chain: unknown, { privateKey }: TestKeys): StationOptions => ({
  tls: { cert: String(chain), key: privateKey },
  answer: { status: 'Accepted' },
})

const refused = (status: number) => ({ status })

describe.each(['ocpp1.6', 'ocpp2.0.1'] as const)('%s', (version) => {
  it.each(['EC', 'RSA'] as const)(
    'CERT-C1, CERT-C7, CERT-C24: a request with an %s key is signed, and its certificate is a login to profile 3',
    async (kind) => {
      const at = await house()
      const keys = await testKeys(kind)
      const { sent, station } = await certified(at, 'CP1', version, { keys })
      expect(Object.keys(sent)).toEqual(['certificateChain'])
      const leaf = new X509Certificate(String(sent.certificateChain))
      expect(leaf.subject).toBe('CN=SN-CP1\nO=Default')
      await station.close()
      const again = await connected(connectStation(at.ocppUrl, 'CP1', version, shows(sent.certificateChain, keys)))
      await again.ask('BootNotification', version === 'ocpp1.6' ? boot16('SN-CP1') : boot201('SN-CP1'))
      expect((await at.request('GET', '/2/evse-controllers/CP1')).body).toMatchObject({ securityProfile: 3 })
      await again.close()
      // A05.FR.07: a lower profile is refused from now on.
      const lower = connectStation(at.ocppUrl, 'CP1', version, { password: PASSWORD, tls: {} })
      await expect(lower).rejects.toMatchObject(refused(403))
    },
  )

  it('CERT-C1: whatever is no request is Rejected, and never an error', async () => {
    const at = await house({})
    const station = await connected((version === 'ocpp1.6' ? booted16 : booted201)(at.ocppUrl, 'CP1'))
    const foreign = await testCsr(await testKeys(), 'SN', await testKeys())
    for (const csr of ['', 'x', foreign, 'A'.repeat(5501), 7]) {
      expect(await station.ask('SignCertificate', { csr })).toMatchObject({ status: 'Rejected' })
    }
    expect(await station.ask('SignCertificate', {})).toMatchObject({ status: 'Rejected' })
    expect((await at.request('GET', '/2/certificate-requests')).body).toMatchObject({ data: [] })
  })

  it('CERT-C1: a request that is too long is Rejected in strict mode as well', async () => {
    const at = await house({})
    const station = await connected((version === 'ocpp1.6' ? booted16 : booted201)(at.ocppUrl, 'CP1'))
    await at.request('PATCH', '/2/evse-controllers/CP1', { validation: 'strict' })
    for (const csr of ['A'.repeat(5501), '', 7]) {
      expect(await station.ask('SignCertificate', { csr })).toMatchObject({ status: 'Rejected' })
    }
    expect((await station.call('StatusNotification', {}))[0]).toBe(4)
  })

  it('CERT-C2: the same request again is answered with the same certificate', async () => {
    const at = await house()
    const { station, sent, csr } = await certified(at, 'CP1', version, { keys: await testKeys() })
    expect(await station.ask('SignCertificate', { csr })).toEqual({ status: 'Accepted' })
    expect(await certificateSigned(station, 1)).toEqual(sent)
    const { body } = await at.request('GET', '/2/certificate-requests')
    expect(body).toMatchObject({ data: [{ evseControllerId: 'CP1', state: 'signed' }] })
  })
})

describe('a login by certificate', () => {
  it('CERT-C11, CERT-C17, CERT-C19: none, a forged one, another charge point’s and a revoked one are refused with 403', async () => {
    const at = await house()
    const keys = await testKeys()
    const { sent, station } = await certified(at, 'CP1', 'ocpp2.0.1', { keys })
    await station.close()
    for (const id of ['CP2', 'CP3']) await at.request('POST', '/2/evse-controllers', { id, securityProfile: 3 })
    const forged = await testCertificate(await testAuthority(), keys, { commonName: 'SN-CP1', organization: 'Default' })
    const login = (id: string, options: StationOptions) => connectStation(at.ocppUrl, id, 'ocpp2.0.1', options)
    await expect(login('CP2', { tls: {} })).rejects.toMatchObject(refused(403))
    await expect(login('CP2', shows(forged, keys))).rejects.toMatchObject(refused(403))
    await expect(login('CP2', shows(sent.certificateChain, keys))).rejects.toMatchObject(refused(403))
    const events = async () => (await at.request('GET', '/2/events?type=security.event')).body.data as readonly Json[]
    await until(async () => (await events()).length > 0)
    expect(JSON.stringify(await events())).toContain('InvalidChargingStationCertificate')
    const { body } = await at.request('GET', '/2/evse-controllers/CP1/certificates')
    const [own] = body.data as readonly Json[]
    expect(own).toMatchObject({ state: 'issued', certificateType: 'ChargingStationCertificate' })
    expect((await at.request('DELETE', `/2/evse-controllers/CP1/certificates/${own?.id}`)).status).toBe(204)
    await expect(login('CP1', shows(sent.certificateChain, keys))).rejects.toMatchObject(refused(401))
    await at.request('PATCH', '/2/evse-controllers/CP1', { securityProfile: 3 })
    await expect(login('CP1', shows(sent.certificateChain, keys))).rejects.toMatchObject(refused(403))
  })

  it('CERT-C18: a boot with another serial number than the certificate’s ends the connection', async () => {
    const at = await house()
    const keys = await testKeys()
    const { sent, station } = await certified(at, 'CP1', 'ocpp2.0.1', { keys })
    await station.close()
    const swapped = await connected(connectStation(at.ocppUrl, 'CP1', 'ocpp2.0.1', shows(sent.certificateChain, keys)))
    swapped.send(JSON.stringify([2, 'b1', 'BootNotification', boot201('SN-OTHER')]))
    expect(await swapped.closed).toMatchObject({ code: 1008 })
  })

  it('CERT-C19: the first login with a new certificate ends the old one', async () => {
    const at = await house()
    const [oldKeys, newKeys] = [await testKeys(), await testKeys()]
    const { sent, station } = await certified(at, 'CP1', 'ocpp2.0.1', { keys: oldKeys })
    await station.close()
    const login = (chain: unknown, keys: TestKeys) => connectStation(at.ocppUrl, 'CP1', 'ocpp2.0.1', shows(chain, keys))
    const first = await connected(login(sent.certificateChain, oldKeys))
    await first.ask('BootNotification', boot201('SN-CP1'))
    // Certificates tell seconds.
    const second = Math.floor(Date.now() / 1000)
    await until(() => Math.floor(Date.now() / 1000) > second)
    await first.ask('SignCertificate', { csr: await testCsr(newKeys, 'SN-CP1') })
    const { certificateChain } = await certificateSigned(first)
    await first.close()
    // Its reboot failed: the old one still counts.
    await (await login(sent.certificateChain, oldKeys)).close()
    await (await login(certificateChain, newKeys)).close()
    await expect(login(sent.certificateChain, oldKeys)).rejects.toMatchObject(refused(403))
  })

  it('CERT-C15: an expired one is refused, unless it may be used to get a new one', async () => {
    const authority = await testAuthority()
    writeFileSync(files.ca, authority.certificate)
    const at = await house({ ...TLS, PILOTWIRE_CLIENT_CA_FILE: files.ca })
    const keys = await testKeys()
    const now = Date.now() - 500 * 24 * 3600_000
    const expired = await testCertificate(authority, keys, { commonName: 'SN-CP1', organization: 'Default', now })
    await at.request('POST', '/2/evse-controllers', { id: 'CP1', securityProfile: 3 })
    const login = () => connectStation(at.ocppUrl, 'CP1', 'ocpp2.0.1', shows(expired, keys))
    await expect(login()).rejects.toMatchObject(refused(403))
    const { body } = await at.request('PATCH', '/2/evse-controllers/CP1', {
      acceptExpired: true,
      subjectCheck: 'exact',
    })
    expect(body).toMatchObject({ acceptExpired: true, subjectCheck: 'exact' })
    const station = await connected(login())
    expect(await station.ask('BootNotification', boot201('SN-CP1'))).toMatchObject({ status: 'Pending' })
    await until(() => station.frames.some((frame) => frame[2] === 'TriggerMessage'))
    const fresh = await testKeys()
    await station.ask('SignCertificate', { csr: await testCsr(fresh, 'SN-CP1') })
    const { certificateChain } = await certificateSigned(station)
    await station.close()
    const renewed = await connected(connectStation(at.ocppUrl, 'CP1', 'ocpp2.0.1', shows(certificateChain, fresh)))
    expect(await renewed.ask('BootNotification', boot201('SN-CP1'))).toMatchObject({ status: 'Accepted' })
  })

  it('CERT-C16: behind a proxy its header counts, and from anybody else it does not', async () => {
    const authority = await testAuthority()
    writeFileSync(files.ca, authority.certificate)
    const keys = await testKeys()
    const pem = await testCertificate(authority, keys, { commonName: 'SN-CP1', organization: 'Default' })
    const forwarded = { 'x-forwarded-proto': 'https', 'x-ssl-client-cert': encodeURIComponent(pem) }
    const settings = { PILOTWIRE_CLIENT_CA_FILE: files.ca }
    const login = async (at: House, headers: Readonly<Record<string, string>>) => {
      await at.request('POST', '/2/evse-controllers', { id: 'CP1', securityProfile: 3 })
      return connectStation(at.ocppUrl, 'CP1', 'ocpp1.6', { headers })
    }
    const direct = await house({ ...settings, PILOTWIRE_TRUSTED_PROXIES: 'none' })
    await expect(login(direct, forwarded)).rejects.toMatchObject(refused(403))
    const behind = await house({ ...settings, PILOTWIRE_TRUSTED_PROXIES: '127.0.0.0/8,::1' })
    await connected(login(behind, forwarded))
    const other = { ...forwarded, 'x-client-cert': forwarded['x-ssl-client-cert'], 'x-ssl-client-cert': '' }
    await expect(login(behind, other)).rejects.toMatchObject(refused(403))
    await expect(login(behind, { ...forwarded, 'x-ssl-client-cert': '%' })).rejects.toMatchObject(refused(403))
    const plain = { ...forwarded, 'x-forwarded-proto': 'http' }
    await expect(login(behind, plain)).rejects.toMatchObject(refused(403))
  })
})

describe('what is installed', () => {
  it('CERT-C23: roots are shown as they are reported, installed, and deleted with the reported algorithm, but not the last one', async () => {
    const at = await house({})
    const station = await connected(connectStation(at.ocppUrl, 'CP1', 'ocpp2.0.1', { silent: true }))
    const roots = [
      hashed('CSMSRootCertificate', '1'),
      hashed('CSMSRootCertificate', '2'),
      hashed('V2GRootCertificate', '3'),
    ]
    const deleted: unknown[] = []
    station.socket.on('message', (message: Buffer) => {
      const [type, id, method, request] = JSON.parse(message.toString()) as [number, string, string, Json]
      if (type !== 2) return
      if (method === 'DeleteCertificate') {
        deleted.push(request.certificateHashData)
        const found = roots.findIndex((root) =>
          JSON.stringify(root).includes(String((request.certificateHashData as Json).serialNumber)),
        )
        roots.splice(found, 1)
      }
      const chain = method === 'GetInstalledCertificateIds' ? { certificateHashDataChain: roots } : {}
      station.send(JSON.stringify([3, id, { status: 'Accepted', ...chain }]))
    })
    await station.ask('BootNotification', BOOT_201)
    const path = '/2/evse-controllers/CP1/certificates'
    const list = async () => (await at.request('GET', path)).body.data as readonly Json[]
    const types = (await list()).map(({ certificateType, state }) => `${certificateType} ${state}`)
    expect(types.sort()).toEqual([
      'CSMSRootCertificate installed',
      'CSMSRootCertificate installed',
      'V2GRootCertificate installed',
    ])
    const certificate = (await testAuthority()).certificate
    const install = await at.request('POST', path, { certificateType: 'CentralSystemRootCertificate', certificate })
    expect(install).toMatchObject({ status: 201, body: { state: 'installed', certificateType: 'CSMSRootCertificate' } })
    const wrong = await at.request('POST', path, { certificateType: 'CSMSRootCertificate', certificate: 'no' })
    expect(wrong.status).toBe(400)
    const idOf = async (number: string) => (await list()).find(({ serialNumber }) => serialNumber === number)?.id
    const [first, second] = [await idOf('1'), await idOf('2')]
    expect((await at.request('DELETE', `${path}/${first}`)).status).toBe(204)
    expect(deleted).toEqual([{ ...hash('1'), hashAlgorithm: 'SHA384' }])
    expect(await at.request('DELETE', `${path}/${second}`)).toMatchObject({
      status: 409,
      body: { code: 'root_in_use' },
    })
    expect((await at.request('DELETE', `${path}/none`)).status).toBe(404)
  })

  it('CERT-C23: a 1.6 charge point is asked for one type of root at a time, and told to install and delete', async () => {
    const at = await house({})
    const roots = new Map([
      ['CentralSystemRootCertificate', [hash('1'), hash('2')]],
      ['ManufacturerRootCertificate', [hash('3')]],
    ])
    const told: Json[] = []
    const station = await connected(
      booted16(at.ocppUrl, 'CP1', {
        respond(method, request) {
          if (method === 'GetInstalledCertificateIds') {
            const certificateHashData = roots.get(String(request.certificateType)) ?? []
            return certificateHashData.length > 0 ? { status: 'Accepted', certificateHashData } : { status: 'NotFound' }
          }
          told.push({ method, ...request })
          if (method === 'InstallCertificate') {
            roots.get(String(request.certificateType))?.push(hash('9'))
            return { status: 'Accepted' }
          }
          const { serialNumber } = request.certificateHashData as Json
          for (const [type, all] of roots)
            roots.set(
              type,
              all.filter((each) => each.serialNumber !== serialNumber),
            )
          return { status: serialNumber === '3' ? 'Failed' : 'Accepted' }
        },
      }),
    )
    const path = '/2/evse-controllers/CP1/certificates'
    const list = async () => (await at.request('GET', path)).body.data as readonly Json[]
    const shown = async () =>
      (await list()).map(({ certificateType, serialNumber }) => `${certificateType} ${serialNumber}`)
    expect((await shown()).sort()).toEqual([
      'CentralSystemRootCertificate 1',
      'CentralSystemRootCertificate 2',
      'ManufacturerRootCertificate 3',
    ])
    const asked = station.frames.filter((frame) => frame[2] === 'GetInstalledCertificateIds').map((frame) => frame[3])
    expect(asked).toContainEqual({ certificateType: 'ManufacturerRootCertificate' })
    const { certificate } = await testAuthority()
    const body = { certificateType: 'CSMSRootCertificate', certificate }
    expect(await at.request('POST', path, body)).toMatchObject({
      status: 201,
      body: { state: 'installed', certificateType: 'CentralSystemRootCertificate' },
    })
    expect(told).toMatchObject([{ method: 'InstallCertificate', certificateType: 'CentralSystemRootCertificate' }])
    const idOf = async (number: string) => (await list()).find(({ serialNumber }) => serialNumber === number)?.id
    expect((await at.request('DELETE', `${path}/${await idOf('2')}`)).status).toBe(204)
    expect(told.at(-1)).toEqual({ method: 'DeleteCertificate', certificateHashData: hash('2') })
    expect(await at.request('DELETE', `${path}/${await idOf('3')}`)).toMatchObject({
      status: 409,
      body: { code: 'charge_point_refused' },
    })
    expect((await shown()).sort()).toEqual(['CentralSystemRootCertificate 1', 'CentralSystemRootCertificate 9'])
    expect(station.frames.every((frame) => frame[0] !== 4)).toBe(true)
  })

  it('CERT-C25: a job raises the profile, and there is one at a time', async () => {
    const at = await house({})
    const station = await connected(connectStation(at.ocppUrl, 'CP1', 'ocpp1.6', { silent: true }))
    await station.ask('BootNotification', BOOT_16)
    const path = '/2/evse-controllers/CP1/security-profile'
    const answer = await at.request('POST', path, { securityProfile: 2 })
    expect(answer).toMatchObject({
      status: 202,
      body: { state: 'running', step: 'setSecurityProfile', securityProfile: 2 },
    })
    await until(() => station.frames.some((frame) => frame[2] === 'ChangeConfiguration'))
    expect(await at.request('POST', path, { securityProfile: 2 })).toMatchObject({
      status: 409,
      body: { code: 'job_running' },
    })
    expect((await at.request('GET', `${path}/${answer.body.id}`)).body).toEqual(answer.body)
  })
})

const hash = (serialNumber: string) => ({
  hashAlgorithm: 'SHA384',
  issuerNameHash: 'aa',
  issuerKeyHash: 'bb',
  serialNumber,
})
const hashed = (certificateType: string, serialNumber: string) => ({
  certificateType,
  certificateHashData: hash(serialNumber),
})

describe('who signs', () => {
  it('CERT-C3: a type that is named is named again', async () => {
    const at = await house()
    const extra = { certificateType: 'V2GCertificate' }
    const { sent } = await certified(at, 'CP1', 'ocpp2.0.1', { keys: await testKeys(), extra })
    expect(sent).toMatchObject(extra)
  })

  it('CERT-C8: authorities are public, and what was revoked stands on their list', async () => {
    const at = await house()
    const { sent } = await certified(at, 'CP1', 'ocpp1.6', { keys: await testKeys() })
    const { body } = await at.request('GET', '/2/certificate-authorities')
    const authorities = body.data as readonly Json[]
    expect(authorities).toMatchObject([{ keyType: 'EC' }, { keyType: 'RSA' }])
    const pem = await (await fetch(`${at.url}/certificates/stations-ec.pem`)).text()
    const leaf = new X509Certificate(String(sent.certificateChain))
    expect(leaf.checkIssued(new X509Certificate(pem))).toBe(true)
    const fingerprint = leaf.fingerprint256.replaceAll(':', '').toLowerCase()
    await at.request('DELETE', `/2/evse-controllers/CP1/certificates/${fingerprint}`)
    const list = new x509.X509Crl(await (await fetch(`${at.url}/certificates/stations-ec.crl`)).arrayBuffer())
    expect(list.entries.map(({ serialNumber }) => serialNumber)).toEqual([leaf.serialNumber.toLowerCase()])
    expect(await list.verify({ publicKey: new x509.X509Certificate(pem) })).toBe(true)
    expect((await fetch(`${at.url}/certificates/nobody.pem`)).status).toBe(404)
  })

  it('CERT-C10: a chain is no longer than the device model says, and one that cannot be cut is a fault', async () => {
    const at = await house({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
    const authority = await testAuthority()
    const keys = await testKeys()
    const station = await connected(booted201(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
    const made = await testCertificate(authority, keys, { commonName: 'CP1' })
    const report = (value: number, seqNo: number) =>
      station.ask('NotifyReport', {
        ...{ requestId: 1, seqNo, generatedAt: '2026-11-21T12:00:00Z' },
        reportData: [
          {
            component: { name: 'SecurityCtrlr' },
            variable: { name: 'MaxCertificateChainSize' },
            variableAttribute: [{ value: String(value), mutability: 'ReadOnly' }],
          },
        ],
      })
    const known = async (value: number) => {
      const path = `/2/evse-controllers/CP1/variables?variable=MaxCertificateChainSize&value=${value}`
      return ((await at.request('GET', path)).body.data as readonly Json[]).length > 0
    }
    await report(100, 0)
    await until(() => known(100))
    await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
    const [{ id } = { id: '' }] = (await at.request('GET', '/2/certificate-requests')).body.data as { id: string }[]
    const chain = `${made}\n${authority.certificate}`
    const refusal = await at.request('PUT', `/2/certificate-requests/${id}`, { chain })
    expect(refusal.status).toBe(400)
    expect(refusal.text).toContain('longer than the 100 characters')
    await report(made.length + 10, 1)
    await until(() => known(made.length + 10))
    expect((await at.request('PUT', `/2/certificate-requests/${id}`, { chain })).status).toBe(200)
    expect(await certificateSigned(station)).toEqual({ certificateChain: `${made.trim()}\n` })
  })

  it('CERT-C22: by hand, with a chain that fits the request or a refusal', async () => {
    const at = await house({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual' })
    const authority = await testAuthority()
    const keys = await testKeys()
    const station = await connected(booted16(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
    await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
    await station.ask('SignCertificate', { csr: await testCsr(await testKeys(), 'CP1') })
    const { body } = await at.request('GET', '/2/certificate-requests')
    const requests = body.data as readonly { id: string; csr: string }[]
    expect(requests).toHaveLength(2)
    const wrong = await testCertificate(authority, await testKeys(), { commonName: 'CP1' })
    const right = await testCertificate(authority, keys, { commonName: 'CP1' })
    const statuses: number[] = []
    for (const { id } of requests) {
      expect((await at.request('PUT', `/2/certificate-requests/${id}`, { chain: wrong })).status).toBe(400)
      statuses.push((await at.request('PUT', `/2/certificate-requests/${id}`, { chain: right })).status)
    }
    expect(statuses.sort()).toEqual([200, 400])
    expect(await certificateSigned(station)).toEqual({ certificateChain: `${right.trim()}\n` })
    const pending = ((await at.request('GET', '/2/certificate-requests')).body.data as readonly Json[]).find(
      ({ state }) => state === 'pending',
    )
    const refusal = await at.request('PUT', `/2/certificate-requests/${pending?.id}`, { rejected: 'not ours' })
    expect(refusal.body).toMatchObject({ state: 'rejected', reason: 'not ours' })
    expect((await at.request('PUT', `/2/certificate-requests/${pending?.id}`, { rejected: 'x' })).status).toBe(409)
    expect((await at.request('PUT', '/2/certificate-requests/none', { rejected: 'x' })).status).toBe(404)
  })

  it('CERT-C21: a service is asked with a signature, three times where it is broken, and never again', async () => {
    const asked: { readonly body: Json; readonly signature: unknown; readonly expected: string }[] = []
    let answer = (_: Json, response: ServerResponse): void => void response.writeHead(503).end()
    const hook: Server = createServer((request: IncomingMessage, response) => {
      let text = ''
      request.on('data', (part) => {
        text += String(part)
      })
      request.on('end', () => {
        const body = JSON.parse(text) as Json
        const expected = sign(PASSWORD, Number(request.headers['webhook-timestamp']), text)
        asked.push({ body, signature: request.headers['webhook-signature'], expected })
        answer(body, response)
      })
    })
    await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(hook.address() as AddressInfo).port}/sign`
    try {
      const at = await house({
        PILOTWIRE_CERTIFICATE_PROVIDER: 'http',
        PILOTWIRE_CERTIFICATE_HOOK_URL: url,
        PILOTWIRE_CERTIFICATE_HOOK_SECRET: PASSWORD,
      })
      const station = await connected(booted16(at.ocppUrl, 'CP1', { answer: { status: 'Accepted' } }))
      const csr = await testCsr(await testKeys(), 'CP1')
      await station.ask('SignCertificate', { csr })
      await until(async () =>
        JSON.stringify((await at.request('GET', '/2/certificate-requests')).body).includes('failed'),
      )
      expect(asked).toHaveLength(3)
      for (const { signature, expected, body } of asked) {
        expect(signature).toBe(expected)
        expect(body).toMatchObject({
          chargePointId: 'CP1',
          csr: expect.stringContaining(csr),
          type: 'ChargingStationCertificate',
        })
      }
      expect(await station.ask('SignCertificate', { csr })).toEqual({ status: 'Rejected' })
      const authority = await testAuthority()
      const keys = await testKeys()
      const made = await testCertificate(authority, keys, { commonName: 'CP1' })
      answer = (_, response) => response.end(JSON.stringify({ chain: `${authority.certificate}\n${made}` }))
      await station.ask('SignCertificate', { csr: await testCsr(keys, 'CP1') })
      const { certificateChain } = await certificateSigned(station)
      expect(String(certificateChain).indexOf(made.trim())).toBe(0)
      expect(asked).toHaveLength(4)
    } finally {
      hook.closeAllConnections()
      await new Promise((resolve) => hook.close(resolve))
    }
  })
})
