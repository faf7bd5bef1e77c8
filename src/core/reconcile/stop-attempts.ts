/** Counts attempts of a stop, and when the next may follow (SESSION-S10, OCPP-RP9). */
import type { RemoteAnswer } from '../outbound/call-outcome.ts'

export type StopOutcome = RemoteAnswer['outcome']

/** Doubled with each further one in a row. */
const FIRST_PAUSE_MS: Readonly<Record<StopOutcome, number>> = {
  // Some accept and never end; most end within a minute.
  accepted: 5 * 60_000,
  // Its transaction may have ended with the message still queued; or it cannot stop right now.
  rejected: 60_000,
  timeout: 10_000,
  dropped: 10_000,
}
const MAX_PAUSE_MS = 3600_000

/** @param times consecutive outcomes of this kind, including this one */
export function pauseAfter(outcome: StopOutcome, times: number): number {
  // A connection may end for any reason: after the first time the stop is repeated at once.
  const earlier = outcome === 'dropped' ? times - 2 : times - 1
  return earlier < 0 ? 0 : Math.min(FIRST_PAUSE_MS[outcome] * 2 ** earlier, MAX_PAUSE_MS)
}

/** The stop of one transaction. Memory only: after a restart it counts as the first. */
export class StopAttempts {
  #outcome: StopOutcome | undefined
  #times = 0
  #notBefore = 0

  get notBefore(): number {
    return this.#notBefore
  }

  get isFirst(): boolean {
    return this.#outcome === undefined
  }

  settled(outcome: StopOutcome, now: number): void {
    this.#times = this.#outcome === outcome ? this.#times + 1 : 1
    this.#outcome = outcome
    this.#notBefore = now + pauseAfter(outcome, this.#times)
  }

  postponed(now: number): void {
    this.#notBefore = now + FIRST_PAUSE_MS.timeout
  }

  /** On a new request: an accepted stop is not repeated, any other at once. */
  askedAgain(): void {
    if (this.#outcome !== 'accepted') this.#notBefore = 0
  }

  reconnected(): void {
    if (this.#outcome === 'timeout') this.#notBefore = 0
  }
}
