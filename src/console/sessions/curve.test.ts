import fc from 'fast-check'
import { expect, it } from 'vitest'
import { logIdAt } from '../../domain/message-log/log-id.ts'
import { curveOf, thinned } from './curve.ts'

const T0 = Date.parse('2026-03-01T10:00:00Z')
const at = (minutes: number): string => new Date(T0 + minutes * 60_000).toISOString()
const message = (protocol: string, method: string, request: unknown, direction: 'in' | 'out' = 'in') => ({
  id: logIdAt(T0 + 3_600_000),
  direction,
  method,
  protocol,
  request: typeof request === 'string' ? request : JSON.stringify(request),
})
const v16 = (method: string, request: unknown) => message('ocpp1.6', method, request)
const v201 = (request: unknown) => message('ocpp2.0.1', 'TransactionEvent', request)
const power = (value: string, rest: object = {}) => ({ value, measurand: 'Power.Active.Import', unit: 'W', ...rest })
const values = (minutes: number, ...sampledValue: object[]) => ({ timestamp: at(minutes), sampledValue })

const start = v16('StartTransaction', { connectorId: 1, idTag: 'A', meterStart: 1000, timestamp: at(0) })
const sampled = (...meterValue: object[]) => v16('MeterValues', { connectorId: 1, transactionId: 7, meterValue })
const stop = (meterStop: number, rest: object = {}) =>
  v16('StopTransaction', { transactionId: 7, meterStop, timestamp: at(30), ...rest })
const event = (eventType: string, minutes: number, ...meterValue: object[]) =>
  v201({
    eventType,
    timestamp: at(minutes),
    triggerReason: 'MeterValuePeriodic',
    seqNo: minutes,
    transactionInfo: { transactionId: 't' },
    evse: { id: 1 },
    meterValue,
  })

type Row = readonly [minutes: number, wattHours: number, watts?: number]
const rows = (messages: Parameters<typeof curveOf>[0]): readonly Row[] =>
  curveOf(messages).map(({ at: time, energyMilliWh, powerMilliW }): Row => {
    const row = [(time - T0) / 60_000, energyMilliWh / 1000] as const
    return powerMilliW === undefined ? row : [...row, powerMilliW / 1000]
  })

it.each<[string, Parameters<typeof curveOf>[0], readonly Row[]]>([
  ['nothing', [], []],
  [
    '1.6: register and power',
    [start, sampled(values(10, { value: '1500' }, power('3000')))],
    [
      [0, 0],
      [10, 500, 3000],
    ],
  ],
  [
    '1.6: the stop register is the last word',
    [start, sampled(values(10, { value: '1500' })), stop(2000)],
    [
      [0, 0],
      [10, 500],
      [30, 1000],
    ],
  ],
  [
    '1.6: transactionData of a stop',
    [start, stop(2000, { transactionData: [values(20, { value: '1.9', unit: 'kWh' })] })],
    [
      [0, 0],
      [20, 900],
      [30, 1000],
    ],
  ],
  [
    '1.6: phases are summed, a total wins over them, the outlet over the inlet',
    [
      start,
      sampled(
        values(1, { value: '1000' }, power('10', { phase: 'L1' }), power('20', { phase: 'L2' })),
        values(2, power('10', { phase: 'L1' }), power('33')),
        values(3, power('99', { location: 'Inlet' }), power('44')),
      ),
    ],
    [
      [0, 0],
      [1, 0, 30],
      [2, 0, 33],
      [3, 0, 44],
    ],
  ],
  ['1.6: what is no number is left out', [start, sampled(values(5, { value: 'NaN' }, { value: '<b>' }))], [[0, 0]]],
  [
    '2.0.1: unit and multiplier',
    [
      event(
        'Started',
        0,
        values(0, { value: 10, context: 'Transaction.Begin', unitOfMeasure: { unit: 'Wh', multiplier: 3 } }),
      ),
      event(
        'Updated',
        10,
        values(10, { value: 10_500 }, { value: 7.2, measurand: 'Power.Active.Import', unitOfMeasure: { unit: 'kW' } }),
      ),
      event('Ended', 20, values(20, { value: 11_000, context: 'Transaction.End' })),
    ],
    [
      [0, 0],
      [10, 500, 7200],
      [20, 1000],
    ],
  ],
  [
    'another direction, method, protocol or broken text',
    [
      message('ocpp1.6', 'MeterValues', { meterValue: [values(1, { value: '1' })] }, 'out'),
      v16('constructor', {}),
      message('toString', 'MeterValues', {}),
      v16('MeterValues', '{'),
      v16('MeterValues', 'null'),
    ],
    [],
  ],
])('ENERGY-N2 ENERGY-N3: %s', (_, messages, expected) => {
  expect(rows(messages)).toEqual(expected)
  expect(rows([...messages].reverse())).toEqual(expected)
})

it('SESSION-B1: of two charges of one number each has its own curve', () => {
  const charge = (from: number, register: number) => [
    event('Started', from, values(from, { value: register, context: 'Transaction.Begin' })),
    event('Updated', from + 5, values(from + 5, { value: register + 500 })),
    event('Ended', from + 10, values(from + 10, { value: register + 800, context: 'Transaction.End' })),
  ]
  const messages = [...charge(0, 1000), ...charge(20, 1800), ...charge(40, 2600)]
  const period = (from?: number, until?: number) => ({
    startedAt: from === undefined ? undefined : T0 + from * 60_000,
    stoppedAt: until === undefined ? undefined : T0 + until * 60_000,
  })
  const times = (session: ReturnType<typeof period>) =>
    curveOf(messages, false, session).map(({ at: time, energyMilliWh }) => [(time - T0) / 60_000, energyMilliWh])
  const own = (from: number) => [
    [from, 0],
    [from + 5, 500_000],
    [from + 10, 800_000],
  ]
  expect(times(period(0, 10))).toEqual(own(0))
  expect(times(period(22, 30))).toEqual(own(20))
  expect(times(period(40))).toEqual(own(40))
  expect(curveOf(messages.slice(0, 4), false, period()).map(({ at: time }) => (time - T0) / 60_000)).toEqual([20])
})

it('ENERGY-N3: energy never falls while sampling, whatever the register does', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(5000), { maxLength: 30 }), (registers) => {
      const curve = curveOf([start, ...registers.map((value, n) => sampled(values(n + 1, { value: String(value) })))])
      const energies = curve.map(({ energyMilliWh }) => energyMilliWh)
      expect(energies).toEqual([...energies].sort((a, b) => a - b))
    }),
    { numRuns: 200 },
  )
})

it('reads any JSON of a charge point without failing', () => {
  fc.assert(
    fc.property(
      fc.json(),
      fc.constantFrom('MeterValues', 'StartTransaction', 'StopTransaction', 'TransactionEvent'),
      (text, method) => {
        for (const protocol of ['ocpp1.6', 'ocpp2.0.1']) curveOf([message(protocol, method, text)])
      },
    ),
  )
})

it('is thinned with its ends kept', () => {
  const many = Array.from({ length: 1001 }, (_, n) => n)
  expect(thinned(many, 5)).toEqual([0, 250, 500, 750, 1000])
  expect(thinned([1, 2], 5)).toEqual([1, 2])
})
