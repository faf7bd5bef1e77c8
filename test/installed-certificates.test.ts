/** Roots on a charge point, and the job that raises its profile: real sockets, both versions. */

import { expect, it } from 'vitest'
import { connected, house, usesCertificates } from './certified.ts'
import type { Json } from './house.ts'
import { booted16, booted201 } from './station.ts'
import { testAuthority, testKeys } from './support/domain/x509/testing.ts'

usesCertificates()

it('CERT-C23: roots are shown as they are reported, installed, and deleted with the reported algorithm', async () => {
  const at = await house({})
  const roots = [
    hashed('CSMSRootCertificate', '1'),
    hashed('CSMSRootCertificate', '2'),
    hashed('V2GRootCertificate', '3'),
  ]
  const deleted: unknown[] = []
  const respond = (method: string, request: Json): Json => {
    if (method === 'DeleteCertificate') {
      deleted.push(request.certificateHashData)
      const { serialNumber } = request.certificateHashData as Json
      roots.splice(
        roots.findIndex(({ certificateHashData }) => certificateHashData.serialNumber === serialNumber),
        1,
      )
    }
    return { status: 'Accepted', ...(method === 'GetInstalledCertificateIds' && { certificateHashDataChain: roots }) }
  }
  await connected(booted201(at.ocppUrl, 'CP1', { respond }))
  const path = '/2/evse-controllers/CP1/certificates'
  const list = async () => await at.list(path)
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
  const expired = (await testAuthority('EC', 'Old CA', Date.now() - 21 * 365 * 24 * 3600_000)).certificate
  const withKey = `${certificate}\n${(await testKeys()).privateKey}`
  for (const [asked, reason] of [
    [expired, 'has expired'],
    [withKey, 'holds a private key'],
  ] as const) {
    const refusal = await at.request('POST', path, { certificateType: 'CSMSRootCertificate', certificate: asked })
    expect([refusal.status, refusal.text]).toEqual([400, expect.stringContaining(reason)])
  }
  const first = (await list()).find(({ serialNumber }) => serialNumber === '1')?.id
  expect((await at.request('DELETE', `${path}/${first}`)).status).toBe(204)
  expect(deleted).toEqual([{ ...hash('1'), hashAlgorithm: 'SHA384' }])
  expect((await at.request('DELETE', `${path}/none`)).status).toBe(404)
})

it('CERT-C23: a 1.6 charge point is asked for one type of root at a time, and told to install and delete', async () => {
  const at = await house({})
  const roots = new Map([
    ['CentralSystemRootCertificate', [hash('1'), hash('2')]],
    ['ManufacturerRootCertificate', [hash('3')]],
  ])
  const reported: Json[] = []
  const station = await connected(
    booted16(at.ocppUrl, 'CP1', {
      respond(method, request) {
        if (method === 'GetInstalledCertificateIds') {
          const certificateHashData = roots.get(String(request.certificateType)) ?? []
          return certificateHashData.length > 0 ? { status: 'Accepted', certificateHashData } : { status: 'NotFound' }
        }
        reported.push({ method, ...request })
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
  const list = async () => await at.list(path)
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
  expect(reported).toMatchObject([{ method: 'InstallCertificate', certificateType: 'CentralSystemRootCertificate' }])
  const idOf = async (number: string) => (await list()).find(({ serialNumber }) => serialNumber === number)?.id
  expect((await at.request('DELETE', `${path}/${await idOf('2')}`)).status).toBe(204)
  expect(reported.at(-1)).toEqual({ method: 'DeleteCertificate', certificateHashData: hash('2') })
  expect(await at.request('DELETE', `${path}/${await idOf('3')}`)).toMatchObject({
    status: 409,
    body: { code: 'charge_point_refused' },
  })
  expect((await shown()).sort()).toEqual(['CentralSystemRootCertificate 1', 'CentralSystemRootCertificate 9'])
  expect(station.frames.every((frame) => frame[0] !== 4)).toBe(true)
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
