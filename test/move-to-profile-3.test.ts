/** docs/move-to-profile-3.md, its commands executed in their order against servers with TLS of their own. */

import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, it } from 'vitest'
import {
  boot201,
  files,
  folder,
  connected as opened,
  house as openedHouse,
  PASSWORD,
  TLS,
  usesCertificates,
} from './certified.ts'
import { commandsOf } from './documents.ts'
import { type House, type Json, until } from './house.ts'
import { connectStation, type Station, type StationOptions } from './station.ts'
import { testAuthority, testCertificate, testCsr, testKeys } from './support/domain/x509/testing.ts'

const [settings = '', ...commands] = commandsOf('docs/move-to-profile-3.md')

usesCertificates()
// The server shows a certificate that nobody has signed.
beforeAll(() => writeFileSync(join(folder, '.curlrc'), 'insecure\nsilent\n'))

async function started(environment: Readonly<Record<string, string>> = {}) {
  const house = await openedHouse({ ...TLS, ...environment })
  await house.request('POST', '/2/evse-controllers', { id: 'CP1', password: PASSWORD, securityProfile: 2 })
  const run = async (command: string | undefined, variables: Readonly<Record<string, string>> = {}) => {
    const here = settings.replace('https://charging.example.com', house.url)
    const env = {
      ...process.env,
      ...variables,
      CURL_HOME: folder,
      PILOTWIRE_API_CREDENTIAL: house.credential,
    }
    return (await promisify(execFile)('bash', ['-ec', `${here}\n${command ?? 'false'}`], { env, cwd: folder })).stdout
  }
  return { house, run }
}

/** Takes every step towards profile 3 as a station does. */
function willing(): StationOptions {
  return {
    respond: (method, request) =>
      method === 'SetVariables'
        ? {
            setVariableResult: (request.setVariableData as Json[]).map((each) => ({
              ...each,
              attributeStatus: 'Accepted',
            })),
          }
        : { status: 'Accepted' },
  }
}

async function connected({ ocppUrl }: House, options: StationOptions): Promise<Station> {
  const station = await opened(connectStation(ocppUrl, 'CP1', 'ocpp2.0.1', { ...willing(), ...options }))
  await station.ask('BootNotification', boot201('SN-CP1'))
  return station
}

it('CERT-C1, CERT-C8, CERT-C25 (TC_A_19), docs/move-to-profile-3.md: from a password to a certificate', async () => {
  const { house, run } = await started()
  const [authorities, trigger, look, byHand, raise, ...more] = commands
  expect([byHand, more]).toEqual([expect.stringContaining('certificate-requests/$ID'), []])
  const roots = await run(authorities)
  expect(roots).toContain('"keyType":"EC"')
  expect(roots).toContain('-----BEGIN CERTIFICATE-----')

  const station = await connected(house, { password: PASSWORD, tls: {} })
  const keys = await testKeys()
  expect(JSON.parse(await run(trigger))).toMatchObject({ method: 'TriggerMessage' })
  expect(await station.asked('TriggerMessage')).toEqual({ requestedMessage: 'SignChargingStationCertificate' })
  await station.ask('SignCertificate', { csr: await testCsr(keys, 'SN-CP1') })
  const { certificateChain } = await station.asked('CertificateSigned')
  expect(await run(look)).toMatch(/"state":"signed"[\s\S]*"state":"issued"/)

  const job = JSON.parse(await run(raise)) as Json
  expect(job).toMatchObject({ state: 'running', securityProfile: 3 })
  expect(await station.asked('SetNetworkProfile')).toMatchObject({ connectionData: { securityProfile: 3 } })
  await station.asked('Reset')
  await station.close()
  const login = { tls: { cert: String(certificateChain), key: keys.privateKey } }
  await connected(house, login)
  const path = `/2/evse-controllers/CP1/security-profile/${job.id}`
  await until(async () => (await house.request('GET', path)).body.state === 'done')
  expect((await house.request('GET', '/2/evse-controllers/CP1')).body).toMatchObject({ securityProfile: 3 })
  const lower = connectStation(house.ocppUrl, 'CP1', 'ocpp2.0.1', { password: PASSWORD, tls: {} })
  await expect(lower).rejects.toMatchObject({ status: 403 })
})

it('CERT-C22, docs/move-to-profile-3.md: a request that is answered by hand', async () => {
  const authority = await testAuthority()
  writeFileSync(files.ca, authority.certificate)
  const { house, run } = await started({ PILOTWIRE_CERTIFICATE_PROVIDER: 'manual', PILOTWIRE_CLIENT_CA_FILE: files.ca })
  const station = await connected(house, { password: PASSWORD, tls: {} })
  const keys = await testKeys()
  await station.ask('SignCertificate', { csr: await testCsr(keys, 'SN-CP1') })
  const [request] = await house.list('/2/certificate-requests')
  const made = await testCertificate(authority, keys, { commonName: 'SN-CP1', organization: 'Default' })
  writeFileSync(join(folder, 'chain.pem'), made)
  expect(JSON.parse(await run(commands[3], { ID: String(request?.id) }))).toMatchObject({ state: 'signed' })
  expect(await station.asked('CertificateSigned')).toEqual({ certificateChain: `${made.trim()}\n` })
})
