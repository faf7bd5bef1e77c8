/** A tariff as it came: prices without taxes (2.1 I07). Reservations cost nothing here: they have no transaction. */

export interface Dimension {
  readonly prices: readonly (Readonly<Partial<Record<'priceKwh' | 'priceMinute' | 'priceFixed', number>>> & {
    readonly conditions?: unknown
  })[]
  /** Percent; those on top of others are added as the others. */
  readonly taxRates?: readonly { readonly tax: number }[]
}

export interface Tariff {
  readonly tariffId: string
  readonly currency: string
  readonly validFrom?: string
  readonly fixedFee?: Dimension
  readonly energy?: Dimension
  readonly chargingTime?: Dimension
  readonly idleTime?: Dimension
}

export function dimensionsOf({ fixedFee, energy, chargingTime, idleTime }: Tariff): readonly Dimension[] {
  return [fixedFee, energy, chargingTime, idleTime].filter((dimension) => dimension !== undefined)
}
