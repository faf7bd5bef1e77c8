/** BENCH-P1: durable calls per second of one node on PostgreSQL, against the same program on SQLite. */
import type { LockStepResult } from '../load/generator.ts'
import { againstPilotwire, STEADY } from '../lock-step.ts'
import { type Measurement, median } from '../verdict.ts'
import { type BenchPostgres, environmentOf } from './server.ts'

export interface EnginesOptions {
  readonly connections: readonly number[]
  /** The engines take turns, so that a noisy minute of the machine hits both. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export const ENGINES: EnginesOptions = { connections: [50, 500], rounds: 3, ...STEADY }

export async function measureEngines(
  postgres: BenchPostgres,
  options: EnginesOptions = ENGINES,
): Promise<readonly Measurement[]> {
  const { rounds, warmUpMs, measureMs } = options
  const measurements: Measurement[] = []
  for (const connections of options.connections) {
    const load = { connections, warmUpMs, measureMs }
    const sqlite: number[] = []
    const ours: number[] = []
    let errors = 0
    for (let round = 0; round < rounds; round++) {
      sqlite.push(perSecond(await againstPilotwire(load)))
      const own = await postgres.withDatabase((url) => againstPilotwire(load, environmentOf(url)))
      ours.push(perSecond(own))
      errors += own.errors
    }
    measurements.push({
      id: 'P1',
      what: `durable calls/s on PostgreSQL, ${connections} connections`,
      ours: `${Math.round(median(ours))}/s`,
      limit: `${Math.round(median(sqlite))}/s on SQLite`,
      ratio: median(ours) / median(sqlite),
      must: 0.4,
      aim: 0.55,
      better: 'higher',
      ...(errors > 0 && { fault: `${errors} calls were answered with an error` }),
    })
  }
  return measurements
}

function perSecond({ calls, measuredMs }: LockStepResult): number {
  return (calls / measuredMs) * 1000
}
