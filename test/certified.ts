/** Servers with TLS and charge points that were given a certificate, for the tests of security profile 3. */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { type Environment, type House, type Json, openHouse, until } from './house.ts'
import { BOOT_16, BOOT_201, connectStation, type Station, type StationOptions } from './station.ts'
import { type TestKeys, testCsr } from './support/domain/x509/testing.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

export const PASSWORD = 'correct-horse-battery'
export const folder = mkdtempSync(join(tmpdir(), 'pilotwire-certificates-'))
export const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key'), ca: join(folder, 'ca.pem') }
export const TLS: Environment = { PILOTWIRE_TLS_CERT_FILE: files.cert, PILOTWIRE_TLS_KEY_FILE: files.key }

export const open: (House | Station)[] = []

/**
 * Writes the certificates, and closes what a test opened. Each file that is here for them says so: files share their
 * worker's modules, and hooks at the top of a shared module would be the first file's alone.
 */
export function usesCertificates(): void {
  beforeAll(() => {
    // The API of these servers is asked over their self-signed certificate.
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
    mkdirSync(folder, { recursive: true })
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
}

export async function house(environment: Environment = TLS): Promise<House> {
  const opened = await openHouse(environment)
  open.push(opened)
  return opened
}

export async function connected(station: Promise<Station>): Promise<Station> {
  const opened = await station
  open.push(opened)
  return opened
}

export const boot16 = (serialNumber: string) => ({ ...BOOT_16, chargePointSerialNumber: serialNumber })
export const boot201 = (serialNumber: string) => ({
  ...BOOT_201,
  chargingStation: { ...BOOT_201.chargingStation, serialNumber },
})

/** One that came with a password, asked for a certificate and was given one. */
export async function certified(
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

export async function certificateSigned(station: Station, nth = 0): Promise<Json> {
  const calls = () => station.frames.filter((frame) => frame[2] === 'CertificateSigned')
  await until(() => calls().length > nth)
  return calls()[nth]?.[3] as Json
}

export const shows = (chain: unknown, { privateKey }: TestKeys): StationOptions => ({
  tls: { cert: String(chain), key: privateKey },
  answer: { status: 'Accepted' },
})

export const refused = (status: number) => ({ status })
