import fc from 'fast-check'
import { expect, it } from 'vitest'
import { PUBLISHED } from '../../../../test/support/domain/signed-values/records.ts'
import { forAll } from '../../../../test/support/property.ts'
import { samples as samples16 } from '../../v16/transactions.ts'
import { samples as samples201 } from '../../v201/from-charge-point.ts'
import { transferredValues } from './data-transfer.ts'
import { configuredMeterKeys, reportedMeterKeys } from './meter-keys.ts'
import { looksSigned } from './signed-data.ts'

const NOW = Date.UTC(2026, 7, 1, 12)
const { record, publicKey } = PUBLISHED[0] ?? { record: '', publicKey: '' }
const base64 = Buffer.from(record).toString('base64')
const bytes = publicKey.toLowerCase()

const signed16 = (sampled: object) => samples16([{ sampledValue: [sampled] }], NOW).map(({ signed }) => signed)
const signed201 = (sampled: object) => samples201([{ sampledValue: [sampled] }], NOW).map(({ signed }) => signed)
const transferred = (payload: Readonly<Record<string, unknown>>) => transferredValues(payload, NOW, 'ours')

it.each([
  ['SignedData', record],
  ['signeddata', ' anything \n'],
  ['SignedData', `{"signedMeterData":"${base64}"}`],
  [undefined, record],
  [undefined, base64],
  [undefined, Buffer.from(record).toString('hex').toUpperCase()],
  ['Raw', `{"signedMeterValue":"${base64}"}`],
  [undefined, '<?xml version="1.0"?><signedMeterValue/>'],
  [undefined, 'AP;0;3;AJ2J7LYMGCIWT4AHUJPPFIIVB3FG'],
])('SIGNED-F3: 1.6, format %s, %s is signed and kept as it was sent', (format, value) => {
  expect(signed16({ value, ...(format && { format }) })).toMatchObject([{ data: value }])
})

it.each([
  '12.5',
  '-3',
  '123456789012345678901234567890',
  '{"a":1,"b":"not a container at all"}',
  'NaN',
  'T0nnr with other letters, long enough',
])('SIGNED-F3: 1.6, %s is not', (value) => {
  expect(signed16({ value })).toEqual([undefined])
})

it('SIGNED-F2: 1.6, methods and key of the object', () => {
  const value = JSON.stringify({ signedMeterData: base64, encodingMethod: 'OCMF', signingMethod: '', publicKey })
  expect(signed16({ value, format: 'SignedData' })).toMatchObject([
    { data: value, encodingMethod: 'OCMF', signingMethod: undefined, publicKey: { text: publicKey, bytes } },
  ])
})

it('SIGNED-F5: an object where a text should be, and a shape of 2.0.1 that nobody knows', () => {
  expect(signed16({ value: { signedMeterData: 'x' }, format: 'SignedData' })).toMatchObject([
    { data: '{"signedMeterData":"x"}' },
  ])
  expect(signed201({ value: 1, signedMeterValue: { blob: 'x' } })).toMatchObject([{ data: '{"blob":"x"}' }])
  expect(signed201({ value: 1, signedMeterValue: 'OCMF|{}|{}' })).toMatchObject([{ data: 'OCMF|{}|{}' }])
})

it('SIGNED-K1: 2.0.1, with and without a key; without data there is nothing', () => {
  const of = (signedMeterValue: unknown) => signed201({ value: 1, signedMeterValue })
  expect(of({ signedMeterData: base64, publicKey })).toMatchObject([{ data: base64, publicKey: { bytes } }])
  expect(of({ signedMeterData: base64, publicKey: '' })).toMatchObject([{ data: base64, publicKey: undefined }])
  for (const nothing of [undefined, null, {}, { signedMeterData: '' }, '']) expect(of(nothing)).toEqual([undefined])
})

it('SIGNED-F1: the same value has the same digest, however often it comes, and another one another', () => {
  const digests = [record, record, `${record} `].map((value) => signed16({ value, format: 'SignedData' })[0]?.digest)
  expect([digests[0] === digests[1], digests[0] === digests[2]]).toEqual([true, false])
})

it.each([
  ['bare', record],
  ['in JSON as text', JSON.stringify({ values: [{ context: 'Transaction.End', ocmf: 'short', v: record }] })],
  ['in an object', { deep: [[{ value: base64 }]] }],
  ['in JSON in JSON', JSON.stringify({ inner: JSON.stringify([record]) })],
])('SIGNED-F3: DataTransfer: %s', (_, data) => {
  expect(transferred({ vendorId: 'Acme', data })).toMatchObject({ values: [{ signed: {} }] })
})

it('SIGNED-F3: DataTransfer: what it says of transaction, connector, time and context', () => {
  const data = JSON.stringify({
    transactionId: 42,
    connectorId: '2',
    timestamp: '2026-08-01T11:00:00Z',
    end: { context: 'Transaction.End', signedMeterValue: base64, encodingMethod: 'OCMF' },
    begin: { context: 'Transaction.Begin', signedMeterValue: record },
  })
  expect(transferred({ vendorId: 'Acme', data })).toMatchObject({
    transactionId: '42',
    mention: { ours: true },
    connectorId: 2,
    values: [
      {
        context: 'Transaction.End',
        at: { occurredAt: Date.UTC(2026, 7, 1, 11) },
        signed: { encodingMethod: 'OCMF' },
      },
      { context: 'Transaction.Begin' },
    ],
  })
})

it('SIGNED-F5: DataTransfer: what is only called signed is kept as it is; nothing else is', () => {
  expect(transferred({ messageId: 'SignedMeterValue', data: 'EDL…' })).toMatchObject({
    values: [{ signed: { data: 'EDL…' } }],
  })
  for (const data of [undefined, null, '', 'hello', '{"a":1}', { a: [1, 'x'] }, 5]) {
    expect(transferred({ messageId: 'Other', data })).toBeUndefined()
  }
})

it('SIGNED-F5: DataTransfer: whatever is sent, nothing throws, and a mebibyte of it takes no long walk', () => {
  forAll(fc.jsonValue(), fc.string(), (data, text) => {
    transferred({ data: data as never, messageId: text })
    transferred({ data: JSON.stringify(data) })
    signed16({ value: data, format: text })
    signed201({ value: text, signedMeterValue: data })
    configuredMeterKeys(data)
    reportedMeterKeys(data)
  })
  const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`
  for (const data of [
    deep,
    '{"a":'.repeat(200_000),
    '['.repeat(1_000_000),
    'OCMF|'.repeat(200_000),
    `[${'1,'.repeat(400_000)}1]`,
  ]) {
    transferred({ data })
    looksSigned(data)
  }
})

it.each(['MeterPublicKey1', 'MeterPublicKey[1]', 'meterpublickey1', 'MeterPublicKey 1'])('SIGNED-K3: %s', (key) => {
  expect(
    configuredMeterKeys([
      { key: 'Other', value: 'x' },
      { key, value: publicKey },
    ]),
  ).toEqual({ kind: 'meterKeysSeen', keys: [{ place: 1, publicKey: { text: publicKey, bytes } }] })
})

it('SIGNED-K3: 1.6, without a number it is the station’s; empty or other keys are none', () => {
  expect(configuredMeterKeys([{ key: 'MeterPublicKey', value: publicKey }])).toMatchObject({ keys: [{ place: 0 }] })
  for (const key of ['MeterPublicKeyX', 'PublicKey', 'MeterPublicKey1234', 7, undefined]) {
    expect(configuredMeterKeys([{ key, value: publicKey }])).toBeUndefined()
  }
  for (const value of [undefined, '', ' ', 5, 'x'.repeat(10_000)]) {
    expect(configuredMeterKeys([{ key: 'MeterPublicKey1', value }])).toBeUndefined()
  }
  expect(configuredMeterKeys(undefined)).toBeUndefined()
})

it('SIGNED-F7: a hundred of one answer at most', () => {
  const reported = configuredMeterKeys(
    Array.from({ length: 5000 }, () => ({ key: 'MeterPublicKey1', value: publicKey })),
  )
  expect(reported).toMatchObject({ keys: { length: 100 } })
})

it('SIGNED-K3: 2.0.1, by report and by answer, of each EVSE', () => {
  const component = { name: 'FiscalMetering', evse: { id: 2 } }
  const variable = { name: 'PublicKey' }
  const expected = { kind: 'meterKeysSeen', keys: [{ place: 2, publicKey: { text: publicKey, bytes } }] }
  expect(reportedMeterKeys([{ component, variable, variableAttribute: [{ value: publicKey }] }])).toEqual(expected)
  expect(reportedMeterKeys([{ component, variable, attributeStatus: 'Accepted', attributeValue: publicKey }])).toEqual(
    expected,
  )
  const others = [
    { component, variable: { name: 'Other' }, attributeValue: publicKey },
    { component: { name: 'Other' }, variable, attributeValue: publicKey },
    { component, variable, attributeType: 'Target', attributeValue: publicKey },
    { component, variable, variableAttribute: [{ type: 'Target', value: publicKey }] },
  ]
  expect(reportedMeterKeys(others)).toBeUndefined()
})
