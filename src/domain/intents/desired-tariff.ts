/** Tariffs in the form in which stations reckon with them (OCPP21-C4). */

/** Prices in the currency's unit, without tax. The intent's key is the id under which the station keeps it. */
export interface DesiredTariff {
  readonly currency: string
  readonly perKwh: number
  /** Between start and stop. */
  readonly perMinute: number
  readonly perSession: number
  /** On top of `perMinute`. */
  readonly idlePerMinute: number
  readonly taxPercent?: number | undefined
  /** Nothing is idle before the first charging, which takes a condition to say. */
  readonly isIdleAfterCharging: boolean
  /** Only where it is another one: then the tariff is not sent. */
  readonly stationCurrency?: string | undefined
  /** No longer desired: the station is to forget it. */
  readonly clear?: true | undefined
}

/** What the answer to a card may carry: the id under which the station knows it, and its content. */
export interface DriverTariff {
  readonly id: string
  readonly desired: DesiredTariff
}
