import type { Figures, LatencyMs } from '../fleet/figures.ts'
import type { Assertion } from '../scenarios/engine/run.ts'

export interface ChargedSession {
  readonly evseControllerId: string
  /** Absent when a 1.6 station never got a number. */
  readonly transactionId?: string
  readonly energyKwh: number
}

export interface Verdict {
  readonly ok: boolean
  readonly stations: number
  readonly sessions: readonly ChargedSession[]
  readonly calls: number
  readonly callErrors: number
  readonly timeouts: number
  readonly latencyMs: LatencyMs
  readonly assertions: readonly Assertion[]
}

export function verdictOf(
  stations: number,
  sessions: readonly ChargedSession[],
  figures: Figures,
  assertions: readonly Assertion[],
): Verdict {
  return {
    ok: assertions.every(({ ok }) => ok),
    stations,
    sessions,
    calls: figures.calls,
    callErrors: figures.callErrors,
    timeouts: figures.timeouts,
    latencyMs: figures.latency(),
    assertions,
  }
}

export function verdictLines(verdict: Verdict): readonly string[] {
  const energyKwh = verdict.sessions.reduce((sum, session) => sum + session.energyKwh, 0)
  const { p50, p95, p99 } = verdict.latencyMs
  return [
    `stations        ${verdict.stations}`,
    `sessions        ${verdict.sessions.length}`,
    `energy          ${energyKwh.toFixed(3)} kWh`,
    `calls           ${verdict.calls}, ${verdict.callErrors} refused, ${verdict.timeouts} without an answer`,
    `latency         p50 ${p50} ms, p95 ${p95} ms, p99 ${p99} ms`,
  ]
}
