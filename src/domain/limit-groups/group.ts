/** A limit group as the planner sees it: amps of each phase, times in milliseconds, defaults filled in. */
import { isAbove, LEAST_AMPS } from '../charging/profile.ts'
import { NO_AMPS, type PerPhase } from './phases.ts'

export const STRATEGIES = ['equal', 'firstCome', 'priority'] as const
export type Strategy = (typeof STRATEGIES)[number]

export interface Group {
  readonly name: string
  readonly parent?: string | undefined
  readonly phases: 1 | 3
  readonly limitAmps: number
  readonly minAmps: number
  readonly minWatts?: number | undefined
  readonly bufferAmps: number
  /** While the building's meter is silent; half of the limit unless given (GROUP-E2). */
  readonly safeAmps: number
  /** Absent: the limit is divided by the EVSEs (GROUP-A4). */
  readonly fallbackAmps?: number | undefined
  readonly leaseMs: number
  readonly strategy: Strategy
}

export interface Load {
  readonly amps: PerPhase
  readonly until: number
  readonly excludesCharging: boolean
}

/** A limit ordered by an outside party such as the grid operator (GROUP-E3). */
export interface ExternalLimit {
  readonly amps: number
  readonly source: string
  readonly until: number
  readonly renewedAt: number
  readonly heartbeatMs?: number | undefined
  readonly failSafeAmps: number
}

/** A minute's worth of time is given here and there. */
export const MINUTE_MS = 60_000

/** What lies far ahead of a clock that was put back is as old as what lies far behind it. */
export function isWithin(spanMs: number, at: number, now: number): boolean {
  return Math.abs(now - at) < spanMs
}

/** A limit that no car can use is none: whole amps, and 0 below six (GROUP-A4). */
export function usableAmps(amps: number): number {
  const whole = Math.floor(amps + 1e-6)
  return whole < LEAST_AMPS ? 0 : whole
}

/** GROUP-E3: the least time that a fail-safe value holds. */
export const FAIL_SAFE_MS = 2 * 3_600_000

export interface Capacity {
  readonly limitAmps: PerPhase
  /** What may be given, of the limit: less the building and the buffer. */
  readonly amps: PerPhase
  /** What the building draws besides; absent where nothing measures it, or its reading is too old. */
  readonly loadAmps?: PerPhase | undefined
  readonly isStale: boolean
  /** The building's meter alone reads more than the group carries. */
  readonly isOverloaded?: true | undefined
  readonly external?: ExternalState | undefined
}

export interface ExternalState {
  readonly amps: number
  readonly state: 'active' | 'failSafe'
  readonly source: string
  readonly until: number
}

/** GROUP-E3: it ends at `until` or with a missed heartbeat, and is followed by its fail-safe value for two hours. */
export function externalState(external: ExternalLimit | undefined, now: number): ExternalState | undefined {
  if (!external) return undefined
  const { amps, source, failSafeAmps } = external
  const until = externalEnd(external)
  if (now < until) return { amps, state: 'active', source, until }
  if (now < until + FAIL_SAFE_MS) return { amps: failSafeAmps, state: 'failSafe', source, until: until + FAIL_SAFE_MS }
  return undefined
}

function externalEnd({ until, renewedAt, heartbeatMs }: ExternalLimit): number {
  return heartbeatMs === undefined ? until : Math.min(until, renewedAt + heartbeatMs)
}

interface Demands {
  /** What must not be cut from those that charge, by `minWatts` (GROUP-E4). */
  readonly floor: PerPhase
  readonly drawn: PerPhase
}

export function capacityOf(
  group: Group,
  load: Load | undefined,
  external: ExternalLimit | undefined,
  { floor, drawn }: Demands,
  now: number,
): Capacity {
  const ordered = externalState(external, now)
  const isStale = load !== undefined && now >= load.until
  const loadAmps = load && !isStale ? besides(load, drawn) : undefined
  const limitAmps = perPhase(group, (phase) =>
    ordered ? Math.min(group.limitAmps, Math.max(ordered.amps, floor[phase])) : group.limitAmps,
  )
  const amps = perPhase(group, (phase) => {
    const free = limitAmps[phase] - group.bufferAmps - (loadAmps ?? NO_AMPS)[phase]
    return Math.max(0, isStale ? Math.min(free, group.safeAmps) : free)
  })
  const isOverloaded = !isStale &&
    load?.amps.some((of) => isAbove(of, group.limitAmps)) && { isOverloaded: true as const }
  return { limitAmps, amps, isStale, loadAmps, external: ordered, ...isOverloaded }
}

/** GROUP-E1: a meter of the whole connection counts the cars as well. */
function besides({ amps, excludesCharging }: Load, drawn: PerPhase): PerPhase {
  if (excludesCharging) return amps
  return [Math.max(0, amps[0] - drawn[0]), Math.max(0, amps[1] - drawn[1]), Math.max(0, amps[2] - drawn[2])]
}

function perPhase({ phases }: Group, amps: (phase: 0 | 1 | 2) => number): PerPhase {
  return phases === 1 ? [amps(0), 0, 0] : [amps(0), amps(1), amps(2)]
}
