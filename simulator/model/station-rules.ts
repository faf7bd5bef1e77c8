import type { Protocol } from '../../src/domain/ports/core.ts'
import type { NamePlate } from './facts.ts'

/** The measurands to report: names such as `Power.Active.Import`. */
export type Measurands = readonly string[]

export interface EndMeasurands {
  readonly sampled: Measurands
  readonly aligned: Measurands
}

export interface StationRules {
  /** A start whose card is refused ends; otherwise only the energy stops (1.6 StopTransactionOnInvalidId). */
  stopOnInvalidId: boolean
  /** The card of a remote start is asked about first (1.6 AuthorizeRemoteTxRequests, 2.0.1 AuthorizeRemoteStart). */
  authoriseRemoteStart: boolean
  /** How long an accepted card, or a remote start, waits for the cable. */
  connectionTimeoutSeconds: number
  signsReadings: boolean
  publicKeyWithReadings: 'Never' | 'OncePerTransaction' | 'EveryMeterValue'
  /** Stands in certificate requests. */
  organization: string
  /** Cards that are known here charge without being asked about (LocalPreAuthorize). */
  localPreAuthorise: boolean
  /** A pulled cable ends the charge; otherwise it waits for the cable (StopTransactionOnEVSideDisconnect). */
  stopOnDisconnect: boolean
  /** Of the values while a charge goes on, of its beginning (2.0.1), and of its end. */
  sampledMeasurands: Measurands
  startedMeasurands: Measurands
  endedMeasurands: EndMeasurands
  /** 2.0.1: seconds between the values that the end of a charge tells; 0: none. 1.6 takes the sample interval. */
  endedIntervalSeconds: number
  /** Values at the full quarter of an hour, or whatever the interval is; 0: none. */
  alignedMeasurands: Measurands
  /** After a longer outage, all statuses are reported on reconnection (2.0.1 OfflineThreshold). */
  offlineThresholdSeconds: number
}

/** What this meter tells unless it is asked for less, or for more. */
const DEFAULT_MEASURANDS: Measurands = [
  'Energy.Active.Import.Register',
  'Power.Active.Import',
  'SoC',
  'Current.Import',
  'Voltage',
]
export const MEASURANDS: Measurands = [...DEFAULT_MEASURANDS, 'Current.Offered', 'Power.Offered']
export const REGISTER: Measurands = ['Energy.Active.Import.Register']

export function usualPlate(id: string): NamePlate {
  return { vendor: 'Pilotwire', model: 'Simulator', serialNumber: id.slice(0, 25), firmwareVersion: '1.0.0' }
}

export function usualRules(protocol: Protocol): StationRules {
  return {
    stopOnInvalidId: true,
    authoriseRemoteStart: false,
    connectionTimeoutSeconds: 60,
    signsReadings: false,
    publicKeyWithReadings: 'EveryMeterValue',
    organization: 'Example',
    localPreAuthorise: false,
    stopOnDisconnect: true,
    sampledMeasurands: DEFAULT_MEASURANDS,
    startedMeasurands: REGISTER,
    endedMeasurands: { sampled: protocol === 'ocpp1.6' ? [] : REGISTER, aligned: [] },
    endedIntervalSeconds: 0,
    alignedMeasurands: REGISTER,
    offlineThresholdSeconds: 60,
  }
}
