import type { Protocol } from '../../src/domain/ports/core.ts'
import type { NamePlate } from './facts.ts'

/** The measurands to report: names such as `Power.Active.Import`. */
export type Measurands = readonly string[]

export interface EndMeasurands {
  readonly sampled: Measurands
  readonly aligned: Measurands
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

export type StationRules = ReturnType<typeof usualRules>

/** Those of a station as it is delivered; settings change them. */
export function usualRules(protocol: Protocol) {
  return {
    /** A start whose card is refused ends; otherwise only the energy stops (1.6 StopTransactionOnInvalidId). */
    stopOnInvalidId: true,
    /** The card of a remote start is asked about first (1.6 AuthorizeRemoteTxRequests, 2.0.1 AuthorizeRemoteStart). */
    authoriseRemoteStart: false,
    /** How long an accepted card, or a remote start, waits for the cable. */
    connectionTimeoutSeconds: 60,
    signsReadings: false,
    publicKeyWithReadings: 'EveryMeterValue' as 'Never' | 'OncePerTransaction' | 'EveryMeterValue',
    /** Stands in certificate requests. */
    organization: 'Example',
    /** Cards that are known here charge without being asked about (LocalPreAuthorize). */
    localPreAuthorise: false,
    /** A pulled cable ends the charge; otherwise it waits for the cable (StopTransactionOnEVSideDisconnect). */
    stopOnDisconnect: true,
    /** Of the values while a charge goes on, of its beginning (2.0.1), and of its end. */
    sampledMeasurands: DEFAULT_MEASURANDS,
    startedMeasurands: REGISTER,
    endedMeasurands: { sampled: protocol === 'ocpp1.6' ? [] : REGISTER, aligned: [] } as EndMeasurands,
    /** 2.0.1: seconds between the values that the end of a charge tells; 0: none. 1.6 takes the sample interval. */
    endedIntervalSeconds: 0,
    /** Values at the full quarter of an hour, or whatever the interval is; 0: none. */
    alignedMeasurands: REGISTER,
    /** After a longer outage, all statuses are reported on reconnection (2.0.1 OfflineThreshold). */
    offlineThresholdSeconds: 60,
  }
}
