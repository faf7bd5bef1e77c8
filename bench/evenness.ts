/**
 * BENCH-B11: how much longer the slowest hundredth of acknowledgements takes than a typical one, with 500 stations in
 * lock step. The in-memory server's own ratio says what sockets and stations make of it by themselves.
 */
import { againstMemory, againstPilotwire, type LockStep, STEADY } from './lock-step.ts'
import { type Measurement, median } from './verdict.ts'

export interface EvennessOptions extends LockStep {
  readonly rounds: number
}

export const EVENNESS: EvennessOptions = { connections: 500, rounds: 3, ...STEADY, measureMs: 10_000 }

export async function measureEvenness(options: EvennessOptions = EVENNESS): Promise<readonly Measurement[]> {
  const ours: Spread[] = []
  const limit: Spread[] = []
  let errors = 0
  for (let round = 0; round < options.rounds; round++) {
    limit.push(await againstMemory(options))
    const own = await againstPilotwire(options)
    ours.push(own)
    errors += own.errors
  }
  return [
    {
      id: 'B11',
      what: `acknowledgement p99 / p50, ${options.connections} stations in lock step`,
      ours: spreadText(ours),
      limit: `${spreadText(limit)} in memory: ${ratioOf(limit).toFixed(2)}`,
      ratio: ratioOf(ours),
      aim: 2.5,
      better: 'lower',
      ...(errors > 0 && { fault: `${errors} calls were answered with an error` }),
    },
  ]
}

interface Spread {
  readonly p50Ms: number
  readonly p99Ms: number
}

function ratioOf(rounds: readonly Spread[]): number {
  return median(rounds.map(({ p50Ms, p99Ms }) => p99Ms / p50Ms))
}

function spreadText(rounds: readonly Spread[]): string {
  const of = (name: keyof Spread): string => median(rounds.map((round) => round[name])).toFixed(1)
  return `p99 ${of('p99Ms')} ms, p50 ${of('p50Ms')} ms`
}
