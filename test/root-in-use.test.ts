/** Which roots of a charge point may be deleted, on a server with files of its own for TLS. */
import { hash, X509Certificate } from 'node:crypto'
import { expect, it } from 'vitest'
import { house, usesCertificates } from './certified.ts'
import type { Json } from './house.ts'
import { BOOT_201, connectStation } from './station.ts'
import { CERTIFICATES } from './support/sockets/tls.ts'

usesCertificates()

/** DER of the name `CN=first.example`, which issued the server's certificate. */
const ISSUER = Buffer.concat([Buffer.from('30183116301406035504030c0d', 'hex'), Buffer.from('first.example')])

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
  const at = await house()
  await at.request('POST', '/2/evse-controllers', { id, securityProfile: 0 })
  const station = await connectStation(at.ocppUrl, id, 'ocpp2.0.1', {
    tls: {},
    respond(method, request) {
      if (method === 'DeleteCertificate') deleted.push(request.certificateHashData)
      return { status: 'Accepted', ...(method === 'GetInstalledCertificateIds' && { certificateHashDataChain: roots }) }
    },
  })
  await station.ask('BootNotification', BOOT_201)
  const path = `/2/evse-controllers/${id}/certificates`
  const listed = (await at.request('GET', path)).body.data as readonly { id: string; hashData: Json }[]
  const idOf = (name: string) => listed.find(({ hashData }) => hashData.issuerNameHash === name)?.id
  const refused = await at.request('DELETE', `${path}/${idOf(issuerNameHash)}`)
  expect([refused.status, refused.body.code, deleted]).toEqual([409, 'root_in_use', []])
  expect((await at.request('DELETE', `${path}/${idOf('bb')}`)).status).toBe(204)
  expect(deleted).toHaveLength(1)
})
