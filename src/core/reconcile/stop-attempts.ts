/** How often a stop was tried, and when it may be tried again (SESSION-S10, OCPP-RP9). */
import type { RemoteAnswer } from '../outbound/remote-answer.ts'

export type StopOutcome = RemoteAnswer['outcome']

/** After the first such answer; each further one in a row doubles it. */
const FIRST_PAUSE_MS: Readonly<Record<StopOutcome, number>> = {
  // Some take it and never end; most say within a minute that they have.
  accepted: 5 * 60_000,
  // Its transaction may have ended, and the message about that waits; or it cannot stop just now.
  rejected: 60_000,
  timeout: 10_000,
  dropped: 10_000,
}
const MAX_PAUSE_MS = 3600_000

/** @param times how often in a row it came out like this, this time included */
export function pauseAfter(outcome: StopOutcome, times: number): number {
  // The connection may have ended for any reason: whoever comes back is asked at once, but not each time.
  const earlier = outcome === 'dropped' ? times - 2 : times - 1
  return earlier < 0 ? 0 : Math.min(FIRST_PAUSE_MS[outcome] * 2 ** earlier, MAX_PAUSE_MS)
}

/** The stop of one transaction. Memory only: after a restart it is tried as if for the first time. */
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

  /** Somebody asks again: whoever took it is not asked twice, everybody else at once. */
  askedAgain(): void {
    if (this.#outcome !== 'accepted') this.#notBefore = 0
  }

  reconnected(): void {
    if (this.#outcome === 'timeout') this.#notBefore = 0
  }
}
