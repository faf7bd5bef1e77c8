/** When a failed attempt is repeated (HOOK-R4). */

/** HOOK-R4: uniform, so that the retries after an outage do not all come at one instant. */
const JITTER = 0.2

/**
 * Milliseconds until the next attempt; undefined when the schedule is exhausted.
 * @param attempt the one that failed, from 1
 * @param random uniform in [0, 1)
 */
export function retryDelayMs(
  scheduleSeconds: readonly number[],
  attempt: number,
  random: () => number,
): number | undefined {
  const seconds = scheduleSeconds[attempt - 1]
  if (seconds === undefined) return undefined
  return Math.round(seconds * 1000 * (1 - JITTER + 2 * JITTER * random()))
}
