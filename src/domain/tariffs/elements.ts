/** Prices by time, energy and power (TARIFF-A1), as OCPI has them, in camel case; in micro-units of the currency. */

export type PriceDimension = 'ENERGY' | 'FLAT' | 'TIME' | 'PARKING_TIME'
export const WEEKDAYS = ['MONDAY', 'TUESDAY', 'WEDNESDAY', 'THURSDAY', 'FRIDAY', 'SATURDAY', 'SUNDAY'] as const
export type Weekday = (typeof WEEKDAYS)[number]

export interface PriceComponent {
  readonly type: PriceDimension
  /** For a kilowatt-hour, an hour, or once. */
  readonly priceMicros: number
  /** Percent; absent: none applies, which is not 0. */
  readonly vat?: number | undefined
  /** Watt-hours or seconds; nothing for FLAT. */
  readonly stepSize: number
}

/** All that are given hold. Times of day and dates are local; durations are seconds from the start of the session. */
export interface TariffRestrictions {
  readonly startTime?: string | undefined
  readonly endTime?: string | undefined
  readonly startDate?: string | undefined
  readonly endDate?: string | undefined
  readonly minKwh?: number | undefined
  readonly maxKwh?: number | undefined
  /** Amperes, the sum of all phases. */
  readonly minCurrent?: number | undefined
  readonly maxCurrent?: number | undefined
  /** Kilowatts. */
  readonly minPower?: number | undefined
  readonly maxPower?: number | undefined
  readonly minDuration?: number | undefined
  readonly maxDuration?: number | undefined
  readonly dayOfWeek?: readonly Weekday[] | undefined
  readonly reservation?: 'RESERVATION' | 'RESERVATION_EXPIRES' | undefined
}

export interface TariffElement {
  readonly priceComponents: readonly PriceComponent[]
  readonly restrictions?: TariffRestrictions | undefined
}

/** Micro-units; both hold. */
export interface PriceLimit {
  readonly exclVatMicros?: number | undefined
  readonly inclVatMicros?: number | undefined
}

export type TaxIncluded = 'yes' | 'no' | 'n/a'
