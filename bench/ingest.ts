/** BENCH-B1: durable calls per second in the session mix, against an in-memory server that stores nothing. */
import { join } from 'node:path'
import type { SteadyResult } from './load/generator.ts'
import { withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import { type Measurement, median } from './verdict.ts'

export interface IngestOptions {
  readonly connections: readonly number[]
  /** Ours and the limit take turns, so that a noisy minute of the machine hits both. */
  readonly rounds: number
  readonly warmUpMs: number
  readonly measureMs: number
}

/** A server runs for months: the compiler has about 300 functions to finish, which takes it some seconds of load. */
export const INGEST: IngestOptions = { connections: [50, 500], rounds: 3, warmUpMs: 8_000, measureMs: 5_000 }

export async function measureIngest(options: IngestOptions = INGEST): Promise<readonly Measurement[]> {
  const measurements: Measurement[] = []
  for (const connections of options.connections) {
    const limit: number[] = []
    const ours: number[] = []
    let errors = 0
    for (let round = 0; round < options.rounds; round++) {
      limit.push((await againstLimit(connections, options)).perSecond)
      const own = await againstPilotwire(connections, options)
      ours.push(own.perSecond)
      errors += own.errors
    }
    measurements.push({
      id: 'B1',
      what: `durable calls/s, ${connections} connections`,
      ours: `${Math.round(median(ours))}/s`,
      limit: `${Math.round(median(limit))}/s in memory`,
      ratio: median(ours) / median(limit),
      must: 0.6,
      aim: 1,
      better: 'higher',
      ...(errors > 0 && { fault: `${errors} calls were answered with an error` }),
    })
  }
  return measurements
}

interface Throughput {
  readonly perSecond: number
  readonly errors: number
}

async function againstLimit(connections: number, options: IngestOptions): Promise<Throughput> {
  const server = await startRole('in-memory')
  try {
    return await load(String(await server.order('listen')), connections, options)
  } finally {
    await server.end()
  }
}

function againstPilotwire(connections: number, options: IngestOptions): Promise<Throughput> {
  return withDirectory(async (directory) => {
    const server = await startPilotwire({ directory: join(directory, 'server') })
    try {
      return await load(server.ocppUrl, connections, options)
    } finally {
      await server.end()
    }
  })
}

async function load(url: string, connections: number, options: IngestOptions): Promise<Throughput> {
  const generator = await startRole('generator')
  try {
    await generator.order('open', { url, connections, run: 'b1-' })
    const { warmUpMs, measureMs } = options
    const result = (await generator.order('steady', { warmUpMs, measureMs })) as SteadyResult
    return { perSecond: (result.calls / result.measuredMs) * 1000, errors: result.errors }
  } finally {
    await generator.end()
  }
}
