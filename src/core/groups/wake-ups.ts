import type { Clock } from '../../domain/ports/clock.ts'

/**
 * When a charge point's clock matters next: remote starts expire, orphans close (SESSION-A15). One timer for all of
 * them.
 */

/** Orphan timers count in minutes; a second of delay is not noticed, and a shorter sweep would only burn time. */
const SWEEP_MS = 1000

export interface WakeUps {
  /** Undefined: nothing waits any more. */
  set(stationId: string, at: number | undefined): void
  stop(): void
}

export function createWakeUps(clock: Clock, due: (stationId: string) => void): WakeUps {
  const times = new Map<string, number>()
  let cancel = clock.after(SWEEP_MS, sweep)
  function sweep(): void {
    const now = clock.now()
    for (const [stationId, at] of times) {
      if (at > now) continue
      times.delete(stationId)
      due(stationId)
    }
    cancel = clock.after(SWEEP_MS, sweep)
  }
  return {
    set(stationId, at) {
      if (at === undefined) times.delete(stationId)
      else times.set(stationId, at)
    },
    stop: () => cancel(),
  }
}
