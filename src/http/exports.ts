/** Exports that run now, by account (SEARCH-C6), and when a place will be free again (SEARCH-Q13). */
import { Problem } from './problem.ts'

const EXPORTS_PER_ACCOUNT = 2
/** Where nothing has been sent yet, nothing can be foretold. */
const UNKNOWN_SECONDS = 10
const LONGEST_SECONDS = 3600

export interface RunningExport {
  /** How much of the window has been read, 0 to 1. */
  readonly progress: (share: number) => void
  /** Calling it twice is harmless. */
  readonly end: () => void
}

export interface Exports {
  /**
   * @param tokensIn seconds until the account may pay for an export: whoever comes back needs both
   * @throws Problem 429 `too_many_exports`
   */
  begin(accountId: string, tokensIn: () => number): RunningExport
}

interface Place {
  readonly startedAt: number
  share: number
}

export function createExports(now: () => number): Exports {
  const running = new Map<string, Set<Place>>()
  return {
    begin(accountId, tokensIn) {
      const places = running.get(accountId) ?? new Set()
      if (places.size >= EXPORTS_PER_ACCOUNT) {
        const free = Math.min(...Array.from(places, (place) => secondsLeft(place, now())))
        const seconds = Math.max(tokensIn(), free)
        const detail = `An account may run ${EXPORTS_PER_ACCOUNT} exports at once; wait until one has ended.`
        throw new Problem(429, 'too_many_exports', detail, { headers: { 'retry-after': String(seconds) } })
      }
      const place: Place = { startedAt: now(), share: 0 }
      running.set(accountId, places.add(place))
      return {
        progress: (share) => {
          place.share = share
        },
        end: () => {
          places.delete(place)
          if (places.size === 0) running.delete(accountId)
        },
      }
    },
  }
}

/** It goes on as it went so far. A client that reads slowly makes it longer. */
function secondsLeft({ startedAt, share }: Place, now: number): number {
  if (share <= 0) return UNKNOWN_SECONDS
  const seconds = Math.ceil((((now - startedAt) / 1000) * (1 - share)) / share)
  return Math.max(1, Math.min(LONGEST_SECONDS, seconds))
}
