export interface EvseView {
  readonly evseId: number
  readonly charge?:
    | { readonly id: string; readonly startedAt: number; readonly priority?: number | undefined }
    | undefined
  readonly resumedAt?: number | undefined
  readonly draw?:
    | { readonly at: number; readonly amps?: number | undefined; readonly offeredAmps?: number | undefined }
    | undefined
  /** By all profiles that it holds, in amps; absent: there are none of others. */
  readonly mostAmps?: number | undefined
  readonly isIgnoring: boolean
  /** The order that is to be carried out there; 0: none. */
  readonly desiredRevision: number
  readonly fallback?: Accepted | undefined
  readonly lease?: Accepted | undefined
  /** GROUP-P3: when its charge showed on how many phases it draws, which changed its watts. */
  readonly shownAt?: number | undefined
  readonly spread?: number | undefined
  /** GROUP-A7: what it is sent in place of less; 0: whatever it is. */
  readonly leastAmps: number
  readonly refusesFallback: boolean
}

export interface Accepted {
  readonly revision: number
  /** The station counts it from when it took it, so it ends then at the latest (OCPP21-C1). */
  readonly endsAt?: number | undefined
}

export interface StationView {
  readonly chargePointId: string
  readonly isConnected: boolean
  readonly bootedAt?: number | undefined
  /** Milliseconds that its clock is ahead of ours, as far as it showed; negative: behind. */
  readonly clockAheadMs: number
  /** It may be ahead by less, down to this; absent: it showed no time yet. */
  readonly clockAtLeastMs?: number | undefined
  /** A schedule may have two periods, so a lease can end by itself. */
  readonly holdsLeases: boolean
  /** It may count a lease from when that arrives (OCPP21-C1). */
  readonly countsLeases?: boolean | undefined
  readonly evses: readonly EvseView[]
}
