import { isoTime } from '../../src/domain/iso-time.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import { type Dialect, type Instant, reported, signedMeterValue, verdictOf } from '../model/dialect.ts'
import type { LocalTransaction, SampleContext, SignedReading } from '../model/facts.ts'
import type { Measurands } from '../model/station-rules.ts'

export const v16: Dialect = {
  protocol: 'ocpp1.6',
  reportsStart: false,
  hasSend: false,
  takesDynamic: false,
  boot: (plate) => ({
    method: 'BootNotification',
    request: {
      chargePointVendor: plate.vendor,
      chargePointModel: plate.model,
      chargePointSerialNumber: plate.serialNumber,
      firmwareVersion: plate.firmwareVersion,
    },
  }),
  status: (connectorId, status, at, fault) => ({
    method: 'StatusNotification',
    request: { connectorId, errorCode: fault ?? 'NoError', status, timestamp: isoTime(at) },
  }),
  faultReported: () => undefined,
  authorise: (token) => ({ method: 'Authorize', request: { idTag: token.id } }),
  readVerdict: (answer) => verdictOf(answer.idTagInfo),
  started: (transaction, moment) => ({
    method: 'StartTransaction',
    request: {
      connectorId: transaction.connectorId,
      idTag: transaction.idToken.id,
      meterStart: wattHours(transaction.meterStartWh),
      timestamp: isoTime(moment.at),
      reservationId: transaction.reservationId,
    },
  }),
  readTransactionId: (answer) => (answer.transactionId === undefined ? undefined : String(answer.transactionId)),
  activityChanged: () => undefined,
  sampled: (transaction, moment, context, measurands) => ({
    method: 'MeterValues',
    request: {
      connectorId: transaction.connectorId,
      ...(transaction.transactionId !== undefined && { transactionId: Number(transaction.transactionId) }),
      meterValue: [meterValue(moment, context, measurands)],
    },
  }),
  ended: (transaction, moment, reason, { sampled, aligned }) => ({
    method: 'StopTransaction',
    request: {
      transactionId: stopId(transaction),
      meterStop: wattHours(moment.reading.registerWh),
      timestamp: isoTime(moment.at),
      reason,
      ...(reason === 'Local' && { idTag: transaction.idToken.id }),
      transactionData: [
        registerOnly(transaction.startedAt, transaction.meterStartWh, 'Transaction.Begin', transaction.signedBegin),
        ...transaction.collected
          .map((kept) => meterValue(kept, kept.context, kept.context === 'Sample.Clock' ? aligned : sampled))
          .filter(({ sampledValue }) => sampledValue.length > 0),
        registerOnly(moment.at, moment.reading.registerWh, 'Transaction.End', moment.signed),
      ],
    },
  }),
  metered: (connectorId, reading, at, context, measurands) => ({
    method: 'MeterValues',
    request: { connectorId, meterValue: [meterValue({ at, reading }, context, measurands)] },
  }),
}

/** A station that never got a number says -1 (1.6 errata 3.18). */
function stopId(transaction: LocalTransaction): number {
  return transaction.transactionId === undefined ? -1 : Number(transaction.transactionId)
}

/** Registers are whole watt-hours and round down, so that no sample is above the final register. */
function wattHours(registerWh: number): number {
  return Math.floor(registerWh)
}

function registerOnly(at: number, registerWh: number, context: SampleContext, signed?: SignedReading): Payload {
  const measurand = 'Energy.Active.Import.Register'
  return {
    timestamp: isoTime(at),
    sampledValue: [
      { value: String(wattHours(registerWh)), context, measurand, unit: 'Wh' },
      ...(signed
        ? [{ value: JSON.stringify(signedMeterValue(signed)), format: 'SignedData', context, measurand, unit: 'kWh' }]
        : []),
    ],
  }
}

function meterValue({ at, reading }: Instant, context: SampleContext, measurands: Measurands) {
  const sampledValue = reported(reading, measurands).map(({ value, digits, ...rest }) => ({
    value: value.toFixed(digits),
    context,
    ...rest,
  }))
  return { timestamp: isoTime(at), sampledValue }
}
