/** Milliseconds since the epoch as the only spelling we send: UTC with milliseconds and `Z`. */

/** RFC 3339 writes years with four digits; a Date knows more of them, and spells them with a sign and six. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z')
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z')

/** Undefined when there is no time, or none that RFC 3339 can write. */
export function isoTime(ms: number | undefined): string | undefined {
  return ms !== undefined && ms >= FIRST_MS && ms <= LAST_MS ? new Date(ms).toISOString() : undefined
}
