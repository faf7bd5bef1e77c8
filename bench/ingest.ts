/**
 * BENCH-B1: durable calls per second in the session mix, against a server that makes the same promise and no more
 * (roles/durable-server.ts). The ratio to a server in memory, which promises nothing, is reported beside it.
 */
import type { Protocol } from '../src/domain/ports/core.ts'
import type { LockStepResult } from './load/generator.ts'
import { againstDurable, againstMemory, againstPilotwire, STEADY } from './lock-step.ts'
import { type Measurement, median } from './verdict.ts'

export interface IngestOptions {
  readonly connections: readonly number[]
  readonly protocols: readonly Protocol[]
  /** Ours and the limits take turns, so that a noisy minute of the machine hits all. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export const INGEST: IngestOptions = {
  connections: [50, 500],
  protocols: ['ocpp1.6', 'ocpp2.0.1'],
  rounds: 3,
  ...STEADY,
}

export async function measureIngest(options: IngestOptions = INGEST): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = []
  for (const connections of options.connections) {
    for (const protocol of options.protocols) measurements.push(...(await measureOne(connections, protocol, options)))
  }
  return measurements
}

async function measureOne(
  connections: number,
  protocol: Protocol,
  { rounds, warmUpMs, measureMs }: IngestOptions,
): Promise<readonly Measurement[]> {
  const load = { connections, protocol, warmUpMs, measureMs }
  const durable: number[] = []
  const memory: number[] = []
  const ours: number[] = []
  let errors = 0
  for (let round = 0; round < rounds; round++) {
    memory.push(perSecond(await againstMemory(load)))
    durable.push(perSecond(await againstDurable(load)))
    const own = await againstPilotwire(load)
    ours.push(perSecond(own))
    errors += own.errors
  }
  const against = (limit: readonly number[], promise: string): Omit<Measurement, 'must' | 'aim'> => ({
    id: 'B1',
    what: `durable calls/s, ${connections} connections, ${protocol}`,
    ours: `${Math.round(median(ours))}/s`,
    limit: `${Math.round(median(limit))}/s ${promise}`,
    ratio: median(ours) / median(limit),
    better: 'higher',
    ...(errors > 0 && { fault: `${errors} calls were answered with an error` }),
  })
  return [{ ...against(durable, 'durable'), must: 0.9, aim: 1.5 }, against(memory, 'in memory')]
}

function perSecond({ calls, measuredMs }: LockStepResult): number {
  return (calls / measuredMs) * 1000
}
