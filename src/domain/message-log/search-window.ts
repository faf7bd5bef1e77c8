/** A search's window in log ids: inclusive start, exclusive end, frozen by the first page (SEARCH-Q3, SEARCH-Q8). */
import { type Parsed, refused } from './fault.ts'
import { INSTANT_HINT, parseInstant } from './instant.ts'
import { logIdAt } from './log-id.ts'

export interface Bounds {
  readonly fromMs: number
  /** Absent: up to now. */
  readonly toMs?: number | undefined
}

export interface Window {
  readonly fromId: number
  readonly toId: number
}

export const WINDOW_HINT = 'must be later than from: the window includes from and excludes to'

/** The bounds as the request gives them. Parts finer than a millisecond round up; `from` must lie before `to`. */
export function readBounds(from: string, to: string | undefined): Parsed<Bounds> {
  const start = parseInstant(from)
  const end = to === undefined ? undefined : parseInstant(to)
  const notTimes = [...(start ? [] : ['/from']), ...(end || to === undefined ? [] : ['/to'])]
  if (!start || notTimes.length > 0) {
    const faults = notTimes.map((pointer) => ({ pointer, code: 'invalid_time', message: INSTANT_HINT }))
    return { ok: false, faults }
  }
  if (!end) return { ok: true, value: { fromMs: start.ceilMs } }
  if (start.ceilMs >= end.ceilMs) return refused('/to', 'invalid_window', WINDOW_HINT)
  return { ok: true, value: { fromMs: start.ceilMs, toMs: end.ceilMs } }
}

/** Ends at the newest id, not the clock: rows from before the request are found after a step back, later ones never. */
export function freezeWindow({ fromMs, toMs }: Bounds, newestId: number): Window {
  const end = newestId + 1
  return { fromId: logIdAt(fromMs), toId: toMs === undefined ? end : Math.min(logIdAt(toMs), end) }
}
