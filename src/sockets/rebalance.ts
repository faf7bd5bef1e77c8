/**
 * STORE-N18: after a deploy the charge points are on the nodes that were there when the others restarted, and stay
 * there, because sockets live for days. A node that has more than its part closes a few of them each minute; the
 * balancer gives them to the node with the fewest.
 */
import { type Periodic, periodically } from '../domain/periodic.ts'
import type { Clock } from '../domain/ports/clock.ts'
import type { Log } from '../domain/ports/log.ts'
import type { NodeFacts } from '../domain/ports/nodes.ts'

interface RebalanceContext {
  /** Of its connections that a node may close in a minute. */
  readonly percent: number
  readonly connectionCount: () => number
  /** Closes so many of its connections, spread over the time. */
  readonly closeSome: (count: number, spreadMs: number) => void
  readonly nodes: () => Promise<readonly NodeFacts[] | undefined>
  readonly clock: Clock
  readonly log: Pick<Log, 'info' | 'warn'>
}

const MINUTE_MS = 60_000
/** Nobody is disconnected for less: the balancer evens out what comes anyway. */
const TOLERANCE = 0.05
const TOLERATED = 10

/** How many of our connections are to be closed within the next minute. */
export function excess(
  ours: number,
  nodes: readonly Pick<NodeFacts, 'state' | 'connections'>[],
  percent: number,
): number {
  const present = nodes.filter(({ state }) => state !== 'fenced')
  // While one is replaced the mean says nothing, and its charge points have just moved.
  if (present.length < 2 || present.some(({ state }) => state !== 'live')) return 0
  const mean = present.reduce((sum, { connections }) => sum + connections, 0) / present.length
  const above = ours - Math.ceil(mean)
  if (above <= Math.max(TOLERATED, mean * TOLERANCE)) return 0
  return Math.min(above, Math.max(1, Math.floor((ours * percent) / 100)))
}

/** Undefined where nothing is to be closed ever. */
export function startRebalancing(parts: RebalanceContext): Periodic | undefined {
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
