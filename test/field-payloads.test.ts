/** Payloads from the field that strict schemas refuse: answered over the wire, and kept in the log to the byte. */
import { expect, it } from 'vitest'
import { houseOfFile } from './house.ts'
import { booted16, booted201 } from './station.ts'

const house = await houseOfFile()

const NOW = new Date().toISOString()
const notification = (members: string): string => `{"connectorId":1,${members}}`
const start = (members: string): string => `{"connectorId":1,"timestamp":"${NOW}",${members}}`
const values = (sampled: string, more = ''): string =>
  `{"connectorId":1,${more}"meterValue":[{"timestamp":"${NOW}","sampledValue":[${sampled}]}]}`
const stop = (members: string): string => `{"meterStop":10,"timestamp":"${NOW}",${members}}`
const time = (text: string): string => notification(`"errorCode":"NoError","status":"Charging","timestamp":"${text}"`)

const from16: readonly (readonly [name: string, action: string, payload: string])[] = [
  ['an empty timestamp', 'StatusNotification', time('')],
  ['errorCode Error', 'StatusNotification', notification('"errorCode":"Error","status":"Available"')],
  ['status Occupied', 'StatusNotification', notification('"errorCode":"NoError","status":"Occupied"')],
  [
    'an extra field',
    'StatusNotification',
    notification('"errorCode":"NoError","status":"Available","evse":{"a":1.50}'),
  ],
  [
    'a long info',
    'StatusNotification',
    notification(`"errorCode":"NoError","status":"Available","info":"${'i'.repeat(80)}"`),
  ],
  [
    'null members',
    'StatusNotification',
    notification('"errorCode":"NoError","status":"Available","info":null,"vendorId":null'),
  ],
  ['other upper case', 'StatusNotification', notification('"errorCode":"noerror","status":"AVAILABLE"')],
  ['a time without zone', 'StatusNotification', time('2026-04-26T14:35:02')],
  ['a short zone', 'StatusNotification', time('2026-04-26T14:35:02+02')],
  ['a time with a space', 'StatusNotification', time('2026-04-26 14:35:02Z')],
  [
    'a long serial number',
    'BootNotification',
    `{"chargePointVendor":"Schneider","chargePointModel":"M","chargePointSerialNumber":"${'9'.repeat(30)}"}`,
  ],
  ['a long model', 'BootNotification', `{"chargePointVendor":"V","chargePointModel":"${'M'.repeat(30)}"}`],
  ['unit Hertz', 'MeterValues', values('{"value":"50.01","measurand":"Frequency","unit":"Hertz"}')],
  ['a numeric value', 'MeterValues', values('{"value":12.50}')],
  ['an odd context', 'MeterValues', values('{"value":"1","context":"Sample.Start"}')],
  ['transactionId null', 'MeterValues', values('{"value":"1"}', '"transactionId":null,')],
  ['transactionId as text', 'MeterValues', values('{"value":"1"}', '"transactionId":"4711",')],
  ['an empty list', 'MeterValues', '{"connectorId":1,"meterValue":[]}'],
  ['meterStart with a fraction', 'StartTransaction', start('"idTag":"A","meterStart":1234.50')],
  ['meterStart as text', 'StartTransaction', start('"idTag":"B","meterStart":"1234"')],
  ['a long idTag', 'StartTransaction', start(`"idTag":"${'C'.repeat(30)}","meterStart":1`)],
  ['an empty idTag', 'Authorize', '{"idTag":""}'],
  ['an unknown reason', 'StopTransaction', stop('"transactionId":1,"reason":"CarIsFull"')],
  ['an empty transactionData', 'StopTransaction', stop('"transactionId":1,"transactionData":[]')],
  ['a huge transactionId', 'StopTransaction', stop('"transactionId":9223372036854775807')],
  ['odd spacing and numbers', 'StopTransaction', '{ "transactionId" : 1.0e1 ,"meterStop":10.000,\t"timestamp":"x" }'],
]

const event = (members: string, info = '"transactionId":"t-1"'): string =>
  `{"eventType":"Updated","timestamp":"${NOW}","triggerReason":"MeterValuePeriodic","seqNo":1,"transactionInfo":{${info}},${members}}`

const from201: readonly (readonly [name: string, action: string, payload: string])[] = [
  [
    'a value as text',
    'TransactionEvent',
    event(`"meterValue":[{"timestamp":"${NOW}","sampledValue":[{"value":"12.30"}]}]`),
  ],
  ['an unknown trigger', 'TransactionEvent', event('"offline":false').replace('MeterValuePeriodic', 'FullMoon')],
  ['a numeric transactionId', 'TransactionEvent', event('"offline":false', '"transactionId":9223372036854775807')],
  ['seqNo as text', 'TransactionEvent', event('"offline":false').replace('"seqNo":1', '"seqNo":"2"')],
  [
    'an unknown charging state',
    'TransactionEvent',
    event('"offline":false', '"transactionId":"t-1","chargingState":"Dancing"'),
  ],
  ['null members', 'TransactionEvent', event('"evse":null,"idToken":null')],
  ['an extra field', 'TransactionEvent', event('"vendorExtra":[1.10,2]')],
  [
    'a status in other case',
    'StatusNotification',
    `{"timestamp":"${NOW}","connectorStatus":"occupied","evseId":1,"connectorId":1}`,
  ],
  ['customData', 'Heartbeat', '{"customData":{"vendorId":"x","big":12345678901234567890}}'],
]

/** The row's request as text: parsed, large numbers would already have become others. */
async function keptRequest(chargePointId: string, messageId: string): Promise<string> {
  const path = `/2/evse-controllers/${chargePointId}/commands/search`
  const rows = await house.rows(chargePointId)
  const position = rows.findIndex((row) => row.messageId === messageId)
  const { text } = await house.request('POST', path, { from: '2020-01-01T00:00:00Z', limit: 500 })
  const row = text.split('{"id":"')[position + 1] ?? ''
  return row.slice(row.indexOf('"request":') + '"request":'.length, row.lastIndexOf(',"response":'))
}

it.each([
  ...from16.map((one) => ['1.6', ...one, booted16] as const),
  ...from201.map((one) => ['2.0.1', ...one, booted201] as const),
])(
  'OCPP-VA2, OCPP-DR3, %s: %s (%s) is answered with CALLRESULT and kept to the byte',
  async (ocpp, name, action, payload, booted) => {
    const identity = `F-${ocpp}-${name.replaceAll(' ', '-')}`
    const station = await booted(house.ocppUrl, identity)
    const messageId = `kept-${action}-${payload.length}`
    expect(await station.callText(action, payload, messageId)).toMatchObject({ 0: 3, 1: messageId })
    expect(await keptRequest(identity, messageId)).toBe(payload)
  },
)

it('OCPP-DR3: a transaction id above 2^53 is found by its own digits', async () => {
  const station = await booted201(house.ocppUrl, 'HUGE-ID')
  await station.callText('TransactionEvent', event('"offline":false', '"transactionId":9223372036854775807'))
  await station.close()
  const rows = await house.rows('HUGE-ID', { transactionId: '9223372036854775807' })
  expect(rows).toMatchObject([{ method: 'TransactionEvent', transactionId: '9223372036854775807' }])
  expect(await house.rows('HUGE-ID', { transactionId: '9223372036854776000' })).toEqual([])
})
