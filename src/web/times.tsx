/** Times as pages show them: reader's zone and language, UTC on hover; "ago" to the minute, so pages stay stable. */

import type { FC } from 'hono/jsx'
import type { Language } from '../application/words/in-languages.ts'
import { isoTime } from '../domain/iso-time.ts'
import { isShownTwice, offsetText } from '../domain/time-zone.ts'
import type { Frame } from './frame/frame.ts'

type Reader = Pick<Frame, 'language' | 'now' | 'timeZone'>

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const MAX_AGO_MS = 30 * DAY_MS

/** English as most of the world writes dates and the hours of a day. */
export const LOCALES: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de-DE' }

const FORMATS = {
  time: { day: 'numeric', month: 'short', year: 'numeric', hour: '2-digit', minute: '2-digit' },
  near: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  clock: { hour: '2-digit', minute: '2-digit' },
  exact: {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    timeZoneName: 'short',
  },
  instant: {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
  },
  utc: { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>

/** There are some hundred zones. Making a format takes longer than a page has. */
const MAX_KEPT = 2000
const kept = new Map<string, Intl.DateTimeFormat>()

function format(language: Language, timeZone: string, name: keyof typeof FORMATS): Intl.DateTimeFormat {
  const key = `${language} ${timeZone} ${name}`
  const known = kept.get(key)
  if (known) return known
  const made = new Intl.DateTimeFormat(LOCALES[language], { ...FORMATS[name], timeZone, hourCycle: 'h23' })
  if (kept.size < MAX_KEPT) kept.set(key, made)
  return made
}

type Show = (reader: Reader, ms: number) => string

/** With the offset where the clocks show the same time twice: in autumn the two would read the same. */
function withHours(name: 'time' | 'near' | 'clock' | 'instant'): Show {
  return ({ language, timeZone }, ms) => {
    const text = format(language, timeZone, name).format(ms)
    return isShownTwice(ms, timeZone) ? `${text} ${offsetText(ms, timeZone)}` : text
  }
}

export const shownTime = withHours('time')
export const shownClock = withHours('clock')
/** To the millisecond, for what stands beside others of the same day; without the year. */
export const shownInstant = withHours('instant')
export const shownDate: Show = ({ language, timeZone }, ms) => format(language, timeZone, 'date').format(ms)
export const shownDay: Show = ({ language, timeZone }, ms) => format(language, timeZone, 'day').format(ms)

/** To the second, with the zone, and in UTC. */
export function exactTime({ language, timeZone }: Reader, ms: number): string {
  const here = format(language, timeZone, 'exact').format(ms)
  return timeZone === 'UTC' ? here : `${here} · ${format(language, 'UTC', 'utc').format(ms)}`
}

const SPANS = {
  en: { now: 'just now', days: 'days', ofDays: 'days', ago: (span: string) => `${span} ago` },
  de: { now: 'gerade eben', days: 'Tage', ofDays: 'Tagen', ago: (span: string) => `vor ${span}` },
} as const

/** Such as `12 min`, `3 h 12 min`, `569 days`. @param days how they are called, where it is not the usual way */
export function shownSpan(
  { language }: Pick<Reader, 'language'>,
  ms: number,
  days: string = SPANS[language].days,
): string {
  if (ms < MINUTE_MS) return `${Math.floor(Math.max(0, ms) / 1000)} s`
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min`
  if (ms >= 2 * DAY_MS) return `${Math.floor(ms / DAY_MS)} ${days}`
  return `${Math.floor(ms / HOUR_MS)} h ${String(Math.floor(ms / MINUTE_MS) % 60).padStart(2, '0')} min`
}

/** Such as `12 min ago`; of what is to come, `in 12 min`. */
export function shownAgo(reader: Reader, ms: number): string {
  const { language, now } = reader
  const words = SPANS[language]
  const away = Math.abs(now - ms)
  if (away > MAX_AGO_MS) return shownDate(reader, ms)
  if (away < MINUTE_MS) return words.now
  const span = shownSpan(reader, away, words.ofDays)
  return ms > now ? `in ${span}` : words.ago(span)
}

function shownAs(textOf: Show): FC<{ readonly frame: Reader; readonly at: number }> {
  return ({ frame, at }) => (
    <time datetime={isoTime(at)} title={exactTime(frame, at)}>
      {textOf(frame, at)}
    </time>
  )
}

export const Ago = shownAs(shownAgo)
/** To the minute, as everything that stays on a page. */
export const Since = shownAs((reader, at) =>
  reader.now - at < MINUTE_MS ? '< 1 min' : shownSpan(reader, reader.now - at),
)
export const Instant = shownAs(shownInstant)
export const At = shownAs(shownTime)

const NEAR_MS = 300 * DAY_MS
const shownNear = withHours('near')

export const Near = shownAs((reader, at) =>
  Math.abs(reader.now - at) < NEAR_MS ? shownNear(reader, at) : shownTime(reader, at),
)
