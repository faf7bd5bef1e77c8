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
  readonly messageId: string
  readonly action: string
  readonly payloadText: string
  readonly answerText: string
}

export class RecentAnswers {
  /** In a circle: the oldest one's place is the next one's. A Map of so few would be built anew every few messages. */
  readonly #kept: (Remembered | undefined)[] = []
  #next = 0

  find(messageId: string, action: string, payloadText: string): string | undefined {
    const found = this.#kept.find((one) => one?.messageId === messageId)
    return found?.action === action && found.payloadText === payloadText ? found.answerText : undefined
  }

  remember(answer: Remembered): void {
    const known = this.#kept.findIndex((one) => one?.messageId === answer.messageId)
    if (known >= 0) {
      this.#kept[known] = answer
      return
    }
    this.#kept[this.#next] = answer
    this.#next = (this.#next + 1) % KEPT
  }

  /** A station that booted counts its message ids from the start again. */
  clear(): void {
    this.#kept.fill(undefined)
  }

  /** The commit failed: the next try is a first one. */
  forget(messageId: string): void {
    const known = this.#kept.findIndex((one) => one?.messageId === messageId)
    if (known >= 0) this.#kept[known] = undefined
  }
}
