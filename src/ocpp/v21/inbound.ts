/** Every message of a 2.1 charge point: those of 2.0.1, some with another answer, and twelve new ones. */

import { tenths } from '../translate/charging-profile.ts'
import { type InboundMessage, type InboundRules, inboundTable, needsText } from '../translate/message.ts'
import { integer, isObject, list, object, type Payload, sentTime, text } from '../translate/payload.ts'
import { columns } from '../v201/from-charge-point.ts'
import { inbound as inboundOf201 } from '../v201/inbound.ts'
import { statusNotificationWith } from '../v201/status-notification.ts'
import { notifySettlement, vatNumberValidation } from './payments.ts'
import { withDriverTariff } from './tariffs.ts'
import { transactionEvent } from './transaction-event.ts'

const statusInfo = { reasonCode: 'NotEnabled' }

/** @public The tests have a request of each. */
export const newMessages = {
  /** OCPP 2.1 S01-S04. */
  BatterySwap: { effect: 'batteries put in or taken out; stored', needs: needsText('eventType') },
  ClosePeriodicEventStream: { effect: 'the end of values that it sent regularly; stored' },
  /** M07: one entry for each request. Revocation is not asked here, so the station asks elsewhere, or again. */
  GetCertificateChainStatus: {
    effect: 'every certificate `Failed`: revocation is not asked here',
    repeatable: false,
    answer: ({ certificateStatusRequests }, _outcome, { now }) => {
      const asked = list(certificateStatusRequests).slice(0, CHAIN_LIMIT).map(object)
      const failed = { status: 'Failed', nextUpdate: sentTime(now + DAY_MS) }
      const certificateStatus = (asked.length > 0 ? asked : [{}]).map(({ certificateHashData, source }) => ({
        certificateHashData: hashIn(certificateHashData),
        source: text(source) === 'CRL' ? 'CRL' : 'OCSP',
        ...failed,
      }))
      return { certificateStatus }
    },
  },
  NotifyDERAlarm: { effect: 'a fault of the grid that the station reacts to; stored', needs: needsText('controlType') },
  NotifyDERStartStop: {
    effect: 'the beginning or end of a control of distributed energy; stored',
    needs: needsText('controlId'),
  },
  /** N15.FR.02: a SEND, never answered; a station that makes a call of it is answered `{}`. */
  NotifyPeriodicEventStream: { effect: 'values sent regularly, without an answer; stored', isSend: true },
  NotifyPriorityCharging: {
    effect: 'priority charging of a transaction was switched; stored',
    needs: needsText('transactionId'),
  },
  NotifySettlement: notifySettlement,
  OpenPeriodicEventStream: {
    effect: 'values that it will send regularly: accepted',
    answer: () => ({ status: 'Accepted' }),
  },
  /** OCPP21-C2, K28.FR.12 */
  PullDynamicScheduleUpdate: {
    effect: 'the present limit of a dynamic profile of ours; else refused',
    repeatable: false,
    input: ({ chargingProfileId }) => ({ kind: 'dynamicSchedulePulled', profileId: integer(chargingProfileId) ?? 0 }),
    answer: (_request, { scheduleLimit }) =>
      scheduleLimit === undefined
        ? { status: 'Rejected', statusInfo: { reasonCode: 'InvalidProfile' } }
        : { status: 'Accepted', scheduleUpdate: { limit: tenths(scheduleLimit) } },
  },
  /** R04.FR.31: pages of a report that GetDERControl asked for. */
  ReportDERControl: { effect: 'page of a report of its controls of distributed energy; stored' },
  VatNumberValidation: vatNumberValidation,
} satisfies Record<string, InboundRules>

const CHAIN_LIMIT = 4
const DAY_MS = 86_400_000

/** Without what is no hash: an answer that the station cannot read would help it less. */
function hashIn(value: unknown): Payload {
  const { hashAlgorithm, issuerNameHash, issuerKeyHash, serialNumber } = object(value)
  return {
    hashAlgorithm: ['SHA384', 'SHA512'].find((known) => known === hashAlgorithm) ?? 'SHA256',
    issuerNameHash: (text(issuerNameHash) ?? '').slice(0, 128),
    issuerKeyHash: (text(issuerKeyHash) ?? '').slice(0, 128),
    serialNumber: (text(serialNumber) ?? '').slice(0, 40),
  }
}

/**
 * OCPP21-B7: a car of ISO 15118-20 that is sent no profile hears NoChargingProfile, for Rejected would refuse the
 * transfer itself, which ends the transaction. Feeding back is never accepted.
 */
function withNoChargingProfile(message: InboundMessage): InboundMessage {
  return {
    ...message,
    answer(request, outcome, context) {
      const answer = message.answer(request, outcome, context)
      const needs = object(request.chargingNeeds)
      const feedsBack = FEEDS_BACK.test(text(needs.requestedEnergyTransfer) ?? '')
      const is15118Part20 = isObject(needs.v2xChargingParameters) || text(needs.controlMode) !== undefined
      if (feedsBack) return { status: 'Rejected', statusInfo }
      return answer.status === 'Rejected' && is15118Part20 ? { status: 'NoChargingProfile', statusInfo } : answer
    },
  }
}
const FEEDS_BACK = /_(?:BPT|DER)/i

/** OCPP21-B1: a state comes by two messages, which may overtake each other. */
function byTime(message: InboundMessage): InboundMessage {
  return {
    ...message,
    input(request, context) {
      const input = message.input(request, context)
      if (input.kind !== 'connectorStatuses') return input
      return { ...input, reports: input.reports.map((report) => ({ ...report, newestWins: true })) }
    },
  }
}

/** A02.FR.25: the request's number comes back with its certificate. */
function withRequestId(message: InboundMessage): InboundMessage {
  return {
    ...message,
    input(request, context) {
      const input = message.input(request, context)
      const stationRequestId = integer(request.requestId)
      return input.kind === 'certificateRequested' && !('fault' in input) ? { ...input, stationRequestId } : input
    },
  }
}

export const inbound = inboundTable(columns, {
  ...inboundOf201,
  Authorize: withDriverTariff(inboundOf201.Authorize),
  TransactionEvent: transactionEvent,
  StatusNotification: statusNotificationWith(true),
  NotifyEvent: byTime(inboundOf201.NotifyEvent),
  SignCertificate: withRequestId(inboundOf201.SignCertificate),
  NotifyEVChargingNeeds: withNoChargingProfile(inboundOf201.NotifyEVChargingNeeds),
  ...newMessages,
})
