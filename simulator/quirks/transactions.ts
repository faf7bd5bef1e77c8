import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { changing, type Quirk, SINCE_201, without } from './quirk.ts'

export const TRANSACTION_QUIRKS: readonly Quirk[] = [
  {
    name: 'duplicate-start',
    title: 'sends StartTransaction twice, under two message ids',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/237',
    expected: 'gives both the same transaction id and status: ConcurrentTx would end the charge',
    versions: ['1.6'],
    shape: () => ({
      request: (method, request) =>
        Array.from({ length: method === 'StartTransaction' ? 2 : 1 }, () => ({ method, request })),
    }),
  },
  {
    name: 'stop-without-id',
    title: 'stops with transactionId -1',
    reference: 'https://github.com/EVerest/libocpp/issues/495',
    expected: 'answers, keeps the message, and ends the one transaction that it can mean',
    versions: ['1.6'],
    shape: changing('StopTransaction', (request) => ({ ...request, transactionId: -1 })),
  },
  {
    name: 'local-transaction-id',
    title: 'tells meter values under a negative id of its own, although it was given one',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1000',
    expected: 'answers; the stop with the right id brings the energy',
    versions: ['1.6'],
    shape: changing('MeterValues', (request) =>
      request.transactionId === undefined ? request : { ...request, transactionId: -42 },
    ),
  },
  {
    name: 'meter-values-zero-transaction',
    title: 'sends its meter values with transactionId 0, one value for each entry',
    reference: 'https://github.com/evcc-io/evcc/issues/27686',
    expected: 'gives 0 no meaning; the stop brings the energy',
    versions: ['1.6'],
    shape: changing('MeterValues', (request) => ({
      ...request,
      transactionId: 0,
      meterValue: (request.meterValue as Payload[]).flatMap((value) =>
        (value.sampledValue as Payload[]).map((sample) => ({ ...value, sampledValue: [sample] })),
      ),
    })),
  },
  {
    name: 'huge-transaction-id',
    title: 'tells meter values under transactionId 9223372036854775807',
    reference: 'https://github.com/mobilityhouse/ocpp/issues/617',
    expected: 'answers, and keeps every digit of the number',
    versions: ['1.6'],
    shape: () => ({
      texts: (text, frame) => [
        frame[2] === 'MeterValues'
          ? text.replace(/"transactionId":-?\d+/, '"transactionId":9223372036854775807')
          : text,
      ],
    }),
  },
  {
    name: 'meter-stop-below-start',
    title: 'rounds down when it stops: a meterStop below meterStart where nothing flowed, one less otherwise',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1810',
    expected: 'answers, and never shows a negative energy',
    versions: ['1.6'],
    lessWh: 1,
    shape: changing('StopTransaction', (request) => ({ ...request, meterStop: Number(request.meterStop) - 1 })),
  },
  {
    name: 'stop-with-foreign-members',
    title: 'puts connectorId and disconnectReason into StopTransaction, and no reason',
    reference: 'https://github.com/road-labs/chargestation-one/issues/61',
    expected: 'answers and ends the transaction',
    versions: ['1.6'],
    shape: changing('StopTransaction', (request) => ({
      connectorId: 1,
      ...without(request, 'reason'),
      disconnectReason: 'EVDisconnected',
    })),
  },
  {
    name: 'empty-transaction-data',
    title: 'sends transactionData as an empty list',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1069',
    expected: 'answers and takes the energy from the registers',
    versions: ['1.6'],
    shape: changing('StopTransaction', (request) => ({ ...request, transactionData: [] })),
  },
  {
    name: 'no-transaction-data',
    title: 'leaves transactionData out of StopTransaction',
    reference: 'https://github.com/EVerest/libocpp/issues/472',
    expected: 'takes the energy from the registers',
    versions: ['1.6'],
    shape: changing('StopTransaction', (request) => without(request, 'transactionData')),
  },
  {
    name: 'values-after-stop',
    title: 'sends one more MeterValues with the transaction’s id after StopTransaction',
    reference: 'https://github.com/lbbrhzn/ocpp/pull/2075',
    expected: 'answers; the session stays over and its energy that of the stop',
    versions: ['1.6'],
    shape: () => ({
      request: (method, request) => {
        if (method !== 'StopTransaction') return [{ method, request }]
        const sampledValue = [{ value: String(Number(request.meterStop) + 4), unit: 'Wh' }]
        const late = {
          connectorId: 1,
          transactionId: request.transactionId,
          meterValue: [{ timestamp: request.timestamp, sampledValue }],
        }
        return [
          { method, request },
          { method: 'MeterValues', request: late },
        ]
      },
    }),
  },
  {
    name: 'start-backdated',
    title: 'stamps StartTransaction four minutes before it happens',
    reference: 'https://github.com/dallmann-consulting/OCPP.Core/issues/55',
    expected: 'takes the time as the station’s own',
    versions: ['1.6'],
    shape: changing('StartTransaction', (request) => ({
      ...request,
      timestamp: isoTime(Date.parse(String(request.timestamp)) - 240_000),
    })),
  },
  {
    name: 'longer-id-tag',
    title: 'hands a card’s number back two characters longer than it is',
    reference: 'https://github.com/lbbrhzn/ocpp/pull/2075',
    expected: 'answers with the status of the number that came, also when it is too long',
    versions: ['1.6'],
    shape: changing('StartTransaction', (request) => ({ ...request, idTag: `${String(request.idTag)}00` })),
  },
  {
    name: 'evse-in-every-event',
    title: 'names the EVSE in every TransactionEvent, not only in the first',
    reference: 'https://github.com/EVerest/libocpp/issues/580',
    expected: 'takes it as said before',
    versions: SINCE_201,
    shape: changing('TransactionEvent', (request) => ({ ...request, evse: { id: 1, connectorId: 1 } })),
  },
  {
    name: 'evse-without-connector',
    title: 'names the EVSE of a transaction without its connector',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/2135',
    expected: 'goes by the EVSE',
    versions: SINCE_201,
    shape: changing('TransactionEvent', (request) =>
      request.evse ? { ...request, evse: { id: (request.evse as { id: number }).id } } : request,
    ),
  },
  {
    name: 'no-trigger-reason',
    title: 'leaves triggerReason out of some TransactionEvents',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/405',
    expected: 'answers and keeps the event: a refused one would be lost with its energy',
    versions: SINCE_201,
    shape: changing('TransactionEvent', (request) =>
      request.eventType === 'Updated' ? without(request, 'triggerReason') : request,
    ),
  },
]
