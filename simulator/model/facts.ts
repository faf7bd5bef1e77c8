import type { Payload } from '../../src/ocpp/translate/payload.ts'
import type { Reading } from './meter.ts'
import type { ChargingProfile } from './smart-charging/profile.ts'

export type { Call } from '../wire/frames.ts'

/** OCPP 1.6 names, the richer set; 2.0.1 folds them into five. */
export const CONNECTOR_STATUSES = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEV',
  'SuspendedEVSE',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Faulted',
] as const

export type ConnectorStatus = (typeof CONNECTOR_STATUSES)[number]

export type StopReason =
  | 'Local'
  | 'Remote'
  | 'EVDisconnected'
  | 'DeAuthorized'
  | 'UnlockCommand'
  | 'SoftReset'
  | 'HardReset'
  | 'PowerLoss'
  | 'Reboot'
  | 'EmergencyStop'
  | 'Other'

export type BootReason = 'PowerUp' | 'RemoteReset' | 'Triggered' | 'FirmwareUpdate' | 'Watchdog'

export interface NamePlate {
  readonly vendor: string
  readonly model: string
  readonly serialNumber: string
  readonly firmwareVersion: string
}

/** 1.6 knows only the id. */
export interface Token {
  readonly id: string
  /** OCPP 2.0.1 IdTokenEnum. */
  readonly type: string
}

export interface StartOrder {
  readonly idToken: Token
  /** Present when the central system requested this charge. */
  readonly remote?: { readonly remoteStartId?: number }
  readonly profile?: ChargingProfile
}

export interface TokenVerdict {
  readonly status: string
  /** ms since the epoch. */
  readonly until?: number
  readonly groupId?: string
}

/** 2.1 E16: gross costs, watt-hours, seconds since its beginning, percent. Reaching one ends the flow of energy. */
export type TransactionLimit = Readonly<Partial<Record<'maxCost' | 'maxEnergy' | 'maxTime' | 'maxSoC', number>>>

/** A tariff as it came: prices without taxes (2.1 I07). Reservations cost nothing here: they have no transaction. */
export interface Tariff {
  readonly tariffId: string
  readonly currency: string
  readonly validFrom?: string
  readonly fixedFee?: Dimension
  readonly energy?: Dimension
  readonly chargingTime?: Dimension
  readonly idleTime?: Dimension
}

export interface Dimension {
  readonly prices: readonly (Readonly<Partial<Record<'priceKwh' | 'priceMinute' | 'priceFixed', number>>> & {
    readonly conditions?: unknown
  })[]
  /** Percent; those on top of others are added as the others. */
  readonly taxRates?: readonly { readonly tax: number }[]
}

/** A charge as the station knows it. Sent messages read `transactionId` late: in 1.6 it comes with the first answer. */
export interface LocalTransaction {
  readonly connectorId: number
  readonly idToken: Token
  readonly startedAt: number
  readonly meterStartWh: number
  /** 2.0.1: the number of the remote start that caused it; 1.6: absent. */
  readonly remoteStartId?: number
  readonly reservationId?: number
  readonly remote: boolean
  /** Absent in 1.6 until StartTransaction is answered. */
  transactionId?: string
  signedBegin?: SignedReading
  /** What it costs so far, as the central system says, or with a tariff as the station reckons. */
  cost?: number
  tariff?: Tariff | undefined
  limit?: TransactionLimit
  limitReached?: keyof TransactionLimit | undefined
  /** Without energy until now, in ms; since when it has none. */
  idleMs: number
  idleSince?: number | undefined
  nextSequenceNumber: number
  /** What the message about its end will have besides the registers, oldest first. */
  collected: readonly { readonly at: number; readonly reading: Reading; readonly context: SampleContext }[]
  /** Refused by the central system for good. */
  lostMessages: number
}

/** In 1.6 the transaction id may come later, or never. */
export interface FinishedCharge {
  readonly transaction: LocalTransaction
  /** Between the whole watt-hours that start and stop report. */
  readonly energyWh: number
  readonly stoppedAt: number
  readonly reason: StopReason
}

export interface SignedReading {
  /** OCMF. */
  readonly record: string
  /** DER in hex; absent where the settings say that it does not go along. */
  readonly publicKey?: string
}

/** One instant of a transaction: what the message about it will say, even when it is sent an hour later. */
export interface Moment {
  readonly at: number
  readonly reading: Reading
  readonly sequenceNumber: number
  /** It happened without a connection (2.0.1 `offline`). */
  readonly offline: boolean
  readonly plugged: boolean
  readonly signed?: SignedReading | undefined
  /** `costDetails` of 2.1, with a tariff. */
  readonly costs?: Payload | undefined
}

export type SampleContext = 'Transaction.Begin' | 'Sample.Periodic' | 'Sample.Clock' | 'Transaction.End' | 'Trigger'

/** The error codes of OCPP 1.6; 2.0.1 stations report them as an event. */
export const FAULT_CODES = [
  'ConnectorLockFailure',
  'EVCommunicationError',
  'GroundFailure',
  'HighTemperature',
  'InternalError',
  'OtherError',
  'OverCurrentFailure',
  'OverVoltage',
  'PowerMeterFailure',
  'PowerSwitchFailure',
  'ReaderFailure',
  'ResetFailure',
  'UnderVoltage',
  'WeakSignal',
] as const

/** An error code of OCPP 1.6 StatusNotification (1.6 §7.7), such as `GroundFailure`; 2.0.1 tells it as text. */
export type FaultCode = (typeof FAULT_CODES)[number]
