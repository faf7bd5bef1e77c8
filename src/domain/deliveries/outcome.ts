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
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : (httpDate(text, now) ?? now) - now
  return wait > 0 ? Math.min(wait, MAX_MS) : undefined
}

/** HTTP-date in the three forms that a recipient must read (RFC 9110 §5.6.7). Anything else is no date. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const SHORT_DAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)'
const LONG_DAY = '(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'
const MONTH = `(?<month>${MONTHS.join('|')})`
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})'

const FORMS = [
  // Sun, 06 Nov 1994 08:49:37 GMT
  new RegExp(`^${SHORT_DAY}, (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  // Sunday, 06-Nov-94 08:49:37 GMT
  new RegExp(`^${LONG_DAY}, (?<day>\\d{2})-${MONTH}-(?<year>\\d{2}) ${TIME} GMT$`),
  // Sun Nov  6 08:49:37 1994
  new RegExp(`^${SHORT_DAY} ${MONTH} (?<day>\\d{2}| \\d) ${TIME} (?<year>\\d{4})$`),
]

/** A year of two digits is the latest that is not more than this ahead. */
const YEARS_AHEAD = 50

/** Milliseconds since the epoch; undefined when the text is no date. `now` decides the century of a two-digit year. */
export function httpDate(text: string, now: number): number | undefined {
  for (const form of FORMS) {
    const parts = form.exec(text)?.groups
    if (parts) return instantOf(parts, now)
  }
  return undefined
}

function instantOf(parts: Readonly<Record<string, string>>, now: number): number | undefined {
  const { year = '', month = '' } = parts
  const [day = 0, hour = 0, minute = 0, second = 0] = ['day', 'hour', 'minute', 'second'].map((name) =>
    Number(parts[name]),
  )
  // Second 60 is a leap second, which our own time does not have: it is the next one.
  if (hour > 23 || minute > 59 || second > 60) return undefined
  const inYear = (full: number): number | undefined => {
    const midnight = utc(full, MONTHS.indexOf(month), day)
    if (midnight.getUTCDate() !== day) return undefined
    return midnight.getTime() + ((hour * 60 + minute) * 60 + second) * 1000
  }
  return year.length === 4 ? inYear(Number(year)) : ofCentury(Number(year), inYear, now)
}

/** The latest year with these digits in which the instant is at most fifty years ahead. */
function ofCentury(digits: number, inYear: (full: number) => number | undefined, now: number): number | undefined {
  const today = new Date(now)
  const latest = new Date(now).setUTCFullYear(today.getUTCFullYear() + YEARS_AHEAD)
  const century = Math.floor(today.getUTCFullYear() / 100) * 100
  for (const full of [century + 100, century, century - 100].map((start) => start + digits)) {
    const instant = inYear(full)
    // 29 February is in some of these years only.
    if (instant !== undefined && instant <= latest) return instant
  }
  return undefined
}

/** Not `Date.UTC`, which takes the years 0 to 99 for those of the last century. */
function utc(year: number, month: number, day: number): Date {
  const date = new Date(0)
  date.setUTCFullYear(year, month, day)
  return date
}
