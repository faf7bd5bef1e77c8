import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PUBLISHED } from '../../../test/support/domain/signed-values/records.ts'
import { BEGIN, END, meterOn, signedValue } from '../../../test/support/domain/signed-values/testing.ts'
import type { SignedValue } from './records.ts'
import { openSigned, readSignedValue, SignedRecord, viewOf } from './view.ts'

const meter = meterOn('prime256v1', 'ECDSA-secp256r1-SHA256')
const whole = meter.record([BEGIN, END])
const base64 = (text: string): string => Buffer.from(text).toString('base64')
const noKey = (): undefined => undefined

function record(values: readonly SignedValue[], sessionKwh?: number) {
  const together = new SignedRecord()
  for (const value of values) together.add(readSignedValue(value, noKey))
  return together.summary(sessionKwh)
}

const envelope = (data: string) =>
  JSON.stringify({ signedMeterData: data, signingMethod: '', encodingMethod: 'OCMF', publicKey: meter.publicKey })
it.each([
  ['bare', whole, whole],
  ['in hex', Buffer.from(whole).toString('hex'), Buffer.from(whole).toString('hex')],
  ['in base64', base64(whole), base64(whole)],
  ['in the object of the OCA', envelope(base64(whole)), base64(whole)],
  ['in an object, plain', envelope(whole), whole],
  ['with signedMeterValue', JSON.stringify({ signedMeterValue: base64(whole) }), base64(whole)],
  ['nested', JSON.stringify({ signedMeterValue: { signedMeterData: base64(whole) } }), base64(whole)],
  ['in an object in base64', base64(envelope(base64(whole))), base64(envelope(base64(whole)))],
  ['as hex in base64', base64(Buffer.from(whole).toString('hex')), base64(Buffer.from(whole).toString('hex'))],
])('SIGNED-F2: what a stored value holds: %s', (_, data, signedData) => {
  expect(openSigned(data)).toMatchObject({ signedData, text: whole })
})

it.each([
  '',
  ' ',
  'AP;0;3;AJ2',
  '<values/>',
  '{',
  '{}',
  'T0NNR',
  '4f434d46',
  'not signed at all',
  '\u0000',
  '12.5',
  '/w==',
])('SIGNED-F5: what a stored value holds: %j is shown as it was sent', async (data) => {
  const view = await viewOf(readSignedValue(signedValue(data), noKey))
  expect([view.signedData, view.verification]).toEqual([data, 'unchecked'])
})

it('SIGNED-F5: what a stored value holds: whatever is sent is opened without a fault, and never changed', async () => {
  const anything = fc.oneof(fc.string(), fc.base64String(), fc.json(), fc.string({ unit: 'binary' }))
  await fc.assert(
    fc.asyncProperty(anything, async (text) => {
      for (const data of [text, `OCMF|${text}`, `{"signedMeterData":${JSON.stringify(text)}}`]) {
        const read = readSignedValue(signedValue(data, { publicKey: text }), noKey)
        expect([data, text]).toContain((await viewOf(read)).signedData)
        expect(read.value.data).toBe(data)
      }
    }),
  )
})

it('SIGNED-F5: what a stored value holds: a mebibyte of anything is opened in one go', async () => {
  const size = 1024 * 1024
  const texts = ['{', '[', '"', '|', 'A', '0', ' ', '<', '\\', 'OCMF|{', '4f434d46', 'T0NN', '=']
  for (const text of texts) {
    const data = text.repeat(size / text.length)
    for (const one of [data, `OCMF|${data}`, `{"signedMeterData":"${base64(data)}"}`]) {
      expect((await viewOf(readSignedValue(signedValue(one), noKey))).verification).toBe('unchecked')
    }
  }
})

it('SIGNED-X1: viewOf: time, context, methods, data, key, verdict and register', async () => {
  const value = signedValue(base64(whole), {
    context: 'Transaction.End',
    encodingMethod: 'OCMF',
    publicKey: meter.publicKey,
  })
  expect(await viewOf(readSignedValue(value, noKey))).toEqual({
    at: '2026-08-01T12:00:00.000Z',
    context: 'end',
    encodingMethod: 'OCMF',
    signingMethod: 'ECDSA-secp256r1-SHA256',
    signedData: base64(whole),
    publicKey: meter.publicKey,
    verification: 'valid',
    energyKwh: 110.5,
  })
})

it('SIGNED-K1: viewOf: without a key of its own a value is verified with its meter’s', async () => {
  const value = signedValue(JSON.stringify({ signedMeterData: base64(whole), publicKey: '' }))
  expect(await viewOf(readSignedValue(value, noKey))).toMatchObject({ verification: 'unchecked' })
  expect(await viewOf(readSignedValue(value, () => meter.publicKey))).toMatchObject({
    verification: 'valid',
    publicKey: meter.publicKey,
  })
})

it.each([
  ['Transaction.Begin', [BEGIN, END], 'begin', 100.25],
  ['transaction.end', [BEGIN, END], 'end', 110.5],
  ['Sample.Periodic', [BEGIN], 'begin', 100.25],
  ['Sample.Periodic', [END], 'end', 110.5],
  ['Sample.Periodic', [BEGIN, END], 'end', 110.5],
  ['Sample.Clock', [{ ...BEGIN, TX: 'C' }], 'other', 100.25],
  ['Sample.Clock', [{ ...BEGIN, TX: 'L', RU: 'Wh', RV: 5000 }], 'end', 5],
  ['Sample.Clock', [{ ...BEGIN, RU: 'mOhm' }], 'begin', undefined],
  ['Sample.Clock', [], 'other', undefined],
] as const)('SIGNED-X1: viewOf: %s of %j is %s', async (context, readings, moment, energyKwh) => {
  const view = await viewOf(readSignedValue(signedValue(meter.record(readings), { context }), noKey))
  expect([view.context, view.energyKwh]).toEqual([moment, energyKwh])
})

const begin = signedValue(meter.record([BEGIN]), { context: 'Transaction.Begin' })
const end = signedValue(meter.record([END]), { context: 'Transaction.End' })

it('SIGNED-V3: begin and end in two records or in one', () => {
  const complete = { hasBegin: true, hasEnd: true, energyDiffers: false }
  expect(record([begin, end], 10.25)).toEqual(complete)
  expect(record([signedValue(whole, { context: 'Transaction.End' })], 10.25)).toEqual(complete)
  expect(record([end, begin], 10.25)).toEqual(complete)
})

it('SIGNED-V3: what is missing is said', () => {
  expect(record([])).toEqual({ hasBegin: false, hasEnd: false, energyDiffers: false })
  expect(record([begin], 10.25)).toEqual({ hasBegin: true, hasEnd: false, energyDiffers: false })
  expect(record([end], 10.25)).toEqual({ hasBegin: false, hasEnd: true, energyDiffers: false })
})

it('SIGNED-V3: a begin that is called the end is no end; what cannot be read is believed', () => {
  expect(record([{ ...begin, context: 'Transaction.End' }])).toMatchObject({ hasBegin: true, hasEnd: false })
  expect(record([signedValue('EDL', { context: 'Transaction.End' })])).toMatchObject({
    hasBegin: false,
    hasEnd: true,
  })
})

it.each([
  [10.25, false],
  [10.252, false],
  [10.26, false],
  [10.3, true],
  [0, true],
  [undefined, false],
])('SIGNED-V3: of 10.25 kWh the session tells %s: differs %s', (sessionKwh, differs) => {
  expect(record([begin, end], sessionKwh).energyDiffers).toBe(differs)
})

it.each([
  [
    'watt-hours',
    [
      { ...BEGIN, RU: 'Wh', RV: 1000 },
      { ...END, RU: 'Wh', RV: 3500 },
    ],
    2.5,
    2.51,
  ],
  [
    'texts of older stations',
    [
      { ...BEGIN, RV: '0.000' },
      { ...END, RV: '0.636' },
    ],
    0.636,
    0.64,
  ],
  ['the register that has both', [{ ...BEGIN, RI: 'x' }, BEGIN, END], 10.25, 11],
])('SIGNED-V3: %s', (_, readings, same, other) => {
  const value = signedValue(meter.record(readings))
  expect([record([value], same), record([value], other)]).toMatchObject([
    { energyDiffers: false },
    { energyDiffers: true },
  ])
})

it('SIGNED-V3: the published record of a KEBA wallbox', () => {
  expect(record([signedValue(PUBLISHED[0]?.record ?? '')], 0)).toMatchObject({ energyDiffers: false })
  expect(record([signedValue(PUBLISHED[0]?.record ?? '')], 0.5)).toMatchObject({ energyDiffers: true })
})
