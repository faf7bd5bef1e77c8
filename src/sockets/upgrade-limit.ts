/**
 * Limits upgrades when many stations reconnect at once (OCPP-CN5): some run at the same time, a limited number waits,
 * and the others get a time to come back. Most reconnecting stations fit into the waiting line; a refused one may
 * stay away for minutes.
 */

import type { Clock } from '../domain/ports/clock.ts'

export interface UpgradeLimitSettings {
  readonly clock: Clock
  readonly concurrent?: number | undefined
  readonly waiting?: number | undefined
  readonly longestWaitMs?: number | undefined
  /** Something else is overloaded (event loop, writer's queue): no upgrade is admitted. */
  readonly overloaded?: () => boolean
}

/** Called once, when the upgrade has ended either way. */
export type Leave = () => void

interface UpgradeLimit {
  /** Resolves at this upgrade's turn; with undefined when it must come back later. */
  enter(): Promise<Leave | undefined>
}

/** OCPP-CN5 */
const CONCURRENT = 200
/** About one second of admissions on a small machine. */
const WAITING = 4000
/** Stations time out after 10 to 30 s for a handshake. */
const MAX_WAIT_MS = 5000

export function createUpgradeLimit({
  clock,
  concurrent = CONCURRENT,
  waiting = WAITING,
  longestWaitMs = MAX_WAIT_MS,
  overloaded = () => false,
}: UpgradeLimitSettings): UpgradeLimit {
  const line = new Set<(leave: Leave | undefined) => void>()
  let inProgress = 0

  const leave: Leave = () => {
    inProgress--
    const [next] = line
    next?.(start())
  }
  const start = (): Leave => {
    inProgress++
    let left = false
    return () => {
      if (left) return
      left = true
      leave()
    }
  }

  return {
    async enter() {
      if (overloaded()) return undefined
      if (inProgress < concurrent) return start()
      if (line.size >= waiting) return undefined
      return new Promise((resolve) => {
        const answer = (way: Leave | undefined): void => {
          line.delete(answer)
          cancel()
          resolve(way)
        }
        const cancel = clock.after(longestWaitMs, () => answer(undefined))
        line.add(answer)
      })
    },
  }
}

/** Whole seconds until a refused station may come back, spread over time (OCPP-CN5). */
export function retryAfterSeconds(random: () => number): number {
  return 5 + Math.floor(random() * 56)
}
