/** Times as people enter them: `<input type=datetime-local>`, read as UTC or in the zone of whoever looks. */
import { wallClock } from '../domain/time-zone.ts'

export const EVER = '1970-01-01T00:00:00Z'

/** With seconds and a zone, if it has none of its own. */
export function inUtc(local: string): string {
  if (/(?:Z|[+-]\d\d:\d\d)$/i.test(local)) return local
  if (/^\d{4}-\d\d-\d\d$/.test(local)) return `${local}T00:00:00Z`
  return `${/T\d\d:\d\d$/.test(local) ? `${local}:00` : local}Z`
}

/** For an `<input type=datetime-local>`; empty where it is no time. */
export function localOf(time: string | undefined): string {
  if (time === undefined) return ''
  const ms = Date.parse(inUtc(time))
  return Number.isNaN(ms) ? '' : new Date(ms).toISOString().slice(0, ms % 60_000 === 0 ? 16 : 19)
}

/** What the clocks of the zone showed when it was that; the earlier one where they showed it twice. */
export function inZone(local: string, timeZone: string): string {
  const text = inUtc(local)
  const shown = Date.parse(text)
  if (Number.isNaN(shown) || /(?:Z|[+-]\d\d:\d\d)$/i.test(local)) return text
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((at) => wallClock(at, timeZone) - at)
  const [at = shown] = offsets.map((offset) => shown - offset).filter((one) => wallClock(one, timeZone) === shown)
  return new Date(at).toISOString()
}

const DAY_MS = 86_400_000
