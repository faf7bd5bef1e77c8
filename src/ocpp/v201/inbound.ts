/** Every message of a 2.0.1 charge point. */

import type { FoundValue, IntentAnswer, MessageLimits, VariableName } from '../../domain/ports/blocks.ts'
import { answerBy, type IntentOnWire, type IntentsOnWire, type IntentToSend } from '../translate/blocks-on-wire.ts'
import { carrying } from '../translate/chunks.ts'
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
import { integer, type OutgoingCall, object, type Payload, text } from '../translate/payload.ts'
import { reportedMeterKeys } from '../translate/signed/meter-keys.ts'
import {
  clearedChargingLimit,
  notifyChargingLimit,
  notifyEVChargingNeeds,
  notifyEVChargingSchedule,
  reportChargingProfiles,
} from './charging.ts'
import { displayMessage, notifyCustomerInformation, notifyDisplayMessages } from './driver.ts'
import { columns, idTokenInfo, requiredIdToken, samples } from './from-charge-point.ts'
import { monitor, notifyEvent, notifyMonitoringReport } from './monitoring.ts'
import { statusNotification } from './status-notification.ts'
import { transactionEvent } from './transaction-event.ts'
import { readResults, reportData, statusOf, valueText, wireName } from './variables.ts'

/** Requests for abilities that we do not have: refused, so that the station falls back at once (OCPP-MS2). */
const statusInfo = { reasonCode: 'NotEnabled' }

export const inbound = inboundTable(columns, {
  /** OCPP 2.0.1 B01-B03. The answer has our clock, so a repetition is decided anew. */
  BootNotification: {
    effect: 'registers the station; open transactions become suspect, none is closed',
    needs: needsText('chargingStation.vendorName', 'chargingStation.model'),
    repeatable: false,
    input: (request) => {
      const { vendorName, model, serialNumber, firmwareVersion } = object(request.chargingStation)
      return booted({ vendor: vendorName, model, serialNumber, firmwareVersion })
    },
    answer: bootAnswer,
  },
  Heartbeat: heartbeat,
  /** OCPP 2.0.1 C01-C07. Without trusted roots, no token is accepted because of a certificate (OCPP-MS2). */
  Authorize: {
    effect: 'looks the token up; contract certificates cannot be verified and are refused',
    needs: needsText('idToken.idToken'),
    repeatable: false,
    input: (request) => ({ kind: 'authorise', idToken: requiredIdToken(request.idToken) }),
    answer: (request, { authorisation }) =>
      (request.certificate ?? request.iso15118CertificateHashData ?? undefined) === undefined
        ? { idTokenInfo: idTokenInfo(authorisation) }
        : { idTokenInfo: { status: 'Invalid' }, certificateStatus: 'CertChainError' },
  },
  StatusNotification: statusNotification,
  TransactionEvent: transactionEvent,
  /** OCPP 2.0.1 J01: values without a transaction (evseId 0: main meter); some stations send no others (ENERGY-N3). */
  MeterValues: {
    effect:
      'samples outside transactions; of the one that runs on the EVSE where its events carry none; signed values are kept',
    billing: true,
    input: (request, { receivedAt }) => ({
      kind: 'sampled',
      connectorId: 0,
      samples: samples(request.meterValue, receivedAt),
      evseId: integer(request.evseId),
    }),
  },
  NotifyEvent: notifyEvent,
  DataTransfer: dataTransfer('stations', (data) => data),
  SecurityEventNotification: securityEventSeen,
  /** A02, A03 (CERT-C1). */
  SignCertificate: {
    ...signing,
    answer(_request, outcome) {
      const { reason = 'no signer here' } = outcome.signing ?? {}
      const status = signingStatus(outcome)
      if (status === 'Accepted') return { status }
      return { status, statusInfo: { reasonCode: 'InvalidCSR', additionalInfo: reason.slice(0, 512) } }
    },
  },
  /** M01/M02: the schema requires an EXI answer even where there is none. */
  Get15118EVCertificate: {
    effect: 'refused: there is no contract certificate pool',
    needs: needsText('exiRequest'),
    answer: () => ({ status: 'Failed', exiResponse: '', statusInfo }),
  },
  /** M06 */
  GetCertificateStatus: {
    effect: 'refused: OCSP is not asked',
    needs: [{ path: 'ocspRequestData', kind: 'object' }],
    answer: () => ({ status: 'Failed', statusInfo }),
  },
  /** OCPP 2.0.1 B07, B08. Stored page by page (DEVICE-A2); unasked reports count, too. */
  NotifyReport: {
    effect: 'page of a device model report; its variables are kept, and what a complete full report leaves out is gone',
    input: (request, { messageId }) => {
      const [requestId, sequence] = [integer(request.requestId), integer(request.seqNo)]
      return {
        kind: 'reportPage',
        requestId,
        sequence,
        isLast: request.tbc !== true,
        batch: `page:${requestId ?? '-'}:${sequence ?? messageId}`,
        values: reportData(request),
        meterKeys: reportedMeterKeys(request.reportData),
      }
    },
  },
  NotifyMonitoringReport: notifyMonitoringReport,
  NotifyCustomerInformation: notifyCustomerInformation,
  NotifyDisplayMessages: notifyDisplayMessages,
  NotifyChargingLimit: notifyChargingLimit,
  ClearedChargingLimit: clearedChargingLimit,
  NotifyEVChargingNeeds: notifyEVChargingNeeds,
  NotifyEVChargingSchedule: notifyEVChargingSchedule,
  ReportChargingProfiles: reportChargingProfiles,
  ReservationStatusUpdate: {
    effect: 'end of a reservation',
    needs: needsText('reservationUpdateStatus'),
    input: ({ reservationId, reservationUpdateStatus }) => ({
      kind: 'reservationReported',
      reservationId: integer(reservationId) ?? 0,
      status: text(reservationUpdateStatus) ?? '',
    }),
  },
  FirmwareStatusNotification: progress('firmwareStatus', 'progress of an update; every status is kept'),
  PublishFirmwareStatusNotification: { effect: 'progress of a publication', needs: needsText('status') },
  LogStatusNotification: progress('logStatus', 'progress of a log upload; kept with the log'),
})

/** B05: values are set in chunks without duplicate variables; B06 reads them back. */
const variable: IntentOnWire = {
  set: (intents, { setItems, setBytes }) =>
    carrying(
      intents,
      { method: 'SetVariables', member: 'setVariableData', items: setItems, bytes: setBytes },
      ({ variable: name, desired }) =>
        name && {
          ...attributeOf(name),
          attributeValue: String(desired),
          ...wireName(name),
        },
    ),
  readAnswer: (keys, call, response) => {
    const results = readResults(response.setVariableResult)
    const named = byPlace(call, 'setVariableData', keys)
    return Object.fromEntries(
      results.flatMap(({ name, result }): [string, IntentAnswer][] => {
        const key = named.get(placeText(name))
        const answer = answerBy(result.attributeStatus, result.attributeStatusInfo, MEANINGS)
        return key !== undefined && answer ? [[key, answer]] : []
      }),
    )
  },
  readBack: {
    calls: (intents: readonly IntentToSend[], { getItems, getBytes }: MessageLimits) =>
      carrying(
        intents,
        { method: 'GetVariables', member: 'getVariableData', items: getItems, bytes: getBytes },
        ({ variable: name }) => name && { ...attributeOf(name), ...wireName(name) },
      ),
    found: (keys, call, response) => {
      const named = byPlace(call, 'getVariableData', keys)
      return Object.fromEntries(
        readResults(response.getVariableResult).flatMap(({ name, result }): [string, FoundValue][] => {
          const key = named.get(placeText(name))
          if (key === undefined) return []
          const isRead = statusOf(result) === 'accepted'
          return [[key, isRead ? { value: valueText(result.attributeValue) ?? '' } : 'unreadable']]
        }),
      )
    },
  },
}

export const intents: IntentsOnWire = { variable, monitor, displayMessage }

function attributeOf({ attribute }: VariableName): Payload {
  return attribute === 'Actual' ? {} : { attributeType: attribute }
}

const MEANINGS = {
  accepted: 'accepted',
  rebootrequired: 'rebootRequired',
  unknowncomponent: 'unsupported',
  unknownvariable: 'unsupported',
  notsupportedattributetype: 'unsupported',
} as const

/** The call's entries are in the order of their keys. */
function byPlace({ request }: OutgoingCall, member: string, keys: readonly string[]): ReadonlyMap<string, string> {
  const entries = readResults(request[member])
  return new Map(entries.flatMap(({ name }, at) => (keys[at] === undefined ? [] : [[placeText(name), keys[at]]])))
}

function placeText(name: VariableName): string {
  return JSON.stringify(wireName(name)).toLowerCase() + name.attribute.toLowerCase()
}
