/** Transaction ids in the search: plain integers as numbers, others as text, decimal texts with a number beside. */
import { createHash } from 'node:crypto'
import { searchedTransaction } from '../../rows/search-entry.ts'

interface SearchedTransaction {
  /** Text where JavaScript cannot represent the number. */
  readonly number: number | string | null
  readonly text: string | null
}

const DIGITS = /^-?[0-9]+$/
/** PostgreSQL's greatest and least integer: longer numbers still compare as large ones. */
const GREATEST = 2n ** 63n - 1n
const LEAST = -(2n ** 63n)
/** An index entry holds no more than some kilobytes; a transaction id may be longer (law 7). */
const LONGEST = 200
/** Reading long numbers digit by digit takes long; the greatest one has nineteen digits. */
const MAX_DIGITS = 40

export function searchedAs(transactionId: string | undefined): SearchedTransaction {
  if (transactionId === undefined) return { number: null, text: null }
  const spelled = searchedTransaction(transactionId)
  if (typeof spelled === 'number') return { number: spelled, text: null }
  return { number: DIGITS.test(spelled) ? saturated(spelled) : null, text: indexed(spelled) }
}

function saturated(digits: string): string {
  if (digits.replace(/^-?0*/, '').length > MAX_DIGITS) return String(digits.startsWith('-') ? LEAST : GREATEST)
  const value = BigInt(digits)
  return String(value > GREATEST ? GREATEST : value < LEAST ? LEAST : value)
}

/** The digest is behind a character that no text begins with, so nothing else is equal to it. */
function indexed(text: string): string {
  if (text.length <= LONGEST) return text
  return `\u{10FFFF}${createHash('sha256').update(text).digest('hex')}`
}
