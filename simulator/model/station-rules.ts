/** What settings say of a station's conduct; the settings of both versions change it. */

export interface StationRules {
  /** A start whose card is refused ends; otherwise only the energy stops (1.6 StopTransactionOnInvalidId). */
  stopOnInvalidId: boolean
  /** The card of a remote start is asked about first (1.6 AuthorizeRemoteTxRequests, 2.0.1 AuthorizeRemoteStart). */
  authoriseRemoteStart: boolean
  /** How long an accepted card, or a remote start, waits for the cable. */
  connectionTimeoutSeconds: number
  /** The meter signs its register at the beginning and the end of a charge. */
  signsReadings: boolean
  publicKeyWithReadings: 'Never' | 'OncePerTransaction' | 'EveryMeterValue'
  /** Stands in certificate requests. */
  organization: string
}

export function usualRules(): StationRules {
  return {
    stopOnInvalidId: true,
    authoriseRemoteStart: false,
    connectionTimeoutSeconds: 60,
    signsReadings: false,
    publicKeyWithReadings: 'EveryMeterValue',
    organization: 'Example',
  }
}
