/** A station's messages in OCPP 2.0.1. Connector n of this station is connector 1 of EVSE n. */
import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { type Dialect, type Instant, reported, signedMeterValue, verdictOf } from '../model/dialect.ts'
import type {
  Call,
  ConnectorStatus,
  LocalTransaction,
  Moment,
  SampleContext,
  StopReason,
  Token,
} from '../model/facts.ts'
import type { Measurands } from '../model/station-rules.ts'

export const v201: Dialect = {
  protocol: 'ocpp2.0.1',
  reportsStart: true,
  hasSend: false,
  takesDynamic: false,
  boot: (plate, reason) => ({
    method: 'BootNotification',
    request: {
      reason,
      chargingStation: {
        vendorName: plate.vendor,
        model: plate.model,
        serialNumber: plate.serialNumber,
        firmwareVersion: plate.firmwareVersion,
      },
    },
  }),
  status: (evseId, status, at) => ({
    method: 'StatusNotification',
    request: { timestamp: isoTime(at), connectorStatus: connectorStatus(status), evseId, connectorId: 1 },
  }),
  faultReported: (evseId, fault, cleared, at) =>
    notifyEvent(at, {
      eventId: at % 2_147_483_647,
      trigger: 'Alerting',
      actualValue: cleared ? 'false' : 'true',
      techCode: fault,
      cleared,
      component: { name: 'EVSE', evse: { id: evseId } },
      variable: { name: 'Problem' },
    }),
  authorise: (token) => ({ method: 'Authorize', request: { idToken: idTokenOf(token) } }),
  readVerdict: (answer) => verdictOf(answer.idTokenInfo),
  started: (transaction, moment, measurands) =>
    transactionEvent('Started', transaction, moment, {
      triggerReason: transaction.remote ? 'RemoteStart' : 'Authorized',
      transactionInfo: {
        chargingState: 'EVConnected',
        remoteStartId: transaction.remoteStartId,
      },
      reservationId: transaction.reservationId,
      evse: { id: transaction.connectorId, connectorId: 1 },
      idToken: idTokenOf(transaction.idToken),
      ...withValues([edgeValue(moment, 'Transaction.Begin', measurands)]),
    }),
  readTransactionId: () => undefined,
  activityChanged: (transaction, moment, status, isRateAlone = false) =>
    transactionEvent('Updated', transaction, moment, {
      triggerReason: isRateAlone ? 'ChargingRateChanged' : 'ChargingStateChanged',
      transactionInfo: { chargingState: chargingState(status) },
    }),
  sampled: (transaction, moment, context, measurands) =>
    transactionEvent('Updated', transaction, moment, {
      triggerReason: sampleTrigger(context),
      meterValue: [meterValue(moment, context, measurands)],
    }),
  ended: (transaction, moment, reason, { sampled, aligned }) =>
    transactionEvent('Ended', transaction, moment, {
      triggerReason: endTrigger(reason),
      transactionInfo: {
        stoppedReason: stoppedReason(reason),
        chargingState: moment.plugged ? 'EVConnected' : 'Idle',
      },
      ...(reason === 'Local' && { idToken: idTokenOf(transaction.idToken) }),
      ...withValues([
        ...transaction.collected.map((kept) =>
          meterValue(kept, kept.context, kept.context === 'Sample.Clock' ? aligned : sampled),
        ),
        edgeValue(moment, 'Transaction.End', sampled),
      ]),
    }),
  metered: (evseId, reading, at, context, measurands) => ({
    method: 'MeterValues',
    request: { evseId, meterValue: [meterValue({ at, reading }, context, measurands)] },
  }),
}

/** What the station says of itself, unasked. */
export function notifyEvent(at: number, event: Payload): Call {
  const eventData = [{ timestamp: isoTime(at), eventNotificationType: 'HardWiredNotification', ...event }]
  return { method: 'NotifyEvent', request: { generatedAt: isoTime(at), seqNo: 0, eventData } }
}

export function transactionEvent(
  eventType: 'Started' | 'Updated' | 'Ended',
  transaction: LocalTransaction,
  moment: Moment,
  facts: { readonly transactionInfo?: Payload } & Payload,
) {
  return {
    method: 'TransactionEvent',
    request: {
      ...facts,
      eventType,
      timestamp: isoTime(moment.at),
      seqNo: moment.sequenceNumber,
      ...(moment.offline && { offline: true }),
      transactionInfo: { ...facts.transactionInfo, transactionId: transaction.transactionId },
    },
  }
}

function idTokenOf(token: Token): Payload {
  return { idToken: token.id, type: token.type }
}

export function connectorStatus(status: ConnectorStatus): string {
  if (status === 'Available' || status === 'Unavailable' || status === 'Faulted' || status === 'Reserved') return status
  return 'Occupied'
}

function chargingState(status: ConnectorStatus): string {
  if (status === 'Charging' || status === 'SuspendedEV' || status === 'SuspendedEVSE') return status
  return 'EVConnected'
}

function endTrigger(reason: StopReason): string {
  const triggers: Record<StopReason, string> = {
    Local: 'StopAuthorized',
    Remote: 'RemoteStop',
    EVDisconnected: 'EVCommunicationLost',
    DeAuthorized: 'Deauthorized',
    UnlockCommand: 'UnlockCommand',
    SoftReset: 'ResetCommand',
    HardReset: 'ResetCommand',
    PowerLoss: 'AbnormalCondition',
    Reboot: 'ResetCommand',
    EmergencyStop: 'AbnormalCondition',
    Other: 'AbnormalCondition',
  }
  return triggers[reason]
}

function stoppedReason(reason: StopReason): string {
  if (reason === 'SoftReset' || reason === 'HardReset') return 'ImmediateReset'
  return reason === 'UnlockCommand' ? 'Other' : reason
}

/** The register at the beginning or the end, which the meter may have signed, with the other measurands. */
function edgeValue(moment: Moment, context: SampleContext, measurands: Measurands) {
  const { signed } = moment
  const { timestamp: at, sampledValue } = meterValue(moment, context, measurands)
  const withSignature = (value: Payload): Payload =>
    signed && value.measurand === 'Energy.Active.Import.Register'
      ? { ...value, signedMeterValue: signedMeterValue(signed) }
      : value
  return { timestamp: at, sampledValue: sampledValue.map(withSignature) }
}

/** A list of none is no list. */
function withValues(values: readonly { readonly sampledValue: readonly Payload[] }[]): Payload {
  const meterValue = values.filter(({ sampledValue }) => sampledValue.length > 0)
  return meterValue.length > 0 ? { meterValue } : {}
}

function sampleTrigger(context: SampleContext): string {
  if (context === 'Trigger') return 'Trigger'
  return context === 'Sample.Clock' ? 'MeterValueClock' : 'MeterValuePeriodic'
}

function meterValue({ at, reading }: Instant, context: SampleContext, measurands: Measurands) {
  const sampledValue = reported(reading, measurands).map(
    ({ value, digits: _digits, unit, ...rest }): Payload => ({ value, context, ...rest, unitOfMeasure: { unit } }),
  )
  return { timestamp: isoTime(at), sampledValue }
}
