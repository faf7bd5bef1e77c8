/** Local time of a place, for restrictions of tariffs (TARIFF-A2): what a clock on its wall shows. */
import { DAY_MS, offsetAt } from '../time-zone.ts'
import { WEEKDAYS } from './elements.ts'

const MINUTE_MS = 60_000
/** A station's clock may be decades off; later days are priced like the last one. */
const MAX_DAYS = 400

export function localTimeAt(at: number, timeZone: string) {
  const local = new Date(at + offsetAt(at, timeZone))
  return {
    minute: local.getUTCHours() * 60 + local.getUTCMinutes(),
    /** YYYY-MM-DD */
    date: local.toISOString().slice(0, 10),
    weekday: WEEKDAYS[(local.getUTCDay() + 6) % 7] ?? 'SUNDAY',
  }
}

/** When the clock is set, and when it shows one of the minutes of the day: twice where it is set back. In order. */
export function instantsOf(minutes: readonly number[], from: number, to: number, timeZone: string): readonly number[] {
  const found: number[] = []
  const end = Math.min(to, from + MAX_DAYS * DAY_MS)
  const ascending = [...new Set(minutes)].sort((a, b) => a - b)
  let at = from
  let offset = offsetAt(from, timeZone)
  while (at < end) {
    const next = Math.min(end, at + DAY_MS)
    const nextOffset = offsetAt(next, timeZone)
    const until = nextOffset === offset ? next : changeBetween(at, next, offset, timeZone)
    const firstDay = Math.floor((at + offset) / DAY_MS) * DAY_MS
    for (let day = firstDay; day <= until + offset; day += DAY_MS) {
      for (const minute of ascending) {
        const instant = day + minute * MINUTE_MS - offset
        if (instant > at && instant < until) found.push(instant)
      }
    }
    if (until < to) found.push(until)
    at = until
    offset = offsetAt(until, timeZone)
  }
  return found
}

function changeBetween(from: number, to: number, offset: number, timeZone: string): number {
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (offsetAt(middle, timeZone) === offset) before = middle
    else after = middle
  }
  return after
}
