/** OCPP-CN2: an identity whose connections keep replacing each other is shared, or its credentials are stolen. */

/** More than this many in a minute raise an alert. */
const ALERT = 10
const WINDOW_MS = 60_000
const AGAIN_MS = 10 * 60_000

export class Replacements {
  #newest: number[] = []
  #sinceAlert = 0
  #alertedAt: number | undefined

  note(now: number): number | undefined {
    this.#sinceAlert++
    this.#newest = [...this.#newest.slice(-ALERT), now]
    const [oldest = now] = this.#newest
    const isOften = this.#newest.length > ALERT && oldest > now - WINDOW_MS && oldest <= now
    // The second comparison: the clock was set back.
    const isDue = this.#alertedAt === undefined || now - this.#alertedAt >= AGAIN_MS || now < this.#alertedAt
    if (!isOften || !isDue) return undefined
    const count = this.#sinceAlert
    this.#alertedAt = now
    this.#sinceAlert = 0
    return count
  }
}
