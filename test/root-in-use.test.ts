/** Which roots of a charge point may be deleted, on a server with files of its own for TLS. */
import { hash, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { type Json, openHouse } from './house.ts'
import { BOOT_201, connectStation } from './station.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

const folder = mkdtempSync(join(tmpdir(), 'pilotwire-root-'))
const files = { cert: join(folder, 'tls.crt'), key: join(folder, 'tls.key') }
/** DER of the name `CN=first.example`, which issued the server's certificate. */
const ISSUER = Buffer.concat([Buffer.from('30183116301406035504030c0d', 'hex'), Buffer.from('first.example')])

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'
writeFileSync(files.cert, CERTIFICATES.first.cert)
writeFileSync(files.key, CERTIFICATES.first.key)
const house = await openHouse({ PILOTWIRE_TLS_CERT_FILE: files.cert, PILOTWIRE_TLS_KEY_FILE: files.key })
afterAll(async () => {
  delete process.env.NODE_TLS_REJECT_UNAUTHORIZED
  await house.close()
  rmSync(folder, { recursive: true })
})

const { serialNumber } = new X509Certificate(CERTIFICATES.first.cert)

it.each([
  ['SHA256', serialNumber],
  ['SHA384', serialNumber.toLowerCase()],
  ['SHA512', serialNumber],
])('CERT-C23: the root in use is not deleted, though there is another one: %s %s', async (hashAlgorithm, serial) => {
  const id = `CP-${hashAlgorithm}`
  const issuerNameHash = hash(hashAlgorithm.toLowerCase(), ISSUER, 'hex')
  const own = { hashAlgorithm, issuerNameHash, issuerKeyHash: 'aa', serialNumber: serial }
  const roots = [own, { ...own, issuerNameHash: 'bb' }].map((certificateHashData) => ({
    certificateType: 'CSMSRootCertificate',
    certificateHashData,
  }))
  const deleted: unknown[] = []
  await house.request('POST', '/2/evse-controllers', { id, securityProfile: 0 })
  const station = await connectStation(house.ocppUrl, id, 'ocpp2.0.1', {
    tls: {},
    respond(method, request) {
      if (method === 'DeleteCertificate') deleted.push(request.certificateHashData)
      return { status: 'Accepted', ...(method === 'GetInstalledCertificateIds' && { certificateHashDataChain: roots }) }
    },
  })
  await station.ask('BootNotification', BOOT_201)
  const path = `/2/evse-controllers/${id}/certificates`
  const listed = (await house.request('GET', path)).body.data as readonly { id: string; hashData: Json }[]
  const idOf = (name: string) => listed.find(({ hashData }) => hashData.issuerNameHash === name)?.id
  const refused = await house.request('DELETE', `${path}/${idOf(issuerNameHash)}`)
  expect([refused.status, refused.body.code, deleted]).toEqual([409, 'root_in_use', []])
  expect((await house.request('DELETE', `${path}/${idOf('bb')}`)).status).toBe(204)
  expect(deleted).toHaveLength(1)
})
