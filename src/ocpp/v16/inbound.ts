/** Every message of a 1.6 charge point. A missing one does not compile. */

import { type InboundMessage, messageTable, needsText } from '../translate/message.ts'
import {
  bootAnswer,
  booted,
  certificateRequested,
  progressOf,
  receivedTransfer,
  SIGNING_EFFECT,
  securityEvent,
  signingStatus,
  TRANSFER_EFFECT,
  transferAnswer,
} from '../translate/of-both.ts'
import { integer, knownTransaction, sentTime, text, transactionIdText } from '../translate/payload.ts'
import type { InboundAction } from './actions.ts'
import { fromChargePoint, idTagInfo, idToken } from './from-charge-point.ts'
import { startTransaction, statusNotification } from './start-transaction.ts'
import { samples, stopTransaction } from './stop-transaction.ts'

/** Security whitepaper A02/A03 (CERT-C1). */
const signCertificate = fromChargePoint('SignCertificate', {
  effect: SIGNING_EFFECT,
  judgesItself: true,
  input: certificateRequested,
  answer: (_request, outcome) => ({ status: signingStatus(outcome) }),
})

// Notices: stored and answered `{}`; an error fails certification and changes nothing (OCPP-MS1).

/** Counts for a log or an update of ours, if it names one. */
function progress(action: InboundAction, kind: 'logStatus' | 'firmwareStatus', effect: string): InboundMessage {
  return fromChargePoint(action, {
    effect,
    needs: needsText('status'),
    input: (request) => progressOf(kind, request),
  })
}

const diagnosticsStatusNotification = progress(
  'DiagnosticsStatusNotification',
  'logStatus',
  'progress of an upload; kept with the newest log that was asked for',
)
const firmwareStatusNotification = progress(
  'FirmwareStatusNotification',
  'firmwareStatus',
  'progress of an update; every status is kept with the newest open one',
)
const logStatusNotification = progress(
  'LogStatusNotification',
  'logStatus',
  'progress of a log upload; kept with the log',
)
const signedFirmwareStatusNotification = progress(
  'SignedFirmwareStatusNotification',
  'firmwareStatus',
  'progress of a signed update; every status is kept',
)
const securityEventNotification = fromChargePoint('SecurityEventNotification', {
  effect: 'security event: part of the timeline, and sent to its subscribers',
  needs: needsText('type'),
  input: securityEvent,
})

/** OCPP 1.6 §4.7. Billing: answered `{}` whatever its content (OCPP-DR4, OCPP-VA1). */
const meterValues = fromChargePoint('MeterValues', {
  effect: 'samples: energy, power, state of charge; sign of life of the session; signed values are kept',
  billing: true,
  input: (request, { receivedAt, raw }) => {
    return {
      kind: 'sampled',
      evseId: undefined,
      connectorId: integer(request.connectorId) ?? 0,
      transactionId: knownTransaction(transactionIdText(request.transactionId, raw)),
      samples: samples(request.meterValue, receivedAt),
    }
  },
})

/** OCPP 1.6 §4.6. Stations set their clock by it, so it is never answered from memory. */
const heartbeat = fromChargePoint('Heartbeat', {
  effect: 'sign of life',
  repeatable: false,
  answer: (_request, _outcome, { now }) => ({ currentTime: sentTime(now) }),
})

/** OCPP 1.6 §4.3. Its data is text. */
const dataTransfer = fromChargePoint('DataTransfer', {
  effect: TRANSFER_EFFECT,
  needs: needsText('vendorId'),
  input: (request, { receivedAt }) => receivedTransfer(request, receivedAt, 'ours'),
  answer: transferAnswer((data) => (typeof data === 'string' ? data : JSON.stringify(data))),
})

/** OCPP 1.6 §4.2. The answer has our clock, so a repetition is decided anew. */
const bootNotification = fromChargePoint('BootNotification', {
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
})

/** OCPP 1.6 §4.1. No session: the driver may leave. Never from memory: the tag may have been blocked since. */
const authorize = fromChargePoint('Authorize', {
  effect: 'looks the tag up',
  repeatable: false,
  needs: needsText('idTag'),
  input: (request) => ({ kind: 'authorise', idToken: idToken(request.idTag) }),
  answer: (_request, { authorisation }) => ({ idTagInfo: idTagInfo(authorisation) }),
})

export const inbound = messageTable({
  BootNotification: bootNotification,
  Heartbeat: heartbeat,
  Authorize: authorize,
  StatusNotification: statusNotification,
  StartTransaction: startTransaction,
  MeterValues: meterValues,
  StopTransaction: stopTransaction,
  DataTransfer: dataTransfer,
  DiagnosticsStatusNotification: diagnosticsStatusNotification,
  FirmwareStatusNotification: firmwareStatusNotification,
  LogStatusNotification: logStatusNotification,
  SignedFirmwareStatusNotification: signedFirmwareStatusNotification,
  SecurityEventNotification: securityEventNotification,
  SignCertificate: signCertificate,
} satisfies Record<InboundAction, InboundMessage>)
