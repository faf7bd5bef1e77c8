import { beforeAll, expect, it } from 'vitest'
import { type TestKeys, testAuthority, testCertificate, testKeys } from '../../../test/support/domain/x509/testing.ts'
import { aChargePoint } from '../../../test/support/storage-contract/records.ts'
import type { AdmissionRequest } from '../../domain/ports/core.ts'
import type { SigningAuthority } from '../../domain/x509/issue.ts'
import type { CoreContext } from '../context.ts'
import { Station } from '../memory/station.ts'
import { createCertificateLogin } from './login.ts'

let own: SigningAuthority
let foreign: SigningAuthority
let keys: TestKeys
beforeAll(async () => {
  own = await testAuthority()
  foreign = await testAuthority('EC', 'Foreign CA')
  keys = await testKeys()
})

async function check(by: SigningAuthority, serialNumber: string | undefined, subjectCheck?: 'off') {
  const settings = { organization: 'Test', clientAuthorities: foreign.certificate }
  const listRecords = async (kind: string) =>
    kind === 'certificate_authorities' ? [{ name: 'stations-ec', certificate: own.certificate }] : []
  const context = { settings, clock: { now: () => Date.now() }, store: { listRecords } } as unknown as CoreContext
  const chargePoint = aChargePoint({ id: 'CP2', accountId: 'B', securityProfile: 3, subjectCheck })
  const status = serialNumber === undefined ? {} : { serialNumber }
  const station = new Station({ chargePoint, status, connectors: [], transactions: [], sessions: [] }, 0)
  const pem = await testCertificate(by, keys, { commonName: 'SN1' })
  const request = { identity: 'CP2', certificates: [pem] } as unknown as AdmissionRequest
  return createCertificateLogin(context).check(request, station)
}

it.each([
  ['has never booted', undefined, undefined],
  ['booted with its serial number', 'SN1', undefined],
  ['looks at no common name', undefined, 'off'],
] as const)('CERT-C28: is no login of a charge point that %s', async (_, serialNumber, subjectCheck) => {
  const reason = 'it was not made for this charge point as it is registered now'
  expect(await check(own, serialNumber, subjectCheck)).toEqual({ ok: false, reason })
})

it('CERT-C28: of another authority it is one where the serial number is known, or nobody looks', async () => {
  expect(await check(foreign, 'SN1')).toMatchObject({ ok: true })
  expect(await check(foreign, undefined, 'off')).toMatchObject({ ok: true })
  expect(await check(foreign, undefined)).toMatchObject({ ok: false })
})
