import { ECDH } from 'node:crypto'
import { expect, it } from 'vitest'
import { PUBLISHED } from '../../../../test/support/domain/signed-values/records.ts'
import {
  recordSignedElsewhere,
  SIGNED_ELSEWHERE,
} from '../../../../test/support/domain/signed-values/signature/algorithms.ts'
import { BEGIN, END, meterOn, signedValue } from '../../../../test/support/domain/signed-values/testing.ts'
import { readOcmf } from '../ocmf/read-ocmf.ts'
import { readSignedValue, viewOf } from '../view.ts'
import { DEFAULT_CURVE, readPublicKey, verifyOcmf } from './verify.ts'

const CURVES = [
  ['secp192k1', 'secp192k1'],
  ['secp192r1', 'prime192v1'],
  ['secp256k1', 'secp256k1'],
  ['secp256r1', 'prime256v1'],
  ['brainpool256r1', 'brainpoolP256r1'],
  ['brainpoolP256r1', 'brainpoolP256r1'],
  ['secp384r1', 'secp384r1'],
  ['brainpool384r1', 'brainpoolP384r1'],
] as const

async function verdict(record: string, publicKey?: string, signingMethod?: string) {
  const ocmf = readOcmf(record)
  if (!ocmf) throw new Error('This is no OCMF record.')
  return verifyOcmf(ocmf, publicKey, signingMethod)
}

it.each(PUBLISHED)('SIGNED-V1: records that real meters signed: $name', async ({ record, publicKey }) => {
  expect(await verdict(record, publicKey)).toBe('valid')
  expect(await verdict(record.replace('"RV":', '"RV":1'), publicKey)).toBe('invalid')
})

it('SIGNED-V1: records that real meters signed: the record of another meter is not valid', async () => {
  const [keba, , , ebee] = PUBLISHED
  expect(await verdict(keba?.record ?? '', ebee?.publicKey)).toBe('invalid')
})

const ENCODINGS = ['hex', 'base64'] as const
const shown = (data: string, publicKey: string) =>
  viewOf(readSignedValue(signedValue(data, { publicKey }), () => undefined))

it.each(SIGNED_ELSEWHERE)('SIGNED-V1: @road-labs/ocmf-crypto-noble 0.0.9: its $algorithm, tampered', async (one) => {
  for (const SE of ENCODINGS) {
    const record = recordSignedElsewhere(one, SE)
    const publicKey = Buffer.from(one.publicKey, 'hex').toString(SE)
    const tampered = [
      record.replace('"RV":110.5', '"RV":110.6'),
      record.replace('"RV":110.5', '"RV":110.50'),
      record.replace('B1.08', 'B0.08'),
    ]
    for (const written of [record, Buffer.from(record).toString('hex'), Buffer.from(record).toString('base64')]) {
      expect(await shown(written, publicKey)).toMatchObject({
        verification: 'valid',
        signingMethod: one.algorithm,
        energyKwh: 110.5,
      })
    }
    for (const other of tampered) expect((await shown(other, publicKey)).verification).toBe('invalid')
  }
})

it.each(SIGNED_ELSEWHERE)('SIGNED-V1: @road-labs/ocmf-crypto-noble 0.0.9: our $algorithm, tampered', async (one) => {
  const curve = readPublicKey(one.publicKey, DEFAULT_CURVE)?.asymmetricKeyDetails?.namedCurve ?? ''
  const meter = meterOn(curve, one.algorithm)
  for (const SE of ENCODINGS) {
    const record = meter.record([BEGIN, END], { SE })
    for (const written of [record, Buffer.from(record).toString('hex'), Buffer.from(record).toString('base64')]) {
      expect((await shown(written, meter.publicKey)).verification).toBe('valid')
      expect((await shown(written, one.publicKey)).verification).toBe('invalid')
    }
    expect((await shown(record.replace('110.5', '110.6'), meter.publicKey)).verification).toBe('invalid')
  }
})

it.each(CURVES)('SIGNED-V1: every curve of OCMF: ECDSA-%s-SHA256', async (name, curve) => {
  const meter = meterOn(curve, `ECDSA-${name}-SHA256`)
  const forms = [{}, { SE: 'base64' }, { signatureForm: 'ieee-p1363' }, { SA: undefined }] as const
  for (const form of forms) {
    const record = meter.record([BEGIN, END], form)
    expect(await verdict(record, meter.publicKey)).toBe('valid')
    expect(await verdict(record.replace('110.5', '110.6'), meter.publicKey)).toBe('invalid')
    expect(await verdict(record, meterOn(curve).publicKey)).toBe('invalid')
  }
})

it.each(CURVES)('SIGNED-K2: a key on %s in every form that it is written in', async (name, curve) => {
  const meter = meterOn(curve, `ECDSA-${name}-SHA256`)
  const record = meter.record([BEGIN])
  const der = Buffer.from(meter.publicKey, 'hex')
  const size = { secp192: 48, secp256: 64, brainpo: 64, secp384: 96 }[name.slice(0, 7)] ?? 64
  const point = der.subarray(-(name.endsWith('384r1') ? 96 : size) - 1)
  const oca = `oca:base16:asn1:${meter.publicKey}`
  const forms = [
    meter.publicKey,
    `0x${meter.publicKey.toUpperCase()}`,
    meter.publicKey.replaceAll(/(..)/g, '$1 '),
    der.toString('base64'),
    der.toString('base64url'),
    Buffer.from(meter.publicKey).toString('base64'),
    oca,
    Buffer.from(oca).toString('base64'),
    Buffer.from(`oca:base64:asn1:${der.toString('base64')}`).toString('base64'),
    meter.key.export({ type: 'spki', format: 'pem' }).toString(),
    point.toString('hex'),
    point.subarray(1).toString('hex'),
    ECDH.convertKey(point, curve, undefined, 'hex', 'compressed').toString(),
  ]
  for (const form of forms) expect([form, await verdict(record, form)]).toEqual([form, 'valid'])
})

it('SIGNED-K2: every curve of OCMF: a bare point whose first byte is that of a DER sequence is a point', async () => {
  const begins0x30 = (meter: ReturnType<typeof meterOn>) => Buffer.from(meter.publicKey, 'hex').at(-64) === 0x30
  let meter = meterOn('prime256v1')
  while (!begins0x30(meter)) meter = meterOn('prime256v1')
  const point = Buffer.from(meter.publicKey, 'hex').subarray(-64).toString('hex')
  expect(await verdict(meter.record([BEGIN]), point)).toBe('valid')
})

it('SIGNED-V1: the signing method of the message stands in where the record has none', async () => {
  const meter = meterOn('secp256k1')
  const record = meter.record([BEGIN])
  const point = Buffer.from(meter.publicKey, 'hex').subarray(-65).toString('hex')
  expect(await verdict(record, point, 'ECDSA-secp256k1-SHA256')).toBe('valid')
  expect(await verdict(record, point)).toBe('unchecked')
})

it('SIGNED-V2: a key that says its curve is believed', async () => {
  const meter = meterOn('secp256k1', 'ECDSA-secp256r1-SHA256')
  expect(await verdict(meter.record([BEGIN]), meter.publicKey)).toBe('valid')
})

it.each([
  ['no key', undefined],
  ['an empty key', ''],
  ['a key that is none', 'not a key'],
  ['a key cut short', '3059301306072A8648CE3D'],
  ['a key of another kind', `302a300506032b6570032100${'ab'.repeat(32)}`],
  ['a very long key', 'ab'.repeat(100_000)],
])('SIGNED-V1: with %s it is unchecked', async (_, publicKey) => {
  expect(await verdict(PUBLISHED[0]?.record ?? '', publicKey)).toBe('unchecked')
})

it.each(['RSA-SHA256', 'ECDSA-secp521r1-SHA256', 'ECDSA-secp256r1-MD5', '', '-'.repeat(100_000)])(
  'SIGNED-V1: signed by %s it is unchecked, never refused',
  async (SA) => {
    const meter = meterOn('prime256v1')
    const record = meter.record([BEGIN], { SA: SA || 'x' })
    expect(await verdict(record, meter.publicKey)).toBe('unchecked')
  },
)

it.each(['', 'zz', '30', '3006020100020100', '00'.repeat(64), 'ab'.repeat(50_000)])(
  'SIGNED-V1: %.20s is invalid',
  async (SD) => {
    const meter = meterOn('prime256v1')
    const [head, payload] = meter.record([BEGIN]).split('|')
    expect(await verdict(`${head}|${payload}|${JSON.stringify({ SD })}`, meter.publicKey)).toBe('invalid')
  },
)
