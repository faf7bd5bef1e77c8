/** The limits port: how often something may be done, counted in one process or for several nodes, so asynchronous. */

/** What is counted apart, so that a flood of one kind makes nothing of another forgotten. */
export type LimitPurpose =
  /** Requests and searches of an account. */
  | 'account'
  /** Requests without a valid credential, by address. */
  | 'address'
  /** Attempts that may fail: signing in, tokens, registrations. */
  | 'attempts'
  /** Orders that make us call another party's server. */
  | 'calls'

/** A token bucket, and how much is requested from it. */
export interface Desired {
  readonly key: string
  readonly most: number
  /** Milliseconds in which a whole bucket refills. */
  readonly perMs: number
  /** Tokens; 0 only looks, less than 0 gives back. */
  readonly tokens: number
}

/** Level in tokens at time `at` (ms since the epoch). */
export interface Level {
  readonly level: number
  readonly at: number
}

/** Outcome of taking tokens. */
export interface Taken {
  /** All buckets had enough; otherwise nothing was taken from any. */
  readonly taken: boolean
  /** In the order of the request, after it. */
  readonly levels: readonly Level[]
}

/** One of so many things that may run at once. */
export interface Slot {
  /** Shown to others who find no place. */
  tell(text: string): void
  free(): void
}

/** Who has a place. */
export interface OccupiedSlot {
  readonly since: number
  readonly reported: string
}

/** Buckets that fill with time, and places that are given back. */
export interface Limits {
  /** Takes from all of these buckets, or from none. */
  take(purpose: LimitPurpose, desired: readonly Desired[]): Promise<Taken>
  /** Takes one of `most` places, or says who has them. */
  occupy(what: string, most: number, reported: string): Promise<Slot | readonly OccupiedSlot[]>
}
