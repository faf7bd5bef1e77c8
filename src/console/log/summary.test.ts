import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Command } from '../../domain/ports/storage-records.ts'
import { METHODS } from './message-query.ts'
import { FROM_STATION, summaryOf, TO_STATION } from './summary.ts'

type Said = Pick<Command, 'direction' | 'method' | 'request' | 'response' | 'error' | 'status'>

function said(method: string, request: unknown, change: Partial<Said> = {}): Said {
  const direction = Object.hasOwn(FROM_STATION, method) ? 'in' : 'out'
  return { direction, method, request: JSON.stringify(request), status: 'success', ...change }
}

const line = (message: Said): string => summaryOf(message, 'en').parts.join('  ')

const REGISTER = { measurand: 'Energy.Active.Import.Register' }
const POWER = { measurand: 'Power.Active.Import' }

it.each([
  ['Authorize', { idTag: 'CARD' }, 'card CARD'],
  ['BootNotification', { chargePointVendor: 'Acme', chargePointModel: 'X', firmwareVersion: '1.2' }, 'Acme  X  1.2'],
  ['Heartbeat', {}, ''],
  [
    'StatusNotification',
    { connectorId: 4, errorCode: 'GroundFailure', status: 'Faulted' },
    'connector 4  Faulted: GroundFailure',
  ],
  ['StatusNotification', { connectorId: 0, errorCode: 'NoError', status: 'Available' }, 'charge point  Available'],
  [
    'StatusNotification',
    { connectorId: 1, errorCode: 'OtherError', status: 'Faulted', vendorErrorCode: 'E7', info: 'hot' },
    'connector 1  Faulted: OtherError  E7  hot',
  ],
  ['StartTransaction', { connectorId: 2, idTag: 'CARD', meterStart: 500 }, 'connector 2  card CARD  meter 500 Wh'],
  [
    'StopTransaction',
    { transactionId: 7, reason: 'Local', idTag: 'CARD', meterStop: 900 },
    'transaction 7  Local  card CARD  meter 900 Wh',
  ],
  [
    'MeterValues',
    {
      connectorId: 1,
      meterValue: [
        { sampledValue: [{ value: '1' }] },
        {
          sampledValue: [
            { value: '12.5', ...REGISTER, unit: 'kWh' },
            { value: '3', ...REGISTER, unit: 'kWh', phase: 'L1' },
            { value: '7400', ...POWER },
            { value: '55', measurand: 'SoC', unit: 'Percent' },
          ],
        },
      ],
    },
    'connector 1  12.5 kWh  7,400 W  55 %',
  ],
  ['DataTransfer', { vendorId: 'acme', messageId: 'm', data: 'x' }, 'acme  m  x'],
  ['FirmwareStatusNotification', { status: 'Installed' }, 'Installed'],
  ['RemoteStartTransaction', { connectorId: 1, idTag: 'CARD' }, 'connector 1  card CARD'],
  [
    'RemoteStartTransaction',
    { connectorId: 1, idTag: 'FADE0123456789' },
    'connector 1  single-use tag of a remote start FADE0123456789',
  ],
  ['RemoteStopTransaction', { transactionId: 7 }, 'transaction 7'],
  ['Reset', { type: 'Hard' }, 'Hard'],
  ['ChangeAvailability', { connectorId: 2, type: 'Inoperative' }, 'connector 2  Inoperative'],
  ['ChangeConfiguration', { key: 'HeartbeatInterval', value: '300' }, 'HeartbeatInterval = 300'],
  ['GetConfiguration', { key: ['A', 'B', 'C', 'D', 'E'] }, 'A, B, C, D …'],
  ['TriggerMessage', { requestedMessage: 'StatusNotification', connectorId: 1 }, 'StatusNotification  connector 1'],
  ['SendLocalList', { listVersion: 3, updateType: 'Full', localAuthorizationList: [{}, {}] }, 'Full  # 3  2 entries'],
  [
    'SetChargingProfile',
    {
      connectorId: 1,
      csChargingProfiles: {
        chargingProfilePurpose: 'TxProfile',
        chargingSchedule: { chargingRateUnit: 'A', chargingSchedulePeriod: [{ startPeriod: 0, limit: 16 }] },
      },
    },
    'connector 1  TxProfile  16 A',
  ],
  ['UpdateFirmware', { location: 'https://f.example/1', retrieveDate: '2026' }, 'https://f.example/1  2026'],
])('CONSOLE-C10: one line for each message, OCPP 1.6: %s %j: %s', (method, request, expected) => {
  expect(line(said(method, request))).toBe(expected)
})

const evse = { id: 1, connectorId: 2 }
it.each([
  ['Authorize', { idToken: { idToken: 'CARD', type: 'ISO14443' } }, 'card CARD'],
  [
    'BootNotification',
    { reason: 'PowerUp', chargingStation: { vendorName: 'Acme', model: 'X', firmwareVersion: '2' } },
    'PowerUp  Acme  X  2',
  ],
  ['StatusNotification', { evseId: 1, connectorId: 2, connectorStatus: 'Occupied' }, 'EVSE 1 connector 2  Occupied'],
  [
    'TransactionEvent',
    {
      eventType: 'Ended',
      triggerReason: 'EVDeparted',
      transactionInfo: { transactionId: 't', chargingState: 'Idle', stoppedReason: 'EVDisconnected' },
      evse,
      idToken: { idToken: 'CARD', type: 'ISO14443' },
      meterValue: [{ sampledValue: [{ value: 9, ...REGISTER, unitOfMeasure: { unit: 'Wh', multiplier: 3 } }] }],
    },
    'Ended  EVDeparted  Idle  EVSE 1 connector 2  card CARD  EVDisconnected  9 ×10^3 Wh',
  ],
  [
    'SecurityEventNotification',
    { type: 'TamperDetectionActivated', techInfo: 'door' },
    'TamperDetectionActivated  door',
  ],
  [
    'NotifyEvent',
    { eventData: [{ component: { name: 'EVSE' }, variable: { name: 'Problem' }, actualValue: 'true' }] },
    'EVSE.Problem = true',
  ],
  ['NotifyReport', { requestId: 4, reportData: [{}] }, '# 4  1 entry'],
  ['RequestStartTransaction', { evseId: 1, idToken: { idToken: 'CARD' } }, 'EVSE 1  card CARD'],
  ['RequestStopTransaction', { transactionId: 't' }, 'transaction t'],
  ['ChangeAvailability', { evse: { id: 1 }, operationalStatus: 'Operative' }, 'EVSE 1  Operative'],
  [
    'SetVariables',
    { setVariableData: [{ component: { name: 'C' }, variable: { name: 'V' }, attributeValue: '1' }] },
    'C.V = 1',
  ],
  ['GetBaseReport', { requestId: 1, reportBase: 'FullInventory' }, 'FullInventory'],
  [
    'GetLog',
    { logType: 'SecurityLog', log: { remoteLocation: 'https://l.example' } },
    'SecurityLog  https://l.example',
  ],
  ['ClearChargingProfile', { chargingProfileId: 5 }, '# 5'],
])('CONSOLE-C10: one line for each message, OCPP 2.0.1: %s %j: %s', (method, request, expected) => {
  expect(line(said(method, request))).toBe(expected)
})

it('CONSOLE-C10: one line for each message, OCPP 2.0.1: in German, the protocol’s own words as they are', () => {
  const { parts } = summaryOf(said('StatusNotification', { connectorId: 4, status: 'Faulted' }), 'de')
  expect(parts).toEqual(['Anschluss 4', 'Faulted'])
})

it('CONSOLE-C10, CONSOLE-F3: one line for each message, OCPP 2.0.1: the figures of a station were shown as it wrote them, 2374998 Wh, to every reader', () => {
  const sampledValue = [
    { value: '2374998' },
    { value: '-7400.5', ...POWER },
    { value: '15.90', measurand: 'Current.Import' },
    { value: 'NaN', measurand: 'SoC' },
  ]
  const meterValues = said('MeterValues', { connectorId: 1, meterValue: [{ sampledValue }] })
  expect(summaryOf(meterValues, 'de').parts.slice(1)).toEqual(['2.375,0 kWh', '-7.400,5 W', '15,90 A', 'NaN %'])
  expect(line(meterValues)).toBe('connector 1  2,375.0 kWh  -7,400.5 W  15.90 A  NaN %')
  const counted = said('MeterValues', { meterValue: [{ sampledValue: [{ value: '12345.6', unit: 'kWh' }] }] })
  expect(line(counted)).toBe('12.3 MWh')
})

it.each([
  ['Authorize', { idTag: 'x' }, { response: '{"idTagInfo":{"status":"Blocked"}}' }, 'Blocked', true],
  ['Authorize', { idTag: 'x' }, { response: '{"idTokenInfo":{"status":"Accepted"}}' }, 'Accepted', false],
  ['RemoteStartTransaction', {}, { response: '{"status":"Rejected"}' }, 'Rejected', true],
  ['UnlockConnector', {}, { response: '{"status":"UnlockFailed"}' }, 'UnlockFailed', true],
  ['BootNotification', {}, { response: '{"status":"Pending"}' }, 'Pending', false],
  [
    'SetVariables',
    {},
    { response: '{"setVariableResult":[{"attributeStatus":"Accepted"},{"attributeStatus":"UnknownVariable"}]}' },
    'UnknownVariable',
    true,
  ],
  [
    'Reset',
    {},
    { status: 'error', error: { code: 'NotImplemented', description: '', details: {} } },
    'NotImplemented',
    true,
  ],
  ['Heartbeat', {}, { response: '{"currentTime":"x"}' }, undefined, false],
] as const)('CONSOLE-C10: what the answer said: %s', (method, request, change, answer, isRefused) => {
  const summary = summaryOf(said(method, request, change), 'en')
  expect([summary.answer, summary.isRefused]).toEqual([answer, isRefused])
})

it('CONSOLE-C10: what the answer said: a fault is one', () => {
  expect(summaryOf(said('StatusNotification', { status: 'Faulted' }), 'en').isFault).toBe(true)
  expect(summaryOf(said('StatusNotification', { status: 'Available' }), 'en').isFault).toBe(false)
})

it('CONSOLE-C10: whatever stands there: every message of either version has words of its own', () => {
  const without = METHODS.filter((method) => !Object.hasOwn(FROM_STATION, method) && !Object.hasOwn(TO_STATION, method))
  expect(without).toEqual([])
})

it('CONSOLE-C10: whatever stands there: an unknown message is shown by its first plain members', () => {
  expect(line(said('Vendor', { a: 1, b: { c: 2 }, d: 'x y', e: true }))).toBe('a=1  d=x y')
  expect(line(said('constructor', { a: 1 }))).toBe('a=1')
  expect(line(said('Heartbeat', [1, 2]))).toBe('5 characters')
  expect(line(said('Heartbeat', 'x'.repeat(200_000)))).toBe('200002 characters')
})

it('CONSOLE-C10: whatever stands there: stays one short line, without characters that nobody sees', () => {
  const hostile = said('StatusNotification', {
    connectorId: '\u202e4\n\u0000',
    status: 'x'.repeat(500),
    info: '\u2066',
  })
  expect(line(hostile)).toBe(`connector 4  ${'x'.repeat(59)}…`)
  fc.assert(
    fc.property(fc.constantFrom(...METHODS, 'Other'), fc.json(), fc.json(), (method, request, response) => {
      for (const direction of ['in', 'out'] as const) {
        const { parts, answer = '' } = summaryOf({ direction, method, request, response, status: 'success' }, 'de')
        const shown = [...parts, answer].join('  ')
        expect(shown.length).toBeLessThan(1500)
        expect(shown).not.toMatch(/\p{C}/u)
      }
    }),
  )
})
