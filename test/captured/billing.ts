/** Quirks of 1.6 starts and stops: numbers as text, ids of nobody, times of no clock, facts left out. */
import { ACCEPTED, type Captured, call, minute, register, start, stop, values, ZERO } from './traffic.ts'

const BOOT = call('BootNotification', '{"chargePointVendor":"Acme","chargePointModel":"One"}')
const BOOTED = { status: 'Accepted' }

/** Boots and starts, then goes on. */
function charge(
  name: string,
  steps: Captured['steps'],
  sessions: NonNullable<Captured['sessions']>,
  begin = start(),
): Captured {
  return { name, steps: [[BOOT, BOOTED], [begin, ACCEPTED], ...steps], sessions }
}

const BEGUN = `"transactionData":[{"timestamp":"${minute(0)}","sampledValue":[${register('"1000"', ',"context":"Transaction.Begin"')}]}]`
const STOP = stop('"transactionId":$TX,"meterStop":2500')

/** The start's time in another spelling, and where the session must begin. */
const spellings: readonly (readonly [name: string, text: string])[] = [
  ['seven digits of a second', minute(0).replace('.000Z', '.0001234Z')],
  ['no zone', minute(0).slice(0, 19)],
  ['the zone of UTC in digits', minute(0).replace('Z', '+00:00')],
  ['another zone', new Date(ZERO + 2 * 3600_000).toISOString().replace('Z', '+02:00')],
  ['a zone of two digits', new Date(ZERO + 2 * 3600_000).toISOString().replace('.000Z', '+02')],
  ['two zones', minute(0).replace('Z', '+00:00Z')],
  ['a space and no fraction', minute(0).replace('T', ' ').slice(0, 19)],
  ['slashes', minute(0).replaceAll('-', '/').replace('T', ' ').slice(0, 19)],
  ['no separators', `${minute(0).slice(0, 19).replaceAll(/[-:]/g, '')}Z`],
  ['seconds since 1970 as text', String(ZERO / 1000)],
  ['NUL behind it', `${minute(0)}\u0000`],
]

export const billing: readonly Captured[] = [
  charge('OCPP-DR4: an ordinary charge, to compare', [[STOP, {}]], 1.5),
  charge(
    'OCPP-VA3: every number as text',
    [[stop('"transactionId":"$TX","meterStop":"2500"'), {}]],
    1.5,
    start(',"connectorId":"1","meterStart":"1000"'),
  ),
  charge(
    'OCPP-VA3: every number with a fraction',
    [[stop('"transactionId":$TX.0,"meterStop":2500.0'), {}]],
    1.5,
    start(',"meterStart":1000.0'),
  ),
  ...['0', '-1', '"-1"', 'null', '""', '999999', '9223372036854775807'].map((id) =>
    charge(
      `SESSION-A13: a stop with the transaction id ${id}`,
      [[stop(`"transactionId":${id},"meterStop":2500`), {}]],
      1.5,
    ),
  ),
  charge('SESSION-A13: a stop without transaction id', [[stop('"meterStop":2500'), {}]], 1.5),
  charge(
    'SESSION-A11: a stop with its own tag in other case',
    [[stop('"transactionId":$TX,"meterStop":2500,"idTag":"card"'), ACCEPTED]],
    1.5,
  ),
  charge(
    'SESSION-A14: a stop with somebody else’s tag',
    [[stop('"transactionId":$TX,"meterStop":2500,"idTag":"OTHER"'), { idTagInfo: {} }]],
    1.5,
  ),
  charge(
    'OCPP-VA2: a stop with an empty tag, an unknown reason and more',
    [[stop('"transactionId":$TX,"meterStop":2500,"idTag":"","reason":"CarIsFull","extra":{"a":[1]}'), {}]],
    1.5,
  ),
  charge(
    'OCPP-VA2: a stop with the reason in other case and no data',
    [[stop('"transactionId":$TX,"meterStop":2500,"reason":"evdisconnected","transactionData":[]'), {}]],
    1.5,
  ),
  charge(
    'OCPP-VA3: a stop whose data is no list',
    [
      [
        stop(
          `"transactionId":$TX,"meterStop":2500,"transactionData":{"timestamp":"${minute(60)}","sampledValue":{"value":2500}}`,
        ),
        {},
      ],
    ],
    1.5,
  ),
  charge(
    'ENERGY-N4: a stop without meterStop ends with the newest sample',
    [
      [values(register('"2200"')), {}],
      [stop('"transactionId":$TX'), {}],
    ],
    1.2,
  ),
  charge(
    'OCPP-DR4: a stop with nothing in it but the id',
    [[call('StopTransaction', '{"transactionId":$TX}', 'stop'), {}]],
    [{ state: 'completed', energyKwh: 0 }],
  ),
  charge(
    'ENERGY-N4, OCPP-VA3: begin in kWh, end in Wh',
    [
      [
        stop(
          `"transactionId":$TX,"meterStop":2500,"transactionData":[{"timestamp":"${minute(0)}","sampledValue":[${register('"1.000"', ',"unit":"kWh","context":"Transaction.Begin"')}]},{"timestamp":"${minute(60)}","sampledValue":[${register('"2500"', ',"unit":"Wh","context":"Transaction.End"')}]}]`,
        ),
        {},
      ],
    ],
    1.5,
  ),
  charge(
    'SESSION-A14: meterStop below meterStart: energy from the samples, never negative',
    [
      [values(register('"1300"')), {}],
      [stop('"transactionId":$TX,"meterStop":5'), {}],
    ],
    [{ state: 'completed', energyKwh: 0.3 }],
  ),
  charge(
    'SESSION-A14: meterStop below meterStart without samples',
    [[stop('"transactionId":$TX,"meterStop":5'), {}]],
    0,
  ),
  charge('SESSION-A14: a negative meterStart', [[STOP, {}]], 2.505, start(',"meterStart":-5')),
  charge(
    'ENERGY-N4: no meterStart: the first sample is the baseline',
    [
      [values(register('"1000"'), undefined, minute(1), 'v1'), {}],
      [values(register('"2000"'), undefined, minute(50), 'v2'), {}],
      [STOP, {}],
    ],
    1.5,
    call('StartTransaction', `{"connectorId":1,"idTag":"CARD","timestamp":"${minute(0)}"}`, 'start'),
  ),
  charge(
    'ENERGY-N4: a meterStart of 0 from a meter that was not read yet',
    [
      [values(register('"12345000"'), undefined, minute(1), 'v1'), {}],
      [values(register('"12346000"'), undefined, minute(50), 'v2'), {}],
      [stop('"transactionId":$TX,"meterStop":12346500'), {}],
    ],
    1.5,
    start(',"meterStart":0'),
  ),
  charge(
    'OCPP-DR7: the start again with a new message id',
    [
      [start('', 'again'), ACCEPTED],
      [STOP, {}],
    ],
    1.5,
  ),
  charge(
    'OCPP-DR7: the start again with its time spelled differently',
    [
      [start(`,"timestamp":"${minute(0).replace('.000Z', '+00:00')}"`, 'again'), ACCEPTED],
      [STOP, {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A12: the stop again, with a new id and a later time: the first one stays',
    [
      [STOP, {}],
      [stop(`"transactionId":$TX,"meterStop":2600,"timestamp":"${minute(61)}"`, 'again'), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A13: the stop again, under its old message id, without its number, while the other connector charges',
    [
      [start(',"connectorId":2', 'other'), ACCEPTED],
      [stop(`"transactionId":$TX,"meterStop":2500`), {}],
      [stop('"transactionId":-1,"meterStop":2500'), {}],
    ],
    [
      { state: 'completed', energyKwh: 1.5 },
      { state: 'charging', energyKwh: 0 },
    ],
  ),
  charge(
    'SESSION-A13: the stop and its data again, without its number',
    [
      [stop(`"transactionId":$TX,"meterStop":2500,${BEGUN}`), {}],
      [stop(`"transactionId":-1,"meterStop":2500,${BEGUN}`, 'again'), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A8: values after the stop',
    [
      [STOP, {}],
      [values(register('"2400"'), undefined, minute(59)), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A15: a reboot in between, and the stop after it',
    [
      [BOOT, BOOTED],
      [stop('"transactionId":$TX,"meterStop":2500,"reason":"PowerLoss"'), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A15: the connector is free before the stop comes',
    [
      [
        call(
          'StatusNotification',
          `{"connectorId":1,"errorCode":"NoError","status":"Available","timestamp":"${minute(60)}"}`,
        ),
        {},
      ],
      [STOP, {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A6: the stop was lost, and the next one starts',
    [
      [values(register('"1800"')), {}],
      [start(`,"meterStart":1800,"timestamp":"${minute(90)}"`, 'next'), ACCEPTED],
    ],
    [
      { state: 'charging', energyKwh: 0 },
      { state: 'completed', energyKwh: 0.8 },
    ],
  ),
  charge(
    'ENERGY-N4: start and stop count the session, values the meter’s whole life',
    [
      [values(register('"5001000"'), undefined, minute(10), 'v1'), {}],
      [values(register('"5001400"'), undefined, minute(50), 'v2'), {}],
      [stop('"transactionId":$TX,"meterStop":1500'), {}],
    ],
    1.5,
    start(',"meterStart":0'),
  ),
  charge(
    'ENERGY-N3, ENERGY-N4: start and stop count the meter’s whole life, values the session',
    [
      [values(register('"600"'), undefined, minute(10), 'v1'), {}],
      [values(register('"1400"'), undefined, minute(50), 'v2'), {}],
      [stop('"transactionId":$TX,"meterStop":5001500'), {}],
    ],
    1.5,
    start(',"meterStart":5000000'),
  ),
  charge(
    'ENERGY-N4: a meterStop that repeats the meterStart, while the samples went on',
    [
      [values(register('"1800"'), undefined, minute(10), 'v1'), {}],
      [values(register('"2500"'), undefined, minute(50), 'v2'), {}],
      [stop('"transactionId":$TX,"meterStop":1000'), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A8: the last values come after the stop',
    [
      [STOP, {}],
      [values(register('"2510"', ',"context":"Transaction.End"'), undefined, minute(61)), {}],
    ],
    1.5,
  ),
  charge(
    'SESSION-A15: the boot again and again after the stop, under one message id',
    [[STOP, {}], ...[1, 2, 3].map(() => [BOOT, BOOTED] as const)],
    1.5,
  ),
  charge(
    'SESSION-A13: two charges from a queue, whose values and stops know no number',
    [
      [values(register('"1300"'), '"connectorId":1,"transactionId":-1', minute(10), 'v1'), {}],
      [stop('"transactionId":-1,"meterStop":2500'), {}],
      [start(`,"meterStart":2500,"timestamp":"${minute(90)}"`, 'second'), ACCEPTED],
      [values(register('"2800"'), '"connectorId":1,"transactionId":-1', minute(100), 'v2'), {}],
      [stop(`"transactionId":-1,"meterStop":3000,"timestamp":"${minute(120)}"`, 'second stop'), {}],
    ],
    [
      { state: 'completed', energyKwh: 0.5, startedAt: minute(90) },
      { state: 'completed', energyKwh: 1.5, startedAt: minute(0) },
    ],
  ),
  charge('SESSION-A7: a start on connector 0', [[STOP, {}]], 1.5, start(',"connectorId":0')),
  charge('SESSION-A5: no reservation, said as 0 or -1', [[STOP, {}]], 1.5, start(',"reservationId":-1')),
  charge(
    'ENERGY-W2: a clock of 1970: energy right, times ours',
    [
      [
        call('StopTransaction', '{"transactionId":$TX,"meterStop":2500,"timestamp":"1970-01-01T01:00:00Z"}', 'stop'),
        {},
      ],
    ],
    1.5,
    start(',"timestamp":"1970-01-01T00:00:00Z"'),
  ),
  charge(
    'ENERGY-W3: a stop before its start',
    [[stop(`"transactionId":$TX,"meterStop":2500,"timestamp":"${minute(-30)}"`), {}]],
    [{ energyKwh: 1.5, startedAt: minute(0), stoppedAt: minute(0) }],
  ),
  {
    name: 'SESSION-A4: a start without a tag is refused, and still has its transaction',
    steps: [
      [BOOT, BOOTED],
      [
        call(
          'StartTransaction',
          `{"connectorId":1,"idTag":null,"meterStart":1000,"timestamp":"${minute(0)}"}`,
          'start',
        ),
        { idTagInfo: { status: 'Invalid' } },
      ],
      [STOP, {}],
    ],
    sessions: [{ state: 'completed', energyKwh: 1.5 }],
  },
  {
    name: 'SESSION-A13: a whole charge of which only the stop arrives',
    steps: [
      [BOOT, BOOTED],
      [stop(`"transactionId":-1,"meterStop":2500,${BEGUN}`), {}],
    ],
    sessions: 1.5,
  },
  ...spellings.map(([name, text]) =>
    charge(
      `OCPP-DR13: the start’s time with ${name}`,
      [[STOP, {}]],
      [{ energyKwh: 1.5, startedAt: minute(0), stoppedAt: minute(60) }],
      start(`,"timestamp":${JSON.stringify(text)}`),
    ),
  ),
]
