/**
 * What a measurement is worth: a ratio against the limit of the same run, held against what must and what should be.
 */

export interface Measurement {
  /** Its rule is called BENCH-<id>. */
  readonly id: string
  readonly what: string
  /** The two figures behind the ratio, with their units, for people. */
  readonly ours: string
  readonly limit: string
  readonly ratio: number
  /** Without either it is reported and not judged. */
  readonly must?: number
  readonly aim?: number
  /** `higher`: the ratio should be at least `must`; `lower`: at most. */
  readonly better: 'higher' | 'lower'
  /** A thing that makes the figure worthless (errors under load, a control that saw nothing). */
  readonly fault?: string
}

export type Verdict = 'aim' | 'must' | 'reported' | 'fail'

export function judge(measurement: Measurement): Verdict {
  if (measurement.fault !== undefined || !Number.isFinite(measurement.ratio)) return 'fail'
  const reaches = (goal: number) =>
    measurement.better === 'higher' ? measurement.ratio >= goal : measurement.ratio <= goal
  if (measurement.aim !== undefined && reaches(measurement.aim)) return 'aim'
  if (measurement.must === undefined) return 'reported'
  return reaches(measurement.must) ? 'must' : 'fail'
}

/** The value below which the share `fraction` of the values lies (nearest rank); NaN of nothing. */
export function percentile(values: readonly number[], fraction: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(sorted.length * fraction) - 1))] ?? Number.NaN
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5)
}
