/** How long a receiver's answers take of late: who takes long holds places as one that fails does (HOOK-F1). Pure. */

/** A quarter of the newest attempt: one hiccup makes nobody slow, and a few quick answers make one quick again. */
const SHARE_OF_NEWEST = 0.25

/** Receivers should answer at once and work afterwards; from this on a place is worth more to somebody else. */
const SLOW_MS = 3000

/**
 * With one more attempt, whatever it came to: it is the place that counts.
 * @param answerMs absent: none yet
 */
export function withAttempt(answerMs: number | undefined, durationMs: number): number {
  const before = answerMs ?? 0
  return Math.round(before + (Math.max(0, durationMs) - before) * SHARE_OF_NEWEST)
}

export function isSlow(answerMs: number | undefined): boolean {
  return answerMs !== undefined && answerMs >= SLOW_MS
}
