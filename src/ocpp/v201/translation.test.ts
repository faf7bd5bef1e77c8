import { expect, it } from 'vitest'
import { requests } from '../../../test/support/ocpp/v201/testing.ts'
import { answer, translate } from '../../../test/support/ocpp/v201/translated.ts'
import type { Payload } from '../translate/payload.ts'
import { inbound } from './inbound.ts'

it('OCPP 2.2: BootNotification: says what the station told about itself', () => {
  expect(translate('BootNotification', requests.BootNotification)).toEqual({
    kind: 'booted',
    vendor: 'Kempower',
    model: 'Double',
    serialNumber: 'KP-1',
    firmwareVersion: '2.1.0',
  })
})

it.each([
  ['Accepted', 300],
  ['Pending', 60],
  ['Rejected', 60],
] as const)('OCPP 2.2: BootNotification: %s is answered with the interval %i', (registration, interval) => {
  expect(answer('BootNotification', {}, { registration })).toEqual({
    status: registration,
    currentTime: '2026-03-01T11:00:05.000Z',
    interval,
  })
})

it.each(['Accepted', 'Blocked', 'Expired', 'Invalid', 'Unknown', 'ConcurrentTx', 'NoCredit'] as const)(
  'TOKEN-Z2: Authorize: %s stays',
  (status) => {
    expect(answer('Authorize', requests.Authorize, { authorisation: { status } })).toEqual({
      idTokenInfo: { status },
    })
  },
)

it('TOKEN-Z3 TOKEN-Z4: Authorize: group and expiry are told', () => {
  const authorisation = { status: 'Accepted', groupId: 'GROUP001', expiresAt: 1_800_000_000_000 } as const
  expect(answer('Authorize', requests.Authorize, { authorisation })).toEqual({
    idTokenInfo: {
      status: 'Accepted',
      groupIdToken: { idToken: 'GROUP001', type: 'Central' },
      cacheExpiryDateTime: '2027-01-15T08:00:00.000Z',
    },
  })
})

it('OCPP-MS2: Authorize: a certificate nobody can verify is refused, whatever the token is worth', () => {
  const request = { ...requests.Authorize, certificate: 'PEM' }
  expect(answer('Authorize', request, { authorisation: { status: 'Accepted' } })).toEqual({
    idTokenInfo: { status: 'Invalid' },
    certificateStatus: 'CertChainError',
  })
})

it.each([
  [
    'ReportChargingProfiles' as const,
    { evseId: 2, chargingProfile: [{ id: 1 }, { id: 2, transactionId: 't' }] },
    { evseId: 2 },
  ],
  [
    'NotifyDisplayMessages' as const,
    { requestId: 1, messageInfo: [{ id: 1, transactionId: 't' }, { transactionId: 'u' }] },
    {},
  ],
])('OCPP-LG3: pages of reports: %s is found by the first transaction that it names', (action, request, place) => {
  expect(inbound[action].columns(request, {})).toEqual({ ...place, transactionId: 't' })
})

it.each(['x', null, [null], [[]]])('OCPP-LG3: a report with %j in place of its entries names none', (entries) => {
  expect(inbound.ReportChargingProfiles.columns({ evseId: 2, chargingProfile: entries }, {})).toEqual({ evseId: 2 })
})

it('ENERGY-N1: samples: defaults, and the exponent apart from the number', () => {
  const meterValue = [
    { timestamp: '2026-03-01T10:00:00Z', sampledValue: [{ value: 5 }, { value: '7', measurand: 'Voltage' }] },
  ]
  expect(translate('MeterValues', { evseId: 1, meterValue })).toMatchObject({
    kind: 'sampled',
    evseId: 1,
    connectorId: 0,
    samples: [
      { value: '5', unit: 'Wh', multiplier: 0, measurand: 'Energy.Active.Import.Register' },
      { value: '7', unit: 'V', multiplier: 0 },
    ],
  })
})

it.each([
  ['Available', 'available'],
  ['Occupied', 'other'],
  ['Reserved', 'reserved'],
  ['Unavailable', 'unavailable'],
  ['Faulted', 'faulted'],
  ['Charging', 'other'],
])('SESSION-B12: %s is %s and moves no session', (connectorStatus, activity) => {
  expect(translate('StatusNotification', { ...requests.StatusNotification, connectorStatus })).toMatchObject({
    kind: 'connectorStatus',
    evseId: 1,
    connectorId: 2,
    status: connectorStatus,
    activity,
  })
})

it.each([undefined, null, {}])('SESSION-B12 (TC_B_01, TC_C_08): EVSE %j is any: no connector, no doubt', (evse) => {
  const [event] = requests.NotifyEvent.eventData as readonly Payload[]
  const nowhere = { ...event, component: { name: 'Connector', instance: '1', evse }, actualValue: 'Available' }
  expect(translate('NotifyEvent', { eventData: [nowhere] })).toMatchObject({
    kind: 'eventsNotified',
    values: [],
    events: [{ event: { component: { name: 'Connector', instance: '1' }, value: 'Available' } }],
  })
})

it('SESSION-B12: every AvailabilityState of a NotifyEvent counts as a status, in their order', () => {
  const eventData = requests.NotifyEvent.eventData as readonly Payload[]
  const later = { ...eventData[0], actualValue: 'Faulted' }
  const other = { ...eventData[0], variable: { name: 'Power' }, actualValue: '1' }
  const neighbour = { ...eventData[0], component: { name: 'Connector', evse: { id: 2 } } }
  expect(translate('NotifyEvent', { eventData: [...eventData, neighbour, later, other] })).toMatchObject({
    kind: 'connectorStatuses',
    reports: [
      { evseId: 1, connectorId: 1 },
      { evseId: 2, connectorId: 1 },
      { evseId: 1, connectorId: 1, status: 'Faulted', activity: 'faulted' },
    ],
  })
  expect(translate('NotifyEvent', { eventData: [other] })).toMatchObject({
    kind: 'eventsNotified',
    values: [{ variable: { name: 'Power' }, value: '1' }],
  })
  expect(inbound.NotifyEvent.columns({ eventData: [{ ...other, transactionId: 't' }] }, {})).toEqual({
    evseId: 1,
    connectorId: 1,
    transactionId: 't',
  })
})

const message = { id: 7, priority: 'InFront', message: { format: 'ASCII', content: 'Hi' } }
const read = { id: 7, priority: 'InFront', format: 'ASCII', content: 'Hi' }

it.each([
  [{}, { isLast: true, messages: [] }],
  [
    { requestId: 3, tbc: true, messageInfo: [message] },
    { requestId: 3, isLast: false, messages: [read] },
  ],
  [
    { messageInfo: [{ ...message, state: 'Idle', endDateTime: '2026-03-01T10:00:00Z', startDateTime: 'soon' }] },
    { isLast: true, messages: [{ ...read, state: 'Idle', endAt: Date.UTC(2026, 2, 1, 10) }] },
  ],
  [{ messageInfo: 'none' }, { isLast: true, messages: [] }],
  [{ messageInfo: [null, [], {}, { id: 'x' }] }, { isLast: true, messages: [] }],
  [{ messageInfo: [{ id: 7 }] }, { isLast: true, messages: [{ id: 7, priority: '', format: '', content: '' }] }],
])('DRIVER-M4: a page of the messages on a display: of %j has %j', (request, expected) => {
  expect(translate('NotifyDisplayMessages', request)).toEqual({ kind: 'displayPage', ...expected })
})

it('DRIVER-M4: a page of the messages on a display: is bounded, whatever was sent', () => {
  const content = 'x'.repeat(100_000)
  const reported = translate('NotifyDisplayMessages', {
    messageInfo: [{ id: 7, message: { content, format: content } }],
  })
  expect(JSON.stringify(reported).length).toBeLessThan(2_000)
})

it.each([
  [
    { requestId: 3, seqNo: 1, tbc: true, data: 'Hi' },
    { requestId: 3, sequence: 1, isLast: false, data: 'Hi' },
  ],
  [
    { requestId: '3', seqNo: 0, data: 5 },
    { requestId: 3, sequence: 0, isLast: true, data: '5' },
  ],
  [{ data: 'x'.repeat(9_000) }, { isLast: true, data: 'x'.repeat(2_000) }],
  [{}, { isLast: true, data: '' }],
])('DRIVER-I2: a page of what is known of a customer, %j', (request, expected) => {
  expect(translate('NotifyCustomerInformation', request)).toEqual({ kind: 'customerPage', ...expected })
})

it('DRIVER-I2: a page that ended between two words lost the space, and the words became one', () => {
  const pages = ['known since ', '2024\n', 'as K1'].map((data) => translate('NotifyCustomerInformation', { data }))
  const whole = pages.map((page) => (page?.kind === 'customerPage' ? page.data : '')).join('')
  expect(whole).toBe('known since 2024\nas K1')
})

const statusInfo = { reasonCode: 'NotEnabled' }

it.each([
  ['Get15118EVCertificate', { status: 'Failed', exiResponse: '', statusInfo }],
  ['GetCertificateStatus', { status: 'Failed', statusInfo }],
  ['PublishFirmwareStatusNotification', {}],
] as const)('OCPP-MS1, OCPP-MS2, OCPP 2.2: %s is answered %j and noted', (action, expected) => {
  expect(answer(action, requests[action], {})).toEqual(expected)
  expect(translate(action, requests[action])).toEqual({ kind: 'noted' })
})

it.each([
  ['NotifyChargingLimit', 'externalLimitReported'],
  ['ClearedChargingLimit', 'externalLimitReported'],
  ['ReportChargingProfiles', 'profilesReported'],
] as const)('OCPP-MS1, OCPP-MS2, CHARGING-S7: %s is answered {} and told as %s', (action, kind) => {
  expect(answer(action, requests[action], {})).toEqual({})
  expect(translate(action, requests[action])).toMatchObject({ kind })
})

it.each(['NotifyEVChargingNeeds', 'NotifyEVChargingSchedule'] as const)(
  'OCPP-MS1, OCPP-MS2, CHARGING-S9: %s: yes or no',
  (action) => {
    expect(answer(action, requests[action], {})).toMatchObject({ status: 'Accepted' })
    expect(answer(action, requests[action], { refused: 'no_limit' })).toMatchObject({ status: 'Rejected' })
  },
)

it('OCPP-MS1, OCPP-MS2, OCPP 2.2, TIMELINE-T1: DataTransfer of a vendor that nobody registered is answered UnknownVendorId', () => {
  expect(answer('DataTransfer', requests.DataTransfer, {})).toEqual({ status: 'UnknownVendorId' })
  expect(translate('DataTransfer', requests.DataTransfer)).toEqual({
    kind: 'dataTransferReceived',
    vendorId: 'com.example',
    messageId: undefined,
    data: { celsius: 21 },
    signed: undefined,
  })
})

it('OCPP-MS1, OCPP-MS2, OCPP 2.2, TIMELINE-A5: SecurityEventNotification is answered {} and told', () => {
  expect(answer('SecurityEventNotification', requests.SecurityEventNotification, {})).toEqual({})
  expect(translate('SecurityEventNotification', requests.SecurityEventNotification)).toEqual({
    kind: 'securityEventSeen',
    type: 'FirmwareUpdated',
    detail: undefined,
  })
})

it.each([
  [
    'SignCertificate',
    { status: 'Rejected', statusInfo: { reasonCode: 'InvalidCSR', additionalInfo: 'no signer here' } },
    'certificateRequested',
  ],
  ['FirmwareStatusNotification', {}, 'firmwareStatus'],
  ['LogStatusNotification', {}, 'logStatus'],
] as const)('CERT-C1, FIRMWARE-D2, FIRMWARE-U3: a job: %s is answered %j and read as %s', (action, expected, kind) => {
  expect(answer(action, requests[action], {})).toEqual(expected)
  expect(translate(action, requests[action])).toMatchObject({ kind })
})

it('DEVICE-A1: a page of a report tells each attribute with its characteristics', () => {
  const variableAttribute = [
    { type: 'Actual', value: '60', mutability: 'ReadWrite', persistent: true },
    { type: 'Target', value: '90' },
  ]
  const reportData = [
    {
      component: { name: 'Ctrlr', instance: 'a', evse: { id: 1, connectorId: 2 } },
      variable: { name: 'Interval' },
      variableAttribute,
      variableCharacteristics: {
        dataType: 'integer',
        unit: 's',
        minLimit: 1,
        maxLimit: 900,
        supportsMonitoring: false,
      },
    },
    { component: {}, variable: { name: 'Nobody' } },
  ]
  const request = { requestId: 7, seqNo: 3, tbc: true, generatedAt: '2026-11-21T12:00:00Z', reportData }
  const characteristics = { dataType: 'integer', unit: 's', minLimit: 1, maxLimit: 900, supportsMonitoring: false }
  const name = {
    component: { name: 'Ctrlr', instance: 'a', evseId: 1, connectorId: 2 },
    variable: { name: 'Interval' },
  }
  expect(answer('NotifyReport', request, {})).toEqual({})
  expect(translate('NotifyReport', request)).toEqual({
    kind: 'reportPage',
    requestId: 7,
    sequence: 3,
    isLast: false,
    batch: 'page:7:3',
    values: [
      { ...name, attribute: 'Actual', value: '60', mutability: 'ReadWrite', persistent: true, ...characteristics },
      { ...name, attribute: 'Target', value: '90', mutability: 'ReadWrite', ...characteristics },
    ],
  })
})

it.each([
  [{}],
  [{ requestId: 'x', seqNo: -1.5, reportData: 'none' }],
  [{ requestId: null, reportData: [null, 7, { component: 'a', variable: [] }] }],
])('DEVICE-A9: a page that says nothing is no fault: %o', (request) => {
  expect(translate('NotifyReport', request)).toMatchObject({ kind: 'reportPage', values: [] })
})
