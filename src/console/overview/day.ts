/** When today began where the account is (CONSOLE-A3). */

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * The first moment of the day in that zone.
 * @param timeZone as IANA names it
 */
export function startOfDay(now: number, timeZone: string): number {
  const local = clockIn(timeZone)
  const today = Math.floor(local(now) / DAY_MS)
  const offsetAt = (at: number): number => local(at) - Math.floor(at / 1000) * 1000
  // Around a change of the clocks the day began under another offset than it has now; some days begin at one o'clock.
  const offsets = [now, now - DAY_MS, today * DAY_MS - offsetAt(now)].map(offsetAt)
  const beginnings = offsets.map((offset) => today * DAY_MS - offset)
  return Math.min(...beginnings.filter((at) => Math.floor(local(at) / DAY_MS) === today), now)
}

/** What the clock on the wall shows, as if it were UTC; to the second. */
function clockIn(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  return (at) => {
    const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0
    return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'))
  }
}
