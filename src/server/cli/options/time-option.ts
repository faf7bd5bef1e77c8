import { parseInstant } from '../../../domain/message-log/search.ts'
import { UsageError } from '../cli-context.ts'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** An RFC 3339 time, a date (UTC) or an age (`30m`, `24h`, `7d`) in ms since the epoch; finer parts round up. */
export function readMoment(flag: string, text: string, now: number): number {
  const ago = /^(\d{1,6})([mhd])$/.exec(text)
  if (ago) return now - Number(ago[1]) * UNIT_MS[ago[2] as keyof typeof UNIT_MS]
  const moment = parseInstant(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00:00Z` : text)
  if (moment) return moment.ceilMs
  throw new UsageError(
    `${flag} ${JSON.stringify(text)} is no time: expected something like 2026-08-01T00:00:00Z, 2026-08-01 or 24h.`,
  )
}
