/**
 * BENCH-B2: how long an acknowledgement takes at a steady 2,000 calls/s, against what the disk needs to sync one page.
 */
import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { PacedResult } from './load/generator.ts'
import { withDirectory } from './places.ts'
import { startPilotwire } from './roles/pilotwire-server.ts'
import { startRole } from './roles/role.ts'
import { type Measurement, percentile } from './verdict.ts'

export interface LatencyOptions {
  readonly callsPerSecond: number
  readonly connections: number
  readonly warmUpMs: number
  readonly measureMs: number
}

export const LATENCY: LatencyOptions = { callsPerSecond: 2_000, connections: 200, warmUpMs: 3_000, measureMs: 15_000 }

export async function measureLatency(options: LatencyOptions = LATENCY): Promise<readonly Measurement[]> {
  return withDirectory(async (directory) => {
    const before = syncTimesMs(directory)
    const result = await pacedLoad(directory, options)
    const syncMs = percentile([...before, ...syncTimesMs(directory)], 0.5)
    const p99 = percentile(result.latenciesMs, 0.99)
    const p50 = percentile(result.latenciesMs, 0.5)
    return [
      {
        id: 'B2',
        what: `acknowledgement p99 at ${options.callsPerSecond} calls/s`,
        ours: `${p99.toFixed(1)} ms (p50 ${p50.toFixed(1)} ms)`,
        limit: `${syncMs.toFixed(3)} ms fdatasync p50`,
        ratio: p99 / syncMs,
        must: 100,
        aim: 50,
        better: 'lower',
        ...faultOf(result, options),
      },
    ]
  })
}

/** What makes the figure worthless. */
export function faultOf(result: PacedResult, options: LatencyOptions): { readonly fault?: string } {
  const answeredPerSecond = (result.calls / result.measuredMs) * 1000
  if (result.errors > 0) return { fault: `${result.errors} calls were answered with an error` }
  if (answeredPerSecond < options.callsPerSecond * 0.98)
    return { fault: `only ${Math.round(answeredPerSecond)} calls/s were answered` }
  return {}
}

/** @param environment what is not as in a new installation */
export async function pacedLoad(
  directory: string,
  options: LatencyOptions,
  environment: Readonly<Record<string, string>> = {},
): Promise<PacedResult> {
  const server = await startPilotwire({ directory: join(directory, 'server'), environment })
  const generator = await startRole('generator')
  try {
    await generator.order('open', { url: server.ocppUrl, connections: options.connections, run: 'b2-' })
    const { callsPerSecond, warmUpMs, measureMs } = options
    return (await generator.order('paced', { callsPerSecond, warmUpMs, measureMs })) as PacedResult
  } finally {
    await generator.end()
    await server.end()
  }
}

/** What `fdatasync` of one appended 4 KiB page takes on this disk, 200 times. */
function syncTimesMs(directory: string): number[] {
  const page = Buffer.alloc(4096, 1)
  const file = openSync(join(directory, 'sync'), 'a')
  try {
    return Array.from({ length: 200 }, () => {
      writeSync(file, page)
      const startedAt = performance.now()
      fdatasyncSync(file)
      return performance.now() - startedAt
    })
  } finally {
    closeSync(file)
  }
}
