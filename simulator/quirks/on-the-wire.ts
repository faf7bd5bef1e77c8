import { isoTime } from '../../src/domain/iso-time.ts'
import { changing, EVERY, type Quirk } from './quirk.ts'

const FOREIGN_ID = '0c8f5a2e'

export const WIRE_QUIRKS: readonly Quirk[] = [
  {
    name: 'same-frame-twice',
    title: 'sends each transaction message twice, with the same message id, before the answer',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/50',
    expected: 'takes the second frame as the first one: the same answer, one transaction',
    versions: EVERY,
    shape: () => ({
      texts: (text, frame) =>
        frame[0] === 2 && /^(StartTransaction|StopTransaction|TransactionEvent)$/.test(String(frame[2]))
          ? [text, text]
          : [text],
    }),
  },
  {
    name: 'constant-message-id',
    title: 'gives every CALL the message id 1000001',
    reference: 'https://github.com/dallmann-consulting/OCPP.Core/issues/31',
    expected: 'goes by id and payload: another payload under a known id is another message',
    versions: EVERY,
    shape: () => ({ messageId: () => '1000001' }),
  },
  {
    name: 'repeats-boot',
    title: 'sends BootNotification again and again although it was accepted',
    reference: 'https://github.com/dallmann-consulting/OCPP.Core/issues/31',
    expected: 'accepts each one and keeps the station’s sessions',
    versions: EVERY,
    shape: () => ({
      request: (method, request) =>
        Array.from({ length: method === 'BootNotification' ? 4 : 1 }, () => ({ method, request })),
    }),
  },
  {
    name: 'broken-json',
    title: 'leaves the value of transactionId out of MeterValues, so that the frame is no JSON',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/2032',
    expected: 'keeps the connection; the energy comes from the final register',
    versions: ['1.6'],
    shape: () => ({
      texts: (text, frame) => [
        frame[2] === 'MeterValues' ? text.replace(/"transactionId":\d+/, '"transactionId":') : text,
      ],
    }),
  },
  {
    name: 'ignores-calls',
    title: 'never answers a CALL of the central system, while its own messages go on',
    reference: 'https://github.com/mobilityhouse/ocpp/issues/626',
    expected: 'lets the command time out and goes on taking what the station says',
    versions: EVERY,
    shape: () => ({ answer: () => undefined }),
  },
  {
    name: 'ignores-triggers',
    title: 'never answers TriggerMessage',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1096',
    expected: 'does not wait for the triggered message before it takes others',
    versions: EVERY,
    shape: () => ({ answer: (method, _request, answer) => (method === 'TriggerMessage' ? undefined : answer) }),
  },
  {
    name: 'mismatched-answer-id',
    title: 'answers CALLs of the central system under another message id',
    reference: 'https://github.com/mobilityhouse/ocpp/issues/297',
    expected: 'never takes the answer for that of another command, and keeps the connection',
    versions: EVERY,
    shape: () => ({
      texts: (text, frame) => [frame[0] === 3 ? JSON.stringify([3, FOREIGN_ID, frame[2]]) : text],
    }),
  },
  {
    name: 'configuration-without-keys',
    title: 'answers GetConfiguration with an empty object',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/432',
    expected: 'takes it as a station that tells no keys',
    versions: ['1.6'],
    shape: () => ({ answer: (method, _request, answer) => (method === 'GetConfiguration' ? {} : answer) }),
  },
  {
    name: 'drops-on-configuration',
    title: 'loses its connection when all configuration keys are asked for',
    reference: 'https://github.com/steve-community/steve/issues/164',
    expected: 'marks the command as dropped, does not repeat it at once, and takes the reconnect for no boot',
    versions: ['1.6'],
    shape: () => ({
      answer: (method, request, answer, drop) => {
        if (method !== 'GetConfiguration' || (request.key as unknown[] | undefined)?.length) return answer
        drop()
        return undefined
      },
    }),
  },
  {
    name: 'no-pong',
    title: 'does not answer WebSocket pings',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/211',
    expected: 'counts every frame as a sign of life',
    versions: EVERY,
    shape: () => ({ pongs: false }),
  },
  {
    name: 'boots-on-reconnect',
    title: 'sends BootNotification after every reconnect',
    reference: 'https://github.com/evcc-io/evcc/pull/25069',
    expected: 'keeps the open transaction: a boot is no end of it',
    versions: EVERY,
    behaviour: { bootsOnReconnect: true },
  },
  {
    name: 'reconnects-often',
    title: 'loses and regains its connection every 40 seconds',
    reference: 'https://github.com/mobilityhouse/ocpp/issues/79',
    expected: 'keeps the session: a lost WebSocket is no transition',
    versions: EVERY,
    behaviour: { reconnectsEverySeconds: 40 },
  },
  {
    name: 'authorize-with-connector',
    title: 'puts a connectorId into Authorize',
    reference: 'https://github.com/evcc-io/evcc/issues/14579',
    expected: 'answers, and keeps the member in the log',
    versions: ['1.6'],
    shape: changing('Authorize', (request) => ({ connectorId: 1, ...request })),
  },
  {
    name: 'long-serial-number',
    title: 'has a serial number of more than 25 characters',
    reference: 'https://github.com/mobilityhouse/ocpp/pull/123',
    expected: 'accepts the boot and keeps the number whole',
    versions: EVERY,
    shape: changing('BootNotification', (request) => {
      const chargePointSerialNumber = 'EVB1A22P4RI3N1712406004002900'
      if (!request.chargingStation) return { ...request, chargePointSerialNumber }
      return {
        ...request,
        chargingStation: { ...(request.chargingStation as object), serialNumber: chargePointSerialNumber },
      }
    }),
  },
  {
    name: 'unknown-error-code',
    title: 'reports the errorCode Error, which the protocol does not have',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/1248',
    expected: 'answers, and keeps the code as text',
    versions: ['1.6'],
    shape: changing('StatusNotification', (request) => ({ ...request, errorCode: 'Error' })),
  },
  {
    name: 'json-in-info',
    title: 'puts JSON of more than 50 characters into the info of StatusNotification',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/211',
    expected: 'answers, and keeps the text whole',
    versions: ['1.6'],
    shape: changing('StatusNotification', (request) => ({
      ...request,
      vendorId: 'EN+',
      vendorErrorCode: '00001000000000000000000000000000',
      info: JSON.stringify({ reason: 'faults', cpv: 0, rv: 0, detail: 'none of them is known to the manual' }),
    })),
  },
  {
    name: 'short-time-zone',
    title: 'writes the zone of its time stamps as +00, without minutes',
    reference: 'https://github.com/monta-app/ocpp-emulator/issues/5',
    expected: 'reads the time all the same',
    versions: EVERY,
    shape: () => ({ texts: (text) => [text.replaceAll(/(T\d\d:\d\d:\d\d)(?:\.\d+)?Z"/g, '$1+00"')] }),
  },
  {
    name: 'no-time-zone',
    title: 'writes its time stamps without a zone',
    reference: 'https://github.com/lbbrhzn/ocpp/issues/2032',
    expected: 'reads the time as UTC',
    versions: EVERY,
    shape: () => ({ texts: (text) => [text.replaceAll(/(T\d\d:\d\d:\d\d(?:\.\d+)?)Z"/g, '$1"')] }),
  },
  {
    name: 'clock-of-1970',
    title: 'stamps its first statuses with 1970, before it knows the time',
    reference: 'https://github.com/matth-x/MicroOcpp/issues/311',
    expected: 'does not let the old stamp hide later statuses',
    versions: EVERY,
    shape: () => {
      let left = 2
      return {
        request: (method, request) => {
          if (method !== 'StatusNotification' || left-- <= 0) return [{ method, request }]
          return [{ method, request: { ...request, timestamp: '1970-01-01T00:00:00.740Z' } }]
        },
      }
    },
  },
  {
    name: 'stream-without-base-time',
    title: 'sends the values of a stream as the official example has them: times, not seconds, and no base time',
    reference: 'https://github.com/mikuso/ocpp-rpc/issues/96',
    expected: 'keeps the values, and answers nothing',
    versions: ['2.1'],
    shape: changing('NotifyPeriodicEventStream', ({ basetime, data, ...request }) => ({
      ...request,
      data: (data as readonly { readonly t: number; readonly v: string }[]).map(({ t, v }) => ({
        t: isoTime(Date.parse(String(basetime)) + t * 1000),
        v,
      })),
    })),
  },
  {
    name: 'stream-as-call',
    title: 'sends the values of a stream as CALLs, and awaits an answer',
    reference: 'https://github.com/ChargeTimeEU/Java-OCA-OCPP/issues/406',
    expected: 'keeps the values, and answers with an empty object',
    versions: ['2.1'],
    shape: () => ({ texts: (text, [type, ...rest]) => [type === 6 ? JSON.stringify([2, ...rest]) : text] }),
  },
  {
    name: 'monitoring-report-of-201',
    title: 'reports its monitors without saying where they came from, as 2.0.1 does',
    reference: 'https://github.com/EVerest/libocpp/issues/1099',
    expected: 'takes the report',
    versions: ['2.1'],
    shape: () => ({
      texts: (text) => [text.replaceAll(/,"eventNotificationType":"CustomMonitor"(?=\})/g, '')],
    }),
  },
]
