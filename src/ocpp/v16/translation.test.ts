import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerContext, RECEIVED_AT, translationContext } from '../../../test/support/ocpp/testing.ts'
import { requests } from '../../../test/support/ocpp/v16/testing.ts'
import { forAll } from '../../../test/support/property.ts'
import type { Authorisation } from '../../domain/ports/id-tokens.ts'
import type { Outcome } from '../../domain/ports/sessions.ts'
import type { Input } from '../../domain/sessions/decision.ts'
import type { InboundMessage } from '../translate/message.ts'
import type { Payload } from '../translate/payload.ts'
import { inbound } from './inbound.ts'

const messages: Readonly<Record<string, InboundMessage>> = inbound

function translate(action: string, request: Payload, raw?: string): Input {
  const message = messages[action]
  if (!message) throw new Error(`${action} has no row.`)
  return message.input(request, translationContext(request, raw))
}

function answer(action: string, request: Payload, outcome: Outcome): Payload {
  return messages[action]?.answer(request, outcome, answerContext) ?? {}
}

const at = (time: string): object => ({ occurredAt: Date.parse(time), receivedAt: RECEIVED_AT })

it('OCPP 2.1: BootNotification: says what the station told about itself', () => {
  expect(translate('BootNotification', requests.BootNotification)).toEqual({
    kind: 'booted',
    vendor: 'Alfen BV',
    model: 'NG910-60023',
    serialNumber: 'ACE0123456',
    firmwareVersion: '6.4.0-4210',
  })
  expect(translate('BootNotification', { chargeBoxSerialNumber: 'CB1' })).toEqual({
    kind: 'booted',
    serialNumber: 'CB1',
  })
})

it.each([
  ['Accepted', 300],
  ['Pending', 60],
  ['Rejected', 60],
] as const)('OCPP 2.1: BootNotification: %s is answered with the interval %i', (registration, interval) => {
  expect(answer('BootNotification', {}, { registration })).toEqual({
    status: registration,
    currentTime: '2026-03-01T11:00:05.000Z',
    interval,
  })
})

const idTagInfo = (authorisation?: Authorisation): unknown =>
  answer('Authorize', requests.Authorize, authorisation ? { authorisation } : {}).idTagInfo

it.each(['04A2\u0003\u0000', '04A2\r\n', '\u000204A2\u0003', '04A2 \u007f', '04A2\u0085'])(
  'TOKEN-Z1: Authorize: control bytes around a tag left a registered card unknown: %j',
  (idTag) => {
    expect(translate('Authorize', { idTag })).toMatchObject({ idToken: { id: '04A2' } })
    expect(translate('StartTransaction', { connectorId: 1, idTag, meterStart: 0 })).toMatchObject({
      idToken: { id: '04A2' },
    })
  },
)

it.each([
  ['Accepted', 'Accepted'],
  ['Blocked', 'Blocked'],
  ['Expired', 'Expired'],
  ['Invalid', 'Invalid'],
  ['Unknown', 'Invalid'],
  ['ConcurrentTx', 'ConcurrentTx'],
  ['NoCredit', 'Blocked'],
] as const)('TOKEN-Z2: Authorize: %s is told as %s', (status, reported) => {
  expect(idTagInfo({ status })).toEqual({ status: reported })
})

it('TOKEN-Z3 TOKEN-Z4: Authorize: a group of at most 20 characters is the parent, an expiry is told', () => {
  expect(idTagInfo({ status: 'Accepted', groupId: 'GROUP001', expiresAt: 1_800_000_000_000 })).toEqual({
    status: 'Accepted',
    parentIdTag: 'GROUP001',
    expiryDate: '2027-01-15T08:00:00.000Z',
  })
  expect(idTagInfo({ status: 'Accepted', groupId: 'G'.repeat(20) })).toMatchObject({ parentIdTag: 'G'.repeat(20) })
  expect(idTagInfo({ status: 'Accepted', groupId: 'G'.repeat(21) })).toEqual({ status: 'Accepted' })
})

it.each([
  ['Available', 'available'],
  ['Preparing', 'preparing'],
  ['Charging', 'charging'],
  ['SuspendedEV', 'suspendedEv'],
  ['SuspendedEVSE', 'suspendedEvse'],
  ['Finishing', 'finishing'],
  ['Reserved', 'reserved'],
  ['Unavailable', 'unavailable'],
  ['Faulted', 'faulted'],
  ['charging', 'charging'],
  ['Occupied', 'other'],
  ['constructor', 'other'],
])('SESSION-S2: StatusNotification: %s is %s', (status, activity) => {
  expect(translate('StatusNotification', { ...requests.StatusNotification, status })).toMatchObject({
    status,
    activity,
  })
})

it('OCPP 2.1: StatusNotification: carries connector, error and station time', () => {
  expect(translate('StatusNotification', requests.StatusNotification)).toEqual({
    kind: 'connectorStatus',
    connectorId: 1,
    status: 'Charging',
    activity: 'charging',
    errorCode: 'NoError',
    at: { ...at('2026-03-01T10:00:00Z'), original: '2026-03-01T10:00:00.000Z' },
  })
})

it('OCPP 2.1: StatusNotification: without a time it is our receipt time, without a status there is nothing to note', () => {
  expect(translate('StatusNotification', { connectorId: 0, status: 'Available' })).toMatchObject({
    connectorId: 0,
    at: { occurredAt: RECEIVED_AT },
  })
  expect(translate('StatusNotification', { connectorId: 1 })).toEqual({ kind: 'noted' })
})

const start = requests.StartTransaction

it('OCPP 4.2: StartTransaction: carries tag, register and time', () => {
  expect(translate('StartTransaction', start)).toMatchObject({
    kind: 'started',
    connectorId: 1,
    idToken: { id: '04A2B3C4D5E680', type: 'ISO14443' },
    registerMilliWh: 1_234_567_000,
    at: at('2026-03-01T10:00:00Z'),
  })
})

it.each([
  [12.5, 12_500],
  ['12.5', 12_500],
  [0, 0],
  [-3, -3_000],
])('OCPP-VA2: StartTransaction: meterStart %j is %i mWh', (meterStart, registerMilliWh) => {
  expect(translate('StartTransaction', { ...start, meterStart })).toMatchObject({ registerMilliWh })
})

it.each([undefined, null, 'abc', '', 1e13, Number.POSITIVE_INFINITY, {}])('ENERGY-N1: unusable: %j', (meterStart) => {
  expect(translate('StartTransaction', { ...start, meterStart })).toMatchObject({ registerMilliWh: undefined })
})

it('OCPP-DR7: StartTransaction: the business key ignores the tag’s case and how time and register are spelt', () => {
  const key = (change: Payload): unknown => translate('StartTransaction', { ...start, ...change })
  const first = translate('StartTransaction', start)
  for (const same of [
    { idTag: '04a2b3c4d5e680' },
    { timestamp: '2026-03-01T12:00:00+02' },
    { meterStart: '1234567' },
    { connectorId: '1' },
    { reservationId: 0 },
  ]) {
    expect(key(same)).toMatchObject({ startKey: (first as { startKey: string }).startKey })
  }
  const keys = [
    { connectorId: 2 },
    { idTag: 'B' },
    { meterStart: 1 },
    { timestamp: '2026-03-01T10:00:01Z' },
    { timestamp: '' },
  ]
    .map(key)
    .map((input) => (input as { startKey: string }).startKey)
  expect(new Set([...keys, (first as { startKey: string }).startKey]).size).toBe(keys.length + 1)
})

it('OCPP-DR8 SESSION-A4: StartTransaction: the answer has our number, also for a refused tag', () => {
  expect(answer('StartTransaction', start, { transactionId: '4711', authorisation: { status: 'Blocked' } })).toEqual({
    transactionId: 4711,
    idTagInfo: { status: 'Blocked' },
  })
})

it('OCPP-LG3: StartTransaction: its row is found by the number in its answer', () => {
  expect(inbound.StartTransaction?.columns(start, { transactionId: '4711' })).toEqual({
    connectorId: 1,
    transactionId: '4711',
  })
})

it('ENERGY-N1: MeterValues: samples get the defaults of what was left out', () => {
  expect(translate('MeterValues', requests.MeterValues)).toMatchObject({
    kind: 'sampled',
    connectorId: 1,
    transactionId: '4711',
    samples: [
      { value: '1235.5', unit: 'kWh', context: 'Sample.Clock', location: 'Outlet', multiplier: 0 },
      { value: '16.02', unit: 'A', measurand: 'Current.Import', phase: 'L1', context: 'Sample.Periodic' },
      { value: '61', unit: 'Percent', measurand: 'SoC', location: 'EV' },
    ],
  })
  expect(translate('MeterValues', { connectorId: 1, meterValue: [{ sampledValue: [{ value: 5 }] }] })).toMatchObject({
    samples: [{ value: '5', unit: 'Wh', measurand: 'Energy.Active.Import.Register', context: 'Sample.Periodic' }],
  })
})

it.each([0, -1, '0', '-1', null, undefined, '', [], {}])('SESSION-A9: MeterValues: id %j is none', (transactionId) => {
  expect(translate('MeterValues', { ...requests.MeterValues, transactionId })).toMatchObject({
    transactionId: undefined,
  })
})

it.each<[unknown, string]>([
  [7, '7'],
  ['7', '7'],
  [' abc ', 'abc'],
  [-2, '-2'],
])('SESSION-A8: MeterValues: transactionId %j is %s', (transactionId, text) => {
  expect(translate('MeterValues', { ...requests.MeterValues, transactionId })).toMatchObject({ transactionId: text })
})

it('ENERGY-N5: MeterValues: signed data stays as it is, to the byte', () => {
  const value = ' OCMF|{"FV":"1.0"}|{"SD":"30"}\n'
  const meterValue = [{ timestamp: '2026-03-01T10:15:00Z', sampledValue: [{ value, format: 'SignedData' }] }]
  expect(translate('MeterValues', { connectorId: 1, meterValue })).toMatchObject({
    samples: [{ value, signed: { data: value } }],
  })
})

it('OCPP-LG3: MeterValues: the columns say connector and transaction as sent', () => {
  expect(inbound.MeterValues?.columns(requests.MeterValues, {})).toEqual({ connectorId: 1, transactionId: '4711' })
})

const stop = requests.StopTransaction

it('SESSION-A11: StopTransaction: carries register, time, reason, token, samples and a digest', () => {
  expect(translate('StopTransaction', stop)).toMatchObject({
    kind: 'stopped',
    transactionId: '4711',
    registerMilliWh: 1_244_567_000,
    reason: 'EVDisconnected',
    idToken: { id: '04A2B3C4D5E680' },
    at: at('2026-03-01T11:00:00Z'),
    samples: [{ context: 'Transaction.End', value: '1244567' }],
    digest: expect.stringContaining('digest of'),
  })
})

it('OCPP 2.1: StopTransaction: a missing reason is Local, an unknown one is kept', () => {
  expect(translate('StopTransaction', { ...stop, reason: undefined })).toMatchObject({ reason: 'Local' })
  expect(translate('StopTransaction', { ...stop, reason: 'BatteryFull' })).toMatchObject({ reason: 'BatteryFull' })
})

it.each([0, -1, '0', '-1', null, undefined])('SESSION-A13: StopTransaction: the id %j is unknown', (transactionId) => {
  expect(translate('StopTransaction', { ...stop, transactionId })).toMatchObject({ transactionId: undefined })
})

it('OCPP-DR3: StopTransaction: digits beyond 2^53 are read from the raw text', () => {
  const raw = '{"transactionId": 9223372036854775807, "meterStop":1,"timestamp":"2026-03-01T11:00:00Z"}'
  const request = JSON.parse(raw) as Payload
  expect(translate('StopTransaction', request, raw)).toMatchObject({ transactionId: '9223372036854775807' })
  expect(inbound.StopTransaction?.columns(request, {}, raw)).toEqual({ transactionId: '9223372036854775807' })
})

it('OCPP-DR3: StopTransaction: of several such members the one that JSON.parse kept is read', () => {
  forAll(fc.array(fc.bigInt({ min: 2n ** 54n, max: 2n ** 70n }), { minLength: 1, maxLength: 4 }), (ids) => {
    const raw = `{${ids.map((id) => `"transactionId":${id}`).join(',')}}`
    expect(translate('StopTransaction', JSON.parse(raw) as Payload, raw)).toMatchObject({
      transactionId: String(ids.at(-1)),
    })
  })
})

it('OCPP 2.1: StopTransaction: idTagInfo is answered only when a tag was sent', () => {
  const outcome: Outcome = { authorisation: { status: 'Accepted' } }
  expect(answer('StopTransaction', stop, outcome)).toEqual({ idTagInfo: { status: 'Accepted' } })
  for (const idTag of [undefined, null, '']) expect(answer('StopTransaction', { ...stop, idTag }, outcome)).toEqual({})
})

it('OCPP-MS1, OCPP-MS2, OCPP 2.1, TIMELINE-T1: DataTransfer of a vendor that nobody registered is answered UnknownVendorId', () => {
  expect(answer('DataTransfer', requests.DataTransfer, {})).toEqual({ status: 'UnknownVendorId' })
  expect(translate('DataTransfer', requests.DataTransfer)).toEqual({
    kind: 'dataTransferReceived',
    vendorId: 'com.example',
    messageId: 'Temperature',
    data: '{"celsius":21}',
    signed: undefined,
  })
})

it('OCPP-MS1, OCPP-MS2, OCPP 2.1, TIMELINE-A5: SecurityEventNotification is answered {} and told', () => {
  expect(answer('SecurityEventNotification', requests.SecurityEventNotification, {})).toEqual({})
  expect(translate('SecurityEventNotification', requests.SecurityEventNotification)).toEqual({
    kind: 'securityEventSeen',
    type: 'FirmwareUpdated',
    detail: undefined,
  })
})

it.each([
  ['SignCertificate', { status: 'Rejected' }, 'certificateRequested'],
  ['FirmwareStatusNotification', {}, 'firmwareStatus'],
  ['DiagnosticsStatusNotification', {}, 'logStatus'],
  ['LogStatusNotification', {}, 'logStatus'],
  ['SignedFirmwareStatusNotification', {}, 'firmwareStatus'],
] as const)('CERT-C1, FIRMWARE-D2, FIRMWARE-U3: a job: %s is answered %j and read as %s', (action, expected, kind) => {
  expect(answer(action, requests[action], {})).toEqual(expected)
  expect(translate(action, requests[action])).toMatchObject({ kind })
})
