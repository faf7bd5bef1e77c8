/** OCPP-CN5: no admissions while the core is overloaded, by its waiting messages or its response time. */
import { periodically } from '../domain/periodic.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Core } from '../domain/ports/core.ts'

interface OverloadSettings {
  readonly clock: Clock
  /** Messages waiting for their commit; 0 = no limit. */
  readonly maxQueued: number
  /** Response time of the core; 0 = no limit. */
  readonly maxLagMs: number
}

interface OverloadWatch {
  isBehind(): boolean
  stop(): void
}

/** Rare enough to cost nothing, frequent enough to notice a storm before its handshakes time out. */
const INTERVAL_MS = 500

export function watchOverload(
  statistics: Core['statistics'],
  { clock, maxQueued, maxLagMs }: OverloadSettings,
): OverloadWatch {
  let askedAt: number | undefined
  let wasBehind = false

  const lagMs = (): number => (askedAt === undefined ? 0 : clock.now() - askedAt)
  const ask = async (): Promise<void> => {
    askedAt = clock.now()
    // A core that cannot answer refuses admissions by itself.
    const queued = await statistics().then(
      (counted) => counted.queued,
      () => 0,
    )
    wasBehind = exceeds(queued, maxQueued) || exceeds(lagMs(), maxLagMs)
    askedAt = undefined
  }
  const isWatched = maxQueued > 0 || maxLagMs > 0
  const questions = isWatched
    ? periodically({ clock, work: ask, everyMs: INTERVAL_MS, failed: () => undefined })
    : undefined

  return {
    isBehind: () => wasBehind || exceeds(lagMs(), maxLagMs),
    stop: () => void questions?.stop(),
  }
}

function exceeds(value: number, limit: number): boolean {
  return limit > 0 && value > limit
}
