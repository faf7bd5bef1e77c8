/** Quirks of what stations report beside starts and stops: samples, states, boots, and 2.0.1 events. */
import { ACCEPTED, type Captured, call, event, minute, register, start, values } from './traffic.ts'

const BOOT = call('BootNotification', '{"chargePointVendor":"Acme","chargePointModel":"One"}')
const BOOTED = { status: 'Accepted' }
const TAG = ',"idToken":{"idToken":"CARD","type":"ISO14443"},"evse":{"id":1,"connectorId":1}'

/** A running charge in which these values come, and the energy that counts. */
function sampled(name: string, energyKwh: number, ...messages: readonly string[]): Captured {
  return {
    name,
    steps: [[BOOT, BOOTED], [start(), ACCEPTED], ...messages.map((message) => [message, {}] as const)],
    sessions: [{ state: 'charging', energyKwh }],
  }
}

const status = (members: string, id: string): string => call('StatusNotification', `{${members}}`, id)
const series = (...registers: readonly string[]): readonly string[] =>
  registers.map((value, index) => values(register(value), undefined, minute(10 * (index + 1)), `v${index}`))

export const samples: readonly Captured[] = [
  sampled('ENERGY-N1: a register as it should be', 1.5, values(register('"2500"'))),
  sampled('OCPP-VA2: a register as a number', 1.5, values(register('2500'))),
  sampled('OCPP-VA3: space around the value', 1.5, values(register('" 2500 "'))),
  sampled('ENERGY-N1: kWh in other case', 1.5, values(register('"2.5"', ',"unit":"KWH"'))),
  sampled('ENERGY-N1: nothing but the value', 1.5, values('{"value":"2500"}')),
  sampled(
    'OCPP-VA3: empty strings for what is optional',
    1.5,
    values(register('"2500"', ',"unit":"","context":"","location":"","format":""')),
  ),
  sampled(
    'OCPP-VA3: null for what is optional',
    1.5,
    values(register('"2500"', ',"unit":null,"phase":null,"context":null')),
  ),
  sampled(
    'ENERGY-N1: values that are no numbers count nothing',
    0,
    ...['""', '"NaN"', 'NaN', '"2,5"', '"0x9C4"', '"OCMF|{}"', 'true', '{}', '"1e400"'].map((value, index) =>
      values(register(value), undefined, undefined, `v${index}`),
    ),
  ),
  sampled('SESSION-A9: no transaction id', 1.5, values(register('"2500"'), '"connectorId":1')),
  ...['0', '-1', 'null', '""', '424242'].map((id) =>
    sampled(
      `SESSION-A9: the transaction id ${id}`,
      1.5,
      values(register('"2500"'), `"connectorId":1,"transactionId":${id}`),
    ),
  ),
  sampled(
    'SESSION-A8: connector 0 with the right transaction id',
    1.5,
    values(register('"2500"'), '"connectorId":0,"transactionId":$TX'),
  ),
  sampled(
    'SESSION-A9: no transaction id, and the message begins before the session',
    1.5,
    call(
      'MeterValues',
      `{"connectorId":1,"meterValue":[{"timestamp":"${minute(-5)}","sampledValue":[${register('"1000"')}]},{"timestamp":"${minute(30)}","sampledValue":[${register('"2500"')}]}]}`,
    ),
  ),
  {
    name: 'SESSION-A9: the session’s register with the transaction’s number, and the meter’s without',
    steps: [
      [BOOT, BOOTED],
      [start(',"meterStart":50000'), ACCEPTED],
      ...[10, 20, 30].flatMap((minutes) => [
        [values(register(`${50 * minutes}`), undefined, minute(minutes), `named-${minutes}`), {}] as const,
        [
          values(register(`${50_000 + 50 * minutes}`), '"connectorId":1', minute(minutes), `clock-${minutes}`),
          {},
        ] as const,
      ]),
    ],
    sessions: [{ state: 'charging', energyKwh: 1.5 }],
  },
  sampled('SESSION-A9: connector 0 without one is the main meter', 0, values(register('"99999"'), '"connectorId":0')),
  sampled(
    'OCPP-VA3: one object in the place of each list',
    1.5,
    call(
      'MeterValues',
      `{"connectorId":1,"transactionId":$TX,"meterValue":{"timestamp":"${minute(30)}","sampledValue":{"value":"2500"}}}`,
    ),
  ),
  sampled(
    'OCPP-DR4: lists that are empty or missing',
    0,
    call('MeterValues', '{"connectorId":1,"transactionId":$TX,"meterValue":[]}', 'v1'),
    call('MeterValues', '{"connectorId":1,"transactionId":$TX}', 'v2'),
    call('MeterValues', '{}', 'v3'),
    call('MeterValues', `{"connectorId":1,"meterValue":[{"timestamp":"${minute(1)}","sampledValue":[]}]}`, 'v4'),
  ),
  sampled(
    'ENERGY-N2: three phases without a sum',
    1.7,
    values(
      ['L1', 'L2', 'L3'].map((phase) => register('"400"', `,"phase":"${phase}"`)).join(','),
      undefined,
      minute(1),
      'v1',
    ),
    values(
      ['L1', 'L2', 'L3'].map((phase) => register('"900"', `,"phase":"${phase}"`)).join(','),
      undefined,
      minute(30),
      'v2',
    ),
  ),
  sampled(
    'ENERGY-N2: the register of the start again in each message, under the time of the message',
    1.5,
    ...[1500, 2500].map((value, index) =>
      values(
        `${register(`"${value}"`)},${register('"1000"', ',"context":"Transaction.Begin"')}`,
        undefined,
        minute(10 * (index + 1)),
        `v${index}`,
      ),
    ),
  ),
  sampled(
    'ENERGY-N1: each measurand in a meterValue of its own',
    1.5,
    call(
      'MeterValues',
      `{"connectorId":1,"transactionId":$TX,"meterValue":[${[
        '{"value":"7200","measurand":"Power.Active.Import","unit":"W"}',
        register('"2500"'),
        '{"value":"0.1","measurand":"Voltage","phase":"L1","unit":"V"}',
      ]
        .map((one) => `{"timestamp":"${minute(30)}","sampledValue":[${one}]}`)
        .join()}]}`,
    ),
  ),
  sampled('ENERGY-N3: a single 0 between two large values', 1.5, ...series('"2000"', '"0"', '"2500"')),
  sampled('ENERGY-N3: a small step back', 1.5, ...series('"2500"', '"2450"', '"2500"')),
  sampled(
    'ENERGY-N3: the same message again and again',
    1.5,
    ...Array.from({ length: 5 }, (_, index) => values(register('"2500"'), undefined, minute(30), `v${index}`)),
  ),
  sampled(
    'OCPP-VA2: units and contexts nobody knows',
    1.5,
    values(
      `{"value":"50.1","measurand":"Frequency","unit":"Hertz"},{"value":"1","measurand":"Temperature","unit":"Celcius"},${register('"2500"', ',"context":"Sample.Start"')}`,
    ),
  ),
  sampled('ENERGY-N1: NUL behind the value', 1.5, values(register('"2500\\u0000"'))),
  sampled('OCPP-DR13: samples without a usable time', 1.5, values(register('"2500"'), undefined, '')),
]

export const reports: readonly Captured[] = [
  {
    name: 'OCPP-VA2: states in other case, of 1.5, of vendors, with codes too long',
    steps: [
      [BOOT, BOOTED],
      [status('"connectorId":1,"errorCode":"noerror","status":"AVAILABLE"', '1'), {}],
      [status('"connectorId":"2","errorCode":"","status":"Occupied"', '2'), {}],
      [
        status(
          `"connectorId":3,"errorCode":"Error","status":"Faulted","vendorErrorCode":"${'E'.repeat(120)}","info":"${'i'.repeat(300)}"`,
          '3',
        ),
        {},
      ],
      [status('"connectorId":4,"errorCode":17,"status":"Charging","timestamp":""', '4'), {}],
    ],
    chargePoint: {
      connectors: [
        { connectorId: 1, status: 'Available' },
        { connectorId: 2, status: 'Occupied' },
        { connectorId: 3, status: 'Faulted', errorCode: 'Error' },
        { connectorId: 4, status: 'Charging' },
      ],
    },
  },
  {
    name: 'OCPP-VA1: states without connector, without state, with numbers no connector has',
    steps: [
      [BOOT, BOOTED],
      [status('"connectorId":1,"errorCode":"NoError"', '1'), {}],
      [status('"connectorId":-1,"errorCode":"NoError","status":"Available"', '2'), {}],
      [status('"connectorId":999999999999,"errorCode":"NoError","status":"Available"', '3'), {}],
      [status('"connectorId":1.5,"errorCode":"NoError","status":"Available"', '4'), {}],
    ],
    chargePoint: { connectors: [] },
  },
  {
    name: 'SESSION-A7: a start on a connector that cannot be',
    steps: [
      [BOOT, BOOTED],
      [start(',"connectorId":-1'), ACCEPTED],
    ],
    sessions: [{ state: 'charging' }],
    chargePoint: { connectors: [] },
  },
  {
    name: 'OCPP-VA2: a boot with empty, null, long and numeric members',
    steps: [
      [
        call(
          'BootNotification',
          `{"chargePointVendor":"Acme","chargePointModel":22,"chargePointSerialNumber":"","chargeBoxSerialNumber":"${'9'.repeat(60)}","iccid":"","imsi":null,"meterType":"","firmwareVersion":"${'v'.repeat(80)}"}`,
        ),
        BOOTED,
      ],
    ],
    chargePoint: { vendor: 'Acme', model: '22', serialNumber: '9'.repeat(60), firmwareVersion: 'v'.repeat(80) },
  },
  {
    name: 'EC: a boot without its vendor',
    steps: [[call('BootNotification', '{"chargePointModel":"One"}'), 'OccurenceConstraintViolation']],
  },
  {
    name: '2.1, OCPP-VA1: DataTransfer with objects, numbers and without a vendor',
    steps: [
      [BOOT, BOOTED],
      [call('DataTransfer', '{"vendorId":"Acme","data":{"a":[1]}}', '1'), { status: 'UnknownVendorId' }],
      [call('DataTransfer', '{"vendorId":"Acme","messageId":7,"data":[1]}', '2'), { status: 'UnknownVendorId' }],
      [call('DataTransfer', '{"data":"x"}', '3'), 'OccurenceConstraintViolation'],
    ],
  },
  {
    name: 'OCPP-VA3: tags as numbers, too long, with space',
    steps: [
      [BOOT, BOOTED],
      [call('Authorize', '{"idTag":12345678}', '1'), ACCEPTED],
      [call('Authorize', `{"idTag":"${'T'.repeat(40)}"}`, '2'), ACCEPTED],
      [call('Authorize', '{"idTag":" CARD "}', '3'), ACCEPTED],
      [call('Authorize', '{"idTag":""}', '4'), { idTagInfo: { status: 'Invalid' } }],
    ],
  },
  {
    name: 'OCPP-VA2: firmware and security reports in other case and with members left out',
    steps: [
      [BOOT, BOOTED],
      [call('FirmwareStatusNotification', '{"status":"idle"}', '1'), {}],
      [call('DiagnosticsStatusNotification', '{"status":"Whatever"}', '2'), {}],
      [call('SecurityEventNotification', '{"type":"X"}', '3'), {}],
      [call('LogStatusNotification', '{"status":"Uploaded","requestId":"1"}', '4'), {}],
    ],
  },
]

const BOOT_201 = call('BootNotification', '{"reason":"PowerUp","chargingStation":{"vendorName":"Acme","model":"Two"}}')
const at = (value: string): string => `,"meterValue":[{"timestamp":"${minute(1)}","sampledValue":[{"value":${value}}]}]`
const GRANTED = { idTokenInfo: { status: 'Accepted' } }
const CHARGING = '"transactionId":"t-1","chargingState":"Charging"'

function charge201(
  name: string,
  steps: Captured['steps'],
  sessions: NonNullable<Captured['sessions']> = 1.5,
): Captured {
  return { name, steps: [[BOOT_201, BOOTED], ...steps], sessions }
}

export const events: readonly Captured[] = [
  charge201('OCPP-DR4: an ordinary charge, to compare', [
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')}`), GRANTED],
    [event('Ended', 1, minute(60), '"transactionId":"t-1"', at('2500').replace(minute(1), minute(60))), {}],
  ]),
  charge201('OCPP-VA3: enums in other case, numbers as text', [
    [event('started', '"0"', minute(0), CHARGING.replace('Charging', 'charging'), `${TAG}${at('"1000"')}`), GRANTED],
    [
      event(
        'ENDED',
        '"1"',
        minute(60),
        '"transactionId":"t-1","stoppedReason":"evdisconnected"',
        at('"2500"').replace(minute(1), minute(60)),
      ),
      {},
    ],
  ]),
  charge201('OCPP-VA3, SESSION-B1: a transaction id that is a number', [
    [event('Started', 0, minute(0), CHARGING.replace('"t-1"', '42'), `${TAG}${at('1000')}`), GRANTED],
    [event('Ended', 1, minute(60), '"transactionId":"42"', at('2500').replace(minute(1), minute(60))), {}],
  ]),
  charge201('SESSION-B4: Ended before Started', [
    [event('Ended', 1, minute(60), '"transactionId":"t-1"', at('2500').replace(minute(1), minute(60))), {}],
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')}`), GRANTED],
  ]),
  charge201('SESSION-B2: every event has seqNo 0', [
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')}`), GRANTED],
    [event('Updated', 0, minute(30), CHARGING, at('2000').replace(minute(1), minute(30))), {}],
    [event('Ended', 0, minute(60), '"transactionId":"t-1"', at('2500').replace(minute(1), minute(60))), {}],
  ]),
  charge201('SESSION-B2: every event twice', [
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')}`), GRANTED],
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')}`).replace('"Started-', '"again-'), GRANTED],
    [event('Ended', 1, minute(60), '"transactionId":"t-1"', at('2500').replace(minute(1), minute(60))), {}],
    [
      event('Ended', 1, minute(60), '"transactionId":"t-1"', at('2500').replace(minute(1), minute(60))).replace(
        '"Ended-',
        '"again-',
      ),
      {},
    ],
  ]),
  charge201('OCPP-VA1: null and empty members, an unknown trigger', [
    [
      event('Started', 0, minute(0), CHARGING, `${TAG}${at('1000')},"offline":null,"customData":{},"vendor":1`).replace(
        'ChargingStateChanged',
        'FullMoon',
      ),
      GRANTED,
    ],
    [
      event(
        'Ended',
        1,
        minute(60),
        '"transactionId":"t-1","timeSpentCharging":""',
        `${at('2500').replace(minute(1), minute(60))},"evse":null,"idToken":null`,
      ),
      {},
    ],
  ]),
  charge201('ENERGY-N1, OCPP-VA3: kWh by unit, and by multiplier', [
    [event('Started', 0, minute(0), CHARGING, `${TAG}${at('1,"unitOfMeasure":{"unit":"kWh"}')}`), GRANTED],
    [
      event(
        'Ended',
        1,
        minute(60),
        '"transactionId":"t-1"',
        at('"2.5","unitOfMeasure":{"unit":"Wh","multiplier":"3"}').replace(minute(1), minute(60)),
      ),
      {},
    ],
  ]),
  charge201(
    'OCPP-DR4: an event without transactionInfo, without anything',
    [
      [call('TransactionEvent', '{"eventType":"Updated","seqNo":1}', '1'), {}],
      [call('TransactionEvent', '{}', '2'), {}],
      [call('TransactionEvent', '{"transactionInfo":[],"meterValue":"x","evse":7,"idToken":"CARD"}', '3'), {}],
    ],
    [],
  ),
  charge201(
    'OCPP-VA1: states and values with members left out',
    [
      [call('StatusNotification', '{"evseId":1}', '1'), {}],
      [call('StatusNotification', '{"connectorStatus":"Occupied","evseId":-7,"connectorId":4e9}', '0'), {}],
      [
        call(
          'StatusNotification',
          `{"connectorStatus":"occupied","evseId":"1","connectorId":1,"timestamp":"${minute(0).replace('Z', '')}"}`,
          '2',
        ),
        {},
      ],
      [call('MeterValues', '{"evseId":1}', '3'), {}],
      [call('NotifyEvent', '{}', '4'), {}],
    ],
    [],
  ),
  charge201(
    'EC: a boot of 1.6 in 2.0.1',
    [
      [
        call('BootNotification', '{"chargePointVendor":"Acme","chargePointModel":"One"}', '1'),
        'OccurrenceConstraintViolation',
      ],
      ['[2,"2","Heartbeat","x"]', 'FormatViolation'],
      [call('StartTransaction', '{}', '3'), 'NotImplemented'],
    ],
    [],
  ),
]
