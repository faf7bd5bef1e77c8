/** Milliseconds since the epoch as the only spelling we send: UTC with milliseconds and `Z`. */

/** The limits of a Date. */
const LAST_MS = 8.64e15

/** Undefined when there is no time, or none a calendar knows. */
export function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined || !(Math.abs(ms) <= LAST_MS) ? undefined : new Date(ms).toISOString()
}
