/**
 * How a station says things in one OCPP version: facts in, CALL out. The twin of the server's `OcppVersion`, from the
 * other side of the wire; v16/, v201/ and v21/ implement it, and declare what else they have.
 */

import type { Protocol } from '../../src/domain/ports/core.ts'
import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type {
  BootReason,
  Call,
  ConnectorStatus,
  FaultCode,
  LocalTransaction,
  Moment,
  NamePlate,
  SampleContext,
  SignedReading,
  StopReason,
  Tariff,
  Token,
  TokenVerdict,
  TransactionLimit,
} from './facts.ts'
import type { Reading } from './meter.ts'
import { SIGNING_METHOD } from './signing-meter.ts'
import type { EndMeasurands, Measurands } from './station-rules.ts'

export interface Dialect {
  readonly protocol: Protocol
  /** A start or a reset is a security event of its own (2.0.1 A04). */
  readonly reportsStart: boolean
  /** Message types 5 and 6 exist. */
  readonly hasSend: boolean
  /** Profiles whose limit the central system updates, and whose duration is a lease (2.1 K28). */
  readonly takesDynamic: boolean
  /** Limits of one transaction and prices on the station; absent before 2.1. */
  readonly payment?: PaymentDialect
  readonly boot: (plate: NamePlate, reason: BootReason) => Call
  readonly status: (connectorId: number, status: ConnectorStatus, at: number, fault?: FaultCode) => Call
  /** What a fault says besides the status; undefined in 1.6, where the status carries the code. */
  readonly faultReported: (connectorId: number, fault: FaultCode, cleared: boolean, at: number) => Call | undefined
  readonly authorise: (token: Token) => Call
  /** What an answer to Authorize or to a transaction message says of the card; absent when it says nothing. */
  readonly readVerdict: (answer: Payload) => TokenVerdict | undefined
  readonly started: (transaction: LocalTransaction, moment: Moment, measurands: Measurands) => Call
  /** The transaction id an answer gives (1.6); absent where the station chose it. */
  readonly readTransactionId: (answer: Payload) => string | undefined
  /** The charging state changed, or the rate alone; undefined in 1.6, where StatusNotification says so. */
  readonly activityChanged: (
    transaction: LocalTransaction,
    moment: Moment,
    status: ConnectorStatus,
    isRateAlone?: boolean,
  ) => Call | undefined
  readonly sampled: (
    transaction: LocalTransaction,
    moment: Moment,
    context: SampleContext,
    measurands: Measurands,
  ) => Call
  readonly ended: (transaction: LocalTransaction, moment: Moment, reason: StopReason, measurands: EndMeasurands) => Call
  readonly metered: (
    connectorId: number,
    reading: Reading,
    at: number,
    context: SampleContext,
    measurands: Measurands,
  ) => Call
}

/** What OCPP 2.1 says about money (C17 to C25, E16, I07 to I12). */
export interface PaymentDialect {
  readonly readLimit: (answer: Payload) => TransactionLimit | undefined
  /** Of the driver, in the answer to Authorize. */
  readonly readTariff: (answer: Payload) => Tariff | undefined
  readonly changed: (trigger: 'LimitSet' | 'TariffChanged', transaction: LocalTransaction, moment: Moment) => Call
  /** The payment of a finished charge. */
  readonly settled: (transaction: LocalTransaction, at: number) => Call
}

interface ReportedValue {
  readonly value: number
  readonly measurand: string
  readonly phase?: string
  readonly unit: string
  readonly location?: 'EV'
  /** Behind the point. */
  readonly digits: 0 | 1
}

/** What a meter shows, as far as it is to be reported. A register rounds down: no sample is above the final one. */
export function reported(reading: Reading, measurands: Measurands): readonly ReportedValue[] {
  const { registerWh, powerW, socPercent, currentA, voltageV, offeredA, offeredW } = reading
  const tenths = (value: number) => ({ value: Math.round(value * 10) / 10, digits: 1 }) as const
  const byPhase = (measurand: string, values: readonly number[], unit: string, suffix = '') =>
    values.map((value, at) => ({
      ...tenths(value),
      measurand,
      ...(values.length > 1 && { phase: `L${at + 1}${suffix}` }),
      unit,
    }))
  const all: readonly ReportedValue[] = [
    { value: Math.floor(registerWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh', digits: 0 },
    { value: Math.round(powerW), measurand: 'Power.Active.Import', unit: 'W', digits: 0 },
    { value: Math.round(socPercent), measurand: 'SoC', unit: 'Percent', location: 'EV', digits: 0 },
    ...byPhase('Current.Import', currentA, 'A'),
    ...byPhase('Voltage', voltageV, 'V', '-N'),
    { ...tenths(offeredA), measurand: 'Current.Offered', unit: 'A' },
    { value: Math.round(offeredW), measurand: 'Power.Offered', unit: 'W', digits: 0 },
  ]
  return all.filter(({ measurand }) => measurands.includes(measurand))
}

/** What the meter showed at one time. */
export interface Instant {
  readonly at: number
  readonly reading: Reading
}

/** 1.6 `idTagInfo`, 2.0.1 `idTokenInfo`, in answers and in the local list. */
export function verdictOf(info: unknown): TokenVerdict | undefined {
  const { status, expiryDate, cacheExpiryDateTime, parentIdTag, groupIdToken } = (info ?? {}) as Payload
  if (typeof status !== 'string') return undefined
  const until = Date.parse(String(expiryDate ?? cacheExpiryDateTime))
  const groupId = parentIdTag ?? (groupIdToken as Payload | undefined)?.idToken
  return {
    status,
    ...(!Number.isNaN(until) && { until }),
    ...(groupId !== undefined && { groupId: String(groupId) }),
  }
}

/** As the OCA's note on signed meter values has it, the same in both versions. An empty key is legal. */
export function signedMeterValue({ record, publicKey }: SignedReading): Payload {
  return {
    signedMeterData: Buffer.from(record).toString('base64'),
    encodingMethod: 'OCMF',
    signingMethod: SIGNING_METHOD,
    publicKey: publicKey === undefined ? '' : Buffer.from(`oca:base16:asn1:${publicKey}`).toString('base64'),
  }
}
