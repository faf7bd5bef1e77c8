/** How long a receiver's answers took: a slow one occupies places just as a failing one does (HOOK-F1). Pure. */

/** One slow answer does not make a receiver slow, and a few quick ones make it quick again. */
const SHARE_OF_NEWEST = 0.25

/** Receivers should answer at once and work afterwards. From this duration on, other receivers get the places. */
const SLOW_MS = 3000

/** With one more attempt, whatever its result: how long it held its place counts. @param answerMs absent: none yet */
export function withAttempt(answerMs: number | undefined, durationMs: number): number {
  const before = answerMs ?? 0
  return Math.round(before + (Math.max(0, durationMs) - before) * SHARE_OF_NEWEST)
}

export function isSlow(answerMs: number | undefined): boolean {
  return answerMs !== undefined && answerMs >= SLOW_MS
}
