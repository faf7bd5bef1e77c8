/** What an attempt means for its delivery and its subscription (HOOK-R1, HOOK-R2, HOOK-R4, HOOK-R5). Pure. */
import type { AttemptError } from '../ports/storage-webhooks.ts'

/** HOOK-R4: uniform, so that the retries after an outage do not all come at one instant. */
const JITTER = 0.2

export interface Reaction {
  readonly status?: number | undefined
  readonly error?: AttemptError | undefined
  readonly retryAfter?: string | undefined
}

export type Verdict =
  | { readonly state: 'succeeded' }
  | {
      readonly state: 'pending'
      /** From now. A duration stays right when the clock is set (HOOK-F7). */
      readonly delayMs: number
      /** Retry-After holds back the whole subscription. */
      readonly pauseMs?: number | undefined
    }
  /** No attempt is planned any more, but a pause that the receiver asked for begins. */
  | { readonly state: 'failed'; readonly pauseMs?: number | undefined }
  /** 410: the receiver asks for no more deliveries; those that wait are held (HOOK-R2, HOOK-R5). */
  | { readonly state: 'gone' }

export function isSuccess(reaction: Reaction): boolean {
  return reaction.status !== undefined && reaction.status >= 200 && reaction.status <= 299
}

/** @param attempt the number of this attempt in its schedule, from 1 @param random uniform in [0, 1) */
export function judge(
  reaction: Reaction,
  attempt: number,
  scheduleSeconds: readonly number[],
  now: number,
  random: () => number,
): Verdict {
  if (isSuccess(reaction)) return { state: 'succeeded' }
  if (reaction.status === 410) return { state: 'gone' }
  const planned = retryDelayMs(scheduleSeconds, attempt, random)
  const asked = reaction.status === 429 || reaction.status === 503 ? retryAfterMs(reaction.retryAfter, now) : undefined
  const pauseMs = asked !== undefined && asked > (planned ?? 0) ? asked : undefined
  const pause = pauseMs !== undefined && { pauseMs }
  if (planned === undefined) return { state: 'failed', ...pause }
  return { state: 'pending', delayMs: pauseMs ?? planned, ...pause }
}

const FAILING_MS = 5 * 24 * 3600_000
const FAILING_ATTEMPTS = 20

/** HOOK-R5: five days without a success and at least 20 attempts end automatic delivery. */
export function isGivenUp(failingSince: number | undefined, attempts: number, now: number): boolean {
  return failingSince !== undefined && attempts >= FAILING_ATTEMPTS && now - failingSince >= FAILING_MS
}

/** Milliseconds to the next attempt; undefined: none. @param attempt that failed, from 1 @param random in [0, 1) */
export function retryDelayMs(
  scheduleSeconds: readonly number[],
  attempt: number,
  random: () => number,
): number | undefined {
  const seconds = scheduleSeconds[attempt - 1]
  if (seconds === undefined) return undefined
  return Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random()))
}

/** HOOK-R2: a receiver may pause its deliveries for a day at most. */
const MAX_MS = 24 * 3600_000

/**
 * By `Retry-After` (RFC 9110 §10.2.3, HOOK-R8): at most a day from `now`; undefined when the header says nothing
 * usable.
 */
export function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? ''
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : (httpDate(text) ?? now) - now
  return wait > 0 ? Math.min(wait, MAX_MS) : undefined
}

const DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'
const MONTH = '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)'
const TIME = '(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d'
/** In the three forms that a recipient must read (RFC 9110 §5.6.7). Anything else is no date. */
const HTTP_DATE = new RegExp(
  `^(?:${DAY}, \\d{2} ${MONTH} \\d{4} ${TIME} GMT|${LONG_DAY}, \\d{2}-${MONTH}-\\d{2} ${TIME} GMT|${DAY} ${MONTH} [ \\d]\\d ${TIME} \\d{4})$`,
)

/** Milliseconds since the epoch; undefined when the text is no date. Years of two digits are from 1950 to 2049. */
export function httpDate(text: string): number | undefined {
  const instant = HTTP_DATE.test(text) ? Date.parse(text.endsWith('GMT') ? text : `${text} GMT`) : Number.NaN
  return Number.isNaN(instant) ? undefined : instant
}
