import { keepNewest } from '../../limits/keep-newest.ts'

/** "Last used" on the dashboard need not be finer, and a write per request would be dear. */
const INTERVAL_MS = 60_000
/** Beyond so many the longest unused are forgotten; at worst they are written once more. */
const MAX_REMEMBERED = 10_000

/** Whether this use is to be written. @param lastUsedAt already written, in milliseconds since the epoch */
export function createLastUse(now: () => number): (id: string, lastUsedAt: number | undefined) => boolean {
  const writtenAt = new Map<string, number>()
  return (id, lastUsedAt) => {
    const at = now()
    const last = writtenAt.get(id) ?? lastUsedAt
    // A mark from the future means that the clock was put back.
    if (last !== undefined && at >= last && at - last < INTERVAL_MS) return false
    keepNewest(writtenAt, id, at, MAX_REMEMBERED)
    return true
  }
}
