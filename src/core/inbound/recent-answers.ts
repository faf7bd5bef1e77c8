/** OCPP-RP6, OCPP-DR6: a repeated CALL gets its earlier result, without a second effect. Refusals are not kept. */
import { crc32 } from 'node:zlib'
import type { Command } from '../../domain/ports/storage-records.ts'

/** Stations repeat their newest few; business keys catch older ones (SESSION-A2, SESSION-B2). More would cost CPU. */
const KEPT = 16

/**
 * A ring buffer. Its entries outlive the young heap, so they are small and flat: of a payload, which may have
 * half a megabyte (OCPP-SZ1), only a checksum.
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

  /** A booted station restarts its message ids. */
  clear(): void {
    this.#messageIds.fill(undefined)
  }

  /** The commit failed: the next attempt counts as the first. */
  forget(messageId: string): void {
    const known = this.#messageIds.indexOf(messageId)
    if (known >= 0) this.#messageIds[known] = undefined
  }
}

/** Most answers are empty; they share one text. */
const EMPTY = '{}'

/** A collision for two payloads of equal length under one message id: 1 in 4 billion. */
function printOf(action: string, payloadText: string): number {
  return crc32(payloadText, crc32(action)) * LENGTHS + (payloadText.length % LENGTHS)
}

/** Together with 32 bits still an exact number. */
const LENGTHS = 2 ** 20

/** OCPP21-A3: the rows of the newest answers, for a station that says it could not use one. A ring buffer. */
export class AnsweredRows {
  readonly #messageIds: (string | undefined)[] = []
  readonly #rows: AnsweredRow[] = []
  #next = 0

  add(messageId: string, row: AnsweredRow): void {
    this.#messageIds[this.#next] = messageId
    this.#rows[this.#next] = row
    this.#next = (this.#next + 1) % KEPT
  }

  /** Once: a second one answers nothing any more. */
  take(messageId: string): AnsweredRow | undefined {
    const known = this.#messageIds.lastIndexOf(messageId)
    if (known >= 0) this.#messageIds[known] = undefined
    return this.#rows[known]
  }
}

export type AnsweredRow = Pick<Command, 'id' | 'response' | 'answeredAt' | 'schemaErrors' | 'transactionId'>
