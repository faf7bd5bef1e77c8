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
