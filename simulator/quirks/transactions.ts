import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { changing, ONLY_16, type Quirk, quirk, SINCE_201, without } from './quirk.ts'

export const TRANSACTION_QUIRKS: readonly Quirk[] = [
  quirk('duplicate-start', 'matth-x/MicroOcpp/issues/237', ONLY_16, {
    title: 'sends StartTransaction twice, under two message ids',
    expected: 'gives both the same transaction id and status: ConcurrentTx would end the charge',
    shape: () => ({
      request: (method, request) =>
        Array.from({ length: method === 'StartTransaction' ? 2 : 1 }, () => ({ method, request })),
    }),
  }),
  quirk('stop-without-id', 'EVerest/libocpp/issues/495', ONLY_16, {
    title: 'stops with transactionId -1',
    expected: 'answers, keeps the message, and ends the one transaction that it can mean',
    shape: changing('StopTransaction', (request) => ({ ...request, transactionId: -1 })),
  }),
  quirk('local-transaction-id', 'lbbrhzn/ocpp/issues/1000', ONLY_16, {
    title: 'tells meter values under a negative id of its own, although it was given one',
    expected: 'answers; the stop with the right id brings the energy',
    shape: changing('MeterValues', (request) =>
      request.transactionId === undefined ? request : { ...request, transactionId: -42 },
    ),
  }),
  quirk('meter-values-zero-transaction', 'evcc-io/evcc/issues/27686', ONLY_16, {
    title: 'sends its meter values with transactionId 0, one value for each entry',
    expected: 'gives 0 no meaning; the stop brings the energy',
    shape: changing('MeterValues', (request) => ({
      ...request,
      transactionId: 0,
      meterValue: (request.meterValue as Payload[]).flatMap((value) =>
        (value.sampledValue as Payload[]).map((sample) => ({ ...value, sampledValue: [sample] })),
      ),
    })),
  }),
  quirk('huge-transaction-id', 'mobilityhouse/ocpp/issues/617', ONLY_16, {
    title: 'tells meter values under transactionId 9223372036854775807',
    expected: 'answers, and keeps every digit of the number',
    shape: () => ({
      texts: (text, frame) => [
        frame[2] === 'MeterValues'
          ? text.replace(/"transactionId":-?\d+/, '"transactionId":9223372036854775807')
          : text,
      ],
    }),
  }),
  quirk('meter-stop-below-start', 'lbbrhzn/ocpp/issues/1810', ONLY_16, {
    title: 'rounds down when it stops: a meterStop below meterStart where nothing flowed, one less otherwise',
    expected: 'answers, and never shows a negative energy',
    lessWh: 1,
    shape: changing('StopTransaction', (request) => ({ ...request, meterStop: Number(request.meterStop) - 1 })),
  }),
  quirk('stop-with-foreign-members', 'road-labs/chargestation-one/issues/61', ONLY_16, {
    title: 'puts connectorId and disconnectReason into StopTransaction, and no reason',
    expected: 'answers and ends the transaction',
    shape: changing('StopTransaction', (request) => ({
      connectorId: 1,
      ...without(request, 'reason'),
      disconnectReason: 'EVDisconnected',
    })),
  }),
  quirk('empty-transaction-data', 'lbbrhzn/ocpp/issues/1069', ONLY_16, {
    title: 'sends transactionData as an empty list',
    expected: 'answers and takes the energy from the registers',
    shape: changing('StopTransaction', (request) => ({ ...request, transactionData: [] })),
  }),
  quirk('no-transaction-data', 'EVerest/libocpp/issues/472', ONLY_16, {
    title: 'leaves transactionData out of StopTransaction',
    expected: 'takes the energy from the registers',
    shape: changing('StopTransaction', (request) => without(request, 'transactionData')),
  }),
  quirk('values-after-stop', 'lbbrhzn/ocpp/pull/2075', ONLY_16, {
    title: 'sends one more MeterValues with the transaction’s id after StopTransaction',
    expected: 'answers; the session stays over and its energy that of the stop',
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
  }),
  quirk('start-backdated', 'dallmann-consulting/OCPP.Core/issues/55', ONLY_16, {
    title: 'stamps StartTransaction four minutes before it happens',
    expected: 'takes the time as the station’s own',
    shape: changing('StartTransaction', (request) => ({
      ...request,
      timestamp: isoTime(Date.parse(String(request.timestamp)) - 240_000),
    })),
  }),
  quirk('longer-id-tag', 'lbbrhzn/ocpp/pull/2075', ONLY_16, {
    title: 'hands a card’s number back two characters longer than it is',
    expected: 'answers with the status of the number that came, also when it is too long',
    shape: changing('StartTransaction', (request) => ({ ...request, idTag: `${String(request.idTag)}00` })),
  }),
  quirk('evse-in-every-event', 'EVerest/libocpp/issues/580', SINCE_201, {
    title: 'names the EVSE in every TransactionEvent, not only in the first',
    expected: 'takes it as said before',
    shape: changing('TransactionEvent', (request) => ({ ...request, evse: { id: 1, connectorId: 1 } })),
  }),
  quirk('evse-without-connector', 'lbbrhzn/ocpp/issues/2135', SINCE_201, {
    title: 'names the EVSE of a transaction without its connector',
    expected: 'goes by the EVSE',
    shape: changing('TransactionEvent', (request) =>
      request.evse ? { ...request, evse: { id: (request.evse as { id: number }).id } } : request,
    ),
  }),
  quirk('no-trigger-reason', 'matth-x/MicroOcpp/issues/405', SINCE_201, {
    title: 'leaves triggerReason out of some TransactionEvents',
    expected: 'answers and keeps the event: a refused one would be lost with its energy',
    shape: changing('TransactionEvent', (request) =>
      request.eventType === 'Updated' ? without(request, 'triggerReason') : request,
    ),
  }),
]
