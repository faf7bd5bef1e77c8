/**
 * Which due deliveries start now (F1, F2, R6): a lane per subscription, taken in turn, so that a dead or hanging
 * receiver holds its own few places and nobody else's. Pure.
 */

export interface Candidate {
  readonly id: string
  readonly sessionId: string
}

/** A subscription with due work; its candidates in the order in which they want to leave. */
export interface Lane {
  readonly subscriptionId: string
  /** host:port of the receiver: many subscriptions may name one. */
  readonly host: string
  readonly consecutiveFailures: number
  readonly due: readonly Candidate[]
  /** How many the receiver allows now (S6); absent: as many as come. */
  readonly allowance?: number
}

/** A delivery that is being sent. */
export interface Flying {
  readonly subscriptionId: string
  readonly host: string
  readonly sessionId: string
}

export interface LaneLimits {
  readonly total: number
  readonly perSubscription: number
  readonly perHost: number
  /** R6: from this many failures in a row on, one probe at a time. */
  readonly probeAfter: number
}

export const LANE_LIMITS: LaneLimits = { total: 64, perSubscription: 4, perHost: 8, probeAfter: 5 }

/**
 * Ids in the order of their start.
 * @param after the subscription served last: the turn goes on behind it
 */
export function chooseDeliveries(
  lanes: readonly Lane[],
  flying: readonly Flying[],
  after: string | undefined,
  limits: LaneLimits = LANE_LIMITS,
): { readonly chosen: readonly string[]; readonly last: string | undefined } {
  const bySubscription = counts(flying.map(({ subscriptionId }) => subscriptionId))
  const byHost = counts(flying.map(({ host }) => host))
  const busy = new Set(flying.map(sessionKey))
  const chosen: string[] = []
  let last = after
  let free = limits.total - flying.length
  let waiting = inTurn(lanes, after).map((lane) => ({
    lane,
    next: 0,
    left: lane.allowance ?? Number.POSITIVE_INFINITY,
  }))
  while (free > 0 && waiting.length > 0) {
    const more: typeof waiting = []
    for (const { lane, next, left } of waiting) {
      if (free === 0) break
      if (left === 0) continue
      const { subscriptionId, host } = lane
      const limit = lane.consecutiveFailures >= limits.probeAfter ? 1 : limits.perSubscription
      if ((bySubscription.get(subscriptionId) ?? 0) >= limit || (byHost.get(host) ?? 0) >= limits.perHost) continue
      const index = lane.due.findIndex(
        ({ sessionId }, at) => at >= next && !busy.has(sessionKey({ subscriptionId, sessionId })),
      )
      const candidate = lane.due[index]
      if (!candidate) continue
      chosen.push(candidate.id)
      busy.add(sessionKey({ subscriptionId, sessionId: candidate.sessionId }))
      bySubscription.set(subscriptionId, (bySubscription.get(subscriptionId) ?? 0) + 1)
      byHost.set(host, (byHost.get(host) ?? 0) + 1)
      free--
      last = subscriptionId
      more.push({ lane, next: index + 1, left: left - 1 })
    }
    waiting = more
  }
  return { chosen, last }
}

/** The host of a receiver as the caps count it. */
export function hostOf(url: string): string {
  const { protocol, hostname, port } = new URL(url)
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`
}

function inTurn(lanes: readonly Lane[], after: string | undefined): readonly Lane[] {
  const sorted = [...lanes].sort((a, b) => (a.subscriptionId < b.subscriptionId ? -1 : 1))
  const start = after === undefined ? 0 : sorted.findIndex(({ subscriptionId }) => subscriptionId > after)
  return start <= 0 ? sorted : [...sorted.slice(start), ...sorted.slice(0, start)]
}

function sessionKey({ subscriptionId, sessionId }: { subscriptionId: string; sessionId: string }): string {
  return `${subscriptionId} ${sessionId}`
}

function counts(keys: readonly string[]): Map<string, number> {
  const result = new Map<string, number>()
  for (const key of keys) result.set(key, (result.get(key) ?? 0) + 1)
  return result
}
