/**
 * Words in a scenario that stand for something of this run: `${id}`, `${time+3600}`; `${card}` is the same twelve
 * characters for one station and others for another.
 */

import { createHash } from 'node:crypto'
import { isoTime } from '../../../src/domain/iso-time.ts'

export interface Words {
  readonly id: string
  readonly api: string
  readonly transactionId: () => string | undefined
  /** Of the charge that ended last. */
  readonly endedTransactionId: () => string | undefined
  readonly sessionId: () => string | undefined
  /** The address in the QR code of connector 1 (2.1). */
  readonly qrCode: () => string | undefined
  readonly now: () => number
}

export const WORDS: readonly string[] = [
  'id',
  'api',
  'card',
  'transactionId',
  'transactionNumber',
  'endedTransactionId',
  'endedTransactionNumber',
  'sessionId',
  'qrCode',
  'totp',
  'time',
]

const WORD = /\$\{(id|api|card|transactionId|endedTransactionId|sessionId|qrCode|totp|time)(?:([+-]\d+))?\}/g

/** A text that is `${transactionNumber}` or `${endedTransactionNumber}` alone becomes a number. */
export function filled(value: unknown, words: Words): unknown {
  if (typeof value === 'string') {
    const number = /^\$\{(transaction|endedTransaction)Number\}$/.exec(value)?.[1]
    if (number === 'transaction') return Number(words.transactionId() ?? -1)
    if (number === 'endedTransaction') return Number(words.endedTransactionId() ?? -1)
    return value.replaceAll(
      WORD,
      (whole, word: string, offset: string | undefined) => textOf(word, offset, words) ?? whole,
    )
  }
  if (Array.isArray(value)) return value.map((entry) => filled(entry, words))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, filled(entry, words)]))
}

function textOf(word: string, offset: string | undefined, words: Words): string | undefined {
  if (word === 'id') return words.id
  if (word === 'api') return words.api
  if (word === 'card') return createHash('sha256').update(words.id).digest('hex').slice(0, 12).toUpperCase()
  if (word === 'endedTransactionId') return words.endedTransactionId()
  if (word === 'sessionId') return words.sessionId()
  if (word === 'qrCode') return words.qrCode()
  if (word === 'totp') return new URL(words.qrCode() ?? 'about:blank').searchParams.get('totp') ?? undefined
  if (word === 'time') return isoTime(words.now() + Number(offset ?? 0) * 1000)
  return words.transactionId()
}

/** Objects may have more members than expected, lists more entries in any order. Undefined when it matches. */
export function mismatch(expected: unknown, actual: unknown, path = ''): string | undefined {
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual)) return `${path || 'it'} is ${shown(actual)}, expected a list`
    const missing = expected.find((entry) => !actual.some((other) => mismatch(entry, other) === undefined))
    return missing === undefined ? undefined : `${path || 'it'} has no entry like ${shown(missing)}: ${shown(actual)}`
  }
  if (typeof expected === 'object' && expected !== null) {
    if (typeof actual !== 'object' || actual === null) return `${path || 'it'} is ${shown(actual)}, expected members`
    for (const [name, value] of Object.entries(expected)) {
      const fault = mismatch(value, (actual as Record<string, unknown>)[name], path ? `${path}.${name}` : name)
      if (fault) return fault
    }
    return undefined
  }
  return expected === actual ? undefined : `${path || 'it'} is ${shown(actual)}, expected ${shown(expected)}`
}

export function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'absent'
  return text.length > 200 ? `${text.slice(0, 199)}…` : text
}
