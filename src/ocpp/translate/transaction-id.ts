/**
 * OCPP-DR3: a transaction id is text, exactly the digits that crossed the wire, also where a JSON number was too large
 * for a double.
 */

import { text } from './payload.ts'

/** `raw` is the payload's text. Undefined for null, empty text and what is neither text nor an integer. */
export function transactionIdText(value: unknown, raw: string | undefined): string | undefined {
  if (typeof value === 'string') return text(value)
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined
  if (Number.isSafeInteger(value) || !Number.isInteger(value)) return String(value)
  return exactDigits(value, raw ?? '') ?? BigInt(value).toString()
}

/** The last member of that name with that value is the one JSON.parse kept. */
function exactDigits(value: number, raw: string): string | undefined {
  let digits: string | undefined
  for (const match of raw.matchAll(/"transactionId"\s*:\s*(-?\d+)(?![\d.eE])/g)) {
    if (Number(match[1]) === value) digits = match[1]
  }
  return digits
}

/** What 1.6 stations send when they know no transaction (SESSION-A9, SESSION-A13): 0, -1 or nothing. */
export function knownTransaction(transactionId: string | undefined): string | undefined {
  return transactionId === '0' || transactionId === '-1' ? undefined : transactionId
}
