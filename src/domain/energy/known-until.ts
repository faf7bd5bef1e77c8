/** Until when a transaction's energy is known. */
import { newestIntervalAt } from './interval.ts'
import type { MeterState } from './state.ts'

/** Station time of the newest sample, found without a walk: it is asked of every message. */
export function knownUntil({ register, end, intervals, newest }: Partial<MeterState>): number | undefined {
  const at = Math.max(
    register?.at(-1)?.[0] ?? 0,
    end?.at(-1)?.[0] ?? 0,
    newest?.power?.[0] ?? 0,
    (intervals && newestIntervalAt(intervals)) ?? 0,
  )
  return at > 0 ? at : undefined
}
