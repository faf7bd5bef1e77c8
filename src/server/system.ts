/** The clock and the randomness of the machine: compositions alone take them from here, all else is given them. */
import { randomBytes } from 'node:crypto'

/** Node runs at once what is to wait longer, some 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

export const systemClock = {
  now: Date.now,
  monotonic: (): number => performance.now(),
  after(ms: number, run: () => void): () => void {
    const wait = (left: number): NodeJS.Timeout =>
      left > MAX_TIMER_MS
        ? setTimeout(() => {
            timer = wait(left - MAX_TIMER_MS)
          }, MAX_TIMER_MS)
        : setTimeout(run, left)
    let timer = wait(ms)
    return () => clearTimeout(timer)
  },
}

/** Random bytes are fetched in bulk, because a call costs more than the rest of an id. */
const POOL_BYTES = 4096
let pool = Buffer.alloc(0)
let used = 0

export function pooledRandom(count: number): Buffer {
  if (used + count > pool.length) {
    pool = randomBytes(Math.max(POOL_BYTES, count))
    used = 0
  }
  used += count
  return pool.subarray(used - count, used)
}
