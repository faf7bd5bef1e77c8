/** A limit group as the planner sees it: amps of each phase, times in milliseconds, defaults filled in. */
import { LEAST_AMPS } from '../charging/profile.ts'
import type { PerPhase } from './phases.ts'

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
