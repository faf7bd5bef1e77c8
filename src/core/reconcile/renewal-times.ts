/** When a charge point may next be asked to renew its certificate (CERT-C15, CERT-C20). Memory only. */

/** Not again within a day: it may need its time, or have been refused. */
const DAY_MS = 24 * 3600_000
/** After a login: whoever booted has said its first messages by then. */
const LOOK_AFTER_MS = 30_000
/** One whose certificate is over asks for nothing else when it boots. */
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

  /** It booted with a certificate that is over: that is all that it may renew now. */
  bootedExpired(now: number): void {
    if (now - this.#askedAt >= BOOT_PAUSE_MS) this.#notBefore = now
  }

  asked(now: number): void {
    this.#askedAt = now
    this.#notBefore = now + DAY_MS
  }
}
