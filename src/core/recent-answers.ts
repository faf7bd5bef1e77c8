/**
 * RP6, DR6: a CALL that comes again with the same id and payload gets the answer it got before, without a second
 * effect. Only results are kept: a refused message may be accepted when it is repeated.
 */

/**
 * A station has one call open, so what it repeats is its newest few; business keys catch what is older (A2, B2). More
 * would outlive the young generation and be collected at a higher price.
 */
const KEPT = 16

interface Remembered {
  readonly action: string
  readonly payloadText: string
  readonly answerText: string
}

export class RecentAnswers {
  readonly #byId = new Map<string, Remembered>()

  find(messageId: string, action: string, payloadText: string): string | undefined {
    const found = this.#byId.get(messageId)
    return found?.action === action && found.payloadText === payloadText ? found.answerText : undefined
  }

  remember(messageId: string, answer: Remembered): void {
    this.#byId.delete(messageId)
    this.#byId.set(messageId, answer)
    if (this.#byId.size <= KEPT) return
    const oldest = this.#byId.keys().next()
    if (!oldest.done) this.#byId.delete(oldest.value)
  }

  /** The commit failed: the next try is a first one. */
  forget(messageId: string): void {
    this.#byId.delete(messageId)
  }
}
