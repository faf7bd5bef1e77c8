/** Test cases of the Open Charge Alliance about certificates, by what is stored when they are over. */
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type House, type Json, openHouse, until } from './house.ts'
import { BOOT_201, connectStation, type Station, type StationOptions } from './station.ts'
import { type TestKeys, testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-cases-'))
const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.pem') }
let house: House
const stations: Station[] = []

beforeAll(() => {
  process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
  writeFileSync(files.cert, CERTIFICATES.first.cert)
  writeFileSync(files.key, CERTIFICATES.first.key)
})
afterEach(async () => {
  for (const station of stations.splice(0)) await station.close()
})
afterAll(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  rmSync(folder, { recursive: true })
})

const list = async (path: string) => (await house.request('GET', path)).body.data as readonly Json[]

async function boot(id: string, options: StationOptions): Promise<Station> {
  const station = await connectStation(house.ocppUrl, id, 'ocpp2.0.1', options)
  stations.push(station)
  const chargingStation = { ...BOOT_201.chargingStation, serialNumber: `SN-${id}` }
  await station.ask('BootNotification', { ...BOOT_201, chargingStation })
  return station
}

const command = (id: string, method: string, request: object) =>
  house.request('POST', `/2/evse-controllers/${id}/commands`, { method, request, wait: 10 })

describe('security profile 3', () => {
  let certificate = ''
  let keys: TestKeys

  beforeAll(async () => {
    const authority = await testAuthority()
    writeFileSync(files.ca, authority.certificate)
    house = await openHouse({
      PILOTWIRE_TLS_CERT_FILE: files.cert,
      PILOTWIRE_TLS_KEY_FILE: files.key,
      PILOTWIRE_CLIENT_CA_FILE: files.ca,
    })
    keys = await testKeys()
    // For days before now: one that is made later is newer, to the second that certificates tell.
    const now = Date.now() - 10 * 24 * 3600_000
    certificate = await testCertificate(authority, keys, { commonName: 'SN-CP1', organization: 'Default', now })
    await house.request('POST', '/2/evse-controllers', {
      id: 'CP1',
      securityProfile: 3,
      expectedSerialNumber: 'SN-CP1',
    })
  })
  afterAll(() => house.close())

  const login = (chain: unknown, { privateKey }: TestKeys, answer: Json = { status: 'Accepted' }): StationOptions => ({
    tls: { cert: String(chain), key: privateKey },
    answer,
  })
  const own = async () =>
    (await list('/2/evse-controllers/CP1/certificates')).map(
      ({ id, state }) => `${fingerprints.get(String(id))} ${state}`,
    )
  const fingerprints = new Map<string, string>()
  const name = (pem: unknown, as: string) =>
    fingerprints.set(new X509Certificate(String(pem)).fingerprint256.replaceAll(':', '').toLowerCase(), as)

  it('CERT-C11, CERT-C17 (TC_A_08): an invalid client certificate is refused and told, and nothing of it is kept', async () => {
    const unaccepted = await testKeys()
    const forged = await testCertificate(await testAuthority(), unaccepted, {
      commonName: 'SN-CP1',
      organization: 'Default',
    })
    await expect(connectStation(house.ocppUrl, 'CP1', 'ocpp2.0.1', login(forged, unaccepted))).rejects.toMatchObject({
      status: 403,
    })
    await until(async () => (await list('/2/events?type=security.event')).length > 0)
    expect(await own()).toEqual([])
    expect((await house.request('GET', '/2/evse-controllers/CP1')).body).not.toMatchObject({ online: true })
  })

  it('CERT-C11, CERT-C19 (TC_A_07): a valid client certificate is kept as the one in use', async () => {
    name(certificate, 'first')
    await boot('CP1', login(certificate, keys))
    expect(await own()).toEqual(['first inUse'])
    expect((await house.request('GET', '/2/evse-controllers/CP1')).body).toMatchObject({ securityProfile: 3 })
  })

  /** Asked for by us, until CertificateSigned is answered. */
  const renewed = async (answer: Json) => {
    const station = await boot('CP1', login(certificate, keys, answer))
    await command('CP1', 'TriggerMessage', { requestedMessage: 'SignChargingStationCertificate' })
    await station.asked('TriggerMessage')
    const fresh = await testKeys()
    const csr = await testCsr(fresh, 'SN-CP1')
    const certificateType = 'ChargingStationCertificate'
    expect(await station.ask('SignCertificate', { csr, certificateType })).toEqual({ status: 'Accepted' })
    const sent = await station.asked('CertificateSigned')
    expect(sent).toMatchObject({ certificateType })
    return { station, fresh, chain: sent.certificateChain }
  }

  it('CERT-C1, CERT-C19 (TC_A_14): a certificate that the station rejects leaves the old one in use', async () => {
    const { station, chain } = await renewed({ status: 'Rejected' })
    name(chain, 'rejected')
    const event = { type: 'InvalidChargingStationCertificate', timestamp: new Date().toISOString() }
    expect(await station.ask('SecurityEventNotification', event)).toEqual({})
    await station.close()
    await boot('CP1', login(certificate, keys))
    expect((await own()).sort()).toEqual(['first inUse', 'rejected issued'])
    expect((await list('/2/certificate-requests')).map(({ state }) => state)).toEqual(['failed'])
    expect(await house.rows('CP1', { method: ['SecurityEventNotification'] })).toHaveLength(1)
  })

  it('CERT-C1, CERT-C19 (TC_A_11): a certificate that was asked for by us is in use after the next login with it', async () => {
    const { station, fresh, chain } = await renewed({ status: 'Accepted' })
    name(chain, 'second')
    await station.close()
    await boot('CP1', login(chain, fresh))
    const states = await own()
    expect(states).toContain('second inUse')
    expect(states).toContain('first replaced')
    await expect(connectStation(house.ocppUrl, 'CP1', 'ocpp2.0.1', login(certificate, keys))).rejects.toMatchObject({
      status: 403,
    })
  })
})
