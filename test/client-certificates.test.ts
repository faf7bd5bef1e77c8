/** Security profile 3 as charge points and operators see it: real sockets, real keys, both versions. */

import { X509Certificate } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { x509Library } from '../src/domain/x509/library.ts'
import {
  boot16,
  boot201,
  certificateSigned,
  certified,
  connected,
  files,
  house,
  PASSWORD,
  refused,
  shows,
  TLS,
  usesCertificates,
} from './certified.ts'
import { type House, type Json, until } from './house.ts'
import { booted16, booted201, connectStation, type StationOptions } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

const x509 = x509Library()

usesCertificates()

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

  it('CERT-C1: a request that is too long is Rejected in strict mode as well', async () => {
    const at = await house({})
    const station = await connected((version === 'ocpp1.6' ? booted16 : booted201)(at.ocppUrl, 'CP1'))
    await at.request('PATCH', '/2/evse-controllers/CP1', { validation: 'strict' })
    for (const csr of ['A'.repeat(5501), '', 7]) {
      expect(await station.ask('SignCertificate', { csr })).toMatchObject({ status: 'Rejected' })
    }
    expect((await station.call('StatusNotification', {}))[0]).toBe(4)
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
    const events = async () => await at.list('/2/events?type=security.event')
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

  it('CERT-C19, CERT-C28: that of a removed charge point is listed and refused, as any other and as itself again', async () => {
    const at = await house()
    const keys = await testKeys()
    const { sent, station } = await certified(at, 'CP1', 'ocpp2.0.1', { keys })
    await station.close()
    const own = await testKeys()
    const victim = await certified(at, 'CP2', 'ocpp2.0.1', { keys: own })
    await victim.station.close()
    await at.request('PATCH', '/2/evse-controllers/CP2', { securityProfile: 3 })
    expect((await at.request('DELETE', '/2/evse-controllers/CP1')).status).toBe(204)
    const list = new x509.X509Crl(await (await fetch(`${at.url}/certificates/stations-ec.crl`)).arrayBuffer())
    const { serialNumber } = new X509Certificate(String(sent.certificateChain))
    expect(list.entries.map((entry) => entry.serialNumber)).toEqual([serialNumber.toLowerCase()])
    const chain = sent.certificateChain
    for (const id of ['CP1', 'CP3']) {
      const expectedSerialNumber = 'SN-CP1'
      await at.request('POST', '/2/evse-controllers', { id, securityProfile: 3, expectedSerialNumber })
    }
    for (const id of ['CP1', 'CP2', 'CP3']) {
      const login = connectStation(at.ocppUrl, id, 'ocpp2.0.1', shows(chain, keys))
      await expect(login, id).rejects.toMatchObject(refused(403))
    }
    const back = await connected(
      connectStation(at.ocppUrl, 'CP2', 'ocpp2.0.1', shows(victim.sent.certificateChain, own)),
    )
    await back.ask('BootNotification', boot201('SN-CP2'))
    const { body } = await at.request('GET', '/2/evse-controllers/CP2/certificates')
    expect(body).toMatchObject({ data: [{ state: 'inUse' }] })
  })

  it('CERT-C15: an expired one is refused, unless it may be used to get a new one', async () => {
    const authority = await testAuthority()
    writeFileSync(files.ca, authority.certificate)
    const at = await house({ ...TLS, PILOTWIRE_CLIENT_CA_FILE: files.ca })
    const keys = await testKeys()
    const now = Date.now() - 500 * 24 * 3600_000
    const expired = await testCertificate(authority, keys, { commonName: 'SN-CP1', organization: 'Default', now })
    const expectedSerialNumber = 'SN-CP1'
    await at.request('POST', '/2/evse-controllers', { id: 'CP1', securityProfile: 3, expectedSerialNumber })
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
    const pem = await testCertificate(authority, keys, { commonName: 'CP1', organization: 'Default' })
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
