/** What all stations together did on the wire: counts, and latencies in buckets, so that a long run costs no memory. */
import type { CallOutcome } from '../wire/frames.ts'

/** Each bucket is 5 % wider than the one before; the first ends at a tenth of a millisecond. */
const GROWTH = Math.log(1.05)
const FIRST_MS = 0.1
const BUCKETS = 300

export type Figures = ReturnType<typeof createFigures>

export function createFigures() {
  const buckets = new Uint32Array(BUCKETS)
  let measured = 0
  let calls = 0
  let callErrors = 0
  let timeouts = 0
  const quantile = (share: number): number => {
    if (measured === 0) return 0
    let left = Math.ceil(measured * share)
    for (let at = 0; at < BUCKETS; at++) {
      left -= buckets[at] ?? 0
      if (left <= 0) return Math.round(FIRST_MS * Math.exp(at * GROWTH) * 10) / 10
    }
    return 0
  }
  return {
    record(outcome: CallOutcome, latencyMs: number): void {
      calls += 1
      if (outcome === 'error') callErrors += 1
      if (outcome === 'timeout') timeouts += 1
      if (outcome !== 'result' && outcome !== 'error') return
      measured += 1
      const at = Math.ceil(Math.log(Math.max(latencyMs, FIRST_MS) / FIRST_MS) / GROWTH)
      const bucket = Math.min(BUCKETS - 1, Math.max(0, at))
      buckets[bucket] = (buckets[bucket] ?? 0) + 1
    },
    get calls() {
      return calls
    },
    get callErrors() {
      return callErrors
    },
    get timeouts() {
      return timeouts
    },
    latency: () => ({ p50: quantile(0.5), p95: quantile(0.95), p99: quantile(0.99) }),
  }
}
