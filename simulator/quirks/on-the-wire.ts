import { isoTime } from '../../src/domain/iso-time.ts'
import { changing, EVERY, ONLY_16, type Quirk, quirk } from './quirk.ts'

const FOREIGN_ID = '0c8f5a2e'

export const WIRE_QUIRKS: readonly Quirk[] = [
  quirk('same-frame-twice', 'matth-x/MicroOcpp/issues/50', EVERY, {
    title: 'sends each transaction message twice, with the same message id, before the answer',
    expected: 'takes the second frame as the first one: the same answer, one transaction',
    shape: () => ({
      texts: (text, frame) =>
        frame[0] === 2 && /^(StartTransaction|StopTransaction|TransactionEvent)$/.test(String(frame[2]))
          ? [text, text]
          : [text],
    }),
  }),
  quirk('constant-message-id', 'dallmann-consulting/OCPP.Core/issues/31', EVERY, {
    title: 'gives every CALL the message id 1000001',
    expected: 'goes by id and payload: another payload under a known id is another message',
    shape: () => ({ messageId: () => '1000001' }),
  }),
  quirk('repeats-boot', 'dallmann-consulting/OCPP.Core/issues/31', EVERY, {
    title: 'sends BootNotification again and again although it was accepted',
    expected: 'accepts each one and keeps the station’s sessions',
    shape: () => ({
      request: (method, request) =>
        Array.from({ length: method === 'BootNotification' ? 4 : 1 }, () => ({ method, request })),
    }),
  }),
  quirk('broken-json', 'lbbrhzn/ocpp/issues/2032', ONLY_16, {
    title: 'leaves the value of transactionId out of MeterValues, so that the frame is no JSON',
    expected: 'keeps the connection; the energy comes from the final register',
    shape: () => ({
      texts: (text, frame) => [
        frame[2] === 'MeterValues' ? text.replace(/"transactionId":\d+/, '"transactionId":') : text,
      ],
    }),
  }),
  quirk('ignores-calls', 'mobilityhouse/ocpp/issues/626', EVERY, {
    title: 'never answers a CALL of the central system, while its own messages go on',
    expected: 'lets the command time out and goes on taking what the station says',
    shape: () => ({ answer: () => undefined }),
  }),
  quirk('ignores-triggers', 'lbbrhzn/ocpp/issues/1096', EVERY, {
    title: 'never answers TriggerMessage',
    expected: 'does not wait for the triggered message before it takes others',
    shape: () => ({ answer: (method, _request, answer) => (method === 'TriggerMessage' ? undefined : answer) }),
  }),
  quirk('mismatched-answer-id', 'mobilityhouse/ocpp/issues/297', EVERY, {
    title: 'answers CALLs of the central system under another message id',
    expected: 'never takes the answer for that of another command, and keeps the connection',
    shape: () => ({
      texts: (text, frame) => [frame[0] === 3 ? JSON.stringify([3, FOREIGN_ID, frame[2]]) : text],
    }),
  }),
  quirk('configuration-without-keys', 'lbbrhzn/ocpp/issues/432', ONLY_16, {
    title: 'answers GetConfiguration with an empty object',
    expected: 'takes it as a station that tells no keys',
    shape: () => ({ answer: (method, _request, answer) => (method === 'GetConfiguration' ? {} : answer) }),
  }),
  quirk('drops-on-configuration', 'steve-community/steve/issues/164', ONLY_16, {
    title: 'loses its connection when all configuration keys are asked for',
    expected: 'marks the command as dropped, does not repeat it at once, and takes the reconnect for no boot',
    shape: () => ({
      answer: (method, request, answer, drop) => {
        if (method !== 'GetConfiguration' || (request.key as unknown[] | undefined)?.length) return answer
        drop()
        return undefined
      },
    }),
  }),
  quirk('no-pong', 'lbbrhzn/ocpp/issues/211', EVERY, {
    title: 'does not answer WebSocket pings',
    expected: 'counts every frame as a sign of life',
    shape: () => ({ pongs: false }),
  }),
  quirk('boots-on-reconnect', 'evcc-io/evcc/pull/25069', EVERY, {
    title: 'sends BootNotification after every reconnect',
    expected: 'keeps the open transaction: a boot is no end of it',
    behaviour: { bootsOnReconnect: true },
  }),
  quirk('reconnects-often', 'mobilityhouse/ocpp/issues/79', EVERY, {
    title: 'loses and regains its connection every 40 seconds',
    expected: 'keeps the session: a lost WebSocket is no transition',
    behaviour: { reconnectsEverySeconds: 40 },
  }),
  quirk('authorize-with-connector', 'evcc-io/evcc/issues/14579', ONLY_16, {
    title: 'puts a connectorId into Authorize',
    expected: 'answers, and keeps the member in the log',
    shape: changing('Authorize', (request) => ({ connectorId: 1, ...request })),
  }),
  quirk('long-serial-number', 'mobilityhouse/ocpp/pull/123', EVERY, {
    title: 'has a serial number of more than 25 characters',
    expected: 'accepts the boot and keeps the number whole',
    shape: changing('BootNotification', (request) => {
      const chargePointSerialNumber = 'EVB1A22P4RI3N1712406004002900'
      if (!request.chargingStation) return { ...request, chargePointSerialNumber }
      return {
        ...request,
        chargingStation: { ...(request.chargingStation as object), serialNumber: chargePointSerialNumber },
      }
    }),
  }),
  quirk('unknown-error-code', 'lbbrhzn/ocpp/issues/1248', ONLY_16, {
    title: 'reports the errorCode Error, which the protocol does not have',
    expected: 'answers, and keeps the code as text',
    shape: changing('StatusNotification', (request) => ({ ...request, errorCode: 'Error' })),
  }),
  quirk('json-in-info', 'lbbrhzn/ocpp/issues/211', ONLY_16, {
    title: 'puts JSON of more than 50 characters into the info of StatusNotification',
    expected: 'answers, and keeps the text whole',
    shape: changing('StatusNotification', (request) => ({
      ...request,
      vendorId: 'EN+',
      vendorErrorCode: '00001000000000000000000000000000',
      info: JSON.stringify({ reason: 'faults', cpv: 0, rv: 0, detail: 'none of them is known to the manual' }),
    })),
  }),
  quirk('short-time-zone', 'monta-app/ocpp-emulator/issues/5', EVERY, {
    title: 'writes the zone of its time stamps as +00, without minutes',
    expected: 'reads the time all the same',
    shape: () => ({ texts: (text) => [text.replaceAll(/(T\d\d:\d\d:\d\d)(?:\.\d+)?Z"/g, '$1+00"')] }),
  }),
  quirk('no-time-zone', 'lbbrhzn/ocpp/issues/2032', EVERY, {
    title: 'writes its time stamps without a zone',
    expected: 'reads the time as UTC',
    shape: () => ({ texts: (text) => [text.replaceAll(/(T\d\d:\d\d:\d\d(?:\.\d+)?)Z"/g, '$1"')] }),
  }),
  quirk('clock-of-1970', 'matth-x/MicroOcpp/issues/311', EVERY, {
    title: 'stamps its first statuses with 1970, before it knows the time',
    expected: 'does not let the old stamp hide later statuses',
    shape: () => {
      let left = 2
      return {
        request: (method, request) => {
          if (method !== 'StatusNotification' || left-- <= 0) return [{ method, request }]
          return [{ method, request: { ...request, timestamp: '1970-01-01T00:00:00.740Z' } }]
        },
      }
    },
  }),
  quirk('stream-without-base-time', 'mikuso/ocpp-rpc/issues/96', ['2.1'], {
    title: 'sends the values of a stream as the official example has them: times, not seconds, and no base time',
    expected: 'keeps the values, and answers nothing',
    shape: changing('NotifyPeriodicEventStream', ({ basetime, data, ...request }) => ({
      ...request,
      data: (data as readonly { readonly t: number; readonly v: string }[]).map(({ t, v }) => ({
        t: isoTime(Date.parse(String(basetime)) + t * 1000),
        v,
      })),
    })),
  }),
  quirk('stream-as-call', 'ChargeTimeEU/Java-OCA-OCPP/issues/406', ['2.1'], {
    title: 'sends the values of a stream as CALLs, and awaits an answer',
    expected: 'keeps the values, and answers with an empty object',
    shape: () => ({ texts: (text, [type, ...rest]) => [type === 6 ? JSON.stringify([2, ...rest]) : text] }),
  }),
  quirk('monitoring-report-of-201', 'EVerest/libocpp/issues/1099', ['2.1'], {
    title: 'reports its monitors without saying where they came from, as 2.0.1 does',
    expected: 'takes the report',
    shape: () => ({
      texts: (text) => [text.replaceAll(/,"eventNotificationType":"CustomMonitor"(?=\})/g, '')],
    }),
  }),
]
