/** OCPP-RP6, OCPP-DR6: a repeated CALL gets its earlier result, without a second effect. Refusals are not kept. */
import { crc32 } from 'node:zlib'

/** A station repeats its newest few; business keys catch older ones (SESSION-A2, SESSION-B2). More would cost CPU. */
const KEPT = 16

/**
 * In a circle: the oldest one's place is the next one's. What is kept outlives the young heap, so it is small and flat:
 * of a payload, which may have half a megabyte (OCPP-SZ1), only its print.
 */
export class RecentAnswers {
  readonly #messageIds: (string | undefined)[] = []
  readonly #prints: number[] = []
  readonly #answers: string[] = []
  #next = 0

  find(messageId: string, action: string, payloadText: string): string | undefined {
    const known = this.#messageIds.indexOf(messageId)
    return known >= 0 && this.#prints[known] === printOf(action, payloadText) ? this.#answers[known] : undefined
  }

  remember(message: {
    readonly messageId: string
    readonly action: string
    readonly payloadText: string
    readonly answerText: string
  }): void {
    const { messageId, answerText } = message
    let place = this.#messageIds.indexOf(messageId)
    if (place < 0) {
      place = this.#next
      this.#next = (this.#next + 1) % KEPT
    }
    this.#messageIds[place] = messageId
    this.#prints[place] = printOf(message.action, message.payloadText)
    this.#answers[place] = answerText === EMPTY ? EMPTY : answerText
  }

  /** A station that booted counts its message ids from the start again. */
  clear(): void {
    this.#messageIds.fill(undefined)
  }

  /** The commit failed: the next try is a first one. */
  forget(messageId: string): void {
    const known = this.#messageIds.indexOf(messageId)
    if (known >= 0) this.#messageIds[known] = undefined
  }
}

/** Most answers, so one text serves for all. */
const EMPTY = '{}'

/** Of two other payloads of one length under one message id four billion to one another. */
function printOf(action: string, payloadText: string): number {
  return crc32(payloadText, crc32(action)) * LENGTHS + (payloadText.length % LENGTHS)
}

/** Together with 32 bits a number that is exact. */
const LENGTHS = 2 ** 20
