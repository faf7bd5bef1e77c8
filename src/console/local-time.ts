/** Times as people enter them: `<input type=datetime-local>`, read in the visitor's time zone. */
import { isoTime } from '../domain/iso-time.ts'
import { wallClock } from '../domain/time-zone.ts'

const HAS_ZONE = /(?:Z|[+-]\d\d:\d\d)$/i
const DAY_MS = 86_400_000

export function fieldTime(at: number, timeZone: string): string {
  return new Date(wallClock(at, timeZone)).toISOString().slice(0, at % 60_000 === 0 ? 16 : 19)
}

/** What the clocks of the zone showed when it was that, in UTC; the earlier one where they showed it twice. */
export function inZone(local: string, timeZone: string): string {
  if (HAS_ZONE.test(local)) return local
  const text = /^\d{4}-\d\d-\d\d$/.test(local)
    ? `${local}T00:00:00Z`
    : `${/T\d\d:\d\d$/.test(local) ? `${local}:00` : local}Z`
  const shown = Date.parse(text)
  if (Number.isNaN(shown)) return text
  const offsets = [shown - DAY_MS, shown + DAY_MS].map((at) => wallClock(at, timeZone) - at)
  const [at = shown] = offsets.map((offset) => shown - offset).filter((one) => wallClock(one, timeZone) === shown)
  return isoTime(at)
}
