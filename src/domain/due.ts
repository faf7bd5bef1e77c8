/** What waits by the wall clock. A clock that was ahead and is put right must not make it wait until the old time. */

/** Whether it is not longer ago than that; a time that is still to come was taken from a clock that was ahead. */
export function isRecent(at: number, now: number, spanMs: number): boolean {
  return at <= now && now - at < spanMs
}

/** @param longestMs nothing of its kind is ever put off for longer: what lies beyond that need not wait either */
export function isDue(dueAt: number, now: number, longestMs: number): boolean {
  return dueAt <= now || dueAt - now > longestMs
}

/** The same as ranges of an index: everything that `isDue`. */
export function dueRanges(now: number, longestMs: number) {
  return [{ below: now + 1 }, { from: now + longestMs + 1 }] as const
}
