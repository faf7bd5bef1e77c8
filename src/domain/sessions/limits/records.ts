/** What a station of OCPP 2.1 enforces and reckons of a charge. Energy in milli-Wh, money in micro-units. */

/** Limits, ours or the driver’s; times in ms. */
export interface StationLimits {
  readonly energyMilliWh?: number | undefined
  /** With tax. */
  readonly costMicros?: number | undefined
  /** From the begin of the transaction, not of the charging (E16.FR.09). */
  readonly durationMs?: number | undefined
  /** Of the battery, in per cent. */
  readonly stateOfCharge?: number | undefined
}

/** As `limitReached` names them. */
export type StationLimitKind = 'energy' | 'cost' | 'duration' | 'stateOfCharge'

/** `costDetails` as a message has them: sums; the parts stay in the log. */
export interface ReportedStationCost {
  /** In capitals; empty: the station names none. */
  readonly currency: string
  readonly netMicros?: number | undefined
  readonly grossMicros?: number | undefined
  /** Why it could not calculate. */
  readonly failure?: string | undefined
}

/** The newest, or that of the end. */
export interface StationCost extends ReportedStationCost {
  /** Station time of the message. */
  readonly at: number
  /** It came with the end of the transaction. */
  readonly isFinal: boolean
  /** What the session showed after that message. */
  readonly ours?: { readonly micros: number; readonly currency: string } | undefined
}

/** What a message says of it beside the rest; present: the station takes limits in the answer. */
export interface ReportedTerms {
  readonly limits?: StationLimits | undefined
  readonly tariffId?: string | undefined
  readonly cost?: ReportedStationCost | undefined
}

/** Kept with the session. */
export interface StationTerms {
  /** What our answers carried so far; `last`: the newest of them, to the message of this number. */
  readonly sent?: { readonly limits: StationLimits; readonly last: StationLimits; readonly by: number } | undefined
  /** As the station reported them: ours, or the driver's own. */
  readonly limits?: StationLimits | undefined
  /** Those of them that are the driver's own. */
  readonly drivers?: readonly (keyof StationLimits)[] | undefined
  /** The limit that it has reached, until it charges again. */
  readonly reached?: { readonly kind: StationLimitKind; readonly at: number } | undefined
  /** Our figures have passed a limit that the station enforces: it has a moment to suspend the charge by itself. */
  readonly beyondSince?: number | undefined
  /** Station time at which the transaction was resumed (E17). */
  readonly resumedAt?: number | undefined
  readonly tariffId?: string | undefined
  readonly cost?: StationCost | undefined
}

/** OCPP21-C3: an order of the API; limits that it leaves out stay. */
export interface SessionLimitsChanged {
  readonly kind: 'sessionLimitsChanged'
  readonly sessionId: string
  readonly limits: {
    readonly energyMilliWh?: number | undefined
    readonly costMicros?: number | undefined
    readonly durationMs?: number | undefined
  }
}
