/** OCPP-RP6, OCPP-DR6: a repeated CALL gets its earlier result, without a second effect. Refusals are not kept. */
import { hash } from 'node:crypto'

/** A station repeats its newest few; business keys catch older ones (SESSION-A2, SESSION-B2). More would cost CPU. */
const KEPT = 16

/** Longer ones are kept as a hash: half a megabyte of transactionData is usual (OCPP-SZ1), sixteen per station. */
const KEPT_WHOLE = 1024

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
    return found?.action === action && found.payloadText === shortened(payloadText) ? found.answerText : undefined
  }

  remember({ messageId, action, payloadText, answerText }: Remembered): void {
    const answer = { messageId, action, payloadText: shortened(payloadText), answerText }
    const known = this.#kept.findIndex((one) => one?.messageId === messageId)
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

/** No payload is a hash: it begins with a bracket. */
function shortened(payloadText: string): string {
  return payloadText.length <= KEPT_WHOLE ? payloadText : hash('sha256', payloadText)
}
