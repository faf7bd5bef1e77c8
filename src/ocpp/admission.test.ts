import fc from 'fast-check'
import { expect, it } from 'vitest'
import { forAll } from '../../test/support/property.ts'
import { aChargePoint } from '../../test/support/storage-contract/records.ts'
import type { AdmissionRequest } from '../domain/ports/core.ts'
import type { ChargePoint } from '../domain/ports/storage-records.ts'
import type { AdmissionSettings } from './admission.ts'
import { chooseProtocol, decideAdmission } from './admission.ts'
import { afterReboot, hashPassword } from './credentials.ts'

const secretKey = Buffer.alloc(32, 1)
const password = '0123456789123456'
const passwordHash = hashPassword(password, secretKey, Buffer.alloc(16, 2))
const settings: AdmissionSettings = { unknownChargePoints: 'reject', secretKey }

const record: ChargePoint = aChargePoint({ accountId: 'a', passwordHash, createdAt: 0 })

const basic = (user: string, secret: string): string => `Basic ${Buffer.from(`${user}:${secret}`).toString('base64')}`

const request: AdmissionRequest = {
  identity: 'CP1',
  offered: ['ocpp1.6'],
  authorization: basic('CP1', password),
  remoteAddress: '192.0.2.1',
  secure: false,
}
const { authorization: _, ...anonymous } = request

it('admits a registered charge point with its password', () => {
  expect(decideAdmission(request, record, settings)).toEqual({
    ok: true,
    protocol: 'ocpp1.6',
    chargePointId: 'CP1',
    securityProfile: 1,
    usedPassword: passwordHash,
  })
})

it.each([
  ['no header', anonymous],
  ['the user is another identity', { ...request, authorization: basic('CP2', password) }],
  ['a wrong password', { ...request, authorization: basic('CP1', 'wrong') }],
  ['an empty password', { ...request, authorization: basic('CP1', '') }],
  ['not base64', { ...request, authorization: 'Basic %%%' }],
])('OCPP-AU1: %s is answered 401', (_, asked) => {
  expect(decideAdmission(asked, record, settings)).toMatchObject({ ok: false, status: 401 })
})

it('OCPP-AU1: without a stored password nothing fits', () => {
  const { passwordHash: _, ...without } = record
  expect(decideAdmission(request, without, settings)).toMatchObject({ status: 401 })
  expect(decideAdmission(anonymous, without, settings)).toMatchObject({ status: 401 })
})

it('OCPP-AU4: unknown is 404, wrong credentials 401, disabled 403', () => {
  expect(decideAdmission(request, undefined, settings)).toMatchObject({ status: 404 })
  expect(decideAdmission(request, { ...record, disabled: true }, settings)).toMatchObject({ status: 403 })
  // Whoever cannot prove to be the charge point does not learn that it is disabled.
  expect(decideAdmission(anonymous, { ...record, disabled: true }, settings)).toMatchObject({ status: 401 })
})

it('OCPP-AU4: in development an unknown charge point is created with profile 0', () => {
  const accept = { ...settings, unknownChargePoints: 'accept' } as const
  expect(decideAdmission(anonymous, undefined, accept)).toEqual({
    ok: true,
    protocol: 'ocpp1.6',
    chargePointId: 'CP1',
    create: 'Accepted',
    securityProfile: 0,
  })
  // A registered one keeps its password.
  expect(decideAdmission(anonymous, record, accept)).toMatchObject({ status: 401 })
})

it('OCPP-AU5: with pending an unknown charge point waits, and once approved it needs a password', () => {
  const pending = { ...settings, unknownChargePoints: 'pending' } as const
  const decision = decideAdmission(anonymous, undefined, pending)
  expect(decision).toMatchObject({ ok: true, create: 'Pending', securityProfile: 1 })
  const { passwordHash: _, ...waiting } = { ...record, registrationStatus: 'Pending' } as const
  expect(decideAdmission(anonymous, waiting, pending)).toMatchObject({ ok: true, securityProfile: 1 })
  expect(decideAdmission(anonymous, { ...waiting, registrationStatus: 'Accepted' }, pending)).toMatchObject({
    status: 401,
  })
  expect(decideAdmission(anonymous, { ...waiting, passwordHash }, pending)).toMatchObject({ status: 401 })
})

it('OCPP-AU6: of two passwords in doubt the login decides which one stays', () => {
  const fresh = hashPassword('another-password-1', secretKey, Buffer.alloc(16, 3))
  const inDoubt = { ...record, passwordHash: `${fresh} ${passwordHash}` }
  expect(decideAdmission(request, inDoubt, settings)).toMatchObject({ ok: true, passwordHash })
  const asked = { ...request, authorization: basic('CP1', 'another-password-1') }
  expect(decideAdmission(asked, inDoubt, settings)).toMatchObject({ ok: true, passwordHash: fresh })
})

it('OCPP-AU6: a password that waits for a reboot is not ruled out by the old one, and rules it out', () => {
  const fresh = hashPassword('another-password-1', secretKey, Buffer.alloc(16, 3))
  const waiting = { ...record, passwordHash: `${afterReboot(fresh)} ${passwordHash}` }
  const before = decideAdmission(request, waiting, settings)
  expect(before).toMatchObject({ ok: true })
  expect(before).not.toHaveProperty('passwordHash')
  const rebooted = { ...request, authorization: basic('CP1', 'another-password-1') }
  expect(decideAdmission(rebooted, waiting, settings)).toMatchObject({ ok: true, passwordHash: fresh })
})

it.each([
  [0, false, { ok: true, securityProfile: 0 }],
  [0, true, { ok: true, securityProfile: 0 }],
  [1, false, { ok: true, securityProfile: 1 }],
  [1, true, { ok: true, securityProfile: 2 }],
  [2, true, { ok: true, securityProfile: 2 }],
  [2, false, { ok: false, status: 403 }],
  [3, true, { ok: false, status: 403 }],
] as const)('OCPP 3.2, A05.FR.07: profile %i, encrypted %s gives %j', (securityProfile, secure, expected) => {
  expect(decideAdmission({ ...request, secure }, { ...record, securityProfile }, settings)).toMatchObject(expected)
})

it('OCPP-T4: identities compare exactly', () => {
  expect(decideAdmission({ ...request, identity: 'cp1' }, undefined, settings)).toMatchObject({ status: 404 })
})

it.each([[[]], [['ocpp9.9']], [['OCPP1.6']], [['']]])('OCPP-T6: offering %j is answered 400', (offered) => {
  expect(decideAdmission({ ...request, offered }, record, settings)).toMatchObject({ ok: false, status: 400 })
})

it('OCPP-DR2: credentials are checked before sub-protocols', () => {
  expect(decideAdmission({ ...anonymous, offered: [] }, record, settings)).toMatchObject({ status: 401 })
})

it('OCPP-T3: an identity that 2.0.1 does not allow speaks 1.6 or nothing', () => {
  const spaced = { ...request, identity: 'RDAM 123', authorization: basic('RDAM 123', password) }
  const decide = (offered: readonly string[]) => decideAdmission({ ...spaced, offered }, record, settings)
  expect(decide(['ocpp2.0.1'])).toMatchObject({ status: 400, reason: expect.stringContaining('48') })
  expect(decide(['ocpp2.0.1', 'ocpp1.6'])).toMatchObject({ ok: true, protocol: 'ocpp1.6' })
})

it('never admits without the password, whatever the header', () => {
  forAll(fc.string(), fc.string(), (user, secret) => {
    fc.pre(user !== 'CP1' || secret !== password)
    const decision = decideAdmission({ ...request, authorization: basic(user, secret) }, record, settings)
    expect(decision).toMatchObject({ ok: false, status: 401 })
  })
})

it.each([
  [['ocpp1.6', 'ocpp2.0.1'], undefined, {}, 'ocpp1.6'],
  [['ocpp2.0.1', 'ocpp1.6'], undefined, {}, 'ocpp2.0.1'],
  [['ocpp2.1', 'ocpp2.0.1'], undefined, { versions: ['1.6', '2.0.1'] }, 'ocpp2.0.1'],
  [['ocpp2.1', 'ocpp2.0.1'], undefined, { versions: ['1.6', '2.0.1', '2.1'] }, 'ocpp2.1'],
  [['ocpp2.0.1', 'ocpp2.1'], undefined, { versions: ['1.6', '2.0.1', '2.1'] }, 'ocpp2.0.1'],
  [['ocpp2.1', 'ocpp2.0.1'], ['ocpp2.1'], { versions: ['1.6', '2.0.1'] }, 'ocpp2.1'],
  [['ocpp2.1'], undefined, { versions: ['1.6', '2.0.1'] }, undefined],
  [['ocpp1.6', 'ocpp2.0.1'], ['ocpp2.0.1'], {}, 'ocpp2.0.1'],
  [['ocpp1.6'], ['ocpp2.0.1'], {}, undefined],
  [['ocpp1.6', 'ocpp2.0.1'], undefined, { protocolOrder: 'server' }, 'ocpp2.0.1'],
  [['OCPP1.6'], undefined, {}, undefined],
  [['OCPP1.6'], undefined, { tolerantProtocols: true }, 'ocpp1.6'],
  [[], undefined, { tolerantProtocols: true }, 'ocpp1.6'],
  [[], ['ocpp2.0.1'], { tolerantProtocols: true }, undefined],
] as const)(
  'OCPP-T5, OCPP21-A7, OCPP21-A9: chooseProtocol: offered %j, pinned %j, settings %j: %s',
  (offered, pinned, options, expected) => {
    expect(chooseProtocol({ offered, identity: 'CP1' }, pinned, options)).toBe(expected)
  },
)
