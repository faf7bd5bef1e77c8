import fc from 'fast-check'
import { expect, it } from 'vitest'
import { everyMessage } from '../../../test/support/ocpp/testing.ts'
import { forAll } from '../../../test/support/property.ts'
import type { Payload } from '../translate/payload.ts'
import { repair } from './validators.ts'

const repair16 = (action: string, payload: Payload): Payload => repair('ocpp1.6', action, payload)
const repair201 = (action: string, payload: Payload): Payload => repair('ocpp2.0.1', action, payload)

it.each<[string, string, Payload, Payload]>([
  ['nulls are dropped', 'StopTransaction', { reason: null, meterStop: 1 }, { meterStop: 1 }],
  ['numeric text becomes a number', 'StartTransaction', { meterStart: ' 12.5 ' }, { meterStart: 12.5 }],
  ['a number becomes text', 'Authorize', { idTag: 4711 }, { idTag: '4711' }],
  ['enum case is the schema’s', 'StopTransaction', { reason: ' evdisconnected' }, { reason: 'EVDisconnected' }],
  ['unknown enum values stay', 'StopTransaction', { reason: 'BatteryFull' }, { reason: 'BatteryFull' }],
  ['too long text is trimmed', 'Authorize', { idTag: `  ${'A'.repeat(20)} ` }, { idTag: 'A'.repeat(20) }],
  ['longer text stays whole', 'Authorize', { idTag: 'A'.repeat(30) }, { idTag: 'A'.repeat(30) }],
  ['unknown members stay', 'Authorize', { idTag: 1, more: null }, { idTag: '1', more: null }],
  ['times stay as they are', 'StatusNotification', { timestamp: 1772359200 }, { timestamp: 1772359200 }],
  [
    'an id beyond 2^53 stays text',
    'StopTransaction',
    { transactionId: '9223372036854775807' },
    { transactionId: '9223372036854775807' },
  ],
  [
    'a single value becomes a list',
    'MeterValues',
    { meterValue: { sampledValue: { value: 5 } } },
    { meterValue: [{ sampledValue: [{ value: '5' }] }] },
  ],
  [
    'a required list stays, empty as it is',
    'MeterValues',
    { meterValue: [], connectorId: '1' },
    { meterValue: [], connectorId: 1 },
  ],
  ['text that is no number stays', 'StartTransaction', { meterStart: '12 kWh' }, { meterStart: '12 kWh' }],
])('OCPP-VA3: %s', (_name, action, payload, expected) => {
  expect(repair16(action, payload)).toEqual(expected)
})

it('OCPP-VA3: 2.0.1 lists, booleans and references are repaired too', () => {
  expect(
    repair201('TransactionEvent', {
      eventType: 'STARTED',
      seqNo: '0',
      offline: 'True',
      meterValue: [],
      transactionInfo: { transactionId: 12, chargingState: 'charging', stoppedReason: null },
    }),
  ).toEqual({
    eventType: 'Started',
    seqNo: 0,
    offline: true,
    transactionInfo: { transactionId: '12', chargingState: 'Charging' },
  })
})

it('OCPP-DR3: an id that JSON.parse has rounded is left to be read from the raw text', () => {
  const payload = { transactionInfo: { transactionId: Number('9223372036854775807') } }
  expect(repair201('TransactionEvent', payload)).toBe(payload)
})

it.each(everyMessage)('a valid $protocol $action is not copied', ({ protocol, action, request }) => {
  expect(repair(protocol, action, request)).toBe(request)
})

it('OCPP-RP12: a member called __proto__ stays a member and changes no prototype', () => {
  const payload = JSON.parse('{"idTag":5,"__proto__":{"status":"Accepted"}}') as Payload
  const repaired = repair16('Authorize', payload)
  expect(Object.keys(repaired)).toEqual(['idTag', '__proto__'])
  expect(Object.getPrototypeOf(repaired)).toBe(Object.prototype)
  expect(repaired.status).toBeUndefined()
})

it('repairing twice changes nothing more', () => {
  forAll(fc.constantFrom(...everyMessage), fc.object(), ({ protocol, action, request }, noise) => {
    const once = repair(protocol, action, { ...request, ...(noise as Payload) })
    expect(repair(protocol, action, once)).toEqual(once)
  })
})
