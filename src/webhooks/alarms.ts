import type { Clock } from '../domain/ports/clock.ts'

/** Wakes the delivery loop when retries are due, so that short delays keep to their plan (HOOK-R4). */

/** Retries that are due at one moment share a timer, so there are few timers however many deliveries fail. */
const STEP_MS = 10

interface Alarms {
  /** @param dueAt milliseconds since the epoch */
  set(dueAt: number): void
  cancelAll(): void
}

/** @param horizonMs later ones are left to the loop's own polling, which also finds those of an earlier process */
export function createAlarms(clock: Clock, horizonMs: number, wake: () => void): Alarms {
  const cancels = new Map<number, () => void>()
  return {
    set(dueAt) {
      const delayMs = dueAt - clock.now()
      const step = Math.ceil((clock.monotonic() + delayMs) / STEP_MS) * STEP_MS
      if (delayMs > horizonMs || cancels.has(step)) return
      const ring = (): void => {
        cancels.delete(step)
        wake()
      }
      cancels.set(step, clock.after(Math.max(0, step - clock.monotonic()), ring))
    },
    cancelAll() {
      for (const cancel of cancels.values()) cancel()
      cancels.clear()
    },
  }
}
