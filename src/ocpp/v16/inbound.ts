/** Every message of a 1.6 charge point. */

import { stationTime } from '../station-time.ts'
import { inboundTable, needsText } from '../translate/message.ts'
import {
  bootAnswer,
  booted,
  dataTransfer,
  heartbeat,
  progress,
  securityEventSeen,
  signing,
  signingStatus,
} from '../translate/of-both.ts'
import { integer, knownTransaction, oneOf, placeNumber, text, transactionIdText } from '../translate/payload.ts'
import { BILLING, columns, idTagInfo, idToken } from './from-charge-point.ts'
import { samples, startTransaction, stopTransaction } from './transactions.ts'

const activityOf = oneOf([
  'available',
  'preparing',
  'charging',
  'suspendedEv',
  'suspendedEvse',
  'finishing',
  'reserved',
  'unavailable',
  'faulted',
])

export const inbound = inboundTable(columns, {
  /** OCPP 1.6 §4.2. The answer has our clock, so a repetition is decided anew. */
  BootNotification: {
    effect: 'registers the station; open transactions become suspect, none is closed',
    needs: needsText('chargePointVendor', 'chargePointModel'),
    repeatable: false,
    input: (request) =>
      booted({
        vendor: request.chargePointVendor,
        model: request.chargePointModel,
        serialNumber: text(request.chargePointSerialNumber) ?? request.chargeBoxSerialNumber,
        firmwareVersion: request.firmwareVersion,
      }),
    answer: bootAnswer,
  },
  Heartbeat: heartbeat,
  /** OCPP 1.6 §4.1. No session: the driver may leave. Never from memory: the tag may have been blocked since. */
  Authorize: {
    effect: 'looks the tag up',
    repeatable: false,
    needs: needsText('idTag'),
    input: (request) => ({ kind: 'authorise', idToken: idToken(request.idTag) }),
    answer: (_request, { authorisation }) => ({ idTagInfo: idTagInfo(authorisation) }),
  },
  /**
   * OCPP 1.6 §4.9. Always answered (OCPP-VA1); without a status or a valid connector it is only stored.
   * Without a time it is about now, so it never counts as a repetition: message ids may restart at 1.
   */
  StatusNotification: {
    effect: 'connector status (0 is the station); moves the session on that connector',
    repeatable: false,
    input: (request, { receivedAt }) => {
      const status = text(request.status)
      const connectorId = placeNumber(request.connectorId ?? 0)
      if (status === undefined || connectorId === undefined) return { kind: 'noted' }
      return {
        kind: 'connectorStatus',
        connectorId,
        status,
        activity: activityOf(status) ?? 'other',
        at: stationTime(request.timestamp, receivedAt),
        errorCode: text(request.errorCode),
        vendorErrorCode: text(request.vendorErrorCode),
        info: text(request.info),
      }
    },
  },
  StartTransaction: startTransaction,
  /** OCPP 1.6 §4.7. Billing: answered `{}` whatever its content (OCPP-DR4, OCPP-VA1). */
  MeterValues: {
    effect: 'samples: energy, power, state of charge; sign of life of the session; signed values are kept',
    ...BILLING,
    input: (request, { receivedAt, raw }) => ({
      kind: 'sampled',
      evseId: undefined,
      connectorId: integer(request.connectorId) ?? 0,
      transactionId: knownTransaction(transactionIdText(request.transactionId, raw)),
      samples: samples(request.meterValue, receivedAt),
    }),
  },
  StopTransaction: stopTransaction,
  /** Its data is text. */
  DataTransfer: dataTransfer('ours', (data) => (typeof data === 'string' ? data : JSON.stringify(data))),
  // Notices: stored and answered `{}`; an error fails certification and changes nothing (OCPP-MS1).
  DiagnosticsStatusNotification: progress(
    'logStatus',
    'progress of an upload; kept with the newest log that was asked for',
  ),
  FirmwareStatusNotification: progress(
    'firmwareStatus',
    'progress of an update; every status is kept with the newest open one',
  ),
  LogStatusNotification: progress('logStatus', 'progress of a log upload; kept with the log'),
  SignedFirmwareStatusNotification: progress('firmwareStatus', 'progress of a signed update; every status is kept'),
  SecurityEventNotification: securityEventSeen,
  /** Security whitepaper A02/A03 (CERT-C1). */
  SignCertificate: {
    ...signing,
    answer: (_request, outcome) => ({ status: signingStatus(outcome) }),
  },
})
