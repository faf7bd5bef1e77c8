/** `Retry-After` (RFC 9110 §10.2.3) of a 429 or 503: seconds or an HTTP date, else ignored (HOOK-R2, HOOK-R8). */
import { httpDate } from './http-date.ts'

/** HOOK-R2: a receiver may pause its deliveries for a day at most. */
const MAX_MS = 24 * 3600_000

/** Milliseconds to wait from `now`, at most a day; undefined when the header says nothing usable. */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : (httpDate(text, now) ?? now) - now
  return wait > 0 ? Math.min(wait, MAX_MS) : undefined
}
