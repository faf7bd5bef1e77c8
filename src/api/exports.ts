/** Exports that run now, by account (SEARCH-C6), and when a place will be free again (SEARCH-Q13). */
import type { Limits, OccupiedSlot } from '../domain/ports/limits.ts'
import { Problem } from './respond.ts'

const EXPORTS_PER_ACCOUNT = 2
/** The estimate before anything has been sent. */
const UNKNOWN_SECONDS = 10
const MAX_SECONDS = 3600

export interface RunningExport {
  readonly progress: (share: number) => void
  readonly end: () => void
}

export interface Exports {
  /** @param tokensIn seconds until the account can pay for an export @throws Problem 429 `too_many_exports` */
  begin(accountId: string, tokensIn: () => Promise<number>): Promise<RunningExport>
}

export function createExports(limits: Limits, now: () => number): Exports {
  return {
    async begin(accountId, tokensIn) {
      const place = await limits.occupy(`export ${accountId}`, EXPORTS_PER_ACCOUNT, '0')
      if (!('free' in place)) {
        const free = Math.min(...place.map((taken) => secondsLeft(taken, now())))
        const seconds = Math.max(await tokensIn(), free)
        const detail = `An account may run ${EXPORTS_PER_ACCOUNT} exports at once; wait until one has ended.`
        throw new Problem(429, 'too_many_exports', detail, { headers: { 'retry-after': String(seconds) } })
      }
      return { progress: (share) => place.tell(String(share)), end: () => place.free() }
    },
  }
}

function secondsLeft({ since, reported }: OccupiedSlot, now: number): number {
  const share = Number(reported)
  if (share <= 0) return UNKNOWN_SECONDS
  const seconds = Math.ceil((((now - since) / 1000) * (1 - share)) / share)
  return Math.max(1, Math.min(MAX_SECONDS, seconds))
}
