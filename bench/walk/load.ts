/** Messages that keep arriving while something else is looked at. */
import type { PacedResult } from '../load/generator.ts'
import { startRole } from '../roles/role.ts'

export interface Load {
  /** Lets what is under way be answered. */
  stop(): Promise<LoadResult>
}

export interface LoadResult {
  readonly acknowledged: number
  readonly errors: number
  readonly ms: number
}

export interface LoadOptions {
  readonly ocppUrl: string
  /** The first connections have these identities. */
  readonly chargePointIds: readonly string[]
  readonly connections: number
  readonly callsPerSecond: number
}

/** So long a load that was stopped still runs. */
const SLICE_MS = 1_000

/** Resolves when every station has booted and the messages flow. */
export async function startLoad({ ocppUrl, chargePointIds, connections, callsPerSecond }: LoadOptions): Promise<Load> {
  const generator = await startRole('generator')
  const result = { acknowledged: 0, errors: 0, ms: 0 }
  let stopping = false
  const slice = async () => {
    const startedAt = performance.now()
    const order = { callsPerSecond, warmUpMs: 0, measureMs: SLICE_MS }
    const { calls, errors } = (await generator.order('paced', order)) as PacedResult
    result.acknowledged += calls
    result.errors += errors
    result.ms += performance.now() - startedAt
  }
  const run = async () => {
    while (!stopping) await slice()
  }
  try {
    await generator.order('open', { url: ocppUrl, connections, run: 'walk-', chargePointIds })
    await slice()
  } catch (error) {
    await generator.end()
    throw error
  }
  const running = run()
  // Looked at by `stop`; a failure before that is not an unhandled one.
  running.catch(() => undefined)
  return {
    async stop() {
      stopping = true
      try {
        await running
        return result
      } finally {
        await generator.end()
      }
    },
  }
}
