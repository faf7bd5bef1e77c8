/** The window of a search in log ids: inclusive start, exclusive end, frozen by the first page (Q3, Q8). */
import type { Parsed } from './fault.ts'
import { refused } from './fault.ts'
import { INSTANT_HINT, parseInstant } from './instant.ts'
import { logIdAt } from './log-id.ts'

export interface Bounds {
  readonly fromMs: number
  /** Absent: up to now. */
  readonly toMs?: number
}

export interface Window {
  readonly fromId: number
  readonly toId: number
}

/** The bounds as the request gives them. Parts finer than a millisecond round up; `from` must lie before `to`. */
export function readBounds(from: string, to: string | undefined): Parsed<Bounds> {
  const start = parseInstant(from)
  if (!start) return refused('/from', 'invalid_time', INSTANT_HINT)
  if (to === undefined) return { ok: true, value: { fromMs: start.ceilMs } }
  const end = parseInstant(to)
  if (!end) return refused('/to', 'invalid_time', INSTANT_HINT)
  if (start.ceilMs >= end.ceilMs) {
    return refused('/to', 'invalid_window', 'must be later than from: the window includes from and excludes to')
  }
  return { ok: true, value: { fromMs: start.ceilMs, toMs: end.ceilMs } }
}

/**
 * Freezes the window at the rows that exist now. The end is the greatest id so far and not the clock: rows committed
 * before the request are found even where the clock stepped back, and rows that come later never are.
 */
export function freezeWindow({ fromMs, toMs }: Bounds, greatestId: number): Window {
  const newest = greatestId + 1
  return { fromId: logIdAt(fromMs), toId: toMs === undefined ? newest : Math.min(logIdAt(toMs), newest) }
}
