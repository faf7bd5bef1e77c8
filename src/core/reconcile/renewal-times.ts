/** When a charge point may next be asked to renew its certificate (CERT-C15, CERT-C20). Memory only. */

/** At most daily: it may need time, or have been refused. */
const DAY_MS = 24 * 3600_000
/** After a login, when the first messages of a boot are over. */
const LOOK_AFTER_MS = 30_000
/** Pause after a boot with an expired certificate, which asks for nothing else. */
const BOOT_PAUSE_MS = 60_000

export class RenewalTimes {
  #askedAt = Number.NEGATIVE_INFINITY
  #notBefore = Number.POSITIVE_INFINITY

  get notBefore(): number {
    return this.#notBefore
  }

  opened(now: number): void {
    this.#notBefore = Math.max(now + LOOK_AFTER_MS, this.#askedAt + DAY_MS)
  }

  /** An expired certificate may only be renewed now. */
  bootedExpired(now: number): void {
    if (now - this.#askedAt >= BOOT_PAUSE_MS) this.#notBefore = now
  }

  asked(now: number): void {
    this.#askedAt = now
    this.#notBefore = now + DAY_MS
  }
}
