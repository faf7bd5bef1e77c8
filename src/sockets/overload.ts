/** OCPP-CN5: no admissions while the core is overloaded, by its waiting messages or its response time. */
import { type Periodic, periodically } from '../domain/periodic.ts'
import type { Clock, Core, Log } from '../domain/ports/core.ts'
import type { NodeFacts } from '../domain/ports/nodes.ts'

interface OverloadSettings {
  readonly clock: Clock
  /** Messages waiting for their commit; 0 = no limit. */
  readonly maxQueued: number
  /** Response time of the core; 0 = no limit. */
  readonly maxLagMs: number
}

/** Rare enough to cost nothing, frequent enough to notice a storm before its handshakes time out. */
const INTERVAL_MS = 500

export function watchOverload(
  statistics: Core['statistics'],
  { clock, maxQueued, maxLagMs }: OverloadSettings,
): { isBehind(): boolean; stop(): void } {
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

/**
 * STORE-N18: after a rolling deploy the charge points stay on the nodes that were up, because sockets live for days.
 * A node above its share closes a few of them each minute; the balancer gives them to the node with the fewest.
 */
const MINUTE_MS = 60_000
/** Smaller differences even out by themselves. */
const TOLERANCE = 0.05
const TOLERATED = 10

/** How many of our connections to close within the next minute. */
export function excess(
  ours: number,
  nodes: readonly Pick<NodeFacts, 'state' | 'connections'>[],
  percent: number,
): number {
  const present = nodes.filter(({ state }) => state !== 'fenced')
  // During a replacement the mean is meaningless, and its charge points have just moved.
  if (present.length < 2 || present.some(({ state }) => state !== 'live')) return 0
  const mean = present.reduce((sum, { connections }) => sum + connections, 0) / present.length
  const above = ours - Math.ceil(mean)
  if (above <= Math.max(TOLERATED, mean * TOLERANCE)) return 0
  return Math.min(above, Math.max(1, Math.floor((ours * percent) / 100)))
}

/** Undefined: rebalancing is off. */
export function startRebalancing(parts: {
  /** Share of its connections that a node may close in a minute. */
  readonly percent: number
  readonly connectionCount: () => number
  readonly closeSome: (count: number, spreadMs: number) => void
  readonly nodes: () => Promise<readonly NodeFacts[] | undefined>
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
}): Periodic | undefined {
  const { percent, connectionCount, closeSome, nodes, clock, log } = parts
  const rebalance = async (): Promise<void> => {
    const count = excess(connectionCount(), (await nodes()) ?? [], percent)
    if (count === 0 || minutes?.isStopped()) return
    log.info({ connections: connectionCount(), closing: count }, 'this node has more than its part of the connections')
    closeSome(count, MINUTE_MS)
  }
  const failed = (error: Error): void => log.warn({ error: error.message }, 'connections are not rebalanced')
  const minutes = percent === 0 ? undefined : periodically({ clock, work: rebalance, everyMs: MINUTE_MS, failed })
  return minutes
}
