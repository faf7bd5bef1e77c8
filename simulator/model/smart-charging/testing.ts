/** Profiles for tables: everything that a row does not say is usual. */
import type { ChargingProfile } from './profile.ts'

export const T0 = Date.parse('2026-01-05T00:00:00Z')

export function at(seconds: number): number {
  return T0 + seconds * 1000
}

export type Row = Partial<Omit<ChargingProfile, 'periods'>> & {
  /** Start in seconds, limit, and phases. */
  readonly periods?: readonly (readonly [start: number, limit: number, phases?: number])[]
}

/** Periods on one line of a table: starts in seconds with their limits. */
export const steps = (...all: readonly (readonly [start: number, limit: number])[]) => all

export function profile({ periods = [[0, 16]], ...row }: Row = {}): ChargingProfile {
  return {
    id: 1,
    connectorId: 1,
    purpose: 'TxDefaultProfile',
    stackLevel: 0,
    kind: 'Absolute',
    unit: 'A',
    madeBy: 'CSO',
    installedAt: T0,
    source: {},
    ...row,
    periods: periods.map(([startSeconds, limit, phases = 3]) => ({ startSeconds, limit, phases })),
  }
}
